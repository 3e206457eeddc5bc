//! Studio shading: colour · (ambient · openness + Σ light · max(0, n·l) · visible), in linear light.

#![expect(clippy::cast_possible_truncation, reason = "a fan has at most sixteen rays")]

use fearless_simd::{f32x8, mask32x8, prelude::*};

use crate::color::linear_from_srgb8;
use crate::scene::EyeSphere;
use crate::scene::spheres::{Background, Light, Shading};
use crate::tiles::spheres::LANES;
use crate::trace::crossing::Target;
use crate::trace::finish::linear;
use crate::trace::light_buffer::LightBuffer;
use crate::trace::lit::{Batch, Eight, GROUPS, lanes};
use crate::trace::sampling::{Directions, across};
use crate::trace::shown::Visible;
use crate::trace::tree::{Probe, Tree};
use crate::trace::vicinity::{Fan, Vicinity};

/// Premultiplied linear light and opacity.
pub(crate) type Linear = [f32; 4];

/// Lights and quality, made ready.
#[derive(Debug)]
pub(crate) struct Studio {
    lamps: Vec<Lamp>,
    ambient: f32,
    shadows: bool,
    ao_distance: f32,
    directions: Option<Directions>,
    background: Background,
}

/// The spheres of a scene as rays find them that leave a surface.
#[derive(Debug)]
pub(crate) struct Occluders<'a> {
    /// For rays in all directions, and to lights that have no buffer.
    pub tree: Option<&'a Tree>,
    /// One a light that casts shadows, or none at all.
    pub buffers: Vec<Option<LightBuffer>>,
}

/// A directional light: where it comes from, a unit vector, and its linear colour.
#[derive(Clone, Copy, Debug)]
struct Lamp {
    toward: [f32; 3],
    light: [f32; 3],
}

/// A hit of a sample's ray, relative to the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub sphere: Visible,
    pub target: Target,
    /// Where the ray starts and its unit direction.
    pub start: [f32; 3],
    pub direction: [f32; 3],
}

/// The point of a hit and the normal there, which faces the eye.
struct Surface {
    point: [f32; 3],
    normal: [f32; 3],
    /// Between the normal and the ray.
    cosine: f32,
    /// Whether the sphere is seen from inside.
    inside: bool,
}

#[inline(always)]
pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

impl Hit {
    /// The remainder f and √disc again, in one ray's scalars: −(f + √disc·d) / r is the normal of an entry, and
    /// the point is the centre plus or minus the radius along it, exact to ulps of the centre however far the ray came.
    #[inline(always)]
    fn surface(&self) -> Surface {
        let target = &self.target;
        let d = self.direction;
        let oc: [f32; 3] = std::array::from_fn(|i| target.center[i] - self.start[i] * (1.0 / target.unit));
        let b = dot(oc, d);
        let f: [f32; 3] = std::array::from_fn(|i| oc[i] - b * d[i]);
        let depth = (target.radius_squared - dot(f, f)).max(0.0).sqrt();
        let inside = if self.start == [0.0; 3] { target.surrounds() } else { b < depth };
        let radius = 1.0 / target.inverse_radius;
        let side = if inside { -1.0 } else { 1.0 };
        let normal: [f32; 3] = std::array::from_fn(|i| -(f[i] * side + depth * d[i]) * target.inverse_radius);
        let point = std::array::from_fn(|i| (target.center[i] + normal[i] * (radius * side)) * target.unit);
        Surface { point, normal, cosine: depth * target.inverse_radius, inside }
    }
}

impl Studio {
    pub(crate) fn new(lights: &[Light], shading: &Shading, background: Background) -> Self {
        let lamps = lights.iter().filter_map(Lamp::new).collect();
        let directions = (shading.ao_rays > 0).then(|| Directions::new(shading.ao_rays, shading.seed));
        let ambient = shading.ambient;
        Self { lamps, ambient, shadows: shading.shadows, ao_distance: shading.ao_distance, directions, background }
    }

    /// The directions of the lights that cast shadows.
    pub(crate) fn shadowing(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        let lamps = if self.shadows { &self.lamps[..] } else { &[] };
        lamps.iter().map(|lamp| lamp.toward)
    }

    /// Whether hits cast ambient-occlusion rays.
    pub(crate) fn is_occluded(&self) -> bool {
        self.directions.is_some()
    }

