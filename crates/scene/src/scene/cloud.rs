//! Which spheres are lit as parts of a surface: those about as small as a pixel.

use super::spheres::{Shading, View};
use super::{Rays, SphereExtents};
use crate::geom::Sphere;
use crate::lanes::dot;

/// The spheres that are lit as a cloud.
#[derive(Clone, Copy, Debug)]
pub struct Cloud {
    rays: Rays,
    /// Radius in pixels: spheres of this radius are shaded by their own normals, spheres of half of it as a cloud,
    /// spheres between by a blend of both.
    radius: f32,
    /// Whether every sphere is small enough to be lit as a cloud alone.
    pub is_all: bool,
}

impl Cloud {
    /// `None` if no sphere is small enough.
    #[expect(clippy::cast_possible_truncation, reason = "a bound, with slack")]
    pub fn new(extents: &SphereExtents, shading: &Shading, rays: &Rays) -> Option<Self> {
        let radius = shading.splat_radius;
        if radius.is_nan() || radius <= 0.0 {
            return None;
        }
        let [near, far] = extents.depths(rays)?;
        let [least, most] = extents.radii()?;
        let pixel = |depth: f64| if rays.parallel { rays.step } else { rays.step * depth as f32 };
        let is_all = most < pixel(near) * radius * (0.5 * SLACK);
        let is_some = least * SLACK < pixel(far) * radius;
        is_some.then_some(Self { rays: *rays, radius, is_all })
    }

    /// The weight of a sphere's own shading, 0 to 1; the rest is the cloud's.
    #[inline(always)]
    pub fn own_share(&self, sphere: Sphere<3>) -> f32 {
        let Rays { step, parallel, forward, .. } = self.rays;
        let pixel = if parallel { step } else { step * dot(sphere.center, forward) };
        let half = 0.5 * self.radius * pixel;
        match (self.is_all, half > 0.0) {
            (true, _) => 0.0,
            (false, true) => ((sphere.radius - half) / half).clamp(0.0, 1.0),
            // beside or behind the eye, which is near the surface or inside
            (false, false) => 1.0,
        }
    }
}

/// 1 less the rounding error of bounds.
const SLACK: f32 = 0.999;

/// Whether some spheres of these extents may be shaded as a cloud.
pub fn has_cloud(extents: &SphereExtents, shading: &Shading, view: &View) -> bool {
    Cloud::new(extents, shading, &Rays::new(view)).is_some()
}

/// Whether all spheres of these extents are shaded as a cloud, which needs visible spheres only.
pub fn is_cloud(extents: &SphereExtents, shading: &Shading, view: &View) -> bool {
    Cloud::new(extents, shading, &Rays::new(view)).is_some_and(|cloud| cloud.is_all)
}
