//! Image files to pictures: PNG, and with the feature `image-formats` the other formats of the `image` crate.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::other_formats::{other_frames, other_size};
use super::png::{BYTES_PER_PIXEL, SIGNATURE, png_decoder, png_error, undecodable, unreadable};
use super::png_frames::PngFrames;
use super::regular_file::open_if_regular;
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::picture::Picture;
use crate::sequence::{FrameSource, Sequence, TimedPicture};

/// The start of a file that Git LFS leaves in the place of a picture.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Bytes read from a file at once.
const BUFFER: usize = 1 << 18;

/// Reads an image file within the default [`Budget`]: PNG, and with the feature `image-formats` BMP, DDS, Farbfeld,
/// GIF, ICO, JPEG, PNM, QOI, TGA, TIFF and WebP.
///
/// The format is recognised by content first, then by extension. Of a film, the first frame is read.
///
/// ```no_run
/// # use roundel_image as roundel;
/// use roundel::io::read_picture;
///
/// let [before, after] = [read_picture("before.png")?, read_picture("after.png")?];
/// assert_eq!(before.size(), after.size());
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// As [`read_picture_within`].
pub fn read_picture(path: impl AsRef<Path>) -> Result<Picture<'static>> {
    read_picture_within(path, &Budget::default())
}

/// Reads an image file as [`read_picture`] does, within another budget.
///
/// ```no_run
/// # use roundel_image as roundel;
/// use roundel::Budget;
/// use roundel::io::read_picture_within;
///
/// let large = Budget { pixels: 1 << 30, ..Budget::default() };
/// let poster = read_picture_within("poster.png", &large)?;
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// If the file cannot be read, its format is not supported, or its header exceeds the budget.
pub fn read_picture_within(path: impl AsRef<Path>, budget: &Budget) -> Result<Picture<'static>> {
    decode(path.as_ref(), budget, BYTES_PER_PIXEL)
}

/// Reads all frames of a film: of an animated PNG, and with the feature `image-formats` of a GIF and a WebP. Another image
/// file is a film of one frame.
///
/// ```no_run
/// # use roundel_image as roundel;
/// use roundel::io::read_sequence;
///
/// println!("{} frames", read_sequence("turntable.png")?.frames().len());
/// # Ok::<(), roundel::Error>(())
/// ```
///
/// # Errors
/// As [`read_picture_within`].
pub fn read_sequence(path: impl AsRef<Path>) -> Result<Sequence<'static>> {
    let mut source = open_frames(path.as_ref(), &Budget::default())?;
    let start = Sequence::new().with_plays(source.plays);
    source.frames.try_fold(start, |sequence, frame| {
        let TimedPicture { picture, delay } = frame?;
        Ok(sequence.with_frame(picture, delay))
    })
}

/// Reads a picture that another file names: a regular one, which has an end.
pub fn read_regular_picture(path: &Path) -> Result<Picture<'static>> {
    let file = BufReader::with_capacity(BUFFER, open_regular(path)?);
    decode_opened(path, file, &Budget::default(), BYTES_PER_PIXEL)
}

/// Opens a regular file that the user did not name. The open file is checked, as its name may meanwhile lead elsewhere.
pub fn open_regular(path: &Path) -> Result<File> {
    let file = open_if_regular(path).map_err(|source| unreadable(path, source))?;
    file.ok_or_else(|| {
        let message = "must be a regular file, which has an end".to_owned();
        Error::Input { file: path.display().to_string(), line: None, message }
    })
}

/// Decodes a whole picture that takes `bytes_per_pixel`.
fn decode(path: &Path, budget: &Budget, bytes_per_pixel: u64) -> Result<Picture<'static>> {
    decode_opened(path, open(path)?, budget, bytes_per_pixel)
}

fn decode_opened(
    path: &Path,
    file: BufReader<File>,
    budget: &Budget,
    bytes_per_pixel: u64,
) -> Result<Picture<'static>> {
    let mut source = frames_of(path, file, budget, bytes_per_pixel)?;
    let first = source.frames.next().unwrap_or_else(|| Err(undecodable(path, "it has no frames")))?;
    Ok(first.picture)
}

/// Opens a file whose pictures are compared one after the other.
pub fn open_frames(path: &Path, budget: &Budget) -> Result<FrameSource<'static>> {
    // the other picture is as large, or is not compared
    frames_of(path, open(path)?, budget, 2 * BYTES_PER_PIXEL)
}

fn frames_of(
    path: &Path,
    mut file: BufReader<File>,
    budget: &Budget,
    bytes_per_pixel: u64,
) -> Result<FrameSource<'static>> {
    if !is_png(path, &mut file)? {
        if file.buffer().starts_with(POINTER) {
            return Err(undecodable(path, "it is a pointer of Git LFS to the picture, which `git lfs pull` fetches"));
        }
        return other_frames(path, file, budget, bytes_per_pixel);
    }
    let about = file.get_ref().metadata().map_err(|source| unreadable(path, source))?;
    let length = about.is_file().then_some(about.len());
    let frames = PngFrames::open(path, file, length, budget, bytes_per_pixel)?;
    Ok(FrameSource { plays: frames.plays(), frames: Box::new(frames), left_out: None })
}

pub fn read_size(path: &Path) -> Result<(u32, u32)> {
    let mut file = open(path)?;
    if !is_png(path, &mut file)? {
        return other_size(path, file);
    }
    let budget = Budget::UNLIMITED;
    let mut decoder = png_decoder(file, &budget);
    let header = decoder.read_header_info().map_err(|source| png_error(path, source, &budget))?;
    Ok((header.width, header.height))
}

pub fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).map_err(|source| unreadable(path, source))?;
    if file.metadata().map_err(|source| unreadable(path, source))?.is_dir() {
        return Err(unreadable(path, io::ErrorKind::IsADirectory.into()));
    }
    Ok(BufReader::with_capacity(BUFFER, file))
}

pub fn is_png(path: &Path, file: &mut BufReader<File>) -> Result<bool> {
    Ok(file.fill_buf().map_err(|source| unreadable(path, source))?.starts_with(&SIGNATURE))
}
