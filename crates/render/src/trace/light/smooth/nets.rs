//! A share of light on a sphere that is large in the picture, interpolated between the vertices of triangle meshes.
//!
//! Light changes slowly on most of a sphere and fast where others touch it. A triangle is fine enough where the share in
//! the middle of each edge is nearly the mean of its ends; elsewhere it is halved, down to some pixels, below which each
//! point is found by itself. Vertices belong to the sphere, not to the picture, so that tiles, crops and samples agree.
#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "meshes have at most 2¹⁶ parts")]

use std::f32::consts::FRAC_PI_2;

use super::patches::{Corner, corners, direction, log2, middle};

/// Least radius in pixels of a sphere whose light is interpolated.
pub(crate) const LEAST_RADIUS: f32 = 32.0;

/// Least length of an edge in pixels.
const LEAST_EDGE: f32 = 2.0;

/// Most length of an edge of the first mesh, in sizes of the least feature.
const MOST_EDGE: f32 = 0.35;

/// Most halvings.
const MOST_HALVINGS: f32 = 16.0;

/// Most difference between the share in the middle of an edge and the mean of its ends. Less would follow the noise of the
/// directions: slower, and no closer to rays.
const TOLERANCE: f32 = 0.02;

/// The shares of one kind of light at the vertices of a sphere's meshes.
#[derive(Debug, Default)]
pub(crate) struct LightNet {
    /// A hash table of shares by vertex; a power of two of slots.
    slots: Vec<VertexSlot>,
    used: usize,
    /// The sphere that the slots are of.
    tag: u32,
    /// Halvings of the first mesh and of the last one.
    halvings: [u32; 2],
    /// The last triangle that was fine enough.
    last: Option<[(Corner, f32); 3]>,
    /// The last triangle of each mesh, and whether it was fine enough.
    tested: [([Corner; 3], bool); MESHES],
}

/// Meshes of different numbers of halvings.
const MESHES: usize = MOST_HALVINGS as usize + 1;

#[derive(Clone, Copy, Debug, Default)]
struct VertexSlot {
    vertex: Corner,
    tag: u32,
    share: f32,
}

/// Initial number of slots.
const SLOTS: usize = 1 << 11;

