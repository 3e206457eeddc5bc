//! The structures that depend on the spheres alone, kept from picture to picture while the spheres stay the same.

use std::sync::Arc;

use rayon::prelude::*;

use super::bvh::{Bvh, Clusters};
use super::sampling::hash;
use crate::scene::SphereInstances;
use crate::scene::spheres::{Pose, SphereGroup};

/// The structures of the last scene that needed any.
#[derive(Debug, Default)]
pub(crate) struct StructureCache {
    fingerprint: u64,
    bvh: Option<Arc<Bvh>>,
    clusters: Option<Arc<Clusters>>,
}

impl StructureCache {
    /// Forgets the structures unless these groups have the same spheres in the same places.
    pub(super) fn retain(&mut self, groups: &[SphereGroup<'_>]) {
        if self.bvh.is_none() {
            return;
        }
        let fingerprint = fingerprint(groups);
        if self.fingerprint != fingerprint {
            *self = Self::default();
        }
    }

    /// The hierarchy of these groups, for which the cache was retained.
    pub(super) fn bvh(&mut self, groups: &[SphereGroup<'_>], instances: &SphereInstances<'_>) -> Arc<Bvh> {
        let bvh = self.bvh.get_or_insert_with(|| {
            self.fingerprint = fingerprint(groups);
            Arc::new(Bvh::new(&instances.to_world()))
        });
        Arc::clone(bvh)
    }

    /// The clusters of the hierarchy.
    pub(super) fn clusters(&mut self, bvh: &Bvh) -> Arc<Clusters> {
        Arc::clone(self.clusters.get_or_insert_with(|| Arc::new(Clusters::new(bvh))))
    }
}

/// Spheres of which a thread works out the fingerprint in one go.
const CHUNK: usize = 1 << 12;

/// A hash of all places and radii, and of where groups and poses end.
fn fingerprint(groups: &[SphereGroup<'_>]) -> u64 {
    let word = |a: f32, b: f32| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let of_group = |group: &SphereGroup<'_>| {
        let chunks = group.spheres.par_chunks(CHUNK).map(|spheres| {
            spheres.iter().fold(0, |hash, sphere| {
                let [x, y, z] = sphere.center;
                mix(mix(hash, word(x, y)), word(z, sphere.radius))
            })
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
}
