//! Memory kept from picture to picture: structures of spheres that have not changed, and the allocations of lists that each
//! picture fills anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::Level;
use rayon::prelude::*;

use super::bvh::{Bvh, Clusters};
use crate::scene::spheres::{Pose, SphereGroup, SphereScene};
use crate::scene::{Opacity, SphereInstances};
use crate::tiles::sphere_bins::SphereBins;
use crate::trace::find::sampling::hash;

/// The structures of the last scene that needed any, and the lists of the last picture.
#[derive(Debug, Default)]
pub(crate) struct StructureCache {
    fingerprint: u64,
    /// Which spheres the structures hold, chosen by alpha.
    only: Opacity,
    bvh: Option<Arc<Bvh>>,
    clusters: Option<Arc<Clusters>>,
    /// The hierarchy of spheres and of the spheres that stand for other shapes, with their fingerprint.
    surroundings: Option<(u64, Arc<Bvh>, Arc<Clusters>)>,
    /// The lists of the last picture, kept so that their memory is reused.
    bins: Arc<SphereBins>,
}

impl StructureCache {
    /// Drops the structures unless these groups have the same spheres in the same places. Structures that hold only opaque
    /// spheres depend on colours as well, and are always rebuilt.
    pub(crate) fn retain(&mut self, groups: &[SphereGroup<'_>], only: Opacity) {
        if self.bvh.is_none() {
            self.only = only;
            return;
        }
        let is_kept = (self.only, only) == (Opacity::Any, Opacity::Any) && self.fingerprint == fingerprint(groups);
        if !is_kept {
            (self.bvh, self.clusters) = (None, None);
        }
        self.only = only;
    }

    /// Fills the lists of a picture, in the memory of the previous picture's lists if nothing uses those any more.
    pub(crate) fn bins(&mut self, fill: impl FnOnce(&mut SphereBins)) -> Arc<SphereBins> {
        if Arc::get_mut(&mut self.bins).is_none() {
            self.bins = Arc::default();
        }
        fill(Arc::get_mut(&mut self.bins).expect("no picture uses them"));
        Arc::clone(&self.bins)
    }

    /// The hierarchy of these groups; call `retain` first. Incomplete if `cancelled` is set.
    pub(crate) fn bvh(
        &mut self,
        level: Level,
        groups: &[SphereGroup<'_>],
        instances: &SphereInstances<'_>,
        cancelled: &AtomicBool,
    ) -> Arc<Bvh> {
        if let Some(bvh) = &self.bvh {
            return Arc::clone(bvh);
        }
        // hashed first: borrowed spheres that change meanwhile must not match the hierarchy
        let fingerprint = fingerprint(groups);
        let bvh = Arc::new(Bvh::new(level, &instances.to_world(), cancelled));
        if !cancelled.load(Ordering::Relaxed) {
            self.fingerprint = fingerprint;
            self.bvh = Some(Arc::clone(&bvh));
        }
        bvh
    }

    /// The hierarchy of the spheres of a scene and of spheres that stand for its other shapes, and its clusters. Incomplete if
    /// `cancelled` is set.
    pub(crate) fn surroundings(
        &mut self,
        level: Level,
        scene: &SphereScene<'_>,
        only: Opacity,
        cancelled: &AtomicBool,
    ) -> (Arc<Bvh>, Arc<Clusters>) {
        let mut groups: Vec<SphereGroup<'_>> = scene.groups.iter().map(SphereGroup::borrowed).collect();
        groups.extend(scene.shapes.stand_ins());
        // structures that hold only opaque spheres depend on colours as well
        let fingerprint = (only == Opacity::Any).then(|| fingerprint(&groups));
        if let Some((known, bvh, clusters)) = &self.surroundings
            && Some(*known) == fingerprint
        {
            return (Arc::clone(bvh), Arc::clone(clusters));
        }
        self.surroundings = None;
        let bvh = Arc::new(Bvh::new(level, &SphereInstances::new(&groups, [0.0; 3]).only(only), cancelled));
        let clusters = Arc::new(Clusters::new(&bvh, cancelled));
        if let (Some(fingerprint), false) = (fingerprint, cancelled.load(Ordering::Relaxed)) {
            self.surroundings = Some((fingerprint, Arc::clone(&bvh), Arc::clone(&clusters)));
        }
        (bvh, clusters)
    }

    /// The clusters of the hierarchy. Without all of them if `cancelled` is set.
    pub(crate) fn clusters(&mut self, bvh: &Bvh, cancelled: &AtomicBool) -> Arc<Clusters> {
        if let Some(clusters) = &self.clusters {
            return Arc::clone(clusters);
        }
        let clusters = Arc::new(Clusters::new(bvh, cancelled));
        if !cancelled.load(Ordering::Relaxed) {
            self.clusters = Some(Arc::clone(&clusters));
        }
        clusters
    }
}

/// Spheres per task of the fingerprint.
const CHUNK: usize = 1 << 12;

/// A hash of all places and radii, and of where groups and poses end.
fn fingerprint(groups: &[SphereGroup<'_>]) -> u64 {
    let word = |a: f32, b: f32| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let of_group = |group: &SphereGroup<'_>| {
        let chunks = group.spheres.slice().par_chunks(CHUNK).map(|spheres| {
            // two independent hashes, so that neither waits for the other
            let [a, b] = spheres.iter().fold([0; 2], |[a, b], sphere| {
                let [x, y, z] = sphere.center;
                [mix(a, word(x, y)), mix(b, word(z, sphere.radius))]
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
    use crate::scene::generate::{self, Pattern};

    #[test]
    fn fingerprints_tell_scenes_apart() {
        let spheres = generate::spheres(Pattern::Uniform, 10_000, 1);
        let group = |spheres: &[_]| SphereGroup::new(spheres.to_vec(), vec![Pose::IDENTITY]);
        let same = fingerprint(&[group(&spheres)]);
        assert_eq!(fingerprint(&[group(&spheres)]), same);
        let mut moved = spheres.clone();
        moved[7777].center[2] = f32::from_bits(moved[7777].center[2].to_bits() + 1);
        assert_ne!(fingerprint(&[group(&moved)]), same);
        let mut swapped = spheres.clone();
        swapped.swap(10, 9000);
        assert_ne!(fingerprint(&[group(&swapped)]), same);
        let (front, back) = spheres.split_at(5000);
        assert_ne!(fingerprint(&[group(front), group(back)]), same);
        let twice = SphereGroup::new(spheres.clone(), vec![Pose::IDENTITY; 2]);
        assert_ne!(fingerprint(&[twice]), same);
    }

    #[test]
    fn unfinished_structures_are_not_kept() {
        let spheres = generate::spheres(Pattern::Uniform, 50_000, 1);
        let groups = [SphereGroup::from(&spheres[..])];
        let instances = SphereInstances::new(&groups, [0.0; 3]);
        let (mut cache, cancelled) = (StructureCache::default(), AtomicBool::new(true));
        let bvh = cache.bvh(Level::new(), &groups, &instances, &cancelled);
        cache.clusters(&bvh, &cancelled);
        assert!(cache.bvh.is_none() && cache.clusters.is_none());
        let going_on = AtomicBool::new(false);
        let whole = cache.bvh(Level::new(), &groups, &instances, &going_on);
        cache.clusters(&whole, &cancelled);
        assert!(cache.bvh.is_some() && cache.clusters.is_none());
        cache.clusters(&whole, &going_on);
        assert!(cache.clusters.is_some());
    }
}
