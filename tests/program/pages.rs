//! The pages of the root and of docs are true: commands work as pasted, and links lead somewhere.
//!
//! The Rust examples of docs/rust.md are documentation tests (`RustPage` in src/lib.rs).

use std::fs;
use std::path::{Path, PathBuf};

/// The pages in the root, and those in docs.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).into();
    let docs = fs::read_dir(root().join("docs")).expect("docs");
    let names = docs.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    pages.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")));
    pages
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("a page")
}

/// The contents of a page's fenced blocks in this language.
#[cfg(feature = "cli")]
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let starts = page.match_indices(&fence).map(|(at, _)| at + fence.len());
    starts.map(|start| page[start..].split("```").next().expect("a block").to_owned()).collect()
}

/// The texts between single backquotes, outside of fenced blocks.
fn quoted(page: &str) -> Vec<&str> {
    let outside = page.split("```").step_by(2);
    outside.flat_map(|text| text.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn links_and_quoted_paths_exist() {
    let mut count = 0;
    for name in &pages() {
        let text = page(name);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let links = links.filter(|link| !link.contains("://")).filter_map(|link| link.split('#').next());
        let folder = Path::new(name.as_str()).parent().unwrap_or(Path::new(""));
        let links: Vec<PathBuf> = links.map(|link| folder.join(link)).collect();
        let starts = |text: &str, roots: &[&str]| roots.iter().any(|root| text.starts_with(root));
        let folders = ["src/", "crates/", "tests/", "docs/", "golden/", "benches/", "examples/"];
        // goldens of a reader's own crate stand in tests/golden
        let is_ours = |text: &&str| {
            starts(text, &folders) && !text.contains(['*', ' ', '{']) && !text.starts_with("tests/golden")
        };
        let paths = quoted(&text).into_iter().filter(is_ours);
        // ARCHITECTURE.md leaves out `crates/…/src/` before these
        let in_source = |room: &str, folders: &[&str]| {
            let of_room = quoted(&text).into_iter().filter(|text| starts(text, folders));
            of_room.map(|path| format!("crates/{room}/src/{path}")).collect::<Vec<_>>()
        };
        let in_source = [
            in_source("scene", &["geom/", "scene/"]),
            in_source("formats", &["source/", "formats/", "data/"]),
            in_source("render", &["tiles/", "raster/", "trace/"]),
        ];
        let in_source = in_source.concat().into_iter();
        for path in paths.map(PathBuf::from).chain(in_source.map(PathBuf::from)).chain(links) {
            assert!(root().join(&path).exists(), "{name} names {}, which does not exist", path.display());
            count += 1;
        }
    }
    assert!(count > 40, "only {count} paths were found");
}

/// Flags for files, terminals and streams, which mean nothing in Python, and one that `view="front"` replaces there.
#[cfg(feature = "cli")]
const FLAGS_OF_TERMINALS: [&str; 13] = [
    "output",
    "force",
    "stats",
    "quiet",
    "verbose",
    "help",
    "stream",
    "generate",
    "circles",
    "frames",
    "shading",
    "no_orient",
    "vector_text",
];

#[test]
#[cfg(feature = "cli")]
fn python_has_each_option_of_the_command_line_by_the_same_name() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_roundel")).args(["render", "--help"]).output();
    let help = String::from_utf8(help.expect("roundel runs").stdout).expect("text");
    let flag = |line: &str| {
        let line = line.trim_start();
        let (_, flag) = line.split_once("--").filter(|(short, _)| short.is_empty() || short.starts_with('-'))?;
        let end = flag.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '-')).unwrap_or(flag.len());
        Some(flag[..end].replace('-', "_"))
    };
    // examples follow the options
    let options = help.split("Examples:").next().expect("options");
    let mut flags: Vec<String> = options.lines().filter_map(flag).collect();
    flags.retain(|flag| !FLAGS_OF_TERMINALS.contains(&&**flag));
    flags.sort();
    // texts name flags, too
    flags.dedup();
    let python = page("python/lib/roundel/_options.py");
    // a field of a typed dictionary: four blanks, a name, a colon
    let field = |line: &str| {
        let (name, _) = line.strip_prefix("    ")?.split_once(": ")?;
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_').then(|| name.to_owned())
    };
    let classes = python.split("\nPICTURE = ").next().expect("classes come first");
    let mut fields: Vec<String> = classes.lines().filter_map(field).filter(|name| name != "arrays").collect();
    fields.sort();
    assert!(flags.len() > 60, "only {} flags were found", flags.len());
    assert_eq!(fields, flags, "python/lib/roundel/_options.py, and the flags of roundel render");
}

#[test]
fn dependencies_name_this_version_and_its_features() {
    let manifest: String = page("Cargo.toml");
    let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
    let readme = page("docs/rust.md");
    let lines = readme.lines().filter(|line| line.starts_with("roundel"));
    let mut count = 0;
    for line in lines {
        assert!(line.contains(&format!("version = \"{version}\"")), "{line}");
        if let Some((_, features)) = line.split_once("features = [") {
            for feature in features.split('"').skip(1).step_by(2) {
                assert!(manifest.contains(&format!("\n{feature} = [")), "{feature} is no feature");
            }
        }
        count += 1;
    }
    assert_eq!(count, 2);
}

/// The text of every Rust file in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(fs::read_to_string(path).expect("readable"));
        }
    }
    texts
}

