//! Runs a target on every file of its corpus and on mutations of these.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest input; longer ones are slow and find nothing new.
const LONGEST: usize = 1 << 14;

/// The time limit of one input, generous: files of 16 KiB are read in microseconds.
const SLOWEST: Duration = Duration::from_secs(5);

/// The kind of input, which decides how it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Words and bytes.
    Text,
    /// Numbers of 32 bits, lowest byte first.
    Floats,
}

/// Runs the target on its corpus, `tests/fuzz/TARGET/`, and on mutations of it until the time is over.
pub(crate) fn fuzz(target: &str, kind: Input, run: impl Fn(&[u8])) {
    let seconds = setting("ROUNDEL_FUZZ_SECONDS").unwrap_or(1.0);
    let mut random = Random(setting("ROUNDEL_FUZZ_SEED").unwrap_or(1.0).to_bits());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::fs::read_dir(root.join("tests/fuzz").join(target)).expect("a corpus");
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    let corpus: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a readable file")).collect();
    let start = Instant::now();
    let mut executions = 0u64;
    while executions < corpus.len() as u64 || start.elapsed().as_secs_f64() < seconds {
        let input = match corpus.get(usize::try_from(executions).unwrap_or(usize::MAX)) {
            Some(sample) => sample.clone(),
            None if kind == Input::Floats => mutate_floats(&mut random, &corpus),
            None => mutate_text(&mut random, &corpus),
        };
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&input)));
        if outcome.is_err() || begun.elapsed() > SLOWEST {
            let left = root.join("target/fuzz").join(target).with_extension("bin");
            std::fs::create_dir_all(left.parent().expect("a folder")).expect("a folder under target");
            std::fs::write(&left, &input).expect("a file under target");
            let how = if outcome.is_err() { "panicked" } else { "was too slow" };
            panic!("{target} {how} on execution {executions}; the input is in {}", left.display());
        }
        executions += 1;
    }
    println!("{target}: {executions} executions");
}

fn setting(name: &str) -> Option<f64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number, got {value:?}")))
}

/// Words with a meaning to some reader.
const WORDS: [&str; 28] = [
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-0",
    "1e-400",
    "4294967296",
    "-1",
    "999999999999",
    "18446744073709551616",
    "0x10",
    "",
    "\0",
    "\n",
    "\r\n",
    "\u{feff}",
    "\"",
    "[[",
    "]]",
    "[",
    "{",
    "}",
    ",",
    ";",
    "\t",
    "#",
    "\u{fffd}é",
    "MODEL",
];

/// One to eight changes to an input of the corpus.
fn mutate_text(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = random.pick(corpus).clone();
    for _ in 0..=random.below(8) {
        let (a, b) = (random.below(input.len() + 1), random.below(input.len() + 1));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(8) {
            0 if start < input.len() => input[start] ^= 1 << random.below(8),
            1 if start < input.len() => input[start] = random.next().to_le_bytes()[0],
            2 => drop(input.drain(start..end)),
            3 => input.truncate(start),
            4 => {
                let part = input[start..end].to_vec();
                let times = 1 + random.below(4);
                input.splice(end..end, part.repeat(times));
            }
            5 => {
                let other = random.pick(corpus);
                let from = random.below(other.len() + 1);
                input.splice(start..end, other[from..].iter().copied());
            }
            6 => drop(input.splice(start..start, random.pick(&WORDS).bytes())),
            // a word in place of a number or a name
            _ => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+_".contains(byte);
                let from = input.iter().skip(start).position(is_word).map_or(start, |skip| start + skip);
                let length = input[from..].iter().take_while(|byte| is_word(byte)).count();
                input.splice(from..from + length, random.pick(&WORDS).bytes());
            }
        }
        input.truncate(LONGEST);
    }
    input
}

/// Numbers at the limits of types and formats.
const ENDS: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    f32::MIN_POSITIVE,
    f32::from_bits(1),
    f32::MAX,
    f32::EPSILON,
    f32::INFINITY,
    f32::NAN,
    8_388_608.5,
    1e30,
    1e-30,
];

/// One to eight changes to the numbers of a sample: random bits, a limit, the next float, another of its numbers, or all
/// scaled.
fn mutate_floats(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let sample = random.pick(corpus);
    let mut numbers: Vec<u32> =
        sample.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
    for _ in 0..=random.below(8) {
        let (at, other) = (random.below(numbers.len()), random.below(numbers.len()));
        match random.below(8) {
            0 => numbers[at] = u32::from_le_bytes(random.next().to_le_bytes()[..4].try_into().unwrap()),
            1 => numbers[at] = random.pick(&ENDS).to_bits(),
            2 | 3 => numbers[at] = numbers[at].wrapping_add_signed([-2, -1, 1, 2][random.below(4)]),
            4 => numbers[at] = numbers[other],
            5 => numbers[at] ^= 1 << 31,
            6 => numbers[at] ^= 1 << random.below(32),
            _ => {
                // powers of two preserve contacts
                let power = f32::from_bits(u32::try_from(random.below(254) + 1).unwrap() << 23);
                numbers.iter_mut().for_each(|number| *number = (f32::from_bits(*number) * power).to_bits());
            }
        }
    }
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("below a usize")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
