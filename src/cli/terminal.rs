//! Small pictures in a terminal: by the protocols of kitty and iTerm2, as sixels, or as half blocks, which any terminal with
//! colours shows.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::ValueEnum;
use color_quant::NeuQuant;
use roundel::{Frame, Srgba8};

/// How pictures are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TerminalPicture {
    /// The best that the terminal is known to have; none where output is no terminal
    Auto,
    /// None
    None,
    /// Two pixels a character
    Blocks,
    /// The protocol of kitty, Ghostty, WezTerm and Konsole
    Kitty,
    /// The protocol of iTerm2
    Iterm,
    /// Sixels: foot, mlterm, Windows Terminal, xterm -ti vt340
    Sixel,
}

/// Width of pictures made of blocks, in characters.
const COLUMNS: u32 = 60;

/// Width of other pictures in pixels: about 50 characters.
const PIXELS: u32 = 400;

/// The most bytes in a chunk of kitty's protocol.
const CHUNK: usize = 4096;

/// Colours of a sixel picture.
const COLORS: usize = 255;

impl TerminalPicture {
    /// Chooses how to show pictures, from standard output and the environment.
    pub(super) fn resolved(self) -> Self {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        match self {
            Self::Auto if !io::stdout().is_terminal() || env::var_os("NO_COLOR").is_some() => Self::None,
            Self::Auto => Self::of(&variable("TERM"), &variable("TERM_PROGRAM"), &variable("COLORTERM")),
            chosen => chosen,
        }
    }

    /// The best way that a terminal is known to support, by `TERM`, `TERM_PROGRAM` and `COLORTERM`.
    fn of(term: &str, program: &str, colors: &str) -> Self {
        const KITTY: [&str; 3] = ["ghostty", "WezTerm", "Konsole"];
        const SIXEL: [&str; 4] = ["foot", "mlterm", "sixel", "yaft"];
        if term.contains("kitty") || KITTY.contains(&program) {
            Self::Kitty
        } else if program == "iTerm.app" {
            Self::Iterm
        } else if SIXEL.iter().any(|name| term.contains(name)) || program == "mintty" {
            Self::Sixel
        } else if ["truecolor", "24bit"].contains(&colors) || term.contains("256color") || term.contains("direct") {
            Self::Blocks
        } else {
            Self::None
        }
    }

    /// Pixels across the picture.
    pub(super) fn width(self) -> u32 {
        if self == Self::Blocks { COLUMNS } else { PIXELS }
    }

    /// The text and escape sequences that show a picture.
    pub(super) fn shown(self, frame: &Frame) -> String {
        match self {
            Self::Auto | Self::None => String::new(),
            Self::Blocks => blocks(frame),
            Self::Kitty => kitty(frame),
            Self::Iterm => iterm(frame),
            Self::Sixel => sixel(frame),
        }
    }
}

