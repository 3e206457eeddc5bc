//! The light of fragments: grouped by shape and side, shaded in batches as opaque surfaces are, and added in the order of
//! composition.
#![expect(clippy::cast_possible_truncation, reason = "fragments of a tile are counted in 32 bits")]

use fearless_simd::prelude::*;

use super::composition::{Composition, Fragment, Slots};
use super::crossings::{CAP, EXIT, SLOT};
use crate::color::Srgba8;
use crate::lanes::LANES;
use crate::scene::{PlacedShape, PrimitiveId, SphereInstances};
use crate::shapes::HitSide;
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::shade::lighting::{Linear, OpennessScratch, ShadeContext, Studio};
use crate::trace::shade::material::Material;
use crate::trace::shade::surface_batch::SurfaceBatch;

/// Memory for the light of fragments, kept by a thread.
#[derive(Debug, Default)]
pub(super) struct FragmentLighting {
    /// Fragments by shape, side and sample.
    order: Vec<(u64, u32)>,
    /// Where the light of each fragment stands.
    places: Vec<u32>,
    lights: Vec<Linear>,
    batch: SurfaceBatch,
    openness: OpennessScratch,
    /// Counts batches, so that no openness of another one is taken.
    batches: u32,
}

/// The primitive of a batch.
struct Shown {
    number: u32,
    material: Material,
}

/// The structures that the light of fragments depends on.
#[derive(Clone, Copy)]
pub(super) struct FragmentScene<'a> {
    pub instances: &'a SphereInstances<'a>,
    pub studio: &'a Studio,
    pub context: &'a ShadeContext<'a>,
    pub rays: &'a [SampleRays],
    pub grid: SampleGrid,
}

impl FragmentLighting {
    /// Lights the fragments so far and adds them to the light of their samples; returns the rays cast. A call of its own,
    /// compiled once per instruction set.
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
        self.order.clear();
        let key = |fragment: &Fragment| {
            let tag = (fragment.tag & (SLOT | EXIT | CAP)).rotate_left(3);
            u64::from(tag) << 32 | u64::from(fragment.sample)
        };
        self.order.extend(composition.fragments.iter().map(key).zip(0..));
        self.order.sort_unstable();
        self.places.resize(composition.fragments.len(), 0);
        self.lights.clear();
        let order = std::mem::take(&mut self.order);
        let mut last = None;
        let mut shown = Shown { number: PrimitiveId::NONE.0, material: Material::new(Srgba8::TRANSPARENT) };
        for &(key, fragment) in &order {
            if last == Some(key) {
                self.places[fragment as usize] = (self.lights.len() + self.batch.count - 1) as u32;
                continue;
            }
            let Fragment { tag, sample, .. } = composition.fragments[fragment as usize];
            let (plane, at) = scene.grid.plane_and_offset(sample);
            let is_next = last
                .is_none_or(|last: u64| last >> 32 != key >> 32 || scene.grid.plane_and_offset(last as u32).0 != plane);
            if is_next || self.batch.is_full() {
                rays += self.shade(simd, scene, &shown, last);
                let number = slots.numbers[(tag & SLOT) as usize];
                if shown.number != number {
                    let gloss = scene.studio.lobe(scene.instances, number);
                    let material = Material::new(scene.instances.color(number)).with_gloss(gloss);
                    shown = Shown { number, material };
                    self.prepare(simd, scene, number);
                }
            }
            self.batch.take(simd, &scene.rays[plane], at, &mut (sample..sample + 1));
            self.places[fragment as usize] = (self.lights.len() + self.batch.count - 1) as u32;
            last = Some(key);
        }
        rays += self.shade(simd, scene, &shown, last);
        self.order = order;
        for (fragment, &place) in composition.fragments.iter().zip(&self.places) {
            let light = self.lights[place as usize];
            for (sum, channel) in composition.light[fragment.sample as usize].iter_mut().zip(light) {
                *sum += fragment.share * channel;
            }
        }
        composition.fragments.clear();
        rays
    }

    /// Prepares for the light of fragments of a primitive.
    fn prepare<S: Simd>(&mut self, simd: S, scene: &FragmentScene<'_>, number: u32) {
        let FragmentScene { instances, studio, context, .. } = *scene;
        if instances.shapes.has(PrimitiveId(number)) {
            let (around, stand_in, eye) =
                (instances.sphere_around(number), instances.stand_in(number), instances.eye());
            self.batch.viewpoint = Some(std::array::from_fn(|axis| stand_in.center[axis] - eye[axis]));
            studio.prepare_openness_of_shape(simd, context, &mut self.openness, (around, stand_in));
        } else {
            self.batch.viewpoint = None;
            let spheres = (instances.sphere_around(number), instances.in_world(number));
            studio.prepare_openness(simd, context, &mut self.openness, spheres);
        }
    }

    /// Shades a batch of fragments with one tag and empties it.
    fn shade<S: Simd>(&mut self, simd: S, scene: &FragmentScene<'_>, shown: &Shown, key: Option<u64>) -> u64 {
        let Some(key) = key.filter(|_| self.batch.count > 0) else { return 0 };
        let tag = ((key >> 32) as u32).rotate_right(3);
        let is_shape = scene.instances.shapes.has(PrimitiveId(shown.number));
        self.batches = self.batches.wrapping_add(1);
        let batch = &mut self.batch;
        simd.vectorize(
            #[inline(always)]
            || {
                let side = if tag & EXIT == 0 { HitSide::Near } else { HitSide::Far };
                if is_shape {
                    find_on_shape(simd, batch, &scene.instances.shapes.shape(shown.number), side);
                } else {
                    batch.find_surfaces_on(simd, scene.instances.sphere(shown.number).0, side);
                }
                batch.caps.fill(0);
                if tag & CAP != 0
                    && let Some(clip) = scene.context.clip
                {
                    batch.put_on_planes(simd, clip, side);
                }
                // what shades a translucent surface does not know its shape
                batch.inside.fill(0);
                (batch.id, batch.own_share) = (PrimitiveId(self.batches), 1.0);
                let openness = &mut self.openness;
                let rays = scene.studio.shade(simd, scene.context, openness, &shown.material, scene.grid, batch);
                let is_foggy = scene.studio.is_foggy();
                for index in 0..batch.count {
                    let (group, lane) = (index / LANES, index % LANES);
                    let [r, g, b] = &batch.radiance[group];
                    let opacity = if is_foggy { batch.opacity[group][lane] } else { 1.0 };
                    self.lights.push([r[lane], g[lane], b[lane], opacity]);
                }
                batch.count = 0;
                rays
            },
        )
    }
}

/// Finds the surfaces of a batch on one side of a primitive that is not a sphere; a call of its own, so that spheres have the smaller
/// kernel.
fn find_on_shape<S: Simd>(simd: S, batch: &mut SurfaceBatch, shape: &PlacedShape, side: HitSide) {
    simd.vectorize(
        #[inline(always)]
        || match *shape {
            PlacedShape::Cylinder(shape) => batch.find_on_side(simd, shape, side),
            PlacedShape::Ellipsoid(shape) => batch.find_on_side(simd, shape, side),
            PlacedShape::Cone(shape) => batch.find_on_side(simd, shape, side),
        },
    );
}
