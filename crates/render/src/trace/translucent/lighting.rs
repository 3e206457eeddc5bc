//! The light of fragments: grouped by shape and side, shaded in batches as opaque surfaces are, and added in the order
//! of composition.
#![expect(clippy::cast_possible_truncation, reason = "fragments of a tile are counted in 32 bits")]

use fearless_simd::prelude::*;

use super::block_rays::BlockRays;
use super::composition::{Composition, Fragment, Slots};
use super::crossings::{CAP, EXIT, SLOT};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::{LANES, dot, sub};
use crate::scene::{PlacedShape, PrimitiveId, SphereInstances};
use crate::shapes::{HitSide, Primitive, ShapeVisitor, VastSphere, visit_shape};
use crate::statistics::Statistics;
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::shade::faint::TranslucentShape;
use crate::trace::shade::lighting::{Linear, ShadeContext, Studio};
use crate::trace::shade::material::Material;
use crate::trace::shade::occlusion::{FAINT, OpennessScratch};
use crate::trace::shade::surface_batch::{Sharing, SurfaceBatch};

/// Memory for the light of fragments, kept by a thread.
#[derive(Debug, Default)]
pub(super) struct FragmentLighting {
    /// Fragments by shape and side, and where each shape and side begins.
    order: Vec<u32>,
    starts: Vec<u32>,
    /// For each sample the tag of the last light that was found for it, and where that light is stored.
    seen: Vec<(u32, u32)>,
    /// Counts tags.
    tags: u32,
    /// For each fragment where its light is stored.
    places: Vec<u32>,
    lights: Vec<Linear>,
    batch: SurfaceBatch,
    openness: OpennessScratch,
    /// The plane of the batch's samples.
    plane: usize,
    /// Whether batches of a tag share the openness of a pixel.
    shares_in_pixel: bool,
    /// The serial number of the batches that share it, so that no other openness is reused.
    serial: u32,
}

/// The primitive of a batch, and the tag of its side.
struct Shown {
    number: u32,
    material: Material,
    tag: u32,
}

/// The structures that the light of fragments depends on.
#[derive(Clone, Copy)]
pub(super) struct FragmentScene<'a> {
    pub instances: &'a SphereInstances<'a>,
    pub studio: &'a Studio,
    pub context: &'a ShadeContext<'a>,
    pub rays: &'a [SampleRays],
    pub grid: SampleGrid,
    /// Present if faint spheres are lit once a block.
    pub blocks: Option<&'a BlockRays>,
}

/// Light that samples share if they show the same side of a whole sphere. It is found for one ray, which may meet the
/// sphere inside another shape: where that leaves no light, fewer samples share a ray.
#[derive(Clone, Copy)]
struct SharedLight<'a> {
    sphere: Sphere<3>,
    extent: SharedExtent<'a>,
}

/// How much of their light the samples share, and how far.
#[derive(Clone, Copy)]
enum SharedExtent<'a> {
    /// All of it, in a pixel: light depends on openness alone, which hardly changes there.
    Pixel,
    /// All of it, in a block of pixels: the sphere is large and faint.
    Block(&'a BlockRays),
    /// Openness and the share of soft light in a pixel, but not the angles at which light arrives.
    Shares,
}

/// The rays for which light is found, one step after the other.
#[derive(Clone, Copy)]
enum LightStep<'a> {
    /// A ray for each block.
    Block(&'a BlockRays),
    /// The first ray in each pixel that meets the sphere.
    Pixel,
    /// The ray of each sample.
    Sample,
}

impl<'a> SharedLight<'a> {
    fn steps(self) -> impl Iterator<Item = LightStep<'a>> {
        let block = if let SharedExtent::Block(blocks) = self.extent { Some(LightStep::Block(blocks)) } else { None };
        block.into_iter().chain([LightStep::Pixel])
    }
}

