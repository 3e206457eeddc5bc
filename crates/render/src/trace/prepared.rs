//! Prepares a scene for its tiles, once per picture: bins its shapes, and prepares its lights and hierarchies.
//!
//! Opaque and translucent shapes get lists of their own, because opaque ones are found first. A hierarchy is built only
//! if shadows or occlusion need it, and is taken from the cache if the previous picture had the same shapes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fearless_simd::Level;

use super::accel::bvh::{Bvh, EyeBvh};
use super::accel::cache::StructureCache;
use super::accel::light_buffer::FEWEST_SPHERES;
use super::find::clip::ClipRegion;
use super::find::primary::PrimaryScene;
use super::find::sample_rays::SampleGrid;
use super::find::sampling::{sub_pixel_positions, sub_pixel_range};
use super::find::shape_lists::ShapeBins;
use super::hierarchies::{Hierarchies, HierarchyBuilder, HierarchyUse, HierarchyView, TranslucentLayer};
use super::light::cloud::MARGIN as CLOUD_MARGIN;
use super::light::directional::Shadow;
use super::shade::lighting::Studio;
use super::shade::occlusion::{OccluderLayer, Occlusion};
use super::shade::outlines::Outlines;
use super::translucent::{TranslucentBins, TranslucentShapes};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::TileMut;
use crate::scene::spheres::{Background, SphereScene};
use crate::scene::{Cloud, Opacity, Rays, SphereExtents, SphereInstances, sphere_extents};
use crate::tiles::Culling;
use crate::tiles::sphere_bins::SphereBins;
use crate::tiles::sphere_projector::SphereProjector;

/// Indices have 32 bits, and one value means "none".
const MAX_SPHERES: u64 = u32::MAX as u64 - 1;

/// A scene prepared for its tiles.
#[derive(Debug)]
pub(crate) struct PreparedSpheres<'a> {
    pub(super) level: Level,
    /// Side of a tile in pixels.
    pub(super) tile: u32,
    pub(super) instances: SphereInstances<'a>,
    pub(super) rays: Rays,
    pub(super) projector: SphereProjector,
    /// The opaque spheres by tile.
    pub(super) bins: Arc<SphereBins>,
    /// The other opaque shapes by tile.
    pub(super) shapes: Option<ShapeBins>,
    /// Present if some shapes are translucent.
    pub(super) translucent: Option<TranslucentShapes>,
    /// Sub-pixel positions of the samples.
    pub(super) positions: Vec<[f32; 2]>,
    pub(super) studio: Studio,
    blockers: LightBlockers,
    /// A solid background, which needs no shading.
    pub(super) backdrop: Option<Srgba8>,
    pub(super) outlines: Option<Outlines>,
    pub(super) cloud: Option<Cloud>,
    pub(super) clip: Option<ClipRegion>,
    pub(super) cancelled: &'a AtomicBool,
}

/// The shapes that block light.
#[derive(Debug)]
struct LightBlockers {
    /// Those that block it wholly.
    casters: Opacity,
    /// The hierarchies of the casters.
    hierarchies: Hierarchies,
    /// Layers of translucent occluders, for openness.
    layers: Vec<TranslucentLayer>,
}

/// How a scene is prepared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation<'a> {
    pub level: Level,
    /// Side of a tile in pixels.
    pub tile: u32,
    /// Half-open range of pixel rows to draw: lists of tiles outside of it are incomplete.
    pub rows: [u32; 2],
    /// Without culling every tile tests every sphere.
    pub culling: Culling,
    /// If only surfaces are wanted: shapes of at least this alpha count as opaque, all others are left out.
    pub solid_from: Option<u8>,
    /// Once set, structures are left unfinished and nothing is drawn.
    pub cancelled: &'a AtomicBool,
}

/// Counts from binning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Spheres that reach the picture.
    pub visible: u64,
    /// Entries in the tiles' lists.
    pub binned: u64,
}

