//! Hierarchies for shadow rays and occlusion, of opaque and of translucent shapes.
//!
//! A translucent shape blocks a share of the light equal to its opacity. Openness is therefore a weighted mean over
//! layers: the opaque shapes alone, then together with all translucent shapes of at least some alpha, which count as
//! opaque there. With alphas of 0.2 and 0.5 the layers weigh 0.5 (opaque shapes alone), 0.3 (with the denser ones) and
//! 0.2 (with all). Shapes that overlap or hide each other count once, so that a body of translucent atoms blocks as
//! much as one of them.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use fearless_simd::Level;

use super::accel::bvh::{Bvh, Clusters, EyeBvh, ShapeBvh};
use super::accel::cache::StructureCache;
use super::find::clip::ClipRegion;
use super::light::smooth::{ShapeField, SmoothOcclusion};
use super::shade::occlusion::OccluderLayer;
use crate::scene::spheres::SphereScene;
use crate::scene::{MOST_EXACT_OCCLUDERS, Opacity, SphereInstances, kept_groups, without_joints};

/// Maximum number of translucent layers; more distinct alphas are grouped, about equally many shapes to a group.
pub(crate) const MOST_LAYERS: usize = 3;

/// The queries that the hierarchies of a picture have to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct HierarchyUse {
    /// Rays to lights, or to find openness.
    pub casts_rays: bool,
    /// Openness or soft shadows without rays.
    pub needs_surroundings: bool,
}

/// Builds the hierarchies of a scene, or takes them from the cache.
pub(super) struct HierarchyBuilder<'a> {
    pub level: Level,
    pub scene: &'a SphereScene<'a>,
    pub instances: &'a SphereInstances<'a>,
    pub cache: &'a mut StructureCache,
    pub cancelled: &'a AtomicBool,
}

/// The hierarchies of the shapes of some opacity.
#[derive(Debug, Default)]
pub(super) struct Hierarchies {
    /// Of spheres, in world coordinates.
    spheres: OnceLock<Arc<Bvh>>,
    /// Of primitives that are not spheres, if rays ask for them.
    shapes: Option<ShapeBvh>,
    /// Of spheres, and of spheres that stand in for many other shapes; present if there are other shapes.
    surroundings: Option<Arc<Bvh>>,
    /// The other shapes, if they are so few that they block as themselves.
    field: Option<ShapeField>,
    /// Summaries of either hierarchy of spheres.
    clusters: Option<Arc<Clusters>>,
}

/// A layer where translucent shapes of at least `least_alpha` count as opaque; `share` is its weight.
#[derive(Debug)]
pub(super) struct TranslucentLayer {
    share: f32,
    least_alpha: u8,
    hierarchies: Hierarchies,
}

/// The view from which hierarchies are queried.
#[derive(Clone, Copy)]
pub(super) struct HierarchyView<'a> {
    pub instances: &'a SphereInstances<'a>,
    pub clip: Option<&'a ClipRegion>,
    /// How far smooth occlusion reaches.
    pub reach: f32,
}

impl HierarchyBuilder<'_> {
    /// The hierarchies of the shapes of some opacity.
    pub(super) fn build(&mut self, only: Opacity, wanted: HierarchyUse) -> Hierarchies {
        let Self { level, scene, instances, cache, cancelled } = self;
        let (shapes, mut built) = (instances.shapes.only(only), Hierarchies::default());
        let has_shapes = shapes.has_any();
        // the same in all layers
        let is_exact = (1..=MOST_EXACT_OCCLUDERS).contains(&instances.shapes.count());
        if is_exact && wanted.needs_surroundings {
            built.field = Some(ShapeField::new(&shapes.seen_from([0.0; 3])));
        }
        if has_shapes && wanted.needs_surroundings {
            let stand_ins = if is_exact { Vec::new() } else { scene.shapes.stand_ins() };
            let groups = (0..).zip(&scene.groups);
            let groups: Vec<_> =
                groups.map(|(number, group)| without_joints(group, number, &scene.shapes.cylinders)).collect();
            let groups = groups.iter().chain(&stand_ins).flat_map(|group| kept_groups(group, &scene.clip_planes));
            let bvh = cache.bvh(*level, &groups.collect::<Vec<_>>(), only, cancelled);
            built.clusters = Some(cache.clusters(&bvh, cancelled));
            built.surroundings = Some(bvh);
        }
        if wanted.casts_rays || (wanted.needs_surroundings && !has_shapes) {
            let bvh = cache.bvh(*level, &scene.groups, only, cancelled);
            if wanted.needs_surroundings && !has_shapes {
                built.clusters = Some(cache.clusters(&bvh, cancelled));
            }
            built.spheres = OnceLock::from(bvh);
        }
        if has_shapes && wanted.casts_rays {
            built.shapes = Some(ShapeBvh::new(*level, &shapes.seen_from([0.0; 3])));
        }
        built
    }

    /// The layers of the translucent shapes, from the densest on.
    pub(super) fn build_layers(&mut self, wanted: HierarchyUse) -> Vec<TranslucentLayer> {
        let mut counts = self.instances.alpha_counts();
        [counts[0], counts[255]] = [0; 2];
        let groups = alpha_groups(&counts);
        let fainter = groups.iter().skip(1).map(|group| group.opacity).chain([0.0]);
        let layer = |(group, fainter): (&AlphaGroup, f32)| {
            let hierarchies = self.build(Opacity::AtLeast(group.least), wanted);
            TranslucentLayer { share: group.opacity - fainter, least_alpha: group.least, hierarchies }
        };
        groups.iter().zip(fainter).map(layer).collect()
    }
}

