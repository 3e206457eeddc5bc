//! Caches hierarchies from picture to picture, keyed by a fingerprint of their spheres, and reuses the memory of tile
//! lists.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::Level;
use rayon::prelude::*;

use super::bvh::{Bvh, Clusters};
use crate::scene::spheres::{Pose, SphereGroup};
use crate::scene::{Opacity, SphereInstances};
use crate::tiles::sphere_bins::SphereBins;
use crate::trace::find::sampling::hash;

/// The hierarchies of recent pictures, and the tile lists of the last one.
#[derive(Debug, Default)]
pub(crate) struct StructureCache {
    hierarchies: Vec<KeptHierarchy>,
    /// Number of the current picture.
    picture: u64,
    /// The lists of the last picture, kept so that their memory is reused.
    bins: Arc<SphereBins>,
}

/// A finished hierarchy.
#[derive(Debug)]
struct KeptHierarchy {
    fingerprint: u64,
    /// The last picture that used it.
    picture: u64,
    bvh: Arc<Bvh>,
    /// Present once they are needed.
    clusters: Option<Arc<Clusters>>,
}

impl StructureCache {
    /// Begins a picture: hierarchies that it does not use are dropped when it builds a new one.
    pub(crate) fn begin_picture(&mut self) {
        self.picture += 1;
    }

    /// Fills the lists of a picture, in the memory of the previous picture's lists unless they are still in use.
    pub(crate) fn bins(&mut self, fill: impl FnOnce(&mut SphereBins)) -> Arc<SphereBins> {
        if Arc::get_mut(&mut self.bins).is_none() {
            self.bins = Arc::default();
        }
        fill(Arc::get_mut(&mut self.bins).expect("no picture uses them"));
        Arc::clone(&self.bins)
    }

