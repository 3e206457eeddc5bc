//! Film files: takes packets in order and writes a whole file.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;

use super::ffmpeg::Ffmpeg;
use super::format::{FilmFormat, FrameRate, frame_name, is_standard_output};
use super::packet::Alpha;
use super::palette::Palette;
use crate::error::{Error, Result};
use crate::io::{FileBelow, OutputKind, Overwriting};
use roundel_image::output::PendingFile;

#[derive(Debug)]
pub(super) struct FilmHeader<'a> {
    pub(super) output: &'a Path,
    pub(super) format: FilmFormat,
    pub(super) rate: FrameRate,
    pub(super) size: (u32, u32),
    pub(super) alpha: Alpha,
    /// Frames that are expected.
    pub(super) frames: u64,
    pub(super) palette: Option<&'a Palette>,
    /// Which pictures of single frames may be replaced.
    pub(super) overwriting: Overwriting,
}

pub(super) enum Container {
    Pngs {
        pattern: PathBuf,
        overwriting: Overwriting,
    },
    Apng(FilmFile, Apng),
    Gif(GifFile),
    /// With its width and height.
    WebP(FilmFile, (u32, u32)),
    Y4m(FilmFile),
    Mp4(Ffmpeg),
}

/// The output: a file with a temporary name, or standard output.
pub(super) struct FilmFile {
    rate: FrameRate,
    out: BufWriter<FilmOut>,
    /// Bytes so far.
    length: u64,
    name: PathBuf,
}

enum FilmOut {
    File(PendingFile),
    Standard(io::Stdout),
}

pub(super) struct Apng {
    /// Frames that the header promises.
    promised: u32,
    sequence: u32,
}

pub(super) struct GifFile {
    encoder: gif::Encoder<FilmFile>,
    size: (u16, u16),
    transparent: u8,
}

impl Write for FilmOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(out) => out.flush(),
        }
    }
}

impl Write for FilmFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl FilmFile {
    fn begin(header: &FilmHeader<'_>) -> Result<Self> {
        let name = header.output.to_owned();
        let out = if is_standard_output(&name) {
            FilmOut::Standard(io::stdout())
        } else {
            FilmOut::File(PendingFile::begin(&name)?)
        };
        Ok(Self { rate: header.rate, out: BufWriter::with_capacity(1 << 16, out), length: 0, name })
    }

    /// A file with its first bytes.
    fn begin_with(header: &FilmHeader<'_>, write: impl Fn(&mut Self) -> io::Result<()>) -> Result<Self> {
        let mut file = Self::begin(header)?;
        write(&mut file).map_err(|source| file.error(source))?;
        Ok(file)
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { action: "write", path: self.name.clone(), source }
    }

    fn png_chunk(&mut self, kind: [u8; 4], parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.write_all(&length_u32(length)?.to_be_bytes())?;
        let mut crc = Crc::new();
        for part in std::iter::once(&kind[..]).chain(parts.iter().copied()) {
            crc.update(part);
            self.write_all(part)?;
        }
        self.write_all(&crc.sum().to_be_bytes())
    }

    /// Writes a chunk of a RIFF file, padded to an even length.
    fn riff_chunk(&mut self, kind: [u8; 4], parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.write_all(&kind)?;
        self.write_all(&length_u32(length)?.to_le_bytes())?;
        for part in parts {
            self.write_all(part)?;
        }
        if length.is_multiple_of(2) { Ok(()) } else { self.write_all(&[0]) }
    }

    /// Writes a frame of an animated WebP.
    fn webp_frame(&mut self, size: (u32, u32), index: u64, bits: &[u8]) -> io::Result<()> {
        /// Pixels replace the previous frame's.
        const NO_BLENDING: u8 = 0x02;
        let three = |number: u64| u32::try_from(number).map(u32::to_le_bytes).unwrap_or([0xff; 4]);
        let (width, height) = (three(u64::from(size.0) - 1), three(u64::from(size.1) - 1));
        let duration = three(self.rate.duration(index, 1000).min(0xff_ffff));
        let padding: &[u8] = if bits.len().is_multiple_of(2) { &[] } else { &[0] };
        let length = length_u32(bits.len())?.to_le_bytes();
        let place = [0; 6];
        self.riff_chunk(
            *b"ANMF",
            &[&place, &width[..3], &height[..3], &duration[..3], &[NO_BLENDING], b"VP8L", &length, bits, padding],
        )
    }

    /// Flushes, patches bytes that were not known before, and gives the file its name.
    fn finish(mut self, patch: Option<(u64, Vec<u8>)>) -> Result<()> {
        let flushed = self.out.flush();
        flushed.map_err(|source| self.error(source))?;
        let Self { out, name, .. } = self;
        match out.into_parts().0 {
            FilmOut::Standard(_) => Ok(()),
            FilmOut::File(mut file) => {
                if let Some((place, bytes)) = patch {
                    file.patch(place, &bytes).map_err(|source| Error::Io { action: "write", path: name, source })?;
                }
                file.commit()
            }
        }
    }
}