impl FragmentScene<'_> {
    fn material(&self, number: u32) -> Material {
        Material::new(self.instances.color(number)).with_gloss(self.studio.lobe(self.instances, number))
    }

    /// The light that samples share if they show this shape.
    fn shared_light(&self, number: u32) -> Option<SharedLight<'_>> {
        if self.rays.len() == 1 {
            return None;
        }
        let sphere = self.context.whole_sphere(self.instances, PrimitiveId(number))?;
        let extent = if self.studio.depends_on_normals() {
            self.context.layers.iter().any(|layer| layer.smooth.is_some()).then_some(SharedExtent::Shares)?
        } else {
            let is_faint = self.instances.color(number).a < FAINT;
            let blocks = self.blocks.filter(|blocks| is_faint && blocks.are_fine_on(sphere));
            blocks.map_or(SharedExtent::Pixel, SharedExtent::Block)
        };
        Some(SharedLight { sphere, extent })
    }

    /// The ray that finds the light of a sample at a step; `None` where it misses the sphere.
    #[inline(always)]
    fn ray_at(&self, step: LightStep<'_>, sphere: Sphere<3>, sample: u32) -> Option<LitRay> {
        let (_, at) = self.grid.plane_and_offset(sample);
        match step {
            LightStep::Sample => return Some(self.sample_ray(sample)),
            LightStep::Block(blocks) => {
                let (plane, at) = (self.rays.len(), blocks.offset(self.grid.pixel(at)));
                let key = plane * self.grid.plane() + at;
                return meets(&blocks.rays, at, sphere).then_some(LitRay { plane, at, key, sample });
            }
            LightStep::Pixel => {}
        }
        // a loop: `position` would be a call without the level's instructions
        for (plane, rays) in self.rays.iter().enumerate() {
            if meets(rays, at, sphere) {
                return Some(self.sample_ray((plane * self.grid.plane() + at) as u32));
            }
        }
        None
    }

    /// The ray of a sample.
    #[inline(always)]
    fn sample_ray(&self, sample: u32) -> LitRay {
        let (plane, at) = self.grid.plane_and_offset(sample);
        LitRay { plane, at, key: sample as usize, sample }
    }
}

/// Whether a ray meets a sphere.
#[inline(always)]
fn meets(rays: &SampleRays, at: usize, Sphere { center, radius }: Sphere<3>) -> bool {
    let toward = sub(center, rays.origin(at));
    let along = dot(toward, rays.direction(at));
    dot(toward, toward) - along * along < radius * radius
}

/// A ray to light.
#[derive(Clone, Copy)]
struct LitRay {
    /// The plane of its sample; of a block the number of planes.
    plane: usize,
    at: usize,
    /// Its place among samples and blocks.
    key: usize,
    /// The sample, or one of the block.
    sample: u32,
}

/// The place of a fragment's light while it has none.
const UNLIT: u32 = u32::MAX;

/// The light of a ray that is not shared.
const CLOSED: Linear = [f32::NAN; 4];

impl FragmentLighting {
    /// Takes the counts of shading.
    pub(super) fn take_work(&mut self) -> Statistics {
        self.openness.take_work()
    }

