//! Spheres that equal one before them, which show nothing where they are translucent.

use std::collections::BTreeMap;

use super::search::TranslucentTile;
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::scene::spheres::Transparency;
use crate::tiles::sphere_bins::SphereEntry;

/// Spheres with the same least depth.
#[derive(Default)]
pub(super) struct Ties {
    near: f32,
    /// By centre, radius and group, or in a medium by paint: the paint of the last one.
    found: BTreeMap<([u32; 4], [u32; 3]), [u32; 3]>,
}

impl Ties {
    /// Whether a sphere shows nothing, because it equals one before it: in a group the last one in its place, whose exit
    /// shows, or with `front` the first, in a medium any. Notes it otherwise. Entries come in the order of depth, then of numbers, so that the same
    /// spheres are dropped in every tile.
    #[cold]
    pub(super) fn have_twin(&mut self, tile: &TranslucentTile<'_>, entry: SphereEntry, sphere: Sphere<3>) -> bool {
        if entry.near != self.near {
            self.found.clear();
            self.near = entry.near;
        }
        let (instances, Sphere { center: [x, y, z], radius }) = (tile.scene.instances, sphere);
        let Srgba8 { r, g, b, a } = instances.color(entry.index);
        let gloss = instances.gloss(entry.index);
        let [specular, roughness] = [gloss.map(|gloss| gloss.specular), gloss.and_then(|gloss| gloss.roughness)]
            .map(|number| number.unwrap_or(-1.0).to_bits());
        let paint = [u32::from_be_bytes([r, g, b, a]), specular, roughness];
        let kind = if tile.model == Transparency::Solid { paint } else { [instances.part(entry.index), 0, 0] };
        let before = self.found.insert(([x, y, z, radius].map(f32::to_bits), kind), paint);
        before.is_some_and(|before| before == paint || tile.model == Transparency::Front)
    }
}
