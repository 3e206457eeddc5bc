//! `roundel render` as one of several processes.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use roundel::{Error, Frame, Renderer, Result, Srgba8};

use super::Ranks;
use crate::cli::CommandOutcome;
use crate::cli::output::print;
use crate::cli::progress::{Steps, Verbosity};
use crate::cli::render::{PictureOutput, Processes, RenderArguments, job};
use crate::cli::statistics::Report;
use crate::cli::stream::Streamed;

/// Draws a scene together with other processes; the first of them writes the picture.
pub(super) fn run(ranks: &Ranks, arguments: &RenderArguments) -> Result<CommandOutcome> {
    let start = Instant::now();
    let budget = arguments.limits.budget();
    let prepared = || -> Result<_> {
        let job = job(arguments, Processes::Several)?;
        let renderer = Renderer::new(&arguments.performance.settings(budget))?;
        let options = arguments.picture.options(budget);
        let Streamed::Spheres(scene) = Streamed::new(job.request, &arguments.input, &options)? else {
            return Err(Error::setting("circles", "cannot be drawn by several processes, which draw spheres"));
        };
        Ok((job, renderer, scene))
    };
    let Some((job, mut renderer, scene)) = ranks.in_turn(prepared)? else { return Ok(ranks.verdict()) };
    let load = start.elapsed();
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    let drawn = ranks.visible(&scene, &renderer, |note| Steps::new(verbosity).note(note))?;
    let written = drawn.map(|(visible, of_ranks)| -> Result<()> {
        let streamed = visible.statistics;
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let statistics = scene.draw_visible(visible, &mut renderer, &mut frame)?;
        let encode_start = Instant::now();
        let (picture, output) = (PictureOutput::Frame(frame), &job.output);
        picture.save(output, scene.figure.dpi())?;
        let (encode, total) = (encode_start.elapsed(), start.elapsed());
        let shapes: u64 = of_ranks.iter().map(|rank| rank.stream.shapes).sum();
        if !arguments.quiet && output != Path::new("-") {
            let ((width, height), seconds) = (picture.size(), total.as_secs_f64());
            let count = of_ranks.len();
            print(&format!(
                "wrote {}: {width} x {height} pixels, {shapes} shapes, {count} processes, {seconds:.2} s\n",
                output.display()
            ))?;
        }
        if let Some(format) = arguments.stats {
            let mut statistics = statistics;
            statistics.shapes = shapes;
            let report = Report { statistics, streamed: Some(streamed), load, encode, total };
            let text = of_ranks.iter().zip(0..).map(|(of, rank)| of.to_text(rank, format)).collect::<String>()
                + &report.to_text(format);
            let _ = io::stderr().write_all(text.as_bytes());
        }
        Ok(())
    });
    ranks.agree(written.transpose())?;
    Ok(ranks.verdict())
}