    /// Lights the fragments so far and adds them to the light of their samples; returns the rays cast. A call of its
    /// own, compiled once per instruction set.
    pub(super) fn add<S: Simd>(
        &mut self,
        simd: S,
        scene: &FragmentScene<'_>,
        composition: &mut Composition,
        slots: &Slots,
    ) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || self.add_inline(simd, scene, composition, slots),
        )
    }

    #[inline(always)]
    fn add_inline<S: Simd>(
        &mut self,
        simd: S,
        scene: &FragmentScene<'_>,
        composition: &mut Composition,
        slots: &Slots,
    ) -> u64 {
        let mut rays = 0;
        self.sort(&composition.fragments, slots);
        self.places.resize(composition.fragments.len(), 0);
        let blocks = scene.blocks.map_or(0, |blocks| blocks.grid.plane());
        let samples = scene.rays.len() * scene.grid.plane() + blocks;
        self.seen.resize(samples.max(self.seen.len()), (0, 0));
        self.lights.clear();
        let order = std::mem::take(&mut self.order);
        let mut shown = Shown { number: PrimitiveId::NONE.0, material: Material::new(Srgba8::TRANSPARENT), tag: 0 };
        let tag_of = |fragment: u32| composition.fragments[fragment as usize].tag & (SLOT | EXIT | CAP);
        for run in order.chunk_by(|&one, &other| tag_of(one) == tag_of(other)) {
            self.begin_tag();
            shown.tag = tag_of(run[0]);
            let number = slots.numbers[(shown.tag & SLOT) as usize];
            if shown.number != number {
                shown = Shown { number, material: scene.material(number), ..shown };
                let (openness, batch) = (&mut self.openness, &mut self.batch);
                let (id, model) = (PrimitiveId(number), composition.model);
                let shape = TranslucentShape { instances: scene.instances, id, model };
                scene.studio.prepare_translucent(simd, scene.context, openness, batch, &shape);
            }
            rays += self.light_run(simd, scene, &shown, run, &composition.fragments);
        }
        self.order = order;
        for (fragment, &place) in composition.fragments.iter().zip(&self.places) {
            let light = self.lights[place as usize];
            for (sums, channel) in composition.light.iter_mut().zip(light) {
                sums[fragment.sample as usize] += fragment.share * channel;
            }
        }
        composition.fragments.clear();
        rays
    }

    /// Finds the light of fragments with one tag; returns the rays cast.
    #[inline(always)]
    fn light_run<S: Simd>(
        &mut self,
        simd: S,
        scene: &FragmentScene<'_>,
        shown: &Shown,
        run: &[u32],
        fragments: &[Fragment],
    ) -> u64 {
        let sample_of = |fragment: u32| fragments[fragment as usize].sample;
        let shared = scene.shared_light(shown.number);
        let sphere = shared.map_or(Sphere::EMPTY, |shared| shared.sphere);
        let is_share = matches!(shared, Some(SharedLight { extent: SharedExtent::Shares, .. }));
        let mut rays = 0;
        for &fragment in run {
            self.places[fragment as usize] = UNLIT;
        }
        self.shares_in_pixel = is_share;
        for step in shared.into_iter().flat_map(SharedLight::steps).chain([LightStep::Sample]) {
            let is_own = matches!(step, LightStep::Sample);
            self.batch.sharing = if is_own { Sharing::Individual } else { Sharing::Canonical };
            for &fragment in run {
                if self.places[fragment as usize] == UNLIT
                    && let Some(ray) = scene.ray_at(step, sphere, sample_of(fragment))
                {
                    rays += self.take(simd, scene, shown, fragment, ray);
                }
            }
            rays += self.shade(simd, scene, shown);
            if is_own {
                break;
            }
            if !is_share {
                self.begin_tag();
            }
            for &fragment in run {
                let place = &mut self.places[fragment as usize];
                if is_share || self.lights.get(*place as usize).is_some_and(|light| light[3].is_nan()) {
                    *place = UNLIT;
                }
            }
        }
        self.shares_in_pixel = false;
        rays
    }

    /// Gives a fragment the light of a ray, which is found if it has not been; returns the rays cast.
    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, scene: &FragmentScene<'_>, shown: &Shown, fragment: u32, ray: LitRay) -> u64 {
        let LitRay { plane, at, key, sample } = ray;
        let mut rays = 0;
        let (stamp, place) = self.seen[key];
        if stamp == self.tags {
            self.places[fragment as usize] = place;
            return rays;
        }
        if plane != self.plane || self.batch.is_full() {
            rays = self.shade(simd, scene, shown);
            self.plane = plane;
        }
        let sources = scene.rays.get(plane).or(scene.blocks.map(|blocks| &blocks.rays));
        let Some(source) = sources else { return rays };
        self.batch.take(simd, source, at, &mut (sample..sample + 1));
        let place = (self.lights.len() + self.batch.count - 1) as u32;
        self.seen[key] = (self.tags, place);
        self.places[fragment as usize] = place;
        rays
    }

    /// A counting sort of fragments by shape and side.
    fn sort(&mut self, fragments: &[Fragment], slots: &Slots) {
        let key = |fragment: &Fragment| (fragment.tag & (SLOT | EXIT | CAP)).rotate_left(3) as usize;
        self.starts.clear();
        self.starts.resize((slots.numbers.len() << 3) + 1, 0);
        for fragment in fragments {
            self.starts[key(fragment) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.order.resize(fragments.len(), 0);
        for (index, fragment) in fragments.iter().enumerate() {
            let at = &mut self.starts[key(fragment)];
            self.order[*at as usize] = index as u32;
            *at += 1;
        }
    }

    /// Begins fragments with another tag: none of them are seen yet, and nothing is found for their pixels.
    fn begin_tag(&mut self) {
        self.serial = self.serial.wrapping_add(1);
        self.tags = self.tags.wrapping_add(1);
        if self.tags == 0 {
            self.seen.fill((0, 0));
            self.tags = 1;
        }
    }

    /// Shades a batch of fragments with one tag and empties it.
    fn shade<S: Simd>(&mut self, simd: S, scene: &FragmentScene<'_>, shown: &Shown) -> u64 {
        if self.batch.count == 0 {
            return 0;
        }
        let tag = shown.tag;
        let is_shape = scene.instances.shapes.has(PrimitiveId(shown.number));
        if !self.shares_in_pixel {
            self.serial = self.serial.wrapping_add(1);
        }
        let batch = &mut self.batch;
        simd.vectorize(
            #[inline(always)]
            || {
                let side = if tag & EXIT == 0 { HitSide::Near } else { HitSide::Far };
                if is_shape {
                    find_on_shape(simd, batch, &scene.instances.shapes.shape(shown.number), side);
                } else {
                    let sphere = scene.instances.sphere(shown.number).0;
                    match VastSphere::of(sphere, scene.context.rays, scene.instances, shown.number) {
                        Some(vast) => find_on_vast(simd, batch, vast, side),
                        None => batch.find_surfaces_on(simd, sphere, side),
                    }
                }
                batch.caps.fill(0);
                batch.closed.fill(0);
                if tag & CAP != 0
                    && let Some(clip) = scene.context.clip
                {
                    batch.put_on_planes(simd, clip, side);
                }
                // what shades a translucent surface does not know its shape
                batch.inside.fill(0);
                (batch.id, batch.own_share) = (PrimitiveId(self.serial), 1.0);
                let openness = &mut self.openness;
                let rays = scene.studio.shade(simd, scene.context, openness, &shown.material, scene.grid, batch);
                let is_foggy = scene.studio.is_foggy();
                let may_be_closed = batch.sharing == Sharing::Canonical && !self.shares_in_pixel;
                for index in 0..batch.count {
                    let (group, lane) = (index / LANES, index % LANES);
                    let [r, g, b] = &batch.radiance[group];
                    let opacity = if is_foggy { batch.opacity[group][lane] } else { 1.0 };
                    let is_closed = may_be_closed && batch.closed[group] >> lane & 1 == 1;
                    let light = [r[lane], g[lane], b[lane], opacity];
                    self.lights.push(if is_closed { CLOSED } else { light });
                }
                batch.count = 0;
                rays
            },
        )
    }
}

/// Finds the surfaces of a batch on one side of a primitive that is not a sphere; a call of its own, so that spheres
/// have the smaller kernel.
fn find_on_shape<S: Simd>(simd: S, batch: &mut SurfaceBatch, shape: &PlacedShape, side: HitSide) {
    simd.vectorize(
        #[inline(always)]
        || visit_shape(*shape, FindOnSide { simd, batch, side }),
    );
}

/// Finds the surfaces of a batch on one side of a vast sphere; a call of its own for the same reason.
#[cold]
fn find_on_vast<S: Simd>(simd: S, batch: &mut SurfaceBatch, vast: VastSphere, side: HitSide) {
    simd.vectorize(
        #[inline(always)]
        || batch.find_surfaces_on(simd, vast, side),
    );
}

struct FindOnSide<'b, S> {
    simd: S,
    batch: &'b mut SurfaceBatch,
    side: HitSide,
}

impl<S: Simd> ShapeVisitor for FindOnSide<'_, S> {
    type Output = ();

    #[inline(always)]
    fn visit<P: Primitive>(self, shape: P) {
        self.batch.find_on_side(self.simd, shape, self.side);
    }
}
