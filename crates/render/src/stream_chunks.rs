//! Culls the spheres of a stream, a chunk at a time.

use crate::scene::spheres::{ClipPlane, PaintedSphere};
use crate::scene::{Rays, SphereExtents, extents_of_rows, is_kept};
use crate::trace::{NumberedSphere, VisibilityBuffer};

/// Culls the spheres of a chunk.
pub(super) struct Cull<'a> {
    pub buffer: &'a VisibilityBuffer,
    pub planes: &'a [ClipPlane],
    pub rays: &'a Rays,
    pub part: u32,
    pub needs_extents: bool,
}

/// The spheres of a chunk that pass culling, and facts about all of its spheres.
pub(super) struct Culled {
    pub kept: Vec<NumberedSphere>,
    pub shapes: u64,
    /// The bits that all alphas share.
    pub alpha: u8,
    pub reaching: u64,
    pub extents: SphereExtents,
    pub cutting: u64,
}

impl Cull<'_> {
    /// Culls spheres with consecutive numbers from `first` on.
    pub(super) fn run(&self, spheres: &[PaintedSphere], first: u64) -> Culled {
        let part = |_| self.part;
        let mut out = Culled {
            kept: Vec::new(),
            shapes: spheres.len() as u64,
            alpha: spheres.iter().fold(u8::MAX, |shared, sphere| shared & sphere.color.a),
            reaching: 0,
            extents: SphereExtents::NONE,
            cutting: 0,
        };
        if self.planes.is_empty() {
            if self.needs_extents {
                out.extents = extents_of_rows(spheres, self.rays);
            }
            out.reaching = self.buffer.cull(spheres, part, first, &mut out.kept);
            return out;
        }
        // spheres outside the clip planes do not count
        for (sphere, number) in spheres.iter().zip(first..) {
            if !is_kept(sphere, self.planes, &mut out.cutting) {
                continue;
            }
            let own = std::slice::from_ref(sphere);
            if self.needs_extents {
                out.extents = out.extents.join(extents_of_rows(own, self.rays));
            }
            out.reaching += self.buffer.cull(own, part, number, &mut out.kept);
        }
        out
    }
}
