//! `roundel golden review`: failing pictures one by one in the terminal.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use console::{Key, Term};
use roundel::compare::Picture;
use roundel::golden::{Pending, SceneFolder, pending};
use roundel::io::read_picture;
use roundel::{Error, Frame, Result, Srgba8};

use super::CommandOutcome;
use super::golden::{SCENES, default_output};
use super::terminal::TerminalPicture;

/// Rows of the terminal above and below the pictures.
const ROWS_OF_TEXT: usize = 6;

/// The fewest columns for a picture: fewer show nothing.
const FEWEST_COLUMNS: usize = 8;

/// The gap between pictures, in columns.
const GAP: usize = 2;

pub(super) fn run(folder: &Path, output: Option<&Path>, scenes: &SceneFolder) -> Result<CommandOutcome> {
    let output = if scenes.status().is_ok() {
        let output = output.map_or_else(|| default_output().join(SCENES), Path::to_owned);
        scenes.check(&output)?;
        output
    } else {
        output.map_or_else(default_output, Path::to_owned)
    };
    let is_inside = inside(folder);
    let pending: Vec<Pending> = pending(output)?.into_iter().filter(|one| is_inside(&one.golden)).collect();
    if pending.is_empty() {
        super::output::print("nothing to review\n")?;
        return Ok(CommandOutcome::Done);
    }
    let term = Term::stdout();
    if !(term.is_term() && io::stdin().is_terminal()) {
        let message = "needs a terminal to ask at; golden check and golden bless do without one".to_owned();
        return Err(Error::setting("review", message));
    }
    let failed = |source| Error::Io { action: "write to", path: "<terminal>".into(), source };
    let way = TerminalPicture::Auto.resolved();
    let mut decided = 0;
    for (index, one) in pending.iter().enumerate() {
        let (rows, columns) = term.size();
        let page = page(one, index, pending.len(), (usize::from(columns), usize::from(rows)), way);
        (&term).write_all(format!("\x1b[2J\x1b[H{page}").as_bytes()).map_err(failed)?;
        let said = match decision(|| term.read_key().map_err(failed))? {
            Decision::Accept => one.accept().map(|()| "accepted")?,
            Decision::Reject => one.reject().map(|()| "rejected")?,
            Decision::Next => continue,
            Decision::Quit => break,
        };
        decided += 1;
        (&term).write_all(format!("{said} {}\n", one.name).as_bytes()).map_err(failed)?;
    }
    let left = pending.len() - decided;
    (&term).write_all(format!("{decided} decided, {left} left\n").as_bytes()).map_err(failed)?;
    Ok(if left == 0 { CommandOutcome::Done } else { CommandOutcome::Different })
}

/// Whether a golden, which need not exist, is inside a folder.
fn inside(folder: &Path) -> impl Fn(&Path) -> bool {
    let canonical = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = canonical(folder);
    move |golden| {
        let parent = golden.ancestors().skip(1).find(|parent| parent.is_dir());
        parent.is_some_and(|parent| canonical(parent).starts_with(&folder))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Accept,
    Reject,
    Next,
    Quit,
}

/// Reads keys until one is an answer.
fn decision(mut key: impl FnMut() -> Result<Key>) -> Result<Decision> {
    loop {
        return Ok(match key()? {
            Key::Char('a' | 'A' | 'y') => Decision::Accept,
            Key::Char('r' | 'R') => Decision::Reject,
            Key::Char('n' | 'N' | 's' | ' ') | Key::ArrowRight | Key::Enter => Decision::Next,
            Key::Char('q' | 'Q') | Key::Escape | Key::CtrlC => Decision::Quit,
            _ => continue,
        });
    }
}

/// A failing picture beside its golden, with the keys that decide on it, for a terminal of this size.
fn page(one: &Pending, index: usize, count: usize, (columns, rows): (usize, usize), way: TerminalPicture) -> String {
    let read = |path: &Path| read_picture(path).ok();
    let pictures = [
        ("old", read(&one.golden)),
        ("new", read(&one.actual)),
        ("difference", one.difference.as_deref().and_then(read)),
    ];
    let width = (columns.saturating_sub(2 * GAP) / 3).max(FEWEST_COLUMNS);
    let height = rows.saturating_sub(ROWS_OF_TEXT).max(2);
    let is_block = matches!(way, TerminalPicture::Auto | TerminalPicture::None | TerminalPicture::Blocks);
    // a character is two pixels of blocks, and at least as many pixels as this on a screen
    let (across, down) = if is_block { (1, 2) } else { (8, 16) };
    let shown = pictures.each_ref().map(|(_, picture)| shrunk(picture.as_ref()?, (width * across, height * down)));
    let labels = pictures.each_ref().map(|(label, picture)| {
        let size = picture.as_ref().map(Picture::size);
        format!("{label} ({})", size.map_or("none".to_owned(), |(width, height)| format!("{width} x {height}")))
    });
    let title = format!("{} of {count}: {}\n\n", index + 1, one.name);
    let body = if is_block {
        let heading: String = labels.iter().map(|label| format!("{label:<0$}", width + GAP)).collect();
        format!(
            "{}\n{}",
            heading.trim_end(),
            beside(&shown.map(|frame| frame.as_ref().map_or_else(Vec::new, half_blocks)), width)
        )
    } else {
        let strip = strip(shown.iter().flatten(), GAP * across);
        format!("{}\n{}", labels.join(", "), strip.map_or_else(String::new, |strip| way.shown(&strip)))
    };
    format!("{title}{body}\na accept   r reject   n next   q quit\n")
}

/// Blocks of lines side by side.
fn beside(blocks: &[Vec<String>], width: usize) -> String {
    let mut text = String::new();
    for row in 0..blocks.iter().map(Vec::len).max().unwrap_or(0) {
        for (index, block) in blocks.iter().enumerate() {
            let place = index * (width + GAP) + 1;
            let line = block.get(row).map_or("", String::as_str);
            // the escape moves the cursor to a column
            text += &format!("\x1b[{place}G{line}");
        }
        text += "\n";
    }
    text
}

/// Pictures side by side in one, with grey between and below them; `None` of none.
fn strip<'f>(frames: impl Iterator<Item = &'f Frame> + Clone, gap: usize) -> Option<Frame> {
    let height = frames.clone().map(Frame::height).max()?;
    let width = frames.clone().map(|frame| frame.width() as usize + gap).sum::<usize>() - gap;
    let mut strip = Frame::new(u32::try_from(width).ok()?, height, Srgba8::rgb(128, 128, 128)).ok()?;
    let mut left = 0;
    for frame in frames {
        for (row, own) in strip.pixels_mut().chunks_mut(width).zip(frame.rows()) {
            row[left..left + own.len()].copy_from_slice(own);
        }
        left += frame.width() as usize + gap;
    }
    Some(strip)
}