/// The shapes of a scene by tile.
struct BinnedShapes {
    /// The opaque spheres.
    spheres: Arc<SphereBins>,
    /// The other opaque shapes.
    shapes: Option<ShapeBins>,
    /// Present if some shapes are translucent.
    translucent: Option<TranslucentBins>,
    /// The shapes that block light wholly.
    casters: Opacity,
    has_casters: bool,
}

impl BinnedShapes {
    /// The method for hard shadows. Light buffers support neither clip planes nor other shapes, and cover only the
    /// space in front of opaque surfaces.
    fn hard_shadow(&self, instances: &SphereInstances<'_>, clip: Option<&ClipRegion>) -> Shadow {
        let are_opaque_spheres = self.shapes.is_none() && self.translucent.is_none();
        if instances.count < FEWEST_SPHERES || clip.is_some() || !are_opaque_spheres {
            Shadow::Bvh
        } else {
            Shadow::Buffer { median_radius: instances.median_radius() }
        }
    }
}

/// Parameters of binning.
struct Binning<'a> {
    level: Level,
    projector: &'a SphereProjector,
    /// Side of a tile in pixels.
    tile: u32,
    /// Margins around each tile and around the picture, in pixels.
    margins: [u32; 2],
}

impl Binning<'_> {
    /// Bins opaque and translucent shapes separately. With `solid_from`, shapes of at least this alpha count as opaque,
    /// and all others are left out.
    fn list(
        &self,
        instances: &SphereInstances<'_>,
        solid_from: Option<u8>,
        cache: &mut StructureCache,
    ) -> BinnedShapes {
        let all = self.spheres(instances, cache);
        let shapes = self.shapes(instances, solid_from.map_or(Opacity::Opaque, Opacity::AtLeast));
        let has_all = shapes.as_ref().map_or(!instances.shapes.has_any(), ShapeBins::has_all);
        let has_others = solid_from.is_none() && !has_all;
        // the opaque half of a cylinder blocks light wholly, the other does not
        let casters = match solid_from {
            None if has_all && all.is_opaque => Opacity::Any,
            None => Opacity::AtLeast(u8::MAX),
            Some(alpha) => Opacity::AtLeast(alpha),
        };
        let translucent_shapes = if has_others { self.shapes(instances, Opacity::Translucent) } else { None };
        let has_shapes = if has_all { shapes.is_some() } else { instances.shapes.only(casters).has_any() };
        let mut has_casters = has_shapes || (instances.count > 0 && all.is_opaque);
        let (mut spheres, mut translucent_spheres) = (all, None);
        if !spheres.is_opaque {
            let [least, greatest] = instances.alphas();
            has_casters |= casters.includes(greatest);
            if let Some(alpha) = solid_from {
                spheres = self.spheres(&instances.only(Opacity::AtLeast(alpha)), cache);
            } else if least > 0 && greatest < u8::MAX {
                // all are translucent: reuse the list
                (spheres, translucent_spheres) = (Arc::default(), Some(spheres));
            } else {
                translucent_spheres = Some(self.spheres(&instances.only(Opacity::Translucent), cache));
                spheres = self.spheres(&instances.only(Opacity::Opaque), cache);
            }
        }
        let is_translucent = translucent_spheres.is_some() || translucent_shapes.is_some();
        let translucent = is_translucent
            .then(|| TranslucentBins { spheres: translucent_spheres.unwrap_or_default(), shapes: translucent_shapes });
        BinnedShapes { spheres, shapes, translucent, casters, has_casters }
    }

    fn spheres(&self, instances: &SphereInstances<'_>, cache: &mut StructureCache) -> Arc<SphereBins> {
        cache.bins(|bins| bins.fill(self.level, instances, self.projector, self.tile, self.margins))
    }

    fn shapes(&self, instances: &SphereInstances<'_>, only: Opacity) -> Option<ShapeBins> {
        ShapeBins::new(self.level, &instances.shapes.only(only), self.projector, self.tile, self.margins)
    }
}

fn check_count(shapes: u64) -> Result<()> {
    let message = || format!("must be at most {MAX_SPHERES}, copies counted, got {shapes}");
    if shapes > MAX_SPHERES { Err(Error::setting("number of spheres", message())) } else { Ok(()) }
}