/// Upper half blocks: the foreground is the upper pixel, the background the lower one.
fn blocks(frame: &Frame) -> String {
    let rows: Vec<&[Srgba8]> = frame.rows().collect();
    let mut text = String::new();
    for pair in rows.chunks(2) {
        for (x, upper) in pair[0].iter().enumerate() {
            let lower = pair.get(1).map_or(Srgba8::TRANSPARENT, |row| row[x]);
            let color = |of: Srgba8, ground: u8| format!("\x1b[{ground}8;2;{};{};{}m", of.r, of.g, of.b);
            // writing into a string cannot fail
            let _ = match (upper.a >= 128, lower.a >= 128) {
                (false, false) => write!(text, "\x1b[0m "),
                (true, false) => write!(text, "\x1b[0m{}▀", color(*upper, 3)),
                (false, true) => write!(text, "\x1b[0m{}▄", color(lower, 3)),
                (true, true) => write!(text, "{}{}▀", color(*upper, 3), color(lower, 4)),
            };
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

/// A PNG in chunks of base64.
fn kitty(frame: &Frame) -> String {
    let encoded = STANDARD.encode(frame.encode_png());
    let chunks: Vec<&[u8]> = encoded.as_bytes().chunks(CHUNK).collect();
    let mut text = String::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let keys = if index == 0 { "f=100,a=T," } else { "" };
        let more = u8::from(index + 1 < chunks.len());
        let _ = write!(text, "\x1b_G{keys}m={more};{}\x1b\\", String::from_utf8_lossy(chunk));
    }
    text + "\n"
}

/// A PNG in base64, shown where the text is.
fn iterm(frame: &Frame) -> String {
    let png = frame.encode_png();
    format!("\x1b]1337;File=inline=1;size={};width={}px:{}\x07\n", png.len(), frame.width(), STANDARD.encode(png))
}

/// Bands of six rows, with a pass for each colour in a band.
fn sixel(frame: &Frame) -> String {
    let pixels: Vec<u8> = frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b, 255]).collect();
    let palette = NeuQuant::new(10, COLORS, &pixels);
    let indices: Vec<usize> = pixels.chunks_exact(4).map(|pixel| palette.index_of(pixel)).collect();
    let (width, height) = (frame.width() as usize, frame.height());
    let mut text = format!("\x1bPq\"1;1;{width};{height}");
    for (index, color) in palette.color_map_rgb().chunks_exact(3).enumerate() {
        let [r, g, b] = [0, 1, 2].map(|channel| (u32::from(color[channel]) * 100 + 127) / 255);
        let _ = write!(text, "#{index};2;{r};{g};{b}");
    }
    for band in indices.chunks(6 * width) {
        let mut is_used = [false; 256];
        band.iter().for_each(|index| is_used[*index] = true);
        for index in (0..256).filter(|index| is_used[*index]) {
            let _ = write!(text, "#{index}");
            let bits = |x: usize| {
                let rows = band.iter().skip(x).step_by(width).enumerate();
                rows.filter(|(_, found)| **found == index).fold(0_u8, |bits, (row, _)| bits | 1 << row)
            };
            let mut x = 0;
            while x < width {
                let run = bits(x);
                let length = (x..width).take_while(|&x| bits(x) == run).count();
                let letter = char::from(63 + run);
                let _ = if length > 3 {
                    write!(text, "!{length}{letter}")
                } else {
                    write!(text, "{}", String::from(letter).repeat(length))
                };
                x += length;
            }
            text.push('$');
        }
        text.push('-');
    }
    text + "\x1b\\\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_three() -> Frame {
        let mut frame = Frame::new(2, 3, Srgba8::WHITE).expect("small");
        frame.pixels_mut()[2] = Srgba8::rgb(255, 0, 0);
        frame.pixels_mut()[3] = Srgba8::TRANSPARENT;
        frame
    }

    #[test]
    fn blocks_have_two_pixels_a_character() {
        let text = blocks(&two_by_three());
        assert_eq!(text.lines().count(), 2);
        assert!(
            text.starts_with("\x1b[38;2;255;255;255m\x1b[48;2;255;0;0m▀\x1b[0m\x1b[38;2;255;255;255m▀"),
            "{text:?}"
        );
    }

    #[test]
    fn kitty_has_a_png_in_base64() {
        let frame = Frame::new(200, 200, Srgba8::rgb(1, 2, 3)).expect("small");
        let text = kitty(&frame);
        let encoded: String = text
            .split("\x1b_G")
            .filter_map(|chunk| chunk.split_once(';'))
            .map(|(_, rest)| rest.trim_end_matches("\n").trim_end_matches("\x1b\\"))
            .collect();
        assert_eq!(STANDARD.decode(encoded).expect("base64"), frame.encode_png());
        assert!(text.starts_with("\x1b_Gf=100,a=T,m="), "{text:?}");
    }

    #[test]
    fn iterm_has_a_png_in_base64() {
        let frame = Frame::new(20, 10, Srgba8::rgb(1, 2, 3)).expect("small");
        let text = iterm(&frame);
        let (keys, encoded) = text.strip_prefix("\x1b]1337;File=").and_then(|text| text.split_once(':')).expect("keys");
        assert_eq!(keys, format!("inline=1;size={};width=20px", frame.encode_png().len()));
        assert_eq!(STANDARD.decode(encoded.trim_end_matches("\x07\n")).expect("base64"), frame.encode_png());
    }

    #[test]
    fn sixels_cover_every_pixel_once() {
        let text = sixel(&Frame::new(5, 7, Srgba8::rgb(9, 9, 200)).expect("small"));
        // five columns of six rows, then five of the seventh
        assert!(text.starts_with("\x1bPq\"1;1;5;7#0;2;") && text.ends_with("-\x1b\\\n"), "{text:?}");
        let bands: Vec<&str> = text.split('-').collect();
        assert!(bands[0].ends_with("!5~$") && bands[1].ends_with("!5@$"), "{bands:?}");
    }

    #[test]
    fn terminals_are_known_by_name() {
        for (term, program, colors, expected) in [
            ("xterm-kitty", "", "truecolor", TerminalPicture::Kitty),
            ("xterm-256color", "WezTerm", "", TerminalPicture::Kitty),
            ("xterm-256color", "iTerm.app", "truecolor", TerminalPicture::Iterm),
            ("foot", "", "truecolor", TerminalPicture::Sixel),
            ("xterm-256color", "", "", TerminalPicture::Blocks),
            ("dumb", "", "", TerminalPicture::None),
        ] {
            assert_eq!(TerminalPicture::of(term, program, colors), expected, "{term} {program}");
        }
    }
}