impl LightNet {
    /// Begins another sphere of this radius in pixels; the least feature of its light is relative to its radius.
    pub(crate) fn begin(&mut self, pixels: f32, feature: f32) {
        let halvings = |edge: f32| log2(FRAC_PI_2 / edge).clamp(0.0, MOST_HALVINGS);
        self.halvings = [halvings(MOST_EDGE * feature).ceil() as u32, halvings(LEAST_EDGE / pixels) as u32];
        (self.last, self.used) = (None, 0);
        self.tested = [([Corner::default(); 3], false); MESHES];
        self.tag = self.tag.wrapping_add(1);
        if self.tag == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(SLOTS, VertexSlot::default());
            self.tag = 1;
        }
    }

    /// The share at the point with this outward normal; `None` where it changes fast. `find` returns the share at another
    /// point, which is NaN inside of other spheres.
    #[inline(always)]
    pub(crate) fn share(&mut self, outward: [f32; 3], mut find: impl FnMut([f32; 3]) -> f32) -> Option<f32> {
        if let Some(last) = self.last {
            let found = corners(last[0].0.halvings, outward);
            if (0..3).all(|index| found[index].0 == last[index].0) {
                return Some((0..3).map(|index| found[index].1 * last[index].1).sum());
            }
        }
        for halvings in self.halvings[0]..self.halvings[1] {
            let vertices = corners(halvings, outward).map(|(vertex, _)| vertex);
            // pixels beside each other are in the same triangles
            let (tested, is_fine) = self.tested[halvings as usize];
            let is_fine = if tested == vertices { is_fine } else { self.is_fine(vertices, &mut find) };
            self.tested[halvings as usize] = (vertices, is_fine);
            if !is_fine {
                continue;
            }
            let found = corners(halvings + 1, outward);
            let last = found.map(|(vertex, _)| (vertex, self.at(vertex, &mut find)));
            self.last = Some(last);
            return Some((0..3).map(|index| found[index].1 * last[index].1).sum());
        }
        None
    }

    /// Whether shares on a triangle are nearly linear.
    #[inline(always)]
    fn is_fine(&mut self, vertices: [Corner; 3], find: &mut impl FnMut([f32; 3]) -> f32) -> bool {
        let mut shares = [0.0; 3];
        for (share, vertex) in shares.iter_mut().zip(vertices) {
            *share = self.at(vertex, find);
            if share.is_nan() {
                return false;
            }
        }
        [[0, 1], [1, 2], [2, 0]].into_iter().all(|[one, other]| {
            let share = self.at(middle(vertices[one], vertices[other]), find);
            (share - 0.5 * (shares[one] + shares[other])).abs() <= TOLERANCE
        })
    }

    /// The share at a vertex, which is found once.
    #[inline(always)]
    fn at(&mut self, vertex: Corner, find: &mut impl FnMut([f32; 3]) -> f32) -> f32 {
        let slot = self.slot(vertex);
        if self.slots[slot].tag == self.tag {
            return self.slots[slot].share;
        }
        let share = find(direction(vertex));
        self.slots[slot] = VertexSlot { vertex, tag: self.tag, share };
        self.used += 1;
        if 2 * self.used > self.slots.len() {
            self.grow();
        }
        share
    }

    /// The slot of a vertex, or the free one where it belongs.
    #[inline(always)]
    fn slot(&self, vertex: Corner) -> usize {
        let mask = self.slots.len() - 1;
        let [x, y, z] = vertex.place.map(i32::cast_unsigned);
        let hash = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ z.wrapping_mul(0xc2b2_ae35))
            .wrapping_add(vertex.halvings)
            .wrapping_mul(0x27d4_eb2f);
        let mut slot = (hash >> 8) as usize & mask;
        while self.slots[slot].tag == self.tag && self.slots[slot].vertex != vertex {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Doubles the slots.
    #[cold]
    fn grow(&mut self) {
        let slots = vec![VertexSlot::default(); 2 * self.slots.len()];
        for kept in std::mem::replace(&mut self.slots, slots).into_iter().filter(|slot| slot.tag == self.tag) {
            let slot = self.slot(kept.vertex);
            self.slots[slot] = kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::dot;

    /// Unit vectors spread over the sphere.
    fn normals() -> impl Iterator<Item = [f32; 3]> {
        (0..4000_u16).map(|index| {
            let z = 1.0 - (f32::from(index) + 0.5) / 2000.0;
            let (turn, flat) = (f32::from(index) * 2.399_963_1, (1.0 - z * z).max(0.0).sqrt());
            [libm::cosf(turn) * flat, libm::sinf(turn) * flat, z]
        })
    }

    #[test]
    fn interpolated_shares_are_close_and_refined_where_they_bend() {
        let axis = [0.6, 0.0, 0.8];
        // a share that bends on a circle, and is unknown in another
        let share = |normal: [f32; 3]| {
            let cosine = dot(normal, axis);
            if cosine > 0.9 { f32::NAN } else { 0.2 + 0.5 * (cosine - 0.3).max(0.0) }
        };
        let mut net = LightNet::default();
        net.begin(200.0, 1.0);
        let (mut found, mut left) = (0, 0);
        let mut direct = 0;
        for normal in normals() {
            match net.share(normal, |normal| {
                found += 1;
                share(normal)
            }) {
                Some(interpolated) => assert!((interpolated - share(normal)).abs() < 2.0 * TOLERANCE, "{normal:?}"),
                None if share(normal).is_nan() => left += 1,
                None => direct += 1,
            }
        }
        assert!(left > 100 && direct < 100, "{left} {direct}");
        assert!(found < 4000, "{found}");
    }

    #[test]
    fn shares_do_not_depend_on_the_order_of_points() {
        let share = |[x, y, z]: [f32; 3]| 0.5 + 0.3 * (x * y).abs() - 0.1 * z.min(0.2);
        let mut nets = [LightNet::default(), LightNet::default()];
        nets.iter_mut().for_each(|net| net.begin(100.0, 0.5));
        let [one, other] = &mut nets;
        let forward: Vec<_> = normals().map(|normal| one.share(normal, share)).collect();
        let mut back: Vec<_> =
            normals().collect::<Vec<_>>().into_iter().rev().map(|normal| other.share(normal, share)).collect();
        back.reverse();
        assert_eq!(forward, back);
    }
}