    /// Whether the cosine to the eye says it all.
    pub(crate) fn is_headlight(&self) -> bool {
        self.lamps.is_empty() && self.directions.is_none()
    }

    /// What a headlight alone makes of a surface.
    #[inline(always)]
    pub(crate) fn headlight(&self, cosine: f32) -> f32 {
        self.ambient + (1.0 - self.ambient) * cosine
    }

    /// The light of a hit of the sphere that `vicinity` is around. `place` is the pixel and the sample. Rays cast are added
    /// to `rays`.
    #[inline(always)]
    pub(crate) fn shade<S: Simd>(
        &self,
        simd: S,
        (occluders, vicinity): (&Occluders<'_>, &Vicinity),
        hit: &Hit,
        place: [u32; 3],
        rays: &mut u64,
    ) -> Linear {
        let surface = hit.surface();
        let except = if surface.inside { EyeSphere::EMPTY } else { hit.sphere.seen };
        let mut open = 1.0;
        if let (Some(directions), Some(tree)) = (&self.directions, occluders.tree) {
            let set = directions.of(place);
            let free = free_rays(simd, (tree, vicinity), &surface, set, self.ao_distance, except);
            *rays += set.len() as u64;
            open = free as f32 / set.len() as f32;
        }
        let mut light = [self.ambient * open; 3];
        if self.lamps.is_empty() {
            light = light.map(|light| light + (1.0 - self.ambient) * surface.cosine);
        }
        for (index, lamp) in self.lamps.iter().enumerate() {
            let cosine = dot(surface.normal, lamp.toward);
            if cosine > 0.0 {
                *rays += u64::from(self.shadows);
                let (origin, length) = (surface.point, f32::INFINITY);
                let probe = Probe { origin, direction: lamp.toward, begin: 0.0, length, except };
                let shadowed = self.shadows && occluders.blocks(simd, index, &probe);
                if !shadowed {
                    light = std::array::from_fn(|i| light[i] + lamp.light[i] * cosine);
                }
            }
        }
        let [r, g, b] = linear(hit.sphere.color);
        [r * light[0], g * light[1], b * light[2], 1.0]
    }

    /// Whether lights are all that shines on hits.
    pub(crate) fn is_lit(&self) -> bool {
        !self.lamps.is_empty() && self.directions.is_none()
    }

    /// As [`Studio::shade`], of hits that lights alone shine on: the light of a batch, without opacity.
    #[inline(always)]
    pub(super) fn shade_lit<S: Simd>(
        &self,
        simd: S,
        occluders: &Occluders<'_>,
        Visible { seen, color, .. }: &Visible,
        batch: &mut Batch,
        rays: &mut u64,
    ) {
        let groups = batch.groups();
        batch.light[..groups].fill([[self.ambient; LANES]; 3]);
        for (index, lamp) in self.lamps.iter().enumerate() {
            let cosine = |normals: &Eight| {
                let ([nx, ny, nz], [x, y, z]) = (lanes(simd, normals), lamp.toward);
                (nx * x + ny * y) + nz * z
            };
            let mut open = [0; GROUPS];
            let open = &mut open[..groups];
            for (group, (open, normals)) in open.iter_mut().zip(&batch.normals).enumerate() {
                *open = cosine(normals).simd_gt(0.0).to_bitmask() & batch.lanes(group);
            }
            if self.shadows {
                *rays += open.iter().map(|open| u64::from(open.count_ones())).sum::<u64>();
                occluders.screen(simd, (index, lamp.toward), *seen, batch, open);
            }
            for ((light, normals), &mut open) in batch.light.iter_mut().zip(&batch.normals).zip(open) {
                let lit = mask32x8::from_bitmask(simd, open);
                let cosine = cosine(normals);
                for (light, lamp) in light.iter_mut().zip(lamp.light) {
                    let dark = f32x8::load_array_ref(simd, light);
                    lit.select(dark + cosine * lamp, dark).store_array(light);
                }
            }
        }
        let color = linear(*color);
        for light in &mut batch.light[..groups] {
            for (light, channel) in light.iter_mut().zip(color) {
                (f32x8::splat(simd, channel) * f32x8::load_array_ref(simd, light)).store_array(light);
            }
        }
    }

    /// What a ray sees that meets nothing.
    #[inline(always)]
    pub(crate) fn background(&self, direction: [f32; 3]) -> Linear {
        let linear = |color: crate::color::Srgba8| {
            let alpha = f32::from(color.a) / 255.0;
            let [r, g, b] = [color.r, color.g, color.b].map(|channel| linear_from_srgb8(channel) * alpha);
            [r, g, b, alpha]
        };
        match self.background {
            Background::Solid(color) => linear(color),
            Background::Gradient { bottom, top } => {
                let up = 0.5 * (direction[1] + 1.0);
                let (bottom, top) = (linear(bottom), linear(top));
                std::array::from_fn(|i| bottom[i] * (1.0 - up) + top[i] * up)
            }
        }
    }
}

impl Lamp {
    /// `None` for a light that shines in no direction.
    #[expect(clippy::cast_possible_truncation, reason = "a unit vector, rounded once from f64 on purpose")]
    fn new(light: &Light) -> Option<Self> {
        let Light::Directional(light) = light;
        let direction = light.direction.as_dvec3();
        let toward = -(direction / direction.abs().max_element()).try_normalize()?;
        let color = [light.color.r, light.color.g, light.color.b];
        let light = color.map(|channel| linear_from_srgb8(channel) * light.intensity);
        Some(Self { toward: [toward.x as f32, toward.y as f32, toward.z as f32], light })
    }
}

impl Occluders<'_> {
    /// Whether anything is in a probe's way to a light.
    #[inline(always)]
    fn meet<S: Simd>(&self, simd: S, lamp: usize, probe: &Probe) -> bool {
        match (self.buffers.get(lamp), self.tree) {
            (Some(Some(buffer)), _) => buffer.blocks(simd, probe),
            (_, Some(tree)) => tree.blocks(simd, probe),
            (_, None) => false,
        }
    }

