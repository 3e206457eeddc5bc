//! Encodes frames on several threads, and writes them in order.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::container::{Container, FilmHeader};
use super::format::{FilmFormat, FrameRate};
use super::packet::{Alpha, Codec};
use super::palette::Palette;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::Overwriting;

/// The most frames from which the colours of a GIF are chosen.
pub(super) const SAMPLES: u64 = 8;

/// A film that is being written.
///
/// The file appears under its name when [`FilmWriter::finish`] returns. Frames are encoded on other threads while the
/// caller draws the next ones; at most a few of them wait. The bytes do not depend on the number of threads.
///
/// ```
/// use roundel::film::{FilmWriter, FrameRate};
/// use roundel::{Frame, Srgba8};
///
/// # let folder = std::env::temp_dir().join(format!("roundel-film-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let frames: Vec<Frame> = [Srgba8::WHITE, Srgba8::BLACK].map(|color| Frame::new(8, 6, color).unwrap()).into();
/// let mut film = FilmWriter::begin(folder.join("blink.gif"), FrameRate::new(2.0)?, &frames)?;
/// for frame in frames {
///     film.push(frame)?;
/// }
/// assert_eq!(film.finish()?, 2);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct FilmWriter {
    size: (u32, u32),
    output: PathBuf,
    encoders: Vec<SyncSender<Frame>>,
    /// Frames so far.
    count: u64,
    writing: Option<JoinHandle<Result<u64>>>,
    /// Whether the film is given up and its file removed.
    is_abandoned: Arc<AtomicBool>,
}

#[derive(Clone, Debug)]
pub(super) struct WriterOptions {
    pub(super) rate: FrameRate,
    /// Frames that are expected.
    pub(super) frames: u64,
    /// The resolution that pictures state.
    pub(super) dpi: Option<f32>,
    /// Numbers in the names of frames.
    pub(super) numbers: Vec<u64>,
    /// Threads that encode; `None` for one per processor.
    pub(super) threads: Option<usize>,
    pub(super) has_alpha: bool,
    /// Which pictures of single frames may be replaced.
    pub(super) overwriting: Overwriting,
}

impl FilmWriter {
    /// Begins a film in the format that the name states. The sample has at least the first frame, and its frames have
    /// the size of the film. The colours of a GIF are chosen from the sample. An APNG or WebP has an alpha channel if
    /// the sample has transparent pixels.
    ///
    /// # Errors
    /// If there is no such format, the file cannot be written, or the sample is empty.
    pub fn begin(output: impl AsRef<Path>, rate: FrameRate, sample: &[Frame]) -> Result<Self> {
        let has_alpha = !sample.iter().all(Frame::is_opaque);
        let options = WriterOptions {
            rate,
            frames: 0,
            dpi: None,
            numbers: Vec::new(),
            threads: None,
            has_alpha,
            overwriting: Overwriting::Own,
        };
        Self::with_options(output.as_ref(), options, sample)
    }

    pub(super) fn with_options(output: &Path, options: WriterOptions, sample: &[Frame]) -> Result<Self> {
        let format = FilmFormat::of(output)?;
        let Some(first) = sample.first() else {
            return Err(Error::setting("film", "must have a frame at least"));
        };
        let size = (first.width(), first.height());
        let alpha = if options.has_alpha { Alpha::Straight } else { Alpha::Opaque };
        let palette = (format == FilmFormat::Gif).then(|| Palette::of(sample));
        let codec = match (format, &palette) {
            (FilmFormat::Gif, Some(palette)) => Codec::Gif(palette.clone()),
            (FilmFormat::Pngs, _) => Codec::Png(options.dpi),
            (FilmFormat::WebP, _) => Codec::WebP(alpha),
            (FilmFormat::Y4m, _) => Codec::Yuv444,
            (FilmFormat::Mp4, _) => Codec::EvenRgb,
            (FilmFormat::Apng | FilmFormat::Gif, _) => Codec::PngOf(alpha),
        };
        let WriterOptions { rate, frames, numbers, threads, overwriting, .. } = options;
        let header = FilmHeader { output, format, rate, size, alpha, frames, palette: palette.as_ref(), overwriting };
        let container = Container::begin(&header)?;
        let (mut encoders, mut packets) = (Vec::new(), Vec::new());
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        for _ in 0..threads.clamp(1, 16) {
            let (to_encoder, frames) = sync_channel::<Frame>(1);
            let (to_file, encoded) = sync_channel(1);
            let codec = codec.clone();
            std::thread::spawn(move || {
                for frame in frames {
                    if to_file.send(codec.packet(&frame)).is_err() {
                        return;
                    }
                }
            });
            encoders.push(to_encoder);
            packets.push(encoded);
        }
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let (name, is_unwanted) = (output.to_owned(), Arc::clone(&is_abandoned));
        let writing = std::thread::spawn(move || {
            let (container, count) = write(container, &packets, &numbers, &name)?;
            if !is_unwanted.load(Ordering::Relaxed) {
                container.finish(count)?;
            }
            Ok(count)
        });
        Ok(Self { size, output: output.to_owned(), encoders, count: 0, writing: Some(writing), is_abandoned })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// If its size differs from the first frame's, or an earlier frame could not be written.
    pub fn push(&mut self, frame: Frame) -> Result<()> {
        let size = (frame.width(), frame.height());
        if size != self.size {
            let ((width, height), (own_width, own_height)) = (self.size, size);
            let message = format!(
                "must have frames of one size: the first has {width} x {height} pixels, frame {} has {own_width} x {own_height}",
                self.count
            );
            return Err(Error::setting("film", message));
        }
        let count = self.encoders.len().max(1) as u64;
        let index = usize::try_from(self.count % count).expect("less than the number of encoders");
        if self.encoders.get(index).is_none_or(|encoder| encoder.send(frame).is_err()) {
            return Err(self.failure());
        }
        self.count += 1;
        Ok(())
    }

    /// Finishes the film and gives its file its name; returns the number of frames.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<u64> {
        self.encoders.clear();
        match self.writing.take().map(JoinHandle::join) {
            Some(Ok(written)) => written,
            _ => Err(self.failure()),
        }
    }

    /// The error that ended the writing.
    fn failure(&mut self) -> Error {
        self.encoders.clear();
        match self.writing.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => error,
            _ => {
                let source = std::io::Error::other("a thread that encodes ended");
                Error::Io { action: "write", path: self.output.clone(), source }
            }
        }
    }
}

impl Drop for FilmWriter {
    /// Ends the threads; the file is removed unless it has been finished.
    fn drop(&mut self) {
        if let Some(writing) = self.writing.take() {
            self.is_abandoned.store(true, Ordering::Relaxed);
            self.encoders.clear();
            // nobody is interested in its error any more
            drop(writing.join());
        }
    }
}

/// Writes packets in order, until there are no more.
fn write(
    mut container: Container,
    packets: &[Receiver<std::io::Result<Vec<u8>>>],
    numbers: &[u64],
    name: &Path,
) -> Result<(Container, u64)> {
    let mut count = 0;
    for encoded in packets.iter().cycle() {
        let Ok(packet) = encoded.recv() else { break };
        let packet = packet.map_err(|source| Error::Io { action: "encode", path: name.to_owned(), source })?;
        let number = usize::try_from(count).ok().and_then(|index| numbers.get(index)).copied().unwrap_or(count);
        container.add(count, number, &packet)?;
        count += 1;
    }
    Ok((container, count))
}