#[test]
fn bounds_name_tests_and_tuned_constants_name_benchmarks() {
    let code = [sources(&root().join("src")), sources(&root().join("crates"))].concat();
    let tests = [sources(&root().join("tests")), sources(&root().join("benches"))].concat();
    let is_test = |name: &str| code.iter().chain(&tests).any(|text| text.contains(&format!("fn {name}()")));
    let (mut bounds, mut tuned) = (0, 0);
    for text in &code {
        // such as "bound: `a_test`, `another_test`"
        for (at, marker) in text.match_indices("ound: `") {
            let mut rest = &text[at + marker.len()..];
            while let Some((name, after)) = rest.split_once('`') {
                assert!(is_test(name), "a bound names {name}, which is no test");
                bounds += 1;
                let Some(next) = after.strip_prefix(", `") else { break };
                rest = next;
            }
        }
        for (at, marker) in text.match_indices("uned: benches/") {
            let name = text[at + marker.len()..].split(".rs").next().expect("a name");
            assert!(root().join(format!("benches/{name}.rs")).exists(), "{name} is no benchmark");
            tuned += 1;
        }
    }
    assert!(bounds > 10 && tuned > 10, "{bounds} bounds, {tuned} tuned constants");
}

#[cfg(feature = "cli")]
mod commands {
    use std::env;
    use std::process::{Command, Output, Stdio};

    use super::*;

    /// Copies a folder's files and, unless they are hidden, folders.
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let from: PathBuf = entry.expect("an entry").path();
            let to = to.join(from.file_name().expect("a name"));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                fs::copy(&from, &to).expect("copied");
            }
        }
    }

    /// Runs a line in a shell that finds `roundel`.
    fn shell(line: &str, folder: &Path) -> Output {
        let programs = Path::new(env!("CARGO_BIN_EXE_roundel")).parent().expect("a folder").to_owned();
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(std::iter::once(programs).chain(env::split_paths(&path))).expect("a path");
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder).env("PATH", path).env_remove("CI").stdin(Stdio::null());
        shell.output().expect("a shell")
    }

    fn picture(path: &Path) -> image::RgbaImage {
        image::open(path).expect("a picture").to_rgba8()
    }

    /// Runs the commands of a page one after the other; each picture that is written shows something.
    #[cfg(unix)]
    fn run_commands(name: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        for part in ["docs/scenes", "golden"] {
            copy(&root().join(part), &folder.path().join(part));
        }
        let blocks = blocks(&page(name), "console");
        let lines = blocks.iter().flat_map(|block| block.lines()).filter_map(|line| line.strip_prefix("$ "));
        let mut count = 0;
        for line in lines.filter(|line| line.starts_with("roundel ")) {
            let line = line.split("   #").next().expect("a command").trim_end();
            // ends in a picture instead of a window
            let ending = if line.starts_with("roundel view") { " --replay /dev/null -o view.png" } else { "" };
            let output = shell(&format!("{line}{ending}"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{line}: {errors}");
            count += 1;
        }
        assert!(count > 0, "{name} has no commands");
        for entry in fs::read_dir(folder.path()).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "png") {
                let picture = picture(&path);
                let corner = picture.get_pixel(0, 0);
                assert!(picture.pixels().any(|pixel| pixel != corner), "{} is empty", path.display());
            }
        }
    }

    /// A test for each page.
    macro_rules! commands_work {
        ($($test:ident: $page:literal,)*) => {
            $(
                #[test]
                #[cfg(unix)]
                fn $test() {
                    run_commands($page);
                }
            )*
        };
    }

    commands_work! {
        readme_commands_work: "README.md",
        colors_commands_work: "docs/colors.md",
        figures_commands_work: "docs/figures.md",
        films_commands_work: "docs/films.md",
        formats_commands_work: "docs/formats.md",
        large_commands_work: "docs/large.md",
        looks_commands_work: "docs/looks.md",
        molecules_commands_work: "docs/molecules.md",
        scene_commands_work: "docs/scene.md",
        web_commands_work: "docs/web.md",
    }

    /// Its commands are for tests of the reader's own, whose files are not here: each is one that the program knows.
    #[test]
    #[cfg(unix)]
    fn commands_about_goldens_are_understood() {
        let folder = tempfile::tempdir().expect("a folder");
        let blocks = blocks(&page("docs/testing.md"), "console");
        let lines = blocks.iter().flat_map(|block| block.lines()).filter_map(|line| line.strip_prefix("$ "));
        let mut count = 0;
        for line in lines.filter_map(|line| line.split("roundel ").nth(1)) {
            let line = format!("roundel {}", line.split(" > ").next().expect("a command"));
            let errors = shell(&line, folder.path()).stderr;
            let errors = String::from_utf8_lossy(&errors);
            let complaints = ["unexpected argument", "unrecognized", "Usage:", "invalid value"];
            assert!(!complaints.iter().any(|complaint| errors.contains(complaint)), "{line}: {errors}");
            count += 1;
        }
        assert!(count > 12, "only {count} commands");
    }

    #[test]
    #[cfg(unix)]
    fn readme_shows_the_demo() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = shell("roundel render --width 800 --height 600", folder.path());
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let shapes = printed.split(", ").nth(1).expect("a number of shapes");
        assert!(page("README.md").contains(shapes), "{printed}");
        let (drawn, shown) = (folder.path().join("roundel-demo.png"), root().join("docs/images/demo.png"));
        assert!(picture(&drawn) == picture(&shown), "docs/images/demo.png is not what the command draws");
    }
}