    /// Clears the bits of a batch's points that do not see a light: what [`Occluders::meet`] says of each.
    fn screen<S: Simd>(
        &self,
        simd: S,
        (lamp, direction): (usize, [f32; 3]),
        sphere: EyeSphere,
        batch: &Batch,
        open: &mut [u64],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let points = &batch.points[..open.len()];
                if batch.inside[..open.len()].iter().all(|&inside| inside == 0)
                    && let Some(Some(buffer)) = self.buffers.get(lamp)
                    && buffer.screen(simd, sphere, points, open)
                {
                    return;
                }
                for ((points, open), &inside) in points.iter().zip(open).zip(&batch.inside) {
                    let mut asked = *open;
                    while asked != 0 {
                        let lane = asked.trailing_zeros() as usize % LANES;
                        asked &= asked - 1;
                        let except = if inside >> lane & 1 == 1 { EyeSphere::EMPTY } else { sphere };
                        let origin = [points[0][lane], points[1][lane], points[2][lane]];
                        let probe = Probe { origin, direction, begin: 0.0, length: f32::INFINITY, except };
                        *open &= !(u64::from(self.meet(simd, lamp, &probe)) << lane);
                    }
                }
            },
        );
    }

    /// As [`Occluders::meet`], behind a call of its own: what surrounds it is large enough.
    fn blocks<S: Simd>(&self, simd: S, lamp: usize, probe: &Probe) -> bool {
        simd.vectorize(
            #[inline(always)]
            || self.meet(simd, lamp, probe),
        )
    }
}

/// How many of a set of directions about the normal lead away from all spheres.
fn free_rays<S: Simd>(
    simd: S,
    (tree, vicinity): (&Tree, &Vicinity),
    surface: &Surface,
    set: &[[f32; 3]],
    length: f32,
    except: EyeSphere,
) -> u32 {
    simd.vectorize(
        #[inline(always)]
        || {
            let normal = surface.normal;
            let [tangent, bitangent] = across(normal);
            let mut free = 0;
            for rays in set.chunks(16) {
                let (x, y, z) = ([0.0; 16], [0.0; 16], [0.0; 16]);
                let mut fan = Fan { origin: surface.point, normal, x, y, z, count: rays.len(), length, except };
                for (ray, &[u, v, w]) in rays.iter().enumerate() {
                    fan.x[ray] = (tangent[0] * u + bitangent[0] * v) + normal[0] * w;
                    fan.y[ray] = (tangent[1] * u + bitangent[1] * v) + normal[1] * w;
                    fan.z[ray] = (tangent[2] * u + bitangent[2] * v) + normal[2] * w;
                }
                free += fan.count as u32 - vicinity.blocked(simd, tree, &fan).count_ones();
            }
            free
        },
    )
}
