//! The pictures of a report.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use roundel_image::error::{Error, Result};
use roundel_image::frame::Frame;
use roundel_image::io::read_picture;
use roundel_image::png::encode_picture;

/// The first bytes and the media type of formats that browsers show. WebP is recognised by [`media_type`].
const SHOWN: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
];

/// A picture of a report.
///
/// ```
/// use roundel_golden::ReportPicture;
/// use roundel_golden::{Frame, Srgba8};
///
/// let difference = Frame::new(8, 8, Srgba8::WHITE)?;
/// assert!(matches!(ReportPicture::from(&difference), ReportPicture::Png(_)));
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum ReportPicture {
    /// A file of any format that [`read_picture`] reads. It is read when the report is written.
    File(PathBuf),
    /// An encoded PNG.
    Png(Vec<u8>),
}

impl From<&Frame> for ReportPicture {
    /// The frame, encoded.
    fn from(frame: &Frame) -> Self {
        Self::Png(frame.encode_png())
    }
}

impl ReportPicture {
    /// The encoded picture in a format that browsers show, and its media type. Other formats are converted to PNG.
    pub(super) fn bytes(&self) -> Result<(Cow<'_, [u8]>, &'static str)> {
        let path = match self {
            Self::Png(bytes) => return Ok((bytes.into(), "image/png")),
            Self::File(path) => path,
        };
        let bytes = fs::read(path).map_err(|source| Error::Io { action: "read", path: path.clone(), source })?;
        match media_type(&bytes) {
            Some(kind) => Ok((bytes.into(), kind)),
            None => Ok((encode_picture(&read_picture(path)?, None)?.into(), "image/png")),
        }
    }
}

fn media_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some("image/webp");
    }
    SHOWN.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use roundel_image::color::Srgba8;

    #[test]
    fn pictures_that_browsers_show_keep_their_bytes_and_missing_ones_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let missing = ReportPicture::File(folder.path().join("missing.png"));
        assert!(missing.bytes().unwrap_err().to_string().contains("missing.png"));
        let path = folder.path().join("some.png");
        Frame::new(3, 2, Srgba8::WHITE).unwrap().save_png(&path).unwrap();
        let picture = ReportPicture::File(path.clone());
        let (bytes, kind) = picture.bytes().unwrap();
        assert_eq!((&*bytes, kind), (&*fs::read(&path).unwrap(), "image/png"));
    }

    #[cfg(feature = "image-formats")]
    #[test]
    fn media_types_are_those_of_the_image_crate_and_other_formats_become_png() {
        use image::ImageFormat::{Bmp, Gif, Jpeg, Qoi, Tiff, WebP};

        let folder = tempfile::tempdir().unwrap();
        for format in [Bmp, Gif, Jpeg, WebP, Qoi, Tiff] {
            let path = folder.path().join("some");
            image::RgbImage::new(3, 2).save_with_format(&path, format).unwrap();
            let picture = ReportPicture::File(path.clone());
            let (bytes, kind) = picture.bytes().unwrap();
            if [Qoi, Tiff].contains(&format) {
                assert!(bytes.starts_with(b"\x89PNG") && kind == "image/png", "{format:?}");
            } else {
                assert_eq!((&*bytes, kind), (&*fs::read(&path).unwrap(), format.to_mime_type()));
            }
        }
    }
}
