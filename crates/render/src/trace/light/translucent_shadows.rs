//! Shadows of translucent shapes: the share of a light that passes them on its way to a surface.
//!
//! Each light with hard shadows bins the translucent shapes in columns along it, as an orthographic picture seen from
//! the light would. A shadow ray intersects all shapes of its column, sorts the crossings by distance, and lets as much
//! light pass as they would let through to the eye.
#![expect(clippy::cast_possible_truncation, reason = "columns are counted in 32 bits")]

use std::collections::BTreeSet;

use fearless_simd::{Level, dispatch};
use glam::Vec3;

use crate::geom::Sphere;
use crate::lanes::{along_and_across, dot, norm, sub};
use crate::scene::spheres::{Camera, Projection, Transparency, View};
use crate::scene::{Opacity, Rays, RowBuffer, SphereInstances};
use crate::shapes::{Exclude, Primitive, ShapeVisitor, pass_of, stretches_by_half, visit_shape};
use crate::tiles::Culling;
use crate::tiles::sphere_bins::SphereBins;
use crate::tiles::sphere_projector::SphereProjector;
use crate::trace::find::shape_lists::ShapeBins;
use crate::trace::light::directional::PreparedLight;

/// Columns along a side of the light's view, and columns along a side of the finest cells of its lists.
const COLUMNS: u32 = 1024;
const CELL: u32 = 8;

/// The translucent shapes between surfaces and lights.
#[derive(Debug)]
pub(crate) struct TranslucentShadows {
    /// `None` for lights that cast no hard shadows.
    lights: Vec<Option<LightLists>>,
    model: Transparency,
    /// −ln(1 − a) of every alpha.
    densities: Box<[f32; 256]>,
}

/// The translucent shapes binned from a light.
#[derive(Debug)]
struct LightLists {
    /// Parallel rays from the light.
    rays: Rays,
    spheres: SphereBins,
    /// Shapes that are not spheres.
    shapes: Option<ShapeBins>,
}

/// Where a ray to a light enters or leaves a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LightCrossing {
    distance: f32,
    number: u32,
    is_exit: bool,
    alpha: u8,
    across: f32,
    part: u32,
}

/// A shape on the way to a light: its index, the stretch of the ray inside, the alphas where the ray enters and leaves
/// it, and its diameter.
struct PassedShape {
    number: u32,
    enter: f32,
    exit: f32,
    alphas: [u8; 2],
    across: f32,
}

/// A surface point that a light shines on.
#[derive(Clone, Copy)]
pub(crate) struct LitPoint {
    /// Relative to the eye.
    pub point: [f32; 3],
    /// The sphere of the surface, and whether the point is on its inside.
    pub own: Exclude,
    pub is_far: bool,
    /// Direction to the light, and the ray's length inside the drawn space.
    pub toward: [f32; 3],
    pub length: f32,
}

impl TranslucentShadows {
    /// `None` if no light casts hard shadows.
    pub(crate) fn new(
        level: Level,
        instances: &SphereInstances<'_>,
        lights: &[PreparedLight],
        model: Transparency,
        densities: &[f32; 256],
    ) -> Option<Self> {
        if !lights.iter().any(PreparedLight::casts_hard_shadows) {
            return None;
        }
        let translucent = instances.only(Opacity::Translucent);
        let bounds = bounding_sphere(&translucent)?;
        let lists = |light: &PreparedLight| {
            light.casts_hard_shadows().then(|| LightLists::new(level, &translucent, light.frame.toward(), bounds))
        };
        Some(Self { lights: lights.iter().map(lists).collect(), model, densities: Box::new(*densities) })
    }

    /// Whether translucent shapes may dim a light.
    #[inline(always)]
    pub(crate) fn shade(&self, light: usize) -> bool {
        self.lights.get(light).is_some_and(Option::is_some)
    }

