//! `roundel info`: describes a file and the picture that would be drawn of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use roundel::io::{Description, LoadOptions, describe, load};
use roundel::{Error, Frame, RenderSettings, Renderer, Result, Srgba8};

use super::CommandOutcome;
use super::flags::PictureFlags;
use super::limits::LimitFlags;
use super::output::print;
use super::terminal::TerminalPicture;

/// Print what a file contains and what would be drawn
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel info molecule.pdb       List atoms, chains and bounds
  roundel info places.csv --json  List columns and bounds as JSON
  roundel generate uniform -n 1000 -o - | roundel info -

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct InfoArguments {
    /// Scene (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more); - for standard input
    #[arg(value_name = "SCENE|DATA")]
    input: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Show a small picture above the description
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", num_args = 0..=1, require_equals = true, default_missing_value = "blocks")]
    preview: TerminalPicture,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(arguments: &InfoArguments) -> Result<CommandOutcome> {
    let options = arguments.picture.options(arguments.limits.budget());
    let description = describe(&arguments.input, &options)?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&description).expect("a description holds numbers, texts and lists");
        print(&format!("{json}\n"))?;
    } else {
        if let Some(preview) = preview(arguments, &options, &description) {
            // escape codes, which `print` would not let pass
            let written = io::stdout().lock().write_all(preview.as_bytes());
            written.map_err(|source| Error::Io { action: "write", path: "<stdout>".into(), source })?;
        }
        print(&description.to_string())?;
    }
    Ok(CommandOutcome::Done)
}

/// The text of a small picture, if one is shown. A file that cannot be drawn again has none, nor one whose picture could
/// take more than the limit on memory.
fn preview(arguments: &InfoArguments, options: &LoadOptions, description: &Description) -> Option<String> {
    /// Supersampling: drawn pixels across each one that is shown, so that outlines keep their width.
    const FINER: u32 = 4;
    /// Upper bound of the bytes that a shape takes while it is read again, sorted and lit.
    const EACH: u64 = 512;
    let how = arguments.preview.resolved();
    if how == TerminalPicture::None || arguments.input == Path::new("-") {
        return None;
    }
    let Description { circles, ellipses, segments, spheres, cylinders, ellipsoids, cones, .. } = *description;
    let shapes =
        [circles, ellipses, segments, spheres, cylinders, ellipsoids, cones].into_iter().fold(0, u64::saturating_add);
    if shapes.saturating_mul(EACH) > options.budget.memory {
        return None;
    }
    let width = how.width();
    let mut options = LoadOptions { width: Some(width * FINER), height: None, ..options.clone() };
    (options.figure.figure_width, options.figure.scale) = (None, None);
    let loaded = load(&arguments.input, &options).ok()?;
    let mut renderer = Renderer::new(&RenderSettings::default().with_budget(arguments.limits.budget())).ok()?;
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT).ok()?;
    loaded.draw(&mut renderer, &mut frame).ok()?;
    reduced(&frame, FINER).map(|frame| how.shown(&frame))
}

/// Shrinks a frame: each pixel is the mean of a square of `side` by `side` pixels.
fn reduced(frame: &Frame, side: u32) -> Option<Frame> {
    let (width, height) = ((frame.width() / side).max(1), (frame.height() / side).max(1));
    let mut reduced = Frame::new(width, height, Srgba8::TRANSPARENT).ok()?;
    for (pixel, index) in reduced.pixels_mut().iter_mut().zip(0..) {
        let (x, y) = (index % width * side, index / width * side);
        let (mut sums, mut count) = ([0_u32; 4], 0);
        for Srgba8 { r, g, b, a } in (0..side * side).filter_map(|at| frame.pixel(x + at % side, y + at / side)) {
            [r, g, b, a].into_iter().zip(&mut sums).for_each(|(channel, sum)| *sum += u32::from(channel));
            count += 1;
        }
        let [r, g, b, a] = sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX));
        *pixel = Srgba8 { r, g, b, a };
    }
    Some(reduced)
}