fn length_u32(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| io::Error::other("a frame has more than 4 GiB"))
}

/// The content of the chunk `acTL`: the number of frames, looped forever.
fn animation_control(frames: u32) -> [u8; 8] {
    let [a, b, c, d] = frames.to_be_bytes();
    [a, b, c, d, 0, 0, 0, 0]
}

/// The offset of `acTL` in a file: after the signature and `IHDR`.
const ANIMATION_CONTROL: u64 = 33;

fn begin_apng(header: &FilmHeader<'_>) -> Result<Container> {
    let promised = u32::try_from(header.frames).unwrap_or(u32::MAX);
    let color = if header.alpha == Alpha::Opaque { 2 } else { 6 };
    let [width, height] = <[u32; 2]>::from(header.size).map(u32::to_be_bytes);
    let file = FilmFile::begin_with(header, |file| {
        file.write_all(b"\x89PNG\r\n\x1a\n")?;
        file.png_chunk(*b"IHDR", &[&width, &height, &[8, color, 0, 0, 0]])?;
        file.png_chunk(*b"acTL", &[&animation_control(promised)])
    })?;
    Ok(Container::Apng(file, Apng { promised, sequence: 0 }))
}

fn begin_gif(header: &FilmHeader<'_>) -> Result<Container> {
    check_size(header, u16::MAX.into(), "GIF")?;
    if header.rate.per_second() > 50.0 {
        let message = format!(
            "has {} frames a second, of which a GIF has at most 50: players show others slowly; --fps sets them",
            header.rate
        );
        return Err(Error::setting("film", message));
    }
    let side = |side: u32| u16::try_from(side).expect("checked above");
    let size = (side(header.size.0), side(header.size.1));
    let palette = header.palette.expect("a GIF has a palette");
    let file = FilmFile::begin(header)?;
    let failed = |error| Error::Io { action: "write", path: header.output.to_owned(), source: gif_error(error) };
    let mut encoder = gif::Encoder::new(file, size.0, size.1, &palette.bytes()).map_err(failed)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
    Ok(Container::Gif(GifFile { encoder, size, transparent: palette.transparent() }))
}

fn begin_webp(header: &FilmHeader<'_>) -> Result<Container> {
    check_size(header, 1 << 14, "WebP")?;
    let flags = if header.alpha == Alpha::Opaque { 0x02 } else { 0x12 };
    let [width, height] = <[u32; 2]>::from(header.size).map(|side| (side - 1).to_le_bytes());
    let file = FilmFile::begin_with(header, |file| {
        file.write_all(b"RIFF\0\0\0\0WEBP")?;
        file.riff_chunk(*b"VP8X", &[&[flags, 0, 0, 0], &width[..3], &height[..3]])?;
        file.riff_chunk(*b"ANIM", &[&[0; 6]])
    })?;
    Ok(Container::WebP(file, header.size))
}

fn check_size(header: &FilmHeader<'_>, most: u32, format: &str) -> Result<()> {
    let (width, height) = header.size;
    let message = format!("of {format} has at most {most} pixels a side, got {width} x {height}");
    if width.max(height) > most { Err(Error::setting("film", message)) } else { Ok(()) }
}

