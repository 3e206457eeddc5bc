//! Detects pixels that are only the anti-aliasing of an edge.
//!
//! Source: V. Vyšniauskas, "Anti-aliased Pixel and Intensity Slope Detector", *Elektronika ir Elektrotechnika*, 2009,
//! in pixelmatch's form. A pixel is anti-aliasing when it is the middle of a slope: it has a darker and a brighter
//! neighbour, at most two equal ones, and the darkest or the brightest neighbour lies in a flat part of both pictures.

use std::ops::Range;

use super::yiq::brightness_difference;
use roundel_image::sample::Sample;

/// Consecutive rows of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'w, T> {
    pub(super) pixels: &'w [[T; 4]],
    pub(super) width: u32,
    /// Height of the whole picture.
    pub(super) height: u32,
    /// Row number of the topmost row.
    pub(super) first: u32,
}

impl<T: Sample> Rows<'_, T> {
    fn pixel(&self, x: u32, y: u32) -> [T; 4] {
        self.pixels[(y - self.first) as usize * self.width as usize + x as usize]
    }

    /// The columns and rows of a pixel and its neighbours, and whether it is on the picture's edge.
    fn neighborhood(&self, x: u32, y: u32) -> (Range<u32>, Range<u32>, bool) {
        let columns = x.saturating_sub(1)..(x + 2).min(self.width);
        let rows = y.saturating_sub(1)..(y + 2).min(self.height);
        let edge = columns.len() < 3 || rows.len() < 3;
        (columns, rows, edge)
    }

    /// Reports whether the pixel has more than two neighbours of its own colour. The picture's edge counts as one.
    fn is_flat(&self, x: u32, y: u32) -> bool {
        let (columns, rows, edge) = self.neighborhood(x, y);
        let center = self.pixel(x, y);
        let mut equal = u32::from(edge);
        for column in columns {
            for row in rows.clone() {
                equal += u32::from((column, row) != (x, y) && self.pixel(column, row) == center);
            }
        }
        equal > 2
    }

    /// Reports whether the pixel is anti-aliasing in this picture. A part counts as flat only if it is flat in `other`
    /// too.
    pub(super) fn is_antialiasing(&self, x: u32, y: u32, other: &Self) -> bool {
        let (columns, rows, edge) = self.neighborhood(x, y);
        let center = self.pixel(x, y);
        let center_value = center.map(Sample::steps);
        let mut equal = u32::from(edge);
        let (mut darkest, mut brightest) = ((0.0, x, y), (0.0, x, y));
        for column in columns {
            for row in rows.clone() {
                if (column, row) == (x, y) {
                    continue;
                }
                let neighbor = self.pixel(column, row);
                let difference = if neighbor == center {
                    0.0
                } else {
                    brightness_difference(center_value, neighbor.map(Sample::steps))
                };
                if difference == 0.0 {
                    equal += 1;
                    if equal > 2 {
                        return false;
                    }
                } else if difference < darkest.0 {
                    darkest = (difference, column, row);
                } else if difference > brightest.0 {
                    brightest = (difference, column, row);
                }
            }
        }
        let flat_in_both = |(_, x, y): (f64, u32, u32)| self.is_flat(x, y) && other.is_flat(x, y);
        darkest.0 != 0.0 && brightest.0 != 0.0 && (flat_in_both(darkest) || flat_in_both(brightest))
    }
}
