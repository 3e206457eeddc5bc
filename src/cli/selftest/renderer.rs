//! `roundel selftest --renderer`: whether another renderer draws the same bytes in any way of running it.
//!
//! The command runs several times: again, with other numbers of threads, bound to one processor, and with the
//! instructions of an older processor. Each picture is compared with the first. Programs and libraries without such a
//! switch ignore the variables that are set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use roundel::compare::{CompareOptions, Comparison};
use roundel::io::compare_files;
use roundel::{Error, Result};

use super::super::CommandOutcome;
use super::super::output::print;

/// Variables for the number of threads: of OpenMP, linear algebra, Numba, Rust, llvmpipe, VTK, Julia and Go.
const THREADS: [&str; 12] = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "LP_NUM_THREADS",
    "VTK_SMP_MAX_THREADS",
    "JULIA_NUM_THREADS",
    "GOMAXPROCS",
];

/// Variables that leave out instructions of newer processors: in the C library's mathematics, linear algebra, NumPy,
/// PyTorch, OpenCV and Mesa.
const OLDER_PROCESSOR: [(&str, &str); 8] = [
    ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F"),
    ("OPENBLAS_CORETYPE", "Nehalem"),
    ("MKL_ENABLE_INSTRUCTIONS", "SSE4_2"),
    ("NPY_DISABLE_CPU_FEATURES", "AVX2 FMA3 AVX512F AVX512_SKX X86_V3 X86_V4"),
    ("ATEN_CPU_CAPABILITY", "default"),
    ("OPENCV_CPU_DISABLE", "AVX,AVX2,FMA3,AVX_512F"),
    ("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1"),
    ("LP_NATIVE_VECTOR_WIDTH", "128"),
];

/// The place in a command where the name of the picture goes.
pub(super) const PLACE: &str = "{out}";

/// The most bytes of a failed command's messages that are shown.
const LONGEST_COMPLAINT: usize = 2000;

/// One way to run a command.
struct Way {
    name: String,
    command: String,
    /// A program that runs it, with its arguments.
    under: Vec<String>,
    variables: Vec<(&'static str, String)>,
}

impl Way {
    fn new(name: impl Into<String>, command: &str) -> Self {
        Self { name: name.into(), command: command.to_owned(), under: Vec::new(), variables: Vec::new() }
    }

    fn with_threads(command: &str, threads: usize) -> Self {
        let name = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        let variables = THREADS.iter().map(|&variable| (variable, threads.to_string())).collect();
        Self { variables, ..Self::new(name, command) }
    }

    fn on_older_processor(command: &str) -> Self {
        let variables = OLDER_PROCESSOR.iter().map(|&(variable, value)| (variable, value.to_owned())).collect();
        Self { variables, ..Self::new("older processor", command) }
    }

    /// Bound to one of the processors that this process may use, if `taskset` is there.
    fn on_one_processor(command: &str) -> Option<Self> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        let first: String = allowed.trim().chars().take_while(char::is_ascii_digit).collect();
        let is_there = Command::new("taskset").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        is_there.ok()?;
        let under = ["taskset", "-c", &first].map(str::to_owned).to_vec();
        Some(Self { under, ..Self::new("one processor", command) })
    }

    /// Draws a picture to `file`.
    fn draw(&self, file: &Path) -> Result<()> {
        let line = self.command.replace(PLACE, &quoted(file));
        let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
        let words: Vec<&str> = self.under.iter().map(String::as_str).chain(shell).chain([&*line]).collect();
        let run = Command::new(words[0])
            .args(&words[1..])
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output();
        let run = run.map_err(|source| Error::Io { action: "start", path: words[0].into(), source })?;
        let complaint = |what: &str| {
            let said = String::from_utf8_lossy(&run.stderr);
            let said = said.trim();
            let start = said.len().saturating_sub(LONGEST_COMPLAINT);
            let start = (start..=said.len()).find(|&start| said.is_char_boundary(start)).unwrap_or(said.len());
            let said = if said.is_empty() { String::new() } else { format!(":\n{}", &said[start..]) };
            Err(Error::setting("renderer", format!("{what} ({}): {}{said}", self.name, self.command)))
        };
        if !run.status.success() {
            return complaint(&format!("fails with {}", run.status));
        }
        if !file.is_file() { complaint("must write a picture to {out}, and wrote none") } else { Ok(()) }
    }
}

