//! `roundel film` as one of several processes.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use roundel::film::{FilmPainter, FilmWriter, Recording, is_standard_output};
use roundel::{Error, Frame, Renderer, Result, Srgba8};

use super::Ranks;
use crate::cli::CommandOutcome;
use crate::cli::film::{FilmArguments, note_film};
use crate::cli::output::print;
use crate::cli::progress::{self, Steps, Verbosity};

/// Draws a film together with other processes, a frame each at a time; the first of them writes it.
pub(super) fn run(ranks: &Ranks, arguments: &FilmArguments) -> Result<CommandOutcome> {
    let start = Instant::now();
    let prepared = || -> Result<_> {
        if arguments.resume {
            return Err(Error::setting("resume", "is for one process; several draw all frames"));
        }
        let format = arguments.format()?;
        let budget = arguments.limits.budget();
        let renderer = Renderer::new(&arguments.performance.settings(budget))?;
        let film = arguments.plan(budget)?;
        arguments.check_pictures(&film, format)?;
        Ok((film, format, renderer))
    };
    let Some((film, format, mut renderer)) = ranks.in_turn(prepared)? else { return Ok(ranks.verdict()) };
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    if ranks.is_first() {
        let steps = Steps::new(verbosity);
        note_film(&steps, &film, format, &arguments.output);
        steps.finish();
    }
    let bar = ranks.is_first().then(|| progress::of_film(verbosity, film.len()));
    let stop = AtomicBool::new(false);
    let mut recording = Recording::new(&arguments.output, &stop);
    recording.threads = arguments.performance.threads;
    recording.overwriting = arguments.force.overwriting();
    let [rank, count] = ranks.place();
    let mut painter = FilmPainter::new(&film, &mut renderer);
    let mut writer: Option<FilmWriter> = None;
    let mut written = Ok(());
    for round in 0..film.len().div_ceil(count) {
        let own = Some(round * count + rank).filter(|index| *index < film.len());
        let drawn = written.and_then(|()| own.map(|index| painter.draw(index)).transpose());
        let Some(drawn) = ranks.agree(drawn)? else { return Ok(ranks.verdict()) };
        let message = drawn.map(|frame| message_of(&frame)).unwrap_or_default();
        let mut push = |message: &[u8]| -> Result<()> {
            let Some(frame) = frame_of(message)? else { return Ok(()) };
            if writer.is_none() {
                writer = Some(recording.begin(&frame, &mut painter)?);
            }
            writer.as_mut().map_or(Ok(()), |writer| writer.push(frame))
        };
        written = ranks.gather(message).iter().try_for_each(|message| push(message));
        if let Some(bar) = &bar {
            bar.set_position(((round + 1) * count).min(film.len()));
        }
    }
    let finished = written.and_then(|()| writer.map_or(Ok(0), FilmWriter::finish));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
        Steps::new(verbosity).note_occlusion(|| painter.occlusion_error());
    }
    let Some(frames) = ranks.agree(finished)? else { return Ok(ranks.verdict()) };
    if ranks.is_first() && !arguments.quiet && !is_standard_output(&arguments.output) {
        let (output, seconds) = (arguments.output.display(), start.elapsed().as_secs_f64());
        print(&format!(
            "wrote {output}: {frames} frames, {} a second, {count} processes, {seconds:.2} s\n",
            film.rate()
        ))?;
    }
    Ok(ranks.verdict())
}

fn message_of(frame: &Frame) -> Vec<u8> {
    let mut bytes = frame.width().to_le_bytes().to_vec();
    bytes.extend(frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b, pixel.a]));
    bytes
}

/// Decodes a frame; `None` for an empty message.
fn frame_of(bytes: &[u8]) -> Result<Option<Frame>> {
    let Some((width, pixels)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let (width, pixels) = (u32::from_le_bytes(*width), pixels.as_chunks::<4>().0);
    let height = u32::try_from(pixels.len()).unwrap_or(u32::MAX) / width.max(1);
    let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
    for (to, &[r, g, b, a]) in frame.pixels_mut().iter_mut().zip(pixels) {
        *to = Srgba8 { r, g, b, a };
    }
    Ok(Some(frame))
}
