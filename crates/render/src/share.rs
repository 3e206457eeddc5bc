//! The visible spheres of some tiles of a stream, and their bytes: several machines merge parts of a scene tile by
//! tile.

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::scene::SphereExtents;
use crate::scene::spheres::PaintedSphere;
use crate::trace::NumberedSphere;

/// The visible spheres of a [`SphereStream`](crate::SphereStream) in some of its tiles, to be merged with other parts
/// of the scene.
///
/// Each of several processes streams a part of a scene and splits its visible spheres into one share per process. The
/// first process merges the first shares of all, the second process the second shares, and so on. Together they have
/// the whole picture:
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::generate::{self, Pattern};
/// use roundel::spheres::{Camera, SphereScene};
/// use roundel::{RenderSettings, Renderer, SceneShard};
///
/// let spheres = generate::spheres(Pattern::Uniform, 1000, 1);
/// let renderer = Renderer::new(&RenderSettings::default())?;
/// let empty = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48);
/// // two processes draw a half each
/// let mut shares = Vec::new();
/// for half in [0..500, 500..1000] {
///     let mut stream = renderer.stream(&empty)?;
///     stream.add_at(half.start as u64, &spheres[half])?;
///     shares.push(stream.into_shares(2));
/// }
/// // each merges the tiles that it owns
/// let mut merged = Vec::new();
/// for process in 0..2 {
///     let mut stream = renderer.stream_share(&empty, process, 2)?;
///     for part in &shares {
///         let bytes = part[process].to_bytes(); // sent from one to the other
///         stream.add_share(&SceneShard::from_bytes(&bytes)?)?;
///     }
///     merged.push(stream.into_share());
/// }
/// let visible = renderer.stream(&empty)?.finish_with(&merged)?;
///
/// let mut whole = renderer.stream(&empty)?;
/// whole.add(&spheres)?;
/// assert_eq!(visible.scene, whole.finish()?.scene);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SceneShard {
    /// Sorted by number.
    pub(super) spheres: Vec<NumberedSphere>,
    pub(super) extents: SphereExtents,
    /// A bit for each clip plane that cuts or removes spheres of the stream.
    pub(super) cutting: u64,
}

/// Bytes before the columns: the number of spheres, the extents and the planes that cut.
const HEAD: usize = 16 + SphereExtents::BYTES;

/// Columns of 4-byte words: centre, radius, colour, part, and both halves of the difference from the previous number.
/// Each column is split into four planes of bytes; a constant plane is stored as one byte.
const COLUMNS: usize = 8;

/// Bytes of a word.
const WORD: usize = 4;

/// The lower 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "on purpose")]
fn low_word(number: u64) -> u32 {
    number as u32
}

impl SceneShard {
    /// The number of spheres.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Whether nothing shows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// Encodes the share as bytes, the same on every machine. A sphere takes 32 bytes, less the bytes that are equal in
    /// all spheres, such as an equal radius or the high bytes of small steps between numbers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.spheres.len() * WORD * COLUMNS);
        bytes.extend((self.spheres.len() as u64).to_le_bytes());
        bytes.extend(self.extents.to_bytes());
        bytes.extend(self.cutting.to_le_bytes());
        if self.is_empty() {
            return bytes;
        }
        let mut last = 0;
        let mut columns = [(); COLUMNS].map(|()| Vec::with_capacity(self.spheres.len()));
        for &NumberedSphere { sphere: PaintedSphere { center: [x, y, z], radius, color }, part, number } in
            &self.spheres
        {
            let step = number - std::mem::replace(&mut last, number);
            let [x, y, z, radius] = [x, y, z, radius].map(f32::to_bits);
            let color = u32::from_le_bytes(color.into());
            let words = [x, y, z, radius, color, part, low_word(step), low_word(step >> 32)];
            columns.iter_mut().zip(words).for_each(|(column, word)| column.push(word));
        }
        for column in &columns {
            let first = column[0];
            // bits where any word differs from the first
            let differing = column.iter().fold(0, |bits, word| bits | (word ^ first)).to_le_bytes();
            for (place, differing) in differing.into_iter().enumerate() {
                let is_constant = differing == 0;
                let written = if is_constant { &column[..1] } else { column };
                bytes.push(u8::from(is_constant));
                bytes.extend(written.iter().map(|word| word.to_le_bytes()[place]));
            }
        }
        bytes
    }

    /// Decodes a share.
    ///
    /// # Errors
    /// If the bytes do not encode a share.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut rest = bytes;
        let share = Self::read(&mut rest).filter(|_| rest.is_empty());
        share.ok_or_else(|| {
            Error::setting("share", format!("must be the bytes of visible spheres, got {} others", bytes.len()))
        })
    }

    fn read(rest: &mut &[u8]) -> Option<Self> {
        let count = usize::try_from(u64::from_le_bytes(*rest.split_off(..8)?.first_chunk()?)).ok()?;
        let extents = SphereExtents::from_bytes(*rest.split_off(..SphereExtents::BYTES)?.first_chunk()?);
        let cutting = u64::from_le_bytes(*rest.split_off(..8)?.first_chunk()?);
        if count == 0 {
            return Some(Self { spheres: Vec::new(), extents, cutting });
        }
        let mut columns = [(false, &[][..]); COLUMNS * WORD];
        for column in &mut columns {
            let is_constant = *rest.split_off_first()? == 1;
            *column = (is_constant, rest.split_off(..if is_constant { 1 } else { count })?);
        }
        // two spheres differ in some byte: this bounds the number of spheres by the number of bytes
        if count > 1 && columns.iter().all(|(is_constant, _)| *is_constant) {
            return None;
        }
        let word = |row: usize, column: usize| {
            let byte = |place: usize| {
                let (is_constant, bytes) = columns[column * WORD + place];
                if is_constant { bytes[0] } else { bytes[row] }
            };
            [byte(0), byte(1), byte(2), byte(3)]
        };
        let mut number = 0_u64;
        let mut spheres = Vec::with_capacity(count);
        for row in 0..count {
            let [low, high] = [6, 7].map(|column| u64::from(u32::from_le_bytes(word(row, column))));
            number = number.checked_add(low | high << 32)?;
            let [x, y, z, radius] = [0, 1, 2, 3].map(|column| f32::from_le_bytes(word(row, column)));
            let sphere = PaintedSphere::new([x, y, z], radius, Srgba8::from(word(row, 4)));
            spheres.push(NumberedSphere { sphere, part: u32::from_le_bytes(word(row, 5)), number });
        }
        Some(Self { spheres, extents, cutting })
    }
}