/// A path as a word of the shell.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// The ways to run the first command, and the other commands.
fn ways(commands: &[String]) -> Vec<Way> {
    let first = &commands[0];
    let mut ways = vec![Way::new("first", first), Way::new("again", first)];
    ways.extend([1, 2, 7].map(|threads| Way::with_threads(first, threads)));
    ways.extend(Way::on_one_processor(first));
    ways.push(Way::on_older_processor(first));
    ways.extend(commands[1..].iter().map(|command| Way::new(command, command)));
    ways
}

/// A folder for the pictures, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("roundel-renderer-{}", std::process::id()));
        fs::create_dir(&path).map_err(|source| Error::Io { action: "create", path: path.clone(), source })?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // what cannot be removed stays until the system cleans up
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How the pictures of all ways compare with the first.
#[derive(Default)]
struct Agreement {
    differs_again: bool,
    differing: usize,
    /// The largest differences of any: steps of a channel, pixels; `None` if two sizes differ.
    largest: Option<(f64, u64)>,
}

impl Agreement {
    fn add(&mut self, way: &Way, found: &Comparison) {
        self.differing += 1;
        self.differs_again |= way.name == "again";
        let (steps, pixels) = self.largest.unwrap_or_default();
        self.largest = Some((steps.max(found.largest), pixels.max(found.differing)));
    }

    fn conclusion(&self, ways: usize) -> String {
        match self {
            Self { differing: 0, .. } => format!("exact: {ways} of {ways} pictures have the same pixels\n"),
            Self { differs_again: true, .. } => {
                "not exact: two runs in the same way differ; look for a clock, a random seed, or threads that add up\n"
                    .to_owned()
            }
            Self { differing, largest, .. } => {
                let (steps, pixels) = largest.unwrap_or_default();
                let allowance = if steps > 0.0 {
                    format!("; to allow that: --tolerance {steps}, or --pixels {pixels}")
                } else {
                    String::new()
                };
                format!("not exact: {differing} of {ways} pictures differ from the first{allowance}\n")
            }
        }
    }
}

/// Draws with each command, and reports whether the pictures agree.
pub(super) fn run(commands: &[String]) -> Result<CommandOutcome> {
    if let Some(command) = commands.iter().find(|command| !command.contains(PLACE)) {
        let message = format!("must have {PLACE} where the name of the picture goes, got {command:?}");
        return Err(Error::setting("renderer", message));
    }
    let folder = Folder::create()?;
    let file = |number: usize| folder.0.join(format!("{number}.png"));
    let ways = ways(commands);
    ways[0].draw(&file(0))?;
    let width = ways.iter().map(|way| way.name.chars().count()).max().unwrap_or(0);
    let mut agreement = Agreement::default();
    for (number, way) in ways.iter().enumerate().skip(1) {
        way.draw(&file(number))?;
        let found = compare_files(file(0), file(number), &CompareOptions::default())?;
        let text = if !found.is_same() {
            agreement.add(way, &found);
            found.summary()
        } else if fs::read(file(0)).ok() == fs::read(file(number)).ok() {
            "same bytes".to_owned()
        } else {
            "same pixels in other bytes".to_owned()
        };
        print(&format!("{:width$}  {text}\n", way.name))?;
    }
    print(&agreement.conclusion(ways.len()))?;
    Ok(if agreement.differing == 0 { CommandOutcome::Done } else { CommandOutcome::Different })
}
