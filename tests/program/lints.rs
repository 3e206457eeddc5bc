//! `clippy.toml` bans inexact functions: the list is complete, each line is enforced, and the crate has no exceptions.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Functions of std's floats with platform-dependent rounding or fusing. (Others, such as `gamma`, are not stable yet.)
const INEXACT: [&str; 27] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "exp2", "exp_m1", "ln", "log", "log2", "log10", "ln_1p", "powf", "powi", "cbrt", "hypot", "mul_add",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The paths of a list of `clippy.toml`.
fn listed(list: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("clippy.toml")).expect("the list is there");
    let table: toml::Table = text.parse().expect("TOML");
    let entries = table[list].as_array().expect("a list");
    entries.iter().map(|entry| entry["path"].as_str().expect("a path").to_owned()).collect()
}

#[test]
fn list_names_all_inexact_functions_of_std_and_collections_without_order() {
    let methods = listed("disallowed-methods");
    for function in INEXACT {
        for float in ["f32", "f64"] {
            assert!(methods.contains(&format!("{float}::{function}")), "{float}::{function}");
        }
    }
    let types = listed("disallowed-types");
    assert!(
        ["HashMap", "HashSet"].iter().all(|name| types.contains(&format!("std::collections::{name}"))),
        "{types:?}"
    );
}

#[test]
fn crate_has_no_exceptions_to_the_list() {
    let mut folders = vec![root().join("src"), root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("source text");
                assert!(!text.contains("disallowed_") && !text.contains("clippy::style"), "{}", path.display());
            }
        }
    }
}

/// Clippy refuses every line of a crate that uses each entry of the list in a line of its own.
#[test]
fn every_line_of_the_list_is_refused() {
    let cargo = env!("CARGO");
    if !Command::new(cargo).args(["clippy", "--version"]).output().is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("ROUNDEL_REQUIRE_CLIPPY").is_none(), "no clippy");
        eprintln!("left out: no clippy");
        return;
    }
    let mut source = String::from("#![allow(unused, missing_docs, reason = \"a test\")]\n");
    let mut uses: Vec<String> = listed("disallowed-types")
        .into_iter()
        .map(|path| match &*path {
            "std::collections::HashMap" => format!("type Map = {path}<u8, u8>;"),
            "std::collections::HashSet" => format!("type Set = {path}<u8>;"),
            _ => format!("type Plain = {path};"),
        })
        .collect();
    uses.extend(listed("disallowed-methods").iter().map(|path| format!("const _: fn() = || {{ let _ = {path}; }};")));
    uses.push("fn called(x: f32) -> f32 { x.sin() }".to_owned());
    for line in &uses {
        // writing into a string cannot fail
        let _ = writeln!(source, "{line}");
    }
    let refused = refused_lines(&package(&source));
    let passed: Vec<&String> =
        uses.iter().enumerate().filter(|(index, _)| !refused.contains(&(index + 2))).map(|(_, line)| line).collect();
    assert!(passed.is_empty(), "passed:\n{passed:#?}");
    assert!(!refused.contains(&1), "what is not on the list passes");
}

/// A crate with this source, and with our lints, `clippy.toml` and version of glam.
fn package(source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let ours: toml::Table = fs::read_to_string(root().join("Cargo.toml")).expect("ours").parse().expect("TOML");
    let manifest = format!(
        "[package]\nname = \"banned\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nglam = {}\n[lints]\nclippy = {}\n",
        ours["workspace"]["dependencies"]["glam"], ours["workspace"]["lints"]["clippy"],
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/lib.rs"), source).expect("written");
    for file in ["clippy.toml", "Cargo.lock"] {
        fs::copy(root().join(file), folder.join(file)).expect("copied");
    }
    folder
}

/// The lines that `cargo clippy -- -D warnings` refuses because of the list.
fn refused_lines(package: &Path) -> BTreeSet<usize> {
    let output = Command::new(env!("CARGO"))
        .args(["clippy", "--quiet", "--offline", "--message-format=json", "--", "-D", "warnings"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "all of it passed: {errors}");
    let mut lines = BTreeSet::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("JSON");
        let message = &message["message"];
        match message["code"]["code"].as_str() {
            Some("clippy::disallowed_methods" | "clippy::disallowed_types") => {
                assert_eq!(message["level"], "error", "{message}");
                let line = message["spans"][0]["line_start"].as_u64().expect("a place");
                lines.insert(usize::try_from(line).expect("a short file"));
            }
            Some(other) => panic!("{other}: {message}\n{errors}"),
            None => {}
        }
    }
    lines
}