    /// The share of a light that passes all translucent shapes before a point.
    pub(crate) fn pass(
        &self,
        instances: &SphereInstances<'_>,
        light: usize,
        lit: &LitPoint,
        crossings: &mut Vec<LightCrossing>,
    ) -> f32 {
        let Some(LightLists { rays, spheres, shapes }) = &self.lights[light] else { return 1.0 };
        let eye = instances.eye;
        let from: [f32; 3] = std::array::from_fn(|axis| (lit.point[axis] + eye[axis]) - rays.eye[axis]);
        let [x, y] =
            [rays.middle[0] + dot(from, rays.right) / rays.step, rays.middle[1] - dot(from, rays.up) / rays.step];
        let is_column = |place: f32| place >= 0.0 && place < COLUMNS as f32;
        if !(is_column(x) && is_column(y)) {
            return 1.0;
        }
        crossings.clear();
        for entry in spheres.lists(x as i32, y as i32).into_iter().flatten() {
            let sphere = instances.sphere(entry.index).0;
            let is_own = Exclude { sphere } == lit.own;
            if is_own && !lit.is_far {
                continue;
            }
            let toward = sub(sphere.center, lit.point);
            let (along, across) = along_and_across(toward, lit.toward);
            let discriminant = sphere.radius * sphere.radius - dot(across, across);
            if discriminant <= 0.0 {
                continue;
            }
            let half = discriminant.sqrt();
            let (enter, exit) = (if is_own { -1.0 } else { along - half }, along + half);
            let (number, across) = (entry.index, 2.0 * sphere.radius);
            let alphas = [instances.color(number).a; 2];
            self.cross(instances, lit, PassedShape { number, enter, exit, alphas, across }, crossings);
        }
        let others = shapes.as_ref().map(|bins| bins.entries(&instances.shapes, x as i32, y as i32));
        for entry in others.into_iter().flatten() {
            let shape = instances.shapes.shape(entry.index);
            let (halves, across) = (visit_shape(shape, lit), 2.0 * shape.extent().radius_across());
            self.cross_halves(instances, lit, entry.index, across, halves, crossings);
        }
        let key = |crossing: &LightCrossing| (crossing.number, crossing.is_exit);
        crossings.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(key(a).cmp(&key(b))));
        self.through(crossings)
    }

    /// Appends the crossings of a ray with the halves of a shape with this index and diameter. The plane between halves is
    /// no surface, but the media of both end there.
    fn cross_halves(
        &self,
        instances: &SphereInstances<'_>,
        lit: &LitPoint,
        number: u32,
        across: f32,
        halves: [[f32; 2]; 2],
        crossings: &mut Vec<LightCrossing>,
    ) {
        // NaN where the ray misses
        let mut met = (number..).zip(halves).filter(|(_, [enter, _])| !enter.is_nan());
        let alpha = |number: u32| instances.color(number).a;
        let passed = |number, [enter, exit]: [f32; 2], alphas| PassedShape { number, enter, exit, alphas, across };
        match (met.next(), met.next()) {
            (Some((one, of_one)), Some((other, of_other))) if self.model == Transparency::Solid => {
                self.cross(instances, lit, passed(one, of_one, [alpha(one); 2]), crossings);
                self.cross(instances, lit, passed(other, of_other, [alpha(other); 2]), crossings);
            }
            (Some((one, [enter, exit])), Some((other, [other_enter, other_exit]))) => {
                let is_first = enter <= other_enter;
                let alphas = if is_first { [alpha(one), alpha(other)] } else { [alpha(other), alpha(one)] };
                let span = [enter.min(other_enter), exit.max(other_exit)];
                self.cross(instances, lit, passed(number, span, alphas), crossings);
            }
            (Some((one, span)), None) => {
                self.cross(instances, lit, passed(one, span, [alpha(one); 2]), crossings);
            }
            (None, _) => {}
        }
    }

    /// Appends the crossings of a ray with a shape.
    fn cross(
        &self,
        instances: &SphereInstances<'_>,
        lit: &LitPoint,
        passed: PassedShape,
        crossings: &mut Vec<LightCrossing>,
    ) {
        let PassedShape { number, enter, exit, alphas, across } = passed;
        if !(exit >= 0.0 && enter <= lit.length) {
            return;
        }
        let has_parts = matches!(self.model, Transparency::Shell | Transparency::Front);
        let part = if has_parts { instances.part(number) } else { 0 };
        let of = |distance: f32, is_exit: bool| {
            let alpha = alphas[usize::from(is_exit)];
            LightCrossing { distance, number, is_exit, alpha, across, part }
        };
        crossings.push(of(enter, false));
        // a plane that cuts the shape is no surface to light
        if exit <= lit.length || self.model == Transparency::Solid {
            crossings.push(of(exit.min(lit.length), true));
        }
    }

    /// The light that passes crossings in order.
    fn through(&self, crossings: &[LightCrossing]) -> f32 {
        match self.model {
            Transparency::Solid => self.through_media(crossings),
            Transparency::Front => through_fronts(crossings),
            _ => self.through_surfaces(crossings),
        }
    }

    /// The light that passes the media inside of shapes; where several overlap, their mean absorbs.
    fn through_media(&self, crossings: &[LightCrossing]) -> f32 {
        let (mut inside, mut absorption, mut last) = (0.0, 0.0, 0.0);
        let mut depth = 0.0;
        for crossing in crossings {
            let distance = crossing.distance.max(0.0);
            if inside > 0.0 {
                depth += absorption / inside * (distance - last);
            }
            let own = self.densities[usize::from(crossing.alpha)] / crossing.across.max(f32::MIN_POSITIVE);
            let sign = if crossing.is_exit { -1.0 } else { 1.0 };
            (inside, absorption, last) = (inside + sign, absorption + sign * own, distance);
        }
        libm::expf(-depth.max(0.0))
    }

    /// The light that passes surfaces; with `shell`, the outer ones of each part alone.
    fn through_surfaces(&self, crossings: &[LightCrossing]) -> f32 {
        let mut pass = 1.0;
        // parts, each with the number of its spheres that the ray is inside of
        let mut inside: Vec<(u32, u32)> = Vec::new();
        for crossing in crossings {
            let mut others = 0;
            if self.model == Transparency::Shell {
                let known = inside.iter().position(|(part, _)| *part == crossing.part);
                let place = known.unwrap_or(inside.len());
                if known.is_none() {
                    inside.push((crossing.part, 0));
                }
                let count = &mut inside[place].1;
                others = if crossing.is_exit { count.saturating_sub(1) } else { *count };
                *count = if crossing.is_exit { others } else { *count + 1 };
            }
            if crossing.distance >= 0.0 && others == 0 {
                pass *= 1.0 - f32::from(crossing.alpha) / 255.0;
            }
        }
        pass
    }
}