impl Hierarchies {
    /// The hierarchy of spheres, and of other shapes; built by `spheres` if nothing needed it before.
    pub(super) fn rays<'a>(&'a self, view: HierarchyView<'a>, spheres: impl FnOnce() -> Arc<Bvh>) -> EyeBvh<'a> {
        self.eye_bvh(self.spheres.get_or_init(spheres), view)
    }

    fn eye_bvh<'a>(&'a self, bvh: &'a Bvh, HierarchyView { instances, clip, .. }: HierarchyView<'a>) -> EyeBvh<'a> {
        let shapes = self.shapes.as_ref().map(|bvh| (bvh, &instances.shapes));
        EyeBvh { bvh, eye: instances.eye, clip, shapes }
    }

    /// One layer of occluders for openness; `share` is its weight.
    pub(super) fn layer<'a>(&'a self, view: HierarchyView<'a>, share: f32, least_alpha: u8) -> OccluderLayer<'a> {
        let spheres = self.spheres.get().map(|bvh| &**bvh);
        // the hierarchy of spheres alone where there is nothing else
        let around = self.surroundings.as_deref().or(spheres);
        let smooth = around.zip(self.clusters.as_deref()).map(|(bvh, clusters)| {
            let smooth = SmoothOcclusion::new(bvh, clusters, view.reach, view.instances.median_radius());
            let has_stand_ins = self.surroundings.is_some() && self.field.is_none();
            let smooth = smooth.with_share(share).with_stand_ins(has_stand_ins).with_shapes(self.field.as_ref());
            smooth.clipped(view.clip, view.instances.eye)
        });
        OccluderLayer { share, least_alpha, bvh: spheres.map(|bvh| self.eye_bvh(bvh, view)), smooth }
    }
}

impl TranslucentLayer {
    pub(super) fn layer<'a>(&'a self, view: HierarchyView<'a>) -> OccluderLayer<'a> {
        self.hierarchies.layer(view, self.share, self.least_alpha)
    }

    /// The weight of the layer of opaque shapes alone.
    pub(super) fn rest(layers: &[Self]) -> f32 {
        1.0 - layers.iter().map(|layer| layer.share).sum::<f32>()
    }
}

/// Shapes of about the same alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AlphaGroup {
    least: u8,
    /// The mean of their opacities.
    opacity: f32,
}

/// Groups of alphas with about as many shapes each, from the most opaque on.
fn alpha_groups(counts: &[u64; 256]) -> Vec<AlphaGroup> {
    let alphas: Vec<(u8, u64)> = (0..=u8::MAX).rev().zip(counts.iter().rev().copied()).filter(|of| of.1 > 0).collect();
    let total: u64 = alphas.iter().map(|(_, count)| count).sum();
    let group = |part: &[(u8, u64)]| {
        let count: u64 = part.iter().map(|(_, count)| count).sum();
        let sum: u64 = part.iter().map(|&(alpha, count)| u64::from(alpha) * count).sum();
        AlphaGroup { least: part[part.len() - 1].0, opacity: sum as f32 / (255 * count) as f32 }
    };
    if alphas.len() <= MOST_LAYERS {
        return alphas.chunks(1).map(group).collect();
    }
    let mut groups = vec![Vec::new(); MOST_LAYERS];
    let mut before = 0;
    for (alpha, count) in alphas {
        // decided by the median of the shapes with this alpha
        let number = (before + count / 2) * MOST_LAYERS as u64 / total;
        groups[usize::try_from(number).expect("a small number")].push((alpha, count));
        before += count;
    }
    groups.iter().filter(|part| !part.is_empty()).map(|part| group(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(alphas: &[(u8, u64)]) -> Vec<AlphaGroup> {
        let mut counts = [0; 256];
        alphas.iter().for_each(|&(alpha, count)| counts[usize::from(alpha)] = count);
        alpha_groups(&counts)
    }

    #[test]
    fn few_alphas_are_groups_of_their_own() {
        assert_eq!(groups(&[]), []);
        let of = |least: u8| AlphaGroup { least, opacity: f32::from(least) / 255.0 };
        assert_eq!(groups(&[(51, 1), (102, 900), (204, 3)]), [of(204), of(102), of(51)]);
    }

    #[test]
    fn many_alphas_are_divided_by_their_numbers() {
        let all: Vec<(u8, u64)> = (1..=254).map(|alpha| (alpha, 10)).collect();
        let groups = groups(&all);
        assert_eq!(groups.len(), MOST_LAYERS);
        for (group, middle) in groups.iter().zip([5.0, 3.0, 1.0]) {
            assert!((group.opacity - middle / 6.0).abs() < 0.01, "{groups:?}");
        }
        assert_eq!(groups[2].least, 1);
    }

    #[test]
    fn an_alpha_that_most_shapes_have_is_a_group() {
        let groups = groups(&[(10, 2), (20, 2), (30, 1000), (40, 2), (50, 2)]);
        assert!(groups.iter().any(|group| (group.opacity * 255.0 - 30.0).abs() < 0.1), "{groups:?}");
    }
}