impl Container {
    pub(super) fn begin(header: &FilmHeader<'_>) -> Result<Self> {
        header.format.check_output(header.output)?;
        match header.format {
            FilmFormat::Pngs => Ok(Self::Pngs { pattern: header.output.to_owned(), overwriting: header.overwriting }),
            FilmFormat::Apng => begin_apng(header),
            FilmFormat::Gif => begin_gif(header),
            FilmFormat::WebP => begin_webp(header),
            FilmFormat::Y4m => {
                let ([width, height], [frames, seconds]) = (<[u32; 2]>::from(header.size), header.rate.fraction());
                let line =
                    format!("YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
                FilmFile::begin_with(header, |file| file.write_all(line.as_bytes())).map(Self::Y4m)
            }
            FilmFormat::Mp4 => Ffmpeg::start(header).map(Self::Mp4),
        }
    }

    /// Adds the packet of the frame of this index; `number` is the number in its name.
    pub(super) fn add(&mut self, index: u64, number: u64, packet: &[u8]) -> Result<()> {
        match self {
            Self::Pngs { pattern, overwriting } => {
                let path = frame_path(pattern, number)?;
                picture_of_frame(&path, *overwriting).write(|file| file.write_all(packet))
            }
            Self::Apng(file, apng) => apng.add(file, index, packet).map_err(|source| file.error(source)),
            Self::Gif(gif) => {
                let delay = gif.encoder.get_ref().rate.duration(index, 100);
                let frame = gif::Frame {
                    width: gif.size.0,
                    height: gif.size.1,
                    delay: u16::try_from(delay).unwrap_or(u16::MAX),
                    dispose: gif::DisposalMethod::Background,
                    transparent: Some(gif.transparent),
                    buffer: packet.into(),
                    ..gif::Frame::default()
                };
                let written = gif.encoder.write_lzw_pre_encoded_frame(&frame);
                written.map_err(|error| gif.encoder.get_ref().error(gif_error(error)))
            }
            Self::WebP(file, size) => file.webp_frame(*size, index, packet).map_err(|source| file.error(source)),
            Self::Y4m(file) => {
                let written = file.write_all(b"FRAME\n").and_then(|()| file.write_all(packet));
                written.map_err(|source| file.error(source))
            }
            Self::Mp4(ffmpeg) => ffmpeg.add(packet),
        }
    }

    /// Finishes the file, which has `frames` frames, and renames it to its final name.
    pub(super) fn finish(self, frames: u64) -> Result<()> {
        match self {
            Self::Pngs { .. } => Ok(()),
            Self::Apng(mut file, Apng { promised, .. }) => {
                let written = file.png_chunk(*b"IEND", &[]);
                written.map_err(|source| file.error(source))?;
                let frames = u32::try_from(frames).unwrap_or(u32::MAX);
                let control = animation_control(frames);
                let mut crc = Crc::new();
                crc.update(b"acTL");
                crc.update(&control);
                let patch = [&control[..], &crc.sum().to_be_bytes()].concat();
                file.finish((frames != promised).then_some((ANIMATION_CONTROL + 8, patch)))
            }
            Self::Gif(GifFile { encoder, .. }) => {
                let name = encoder.get_ref().name.clone();
                let file = encoder.into_inner();
                file.map_err(|error| Error::Io { action: "write", path: name, source: gif_error(error) })?.finish(None)
            }
            Self::WebP(file, _) => {
                let size = u32::try_from(file.length - 8);
                let size = size.map_err(|_| file.error(io::Error::other("a WebP has at most 4 GiB")))?;
                file.finish(Some((4, size.to_le_bytes().to_vec())))
            }
            Self::Y4m(file) => file.finish(None),
            Self::Mp4(ffmpeg) => ffmpeg.finish(),
        }
    }
}

/// The path of a frame's own file: `{frame}` in the name stands for its number, `{frame:04}` with zeros.
///
/// ```
/// let path = roundel::film::frame_path("pictures/frame_{frame:04}.png".as_ref(), 7)?;
/// assert!(path.ends_with("pictures/frame_0007.png"));
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// If the name has no place for the number.
pub fn frame_path(pattern: &Path, number: u64) -> Result<PathBuf> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy();
    frame_name(&name, number).map(|name| pattern.with_file_name(name))
}

/// The file of a single frame. No link in its place is followed, because the user has not named the file itself.
fn picture_of_frame(path: &Path, overwriting: Overwriting) -> FileBelow<'_> {
    let (folder, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
    FileBelow::new(folder, name, OutputKind::Picture).with_overwriting(overwriting)
}

/// Returns an error if the picture of a single frame would replace a file that is no picture, or a link.
///
/// ```
/// use roundel::film::{check_frame_picture, frame_path};
/// use roundel::io::Overwriting;
///
/// check_frame_picture(&frame_path("frame_{frame}.png".as_ref(), 7)?, Overwriting::Own)?;
/// assert!(check_frame_picture("Cargo.toml".as_ref(), Overwriting::Own).is_err());
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// [`Error::Occupied`] for a file that stays.
pub fn check_frame_picture(path: &Path, overwriting: Overwriting) -> Result<()> {
    picture_of_frame(path, overwriting).check()
}

fn gif_error(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(source) => source,
        other => io::Error::other(other),
    }
}

impl Apng {
    fn add(&mut self, file: &mut FilmFile, index: u64, png: &[u8]) -> io::Result<()> {
        let [frames, seconds] = file.rate.fraction_u16().unwrap_or_else(|| {
            let milliseconds = file.rate.duration(index, 1000);
            [1000, u16::try_from(milliseconds).unwrap_or(u16::MAX)]
        });
        let size = png.get(16..24).ok_or_else(|| io::Error::other("a PNG has a header"))?;
        let sequence = self.next();
        let [seconds, frames] = [seconds, frames].map(u16::to_be_bytes);
        file.png_chunk(*b"fcTL", &[&sequence, size, &[0; 8], &seconds, &frames, &[0, 0]])?;
        let mut rest = &png[8..];
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            let (Some(kind), Some(content), Some(next)) =
                (after.get(..4), after.get(4..4 + length), after.get(8 + length..))
            else {
                return Err(io::Error::other("a PNG ends in the middle of a chunk"));
            };
            match (kind, index) {
                (b"IDAT", 0) => file.png_chunk(*b"IDAT", &[content])?,
                (b"IDAT", _) => {
                    let sequence = self.next();
                    file.png_chunk(*b"fdAT", &[&sequence, content])?;
                }
                _ => {}
            }
            rest = next;
        }
        Ok(())
    }

    fn next(&mut self) -> [u8; 4] {
        let next = self.sequence.to_be_bytes();
        self.sequence += 1;
        next
    }
}
