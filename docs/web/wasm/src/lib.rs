//! roundel for browsers: scenes from bytes, pictures as bytes, through a C interface that needs no generated glue.
//!
//! A worker writes a request into memory ([`reserve`]), calls a function, and reads its answer ([`answer`]): JSON, or
//! an error's text. Pixels and files that are made lie in memory of their own ([`bytes`]). One instance holds one
//! scene. See `worker.js`.

mod options;
#[cfg(feature = "selftest")]
pub mod selftest;
mod session;
mod stage;
mod view;

use std::cell::RefCell;

use session::Session;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Makes room for a request, or for a file, and returns its place; 0 if memory has no such room.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        if input.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Takes a file: the room that was reserved begins with as many bytes of its name, and its content follows.
#[unsafe(no_mangle)]
pub extern "C" fn add_file(name: usize) {
    let mut name_and_content = INPUT.take();
    let content = name_and_content.split_off(name);
    SESSION.with_borrow_mut(|session| session.add_file(&String::from_utf8_lossy(&name_and_content), content));
}

/// Does what the request asks for. Returns 1 if there is an answer, 0 if there is an error.
///
/// A panic ends the program at once, by a trap that its caller reports: messages of panics would be 8 % of the library.
#[unsafe(no_mangle)]
pub extern "C" fn request() -> u32 {
    let answer = SESSION.with_borrow_mut(|session| session.answer(&INPUT.take()));
    let is_ok = u32::from(answer.is_ok());
    ANSWER.set(answer.unwrap_or_else(|error| error).into_bytes());
    is_ok
}

/// Returns the place of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Returns the place of the pixels, or of the file, that the last request made.
#[unsafe(no_mangle)]
pub extern "C" fn bytes() -> *const u8 {
    SESSION.with_borrow(|session| session.bytes().as_ptr())
}

/// Returns the number of these bytes.
#[unsafe(no_mangle)]
pub extern "C" fn bytes_length() -> usize {
    SESSION.with_borrow(|session| session.bytes().len())
}

/// Draws the frames of the manifest. Returns whether all have the hash there; the answer says for each whether it has.
#[cfg(feature = "selftest")]
#[unsafe(no_mangle)]
pub extern "C" fn selftest() -> u32 {
    let mut frames = Vec::new();
    let counts = selftest::run(|name, is_same| frames.push((name.to_owned(), is_same)));
    ANSWER.set(serde_json::to_vec(&frames).unwrap_or_default());
    u32::from(counts.is_ok_and(|[_, other]| other == 0))
}
