//! Draws the frames of the manifest under WASI, where there are neither threads nor a processor's instructions to
//! choose from.

use std::process::ExitCode;

/// Functions that Debian's wasi-libc lacks, and Rust's library calls for threads: there are none.
#[cfg(target_os = "wasi")]
mod missing {
    /// `ENOTSUP` of WASI.
    const NOT_SUPPORTED: i32 = 58;

    #[unsafe(no_mangle)]
    extern "C" fn pthread_attr_init(_: *mut u8) -> i32 {
        0
    }

    #[unsafe(no_mangle)]
    extern "C" fn pthread_attr_destroy(_: *mut u8) -> i32 {
        0
    }

    #[unsafe(no_mangle)]
    extern "C" fn pthread_attr_setstacksize(_: *mut u8, _: usize) -> i32 {
        0
    }

    #[unsafe(no_mangle)]
    extern "C" fn pthread_create(_: *mut u8, _: *const u8, _: *const u8, _: *mut u8) -> i32 {
        NOT_SUPPORTED
    }

    #[unsafe(no_mangle)]
    extern "C" fn pthread_detach(_: *mut u8) -> i32 {
        0
    }
}

fn main() -> ExitCode {
    let counts = roundel_web::selftest::run(|name, is_same| {
        if !is_same {
            println!("{name} differs");
        }
    });
    match counts {
        Ok([same, 0]) => {
            println!("{same} frames agree");
            ExitCode::SUCCESS
        }
        Ok([same, other]) => {
            println!("{other} frames differ, {same} agree");
            ExitCode::from(1)
        }
        Err(error) => {
            println!("{error}");
            ExitCode::from(2)
        }
    }
}