impl LightLists {
    /// The lists of a light in this direction; `bounds` contains all instances.
    fn new(level: Level, instances: &SphereInstances<'_>, toward: [f32; 3], bounds: Sphere<3>) -> Self {
        let (center, radius, toward) = (Vec3::from(bounds.center), bounds.radius, Vec3::from(toward));
        let camera = Camera::look_at(center + toward * radius, center)
            .with_projection(Projection::Orthographic { height: radius * 2.02 });
        let rays = Rays::new(&View::new(camera, COLUMNS, COLUMNS));
        let projector = SphereProjector::new(&rays, [COLUMNS; 2], 1, [0.0, 1.0], Culling::On);
        let mut spheres = SphereBins::default();
        let seen = instances.seen_from(rays.eye);
        // rounding may put a point into the next column
        spheres.fill(level, &seen, &projector, CELL, [1, 0]);
        let shapes = ShapeBins::new(level, &seen.shapes, &projector, CELL, [1, 0]);
        Self { rays, spheres, shapes }
    }
}

/// The light that passes the surface where it first enters each part: the last one on the way to it.
fn through_fronts(crossings: &[LightCrossing]) -> f32 {
    let (mut pass, mut parts) = (1.0, BTreeSet::new());
    for crossing in crossings.iter().rev().filter(|crossing| crossing.is_exit && crossing.distance >= 0.0) {
        if parts.insert(crossing.part) {
            pass *= 1.0 - f32::from(crossing.alpha) / 255.0;
        }
    }
    pass
}

/// Where the ray to the light enters and leaves the halves of a shape; NaN if it misses.
impl ShapeVisitor for &LitPoint {
    type Output = [[f32; 2]; 2];

    fn visit<P: Primitive>(self, shape: P) -> [[f32; 2]; 2] {
        let target = shape.target();
        dispatch!(Level::baseline(), simd => {
            let (approach, span) = pass_of(simd, &target, self.point, self.toward);
            if span[0].is_nan() { [[f32::NAN; 2]; 2] } else { stretches_by_half(simd, &target, approach, span) }
        })
    }
}

/// The bounding sphere of the box around all instances, in world coordinates.
fn bounding_sphere(instances: &SphereInstances<'_>) -> Option<Sphere<3>> {
    let [mut least, mut greatest] = instances.shapes.seen_from([0.0; 3]).bounds();
    let mut buffer = RowBuffer::EMPTY;
    for mut run in instances.chunks(usize::MAX).into_iter().flatten() {
        while let Some((_, rows)) = run.take_rows(&mut buffer) {
            for row in rows {
                let center = run.pose.map_or(row.center, |pose| pose.apply(row.center));
                if !(Sphere { center, radius: row.radius }).is_drawable() {
                    continue;
                }
                for axis in 0..3 {
                    least[axis] = least[axis].min(center[axis] - row.radius);
                    greatest[axis] = greatest[axis].max(center[axis] + row.radius);
                }
            }
        }
    }
    let half: [f32; 3] = std::array::from_fn(|axis| 0.5 * (greatest[axis] - least[axis]));
    let center = std::array::from_fn(|axis| least[axis] + half[axis]);
    let radius = norm(half) * 1.001;
    (radius > 0.0 && radius.is_finite()).then_some(Sphere { center, radius })
}