    /// The hierarchy of the spheres in these groups that `only` selects, in world coordinates. Incomplete if
    /// `cancelled` is set.
    pub(crate) fn bvh(
        &mut self,
        level: Level,
        groups: &[SphereGroup<'_>],
        only: Opacity,
        cancelled: &AtomicBool,
    ) -> Arc<Bvh> {
        // hashed first: borrowed spheres that change meanwhile must not match the hierarchy
        let (fingerprint, picture) = (fingerprint(groups, only), self.picture);
        if let Some(kept) = self.hierarchies.iter_mut().find(|kept| kept.fingerprint == fingerprint) {
            kept.picture = picture;
            return Arc::clone(&kept.bvh);
        }
        self.hierarchies.retain(|kept| kept.picture == picture);
        let bvh = Arc::new(Bvh::new(level, &SphereInstances::new(groups, [0.0; 3]).only(only), cancelled));
        if !cancelled.load(Ordering::Relaxed) {
            self.hierarchies.push(KeptHierarchy { fingerprint, picture, bvh: Arc::clone(&bvh), clusters: None });
        }
        bvh
    }

    /// The clusters of a hierarchy from [`StructureCache::bvh`]. Incomplete if `cancelled` is set.
    pub(crate) fn clusters(&mut self, bvh: &Arc<Bvh>, cancelled: &AtomicBool) -> Arc<Clusters> {
        let kept = self.hierarchies.iter_mut().find(|kept| Arc::ptr_eq(&kept.bvh, bvh));
        if let Some(KeptHierarchy { clusters: Some(clusters), .. }) = &kept {
            return Arc::clone(clusters);
        }
        let clusters = Arc::new(Clusters::new(bvh, cancelled));
        if let (Some(kept), false) = (kept, cancelled.load(Ordering::Relaxed)) {
            kept.clusters = Some(Arc::clone(&clusters));
        }
        clusters
    }
}

/// Spheres per task of the fingerprint.
const CHUNK: usize = 1 << 12;

/// A hash of all positions and poses, of the radii of the spheres that `only` selects, and of the sizes of groups.
fn fingerprint(groups: &[SphereGroup<'_>], only: Opacity) -> u64 {
    let word = |a: f32, b: f32| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let of_group = |group: &SphereGroup<'_>| {
        let chunks = group.spheres.slice().par_chunks(CHUNK).map(|spheres| {
            // two independent hashes, so that neither waits for the other
            let [a, b] = spheres.iter().fold([0; 2], |[a, b], sphere| {
                let [x, y, z] = sphere.center;
                let radius = if only.includes(sphere.color.a) { sphere.radius } else { f32::NAN };
                [mix(a, word(x, y)), mix(b, word(z, radius))]
            });
            mix(a, b)
        });
        let chunks: Vec<u64> = chunks.collect();
        let of_pose = |hash: u64, pose: &Pose| {
            let numbers = pose.rotation.to_cols_array().into_iter().chain(pose.translation.to_array());
            numbers.fold(hash, |hash, number| mix(hash, u64::from(number.to_bits())))
        };
        let spheres = chunks.into_iter().fold(group.spheres.len() as u64, mix);
        group.poses.iter().fold(mix(spheres, group.poses.len() as u64), of_pose)
    };
    hash(groups.iter().map(of_group).fold(groups.len() as u64, mix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::generate::{self, Pattern};

    #[test]
    fn fingerprints_tell_scenes_apart() {
        let spheres = generate::spheres(Pattern::Uniform, 10_000, 1);
        let group = |spheres: &[_]| SphereGroup::new(spheres.to_vec(), vec![Pose::IDENTITY]);
        let of = |groups: &[SphereGroup<'_>]| fingerprint(groups, Opacity::Any);
        let same = of(&[group(&spheres)]);
        assert_eq!(of(&[group(&spheres)]), same);
        let mut moved = spheres.clone();
        moved[7777].center[2] = f32::from_bits(moved[7777].center[2].to_bits() + 1);
        assert_ne!(of(&[group(&moved)]), same);
        let mut swapped = spheres.clone();
        swapped.swap(10, 9000);
        assert_ne!(of(&[group(&swapped)]), same);
        let (front, back) = spheres.split_at(5000);
        assert_ne!(of(&[group(front), group(back)]), same);
        let twice = SphereGroup::new(spheres.clone(), vec![Pose::IDENTITY; 2]);
        assert_ne!(of(&[twice]), same);
    }

    #[test]
    fn colors_count_as_far_as_opacity_selects_by_them() {
        let mut spheres = generate::spheres(Pattern::Uniform, 100, 1);
        let of = |spheres: &[_], only| fingerprint(&[SphereGroup::new(spheres.to_vec(), vec![Pose::IDENTITY])], only);
        let all = [Opacity::Any, Opacity::Opaque, Opacity::AtLeast(60)];
        let opaque = all.map(|only| of(&spheres, only));
        spheres[7].color = Srgba8 { r: 1, g: 2, b: 3, a: 80 };
        let translucent = all.map(|only| of(&spheres, only));
        assert_eq!([opaque[0], opaque[2]], [translucent[0], translucent[2]]);
        assert_ne!(opaque[1], translucent[1]);
    }

    #[test]
    fn hierarchies_are_kept_from_picture_to_picture() {
        let spheres = generate::spheres(Pattern::Uniform, 5000, 1);
        let [some, others] = [&spheres[..4000], &spheres[..3000]].map(|spheres| [SphereGroup::from(spheres)]);
        let (mut cache, going_on) = (StructureCache::default(), AtomicBool::new(false));
        let mut bvh = |picture: bool, groups: &[SphereGroup<'_>]| {
            if picture {
                cache.begin_picture();
            }
            cache.bvh(Level::new(), groups, Opacity::Any, &going_on)
        };
        let (first, second) = (bvh(true, &some), bvh(false, &others));
        assert!(Arc::ptr_eq(&bvh(true, &some), &first) && Arc::ptr_eq(&bvh(false, &others), &second));
        assert!(Arc::ptr_eq(&bvh(true, &others), &second));
        // the unused hierarchy makes room for a new one
        bvh(false, &[SphereGroup::from(&spheres[..2000])]);
        assert!(!Arc::ptr_eq(&bvh(true, &some), &first));
    }

    #[test]
    fn unfinished_structures_are_not_kept() {
        let spheres = generate::spheres(Pattern::Uniform, 50_000, 1);
        let groups = [SphereGroup::from(&spheres[..])];
        let (mut cache, cancelled) = (StructureCache::default(), AtomicBool::new(true));
        let bvh = cache.bvh(Level::new(), &groups, Opacity::Any, &cancelled);
        cache.clusters(&bvh, &cancelled);
        assert!(cache.hierarchies.is_empty());
        let going_on = AtomicBool::new(false);
        let whole = cache.bvh(Level::new(), &groups, Opacity::Any, &going_on);
        cache.clusters(&whole, &cancelled);
        assert!(cache.hierarchies[0].clusters.is_none());
        let clusters = cache.clusters(&whole, &going_on);
        assert!(Arc::ptr_eq(&cache.clusters(&whole, &going_on), &clusters));
    }
}
