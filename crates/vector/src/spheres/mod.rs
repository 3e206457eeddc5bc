//! Spheres in flat colours as shapes that cover one another as the spheres do.
//!
//! Spheres are painted from back to front, each as the part of its disc in which it is not inside a sphere behind it.
//! Two spheres that cut each other are separated by the plane of their common circle, and two that do not by another
//! plane: the plane of equal power. The eye is on the side of the one with the smaller power with respect to the eye (with
//! parallel rays: with the nearer centre), so that each ray meets that sphere's side first. This order has no cycles, and
//! the sphere painted last is the first that a ray meets. Each painted part is convex: its edge consists of arcs of the
//! sphere's own outline and of its common circles with spheres behind it. Nothing shows between neighbours, because the
//! farther one continues below the nearer one.
//!
//! Source: H. Edelsbrunner, "An acyclicity theorem for cell complexes in d dimensions", Combinatorica 10, 1990, has the
//! order of power cells.

mod cells;
mod lens;
mod mask;
mod region;

use glam::DVec3;
use roundel_image::Srgba8;
use roundel_scene::figure::paper::{VectorMark, VectorShape};
use roundel_scene::scene::{Rays, SphereInstances};
use roundel_scene::spheres::{Background, SphereScene};

use crate::MOST_SHAPES;
use cells::BallCells;
use lens::PictureLens;
use mask::CoverMask;
use region::{BallCap, visible_region};

/// A sphere in the camera's coordinates: to the right, up, and away from the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) center: DVec3,
    pub(crate) radius: f64,
    color: Srgba8,
    /// The order along rays.
    power: f64,
    index: usize,
}

impl Ball {
    /// Whether rays meet this ball's side first; of equal balls the one with the lower index.
    fn is_before(&self, other: &Self) -> bool {
        self.power.total_cmp(&other.power).then(self.index.cmp(&other.index)).is_lt()
    }

    /// The cap of this ball's surface that lies in another ball. `None` if none does; `Err` if all of it does.
    fn cap_in(&self, other: &Self) -> Result<Option<BallCap>, ()> {
        let apart = other.center - self.center;
        let distance = apart.length();
        if distance == 0.0 {
            return if other.radius > self.radius { Err(()) } else { Ok(None) };
        }
        let height =
            (distance * distance + (self.radius - other.radius) * (self.radius + other.radius)) / (2.0 * distance);
        if height <= -self.radius {
            return Err(());
        }
        Ok((height < self.radius).then_some(BallCap { normal: apart / distance, height }))
    }
}

/// The visible spheres of a scene as shapes, the farthest first. A sphere is left out if it shows at none of a grid of
/// points, up to 64 in a pixel.
///
/// # Errors
/// The reason why shapes cannot show the scene: its colours are not flat, it has other shapes than opaque spheres, or more
/// than [`MOST_SHAPES`] of them are visible.
pub fn marks_of_spheres(scene: &SphereScene<'_>) -> Result<Vec<VectorMark>, String> {
    if let Some(reason) = obstacle(scene) {
        return Err(reason.to_owned());
    }
    let lens = PictureLens::new(&Rays::new(&scene.view), [scene.view.width, scene.view.height]);
    let mut balls = balls(scene, &lens)?;
    balls.sort_by(|a, b| a.power.total_cmp(&b.power).then(a.index.cmp(&b.index)));
    let cells = BallCells::new(&balls);
    let mut mask = CoverMask::new([scene.view.width, scene.view.height]);
    let mut marks = Vec::new();
    let (mut caps, mut near) = (Vec::new(), Vec::new());
    for ball in &balls {
        let silhouette = lens.hidden_cap(ball);
        caps.clear();
        caps.push(silhouette);
        let Some(disc) = visible_region(ball, &caps, &lens) else { continue };
        if !mask.shows(&disc.polygon) {
            continue;
        }
        cells.neighbors(ball, &mut near);
        let is_inside = near.iter().map(|&other| &balls[other]).filter(|other| ball.is_before(other)).any(|other| {
            match ball.cap_in(other) {
                Err(()) => true,
                Ok(cap) => {
                    caps.extend(cap.filter(|cap| !caps.contains(cap)));
                    false
                }
            }
        });
        if is_inside {
            continue;
        }
        let region = if caps.len() > 1 { visible_region(ball, &caps, &lens) } else { Some(disc) };
        let Some(region) = region else { continue };
        if !mask.cover(&region.polygon) {
            continue;
        }
        if marks.len() == MOST_SHAPES {
            return Err(format!("more than {MOST_SHAPES} spheres are visible"));
        }
        let shape = match lens.disc(ball).filter(|_| region.is_disc) {
            Some((center, radius)) => VectorShape::Ellipse { center, radii: [radius; 2] },
            None => VectorShape::Inside(region.path),
        };
        marks.push(VectorMark { shape, color: ball.color });
    }
    marks.reverse();
    Ok(marks)
}

/// Why shapes cannot show a scene.
fn obstacle(scene: &SphereScene<'_>) -> Option<&'static str> {
    let shading = &scene.shading;
    let is_flat = shading.ambient == 1.0
        && shading.key <= 0.0
        && shading.fill <= 0.0
        && shading.rim <= 0.0
        && shading.fog <= 0.0
        && !shading.ambient_occlusion.is_on()
        && scene.lights.is_empty()
        && !scene.is_glossy();
    if !is_flat {
        return Some("its surfaces are shaded; --look flat --outline-width 0 has shapes");
    }
    if shading.outline_width.is_none_or(|width| width > 0.0) {
        return Some("it has outlines; --outline-width 0 has shapes");
    }
    if !scene.shapes.is_empty() {
        return Some("it has other shapes than spheres");
    }
    if !scene.clip_planes.is_empty() || scene.depth_range.is_some() {
        return Some("spheres are cut");
    }
    if matches!(scene.view.background, Background::Gradient { .. }) {
        return Some("its background is a gradient");
    }
    None
}

/// The spheres in front of the eye that touch the picture.
fn balls(scene: &SphereScene<'_>, lens: &PictureLens) -> Result<Vec<Ball>, String> {
    // not relative to the eye, which may be far away
    let instances = SphereInstances::new(&scene.groups, [0.0; 3]);
    let count = u32::try_from(instances.count).map_err(|_| "it has too many spheres".to_owned())?;
    let mut balls = Vec::new();
    for index in 0..count {
        let (sphere, color) = instances.sphere(index);
        let is_drawn = sphere.center.iter().chain([&sphere.radius]).all(|number| number.is_finite());
        if !is_drawn || sphere.radius <= 0.0 || color.a == 0 {
            continue;
        }
        let (center, radius) = (lens.in_camera(sphere.center), f64::from(sphere.radius));
        if center.z + radius <= 0.0 {
            continue;
        }
        let power = lens.power(center, radius);
        let ball = Ball { center, radius, color, power, index: index as usize };
        if !lens.may_show(&ball) {
            continue;
        }
        if center.z - radius <= lens.nearest(radius) {
            return Err("a sphere reaches the eye".to_owned());
        }
        if color.a < u8::MAX {
            return Err("spheres are translucent".to_owned());
        }
        balls.push(ball);
    }
    Ok(balls)
}