/// A picture over white that fits into a number of pixels. Pictures are shrunk to fit, and never enlarged.
fn shrunk(picture: &Picture<'_>, (most_across, most_down): (usize, usize)) -> Option<Frame> {
    let (width, height) = picture.size();
    let (width, height) = (width as usize, height as usize);
    let frame = picture.to_frame().ok()?;
    let pixels = frame.pixels();
    let shrink = (width as f64 / most_across as f64).max(height as f64 / most_down as f64).max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the sides of a picture")]
    let side = |side: usize| ((side as f64 / shrink) as usize).max(1);
    let (across, down) = (side(width), side(height));
    // the mean of the picture's pixels in one of the terminal
    let mean = |x: usize, y: usize| -> Srgba8 {
        let range =
            |at: usize, of: usize, all: usize| at * all / of..((at + 1) * all / of).max(at * all / of + 1).min(all);
        let (mut sum, mut count) = ([0; 3], 0);
        for row in range(y, down, height) {
            for column in range(x, across, width) {
                let Srgba8 { r, g, b, a } = pixels[row * width + column];
                for (sum, color) in sum.iter_mut().zip([r, g, b].map(usize::from)) {
                    *sum += (color * usize::from(a) + 255 * usize::from(255 - a)) / 255;
                }
                count += 1;
            }
        }
        let [r, g, b] = sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX));
        Srgba8::rgb(r, g, b)
    };
    let mut shrunk = Frame::new(u32::try_from(across).ok()?, u32::try_from(down).ok()?, Srgba8::WHITE).ok()?;
    for (index, pixel) in shrunk.pixels_mut().iter_mut().enumerate() {
        *pixel = mean(index % across, index / across);
    }
    Some(shrunk)
}

/// A picture in rows of `▀`, whose upper half is a pixel and whose lower half the pixel below.
fn half_blocks(frame: &Frame) -> Vec<String> {
    let rows: Vec<&[Srgba8]> = frame.rows().collect();
    let line = |pair: &[&[Srgba8]]| {
        let cell = |(x, Srgba8 { r, g, b, .. }): (usize, &Srgba8)| match pair.get(1).map(|lower| lower[x]) {
            None => format!("\x1b[38;2;{r};{g};{b}m▀"),
            Some(lower) => format!("\x1b[38;2;{r};{g};{b};48;2;{};{};{}m▀", lower.r, lower.g, lower.b),
        };
        pair[0].iter().enumerate().map(cell).collect::<String>() + "\x1b[0m"
    };
    rows.chunks(2).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_decide() {
        let mut keys = [Key::Char('x'), Key::Tab, Key::Char('a')].into_iter();
        assert_eq!(decision(|| Ok(keys.next().expect("a key"))).expect("a decision"), Decision::Accept);
        for (key, expected) in [
            (Key::Char('r'), Decision::Reject),
            (Key::Char('n'), Decision::Next),
            (Key::Escape, Decision::Quit),
            (Key::CtrlC, Decision::Quit),
        ] {
            assert_eq!(decision(|| Ok(key.clone())).expect("a decision"), expected);
        }
    }

    #[test]
    fn half_blocks_show_two_rows_each() {
        let red_over_blue: Vec<u8> = [[255, 0, 0, 255], [0, 0, 255, 255]].concat();
        let picture = Picture::from_rgba8(1, 2, red_over_blue).expect("pixels");
        let blocks = |picture: &Picture<'_>, size| half_blocks(&shrunk(picture, size).expect("small"));
        assert_eq!(blocks(&picture, (8, 16)), ["\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m"]);
        // means, over white
        let clear: Vec<u8> = [[0, 0, 0, 255], [0, 0, 0, 0]].concat();
        let picture = Picture::from_rgba8(2, 1, clear).expect("pixels");
        assert_eq!(blocks(&picture, (1, 2)), ["\x1b[38;2;127;127;127m▀\x1b[0m"]);
    }

    #[test]
    fn strip_has_pictures_side_by_side() {
        let frames = [(2, 1, Srgba8::BLACK), (1, 2, Srgba8::WHITE)];
        let frames = frames.map(|(width, height, color)| Frame::new(width, height, color).expect("small"));
        let strip = strip(frames.iter(), 1).expect("two");
        let row = |y: usize| strip.rows().nth(y).expect("two rows").iter().map(|pixel| pixel.r).collect::<Vec<u8>>();
        assert_eq!((row(0), row(1)), (vec![0, 0, 128, 255], vec![128, 128, 128, 255]));
        assert!(super::strip([].iter(), 1).is_none());
    }
}
