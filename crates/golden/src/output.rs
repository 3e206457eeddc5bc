//! The folders of a test: the goldens of its package, and the output folder below cargo's target folder.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use roundel_image::io::Overwriting;

/// The variable that overrides the output folder.
const VARIABLE: &str = "ROUNDEL_OUTPUT";

/// Where a test's goldens are, and where its failures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The folder of the package, which folders of goldens are relative to.
    pub root: PathBuf,
    /// The name of the package, a folder of the output folder; none if the failures are in the output folder itself.
    pub package: String,
    /// The folder of all packages' output.
    pub folder: PathBuf,
    /// An identifier of the test run: processes of the same run share it, if that can be determined.
    pub run: String,
    /// Which files may be replaced.
    pub overwriting: Overwriting,
}

impl Output {
    pub(super) fn of_this_test() -> Self {
        Self::of(&Environment {
            package_root: env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from),
            package: env::var("CARGO_PKG_NAME").ok(),
            output: env::var_os(VARIABLE),
            target_folder: env::var_os("CARGO_TARGET_DIR"),
            program: env::current_exe().ok(),
            working_folder: env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            run: run(),
        })
    }

    fn of(environment: &Environment) -> Self {
        let set = |variable: &Option<OsString>| variable.clone().filter(|value| !value.is_empty());
        let root = environment.package_root.clone().unwrap_or_else(|| environment.working_folder.clone());
        let folder = match set(&environment.output) {
            Some(folder) => environment.working_folder.join(folder),
            None => {
                target_folder(&root, environment.program.as_deref(), set(&environment.target_folder)).join("golden")
            }
        };
        let package = environment.package.clone().filter(|package| !package.is_empty());
        let package = package.unwrap_or_else(|| "tests".to_owned());
        Self { root, package, folder, run: environment.run.clone(), overwriting: Overwriting::Own }
    }

    /// The output of a package `charts` in this folder.
    #[cfg(test)]
    pub(super) fn in_folder(root: &Path, run: &str) -> Self {
        let (package, folder) = ("charts".to_owned(), root.join("target/golden"));
        Self { root: root.to_owned(), package, folder, run: run.to_owned(), overwriting: Overwriting::Own }
    }

    /// An output file of the golden with this name.
    #[must_use]
    pub fn file(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(&self.package).join(format!("{name}{ending}"))
    }
}

/// The parts of a process's environment that determine its folders.
#[derive(Debug)]
struct Environment {
    package_root: Option<PathBuf>,
    package: Option<String>,
    output: Option<OsString>,
    target_folder: Option<OsString>,
    program: Option<PathBuf>,
    working_folder: PathBuf,
    run: String,
}

/// Cargo's target folder: the folder that the program was built in, then `CARGO_TARGET_DIR`, then the workspace's own.
///
/// The program's place comes first because it alone reflects `--target-dir` and cargo's configuration. A documentation
/// test is built elsewhere.
fn target_folder(root: &Path, program: Option<&Path>, set: Option<OsString>) -> PathBuf {
    let built_in = program.into_iter().flat_map(Path::ancestors).find(|folder| is_target_folder(folder));
    if let Some(folder) = built_in {
        return folder.to_owned();
    }
    let workspace = root.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap_or(root);
    workspace.join(set.unwrap_or_else(|| "target".into()))
}

/// Reports whether cargo builds in the folder. Cargo tags folders that it creates, and stores facts about rustc in
/// every target folder.
fn is_target_folder(folder: &Path) -> bool {
    let is_tagged = fs::read(folder.join("CACHEDIR.TAG")).is_ok_and(|tag| tag.windows(5).any(|word| word == b"cargo"));
    is_tagged || folder.join(".rustc_info.json").is_file()
}

/// A text that the processes of a test run share: nextest's identifier of the run, or the process of cargo that started
/// them. Otherwise this process alone is a run.
fn run() -> String {
    if let Ok(run) = env::var("NEXTEST_RUN_ID") {
        return run;
    }
    if env::var_os("CARGO").is_some() { run_of("cargo") } else { format!("process {}", std::process::id()) }
}

/// A text that processes share which the same process of a tool has started, where systems tell.
#[must_use]
pub fn run_of(tool: &str) -> String {
    #[cfg(unix)]
    return format!("{tool} {}", std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    format!("{tool} {}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workspace with a member, and a target folder elsewhere that cargo has marked.
    fn workspace() -> (tempfile::TempDir, Environment) {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["work/member", "elsewhere/debug/deps"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        fs::write(at("work/Cargo.lock"), "").unwrap();
        fs::write(at("elsewhere/CACHEDIR.TAG"), "Signature: …\n# … created by cargo.\n").unwrap();
        let environment = Environment {
            package_root: Some(at("work/member")),
            package: Some("charts".to_owned()),
            output: None,
            target_folder: None,
            program: Some(at("elsewhere/debug/deps/charts-0123456789abcdef")),
            working_folder: at("work/member"),
            run: "1".to_owned(),
        };
        (folder, environment)
    }

    #[test]
    fn output_is_in_the_target_folder_that_the_test_was_built_in() {
        let (folder, environment) = workspace();
        let output = Output::of(&environment);
        assert_eq!(output.folder, folder.path().join("elsewhere/golden"));
        assert_eq!(output.root, folder.path().join("work/member"));
        assert_eq!(output.file("deep/leaf", ".actual.png"), output.folder.join("charts/deep/leaf.actual.png"));
        // whatever a variable says that the command line overrode
        let other = Environment { target_folder: Some("/other".into()), ..environment };
        assert_eq!(Output::of(&other).folder, folder.path().join("elsewhere/golden"));
    }

    #[test]
    fn output_of_a_test_built_elsewhere_is_in_the_workspace() {
        let (folder, environment) = workspace();
        let doctest = Environment { program: Some("/tmp/rustdoctest/rust_out".into()), ..environment };
        assert_eq!(Output::of(&doctest).folder, folder.path().join("work/target/golden"));
        let set = |target: &str| Environment {
            target_folder: Some(target.into()),
            package_root: doctest.package_root.clone(),
            program: None,
            package: None,
            output: None,
            working_folder: doctest.working_folder.clone(),
            run: String::new(),
        };
        assert_eq!(Output::of(&set("/other")).folder, Path::new("/other/golden"));
        assert_eq!(Output::of(&set("out")).folder, folder.path().join("work/out/golden"));
        assert_eq!(Output::of(&set("")).folder, folder.path().join("work/target/golden"));
        assert_eq!(Output::of(&set("")).package, "tests");
    }

    #[test]
    fn output_may_be_named() {
        let (folder, environment) = workspace();
        let named = |output: &str| Environment { output: Some(output.into()), ..workspace().1 };
        assert_eq!(Output::of(&named("/artefacts")).folder, Path::new("/artefacts"));
        let relative = Environment { working_folder: environment.working_folder.clone(), ..named("artefacts") };
        assert_eq!(Output::of(&relative).folder, folder.path().join("work/member/artefacts"));
    }

    #[test]
    fn cache_folders_of_other_programs_are_not_target_folders() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55\n").unwrap();
        assert!(!is_target_folder(folder.path()));
        // a folder that somebody made before cargo has no tag
        fs::write(folder.path().join(".rustc_info.json"), "{}").unwrap();
        assert!(is_target_folder(folder.path()));
        // this test's own program is in one that cargo made
        assert!(env::current_exe().unwrap().ancestors().any(is_target_folder));
    }
}