/// The rays and the shapes of a scene; parallel rays from far away start near the shapes.
fn seen<'a>(scene: &'a SphereScene<'a>) -> Result<(Rays, SphereInstances<'a>)> {
    let placed = |rays: &Rays| SphereInstances::new(&scene.groups, rays.eye).with_shapes(&scene.shapes);
    let rays = scene.rays();
    let instances = placed(&rays);
    check_count(instances.shapes.end())?;
    if scene.extents.is_some() {
        return Ok((rays, instances));
    }
    // one shape that is not far spares a look at all of them
    let first = (instances.shapes.end() > 0).then(|| instances.in_world(0));
    if !first.is_some_and(|first| rays.is_far(rays.depth(first.center))) {
        return Ok((rays, instances));
    }
    let nearest = sphere_extents(&scene.framed(), &rays).depths(&rays);
    let rays = nearest.map_or(rays, |[nearest, _]| rays.advanced(nearest));
    Ok((rays, placed(&rays)))
}

/// The depths and radii of a cut scene, if fog or a cloud needs them.
fn extents_needed(scene: &SphereScene<'_>, rays: &Rays) -> SphereExtents {
    match &scene.extents {
        Some(extents) => **extents,
        None if scene.shading.fog <= 0.0 && scene.shading.splat_radius <= 0.0 => SphereExtents::NONE,
        // no sphere that is cut away is in it any more
        None if scene.shapes.is_empty() => sphere_extents(&scene.groups, rays),
        None => scene.kept_extents(rays),
    }
}

impl<'a> PreparedSpheres<'a> {
    /// Lists the shapes of a scene by tile. Structures of the same spheres are taken from the cache.
    ///
    /// # Errors
    /// When there are more spheres than indices.
    pub(crate) fn new(
        scene: &'a SphereScene<'a>,
        preparation: Preparation<'a>,
        cache: &mut StructureCache,
    ) -> Result<Self> {
        let Preparation { level, tile, rows, culling, solid_from, cancelled } = preparation;
        cache.begin_picture();
        let view = &scene.view;
        let (rays, instances) = seen(scene)?;
        let extents = extents_needed(scene, &rays);
        let cloud = Cloud::new(&extents, &scene.shading, &rays);
        let is_cloud = cloud.is_some_and(|cloud| cloud.is_all);
        let clip = ClipRegion::new(&scene.clip_planes, rays.eye);
        let outlines = Outlines::new(&scene.shading, view, &rays);
        let outlines = outlines.map(|outlines| outlines.clipped(clip.as_ref()).outer(is_cloud));

        let positions = sub_pixel_positions(scene.shading.samples.max(1));
        let range = sub_pixel_range(&positions);
        let margin = outlines.as_ref().map_or(0, |outlines| outlines.margin);
        let around = if cloud.is_some() { CLOUD_MARGIN } else { 0 };
        let size = [view.width, view.height];
        let projector = SphereProjector::new(&rays, size, margin.max(around), range, culling);
        let binning = Binning { level, projector: &projector.within_rows(rows), tile, margins: [margin, around] };
        let binned = binning.list(&instances, solid_from, cache);

        let shadow = if is_cloud { Shadow::None } else { binned.hard_shadow(&instances, clip.as_ref()) };
        let studio = Studio::new(scene, &extents, &rays, shadow);
        let BinnedShapes { spheres, shapes, translucent, casters, has_casters } = binned;
        let translucent = translucent.map(|bins| {
            let open = is_cloud.then(|| studio.open());
            TranslucentShapes::new(level, bins, &instances, scene.shading.transparency, &studio, open)
        });
        let mut prepared = Self {
            level,
            tile,
            instances,
            rays,
            projector,
            bins: spheres,
            shapes,
            translucent,
            positions,
            studio,
            blockers: LightBlockers { casters, hierarchies: Hierarchies::default(), layers: Vec::new() },
            backdrop: if let Background::Solid(color) = view.background { Some(color) } else { None },
            outlines,
            cloud,
            clip,
            cancelled,
        };
        if !is_cloud {
            prepared.build_hierarchies(scene, has_casters, cache);
        }
        Ok(prepared)
    }

    /// Builds the hierarchies that shadows and occlusion need, or takes them from the cache.
    fn build_hierarchies(&mut self, scene: &SphereScene<'_>, has_casters: bool, cache: &mut StructureCache) {
        let needs_surroundings = self.studio.needs_surroundings();
        let finds_openness_by_rays = matches!(self.studio.occlusion, Occlusion::Rays { .. });
        let casts_shadow_rays = self.studio.lights.iter().any(|light| matches!(light.shadow, Shadow::Bvh));
        let wanted = HierarchyUse { casts_rays: casts_shadow_rays || finds_openness_by_rays, needs_surroundings };
        let (level, instances, cancelled) = (self.level, &self.instances, self.cancelled);
        let mut builder = HierarchyBuilder { level, scene, instances, cache, cancelled };
        if has_casters || self.translucent.is_none() {
            self.blockers.hierarchies = builder.build(self.blockers.casters, wanted);
        }
        // hard shadows of translucent shapes come from lists of their own
        let wanted = HierarchyUse { casts_rays: finds_openness_by_rays, needs_surroundings };
        if self.translucent.is_some() && (finds_openness_by_rays || needs_surroundings) {
            self.blockers.layers = builder.build_layers(wanted);
        }
    }

    /// The hierarchy of the shapes that cast hard shadows, built when it is first needed.
    pub(super) fn bvh(&self) -> EyeBvh<'_> {
        let instances = || self.instances.to_world().only(self.blockers.casters);
        let build = || Arc::new(Bvh::new(self.level, &instances(), self.cancelled));
        self.blockers.hierarchies.rays(self.hierarchy_view(), build)
    }

    /// The layers of occluders for openness: the opaque shapes alone, then translucent ones with them.
    pub(super) fn occluder_layers(&self) -> Vec<OccluderLayer<'_>> {
        let view = self.hierarchy_view();
        let opaque = self.blockers.hierarchies.layer(view, TranslucentLayer::rest(&self.blockers.layers), u8::MAX);
        std::iter::once(opaque).chain(self.blockers.layers.iter().map(|layer| layer.layer(view))).collect()
    }

    fn hierarchy_view(&self) -> HierarchyView<'_> {
        let reach = self.studio.smooth_distance();
        HierarchyView { instances: &self.instances, clip: self.clip.as_ref(), reach }
    }

    /// Whether small spheres are shaded as one surface, which needs the depths of the whole picture.
    pub(crate) fn has_cloud(&self) -> bool {
        self.cloud.is_some()
    }

    pub(crate) fn census(&self) -> Census {
        let bins = self.translucent.as_ref().map(|translucent| &translucent.bins);
        let spheres = bins.map(|bins| &*bins.spheres).into_iter().chain([&*self.bins]);
        let shapes = bins.and_then(|bins| bins.shapes.as_ref()).into_iter().chain(&self.shapes);
        let counts = spheres.map(|bins| [bins.visible, bins.binned]);
        let counts = counts.chain(shapes.map(|shapes| [shapes.visible(), shapes.binned()]));
        let [visible, binned] = counts.fold([0; 2], |[a, b], [c, d]| [a + c, b + d]);
        Census { visible, binned }
    }

    /// Number of spheres that the tile around a pixel tests.
    pub(crate) fn kept(&self, x: u32, y: u32) -> u64 {
        self.bins.lists(x.cast_signed(), y.cast_signed()).iter().map(|list| list.len() as u64).sum()
    }

    /// The samples of a tile and of the margin that outlines need.
    pub(super) fn grid(&self, tile: &TileMut<'_>) -> SampleGrid {
        SampleGrid::of(tile, self.margin())
    }

    pub(super) fn margin(&self) -> u32 {
        self.outlines.as_ref().map_or(0, |outlines| outlines.margin)
    }

    pub(super) fn primary_scene(&self) -> PrimaryScene<'_> {
        let Self { level, instances, rays, projector, positions, clip, .. } = self;
        PrimaryScene { level: *level, instances, rays, projector, positions, clip: clip.as_ref() }
    }
}
