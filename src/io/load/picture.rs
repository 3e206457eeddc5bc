//! Size, camera and quality of a picture, from what a scene says, what the caller overrides, and the defaults.

use glam::{DVec3, Vec3};

use super::overrides::Overrides;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::scene::bounds;
use crate::scene::spheres::{AmbientOcclusion, Camera, Framing, Projection, Shading, SphereGroup};

/// Picture size where nothing says otherwise.
pub(crate) const SIZE: (u32, u32) = (1280, 960);

/// Vertical angle of view, degrees, where nothing says otherwise: as a photographer's short portrait lens.
const FOV: f32 = 30.0;

/// Angles that a perspective camera can have, degrees.
pub(crate) const FOVS: [f32; 2] = [0.01, 179.0];

/// Samples a pixel at most.
pub(crate) const MOST_SAMPLES: u32 = 4096;

/// Ambient-occlusion rays a sample at most.
pub(crate) const MOST_AO_RAYS: u32 = 4096;

/// The overridden size, checked.
pub(crate) fn size(overrides: &Overrides, (width, height): (u32, u32)) -> Result<(u32, u32)> {
    let size = (overrides.width.unwrap_or(width), overrides.height.unwrap_or(height));
    for (name, side) in [("width", size.0), ("height", size.1)] {
        if side == 0 {
            return Err(Error::Setting { name, message: "must be 1 pixel or more, got 0".to_owned() });
        }
    }
    if u64::from(size.0) * u64::from(size.1) > Frame::MAX_PIXELS {
        let message = format!("times height must be at most 2^30 pixels, got {}x{}", size.0, size.1);
        return Err(Error::Setting { name: "width", message });
    }
    overrides.budget.check_picture("", size)?;
    Ok(size)
}

/// Refuses overrides that mean nothing for flat circles.
pub(crate) fn refuse_for_circles(file: &str, overrides: &Overrides) -> Result<()> {
    let given = [
        ("samples", overrides.samples.is_some()),
        ("look", overrides.look.is_some()),
        ("outline_color", overrides.outline_color.is_some()),
        ("ao", overrides.ao.is_some()),
        ("ao_distance", overrides.ao_distance.is_some()),
        ("shadows", overrides.shadows.is_some()),
        ("ambient", overrides.ambient.is_some()),
        ("seed", overrides.seed.is_some()),
        ("ortho", overrides.ortho.is_some()),
        ("eye", overrides.eye.is_some()),
        ("target", overrides.target.is_some()),
        ("up", overrides.up.is_some()),
        ("fov", overrides.fov.is_some()),
        ("assembly", overrides.assembly.is_some()),
        ("frame", overrides.frame.is_some()),
        ("ortho_height", overrides.ortho_height.is_some()),
    ];
    let numbers = overrides.look_numbers.entries().map(|(name, number, _)| (name, number.is_some()));
    refuse(&given, || format!("is for spheres; {file} is drawn as circles"))?;
    refuse(&numbers, || format!("is for spheres; {file} is drawn as circles"))
}

/// Refuses the first of the named overrides that is given.
pub(crate) fn refuse(given: &[(&'static str, bool)], message: impl Fn() -> String) -> Result<()> {
    match given.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(Error::Setting { name, message: message() }),
        None => Ok(()),
    }
}

/// Shading with its overrides, checked.
pub(crate) fn shading(overrides: &Overrides, base: Shading) -> Result<Shading> {
    let refuse = |name, message| Err(Error::Setting { name, message });
    if let Some(samples) = overrides.samples.filter(|samples| !(1..=MOST_SAMPLES).contains(samples)) {
        return refuse("samples", format!("must be 1 to {MOST_SAMPLES}, got {samples}"));
    }
    if let Some(rays) = overrides.ao.map(AmbientOcclusion::rays).filter(|&rays| rays > MOST_AO_RAYS) {
        return refuse("ao", format!("must be 0 to {MOST_AO_RAYS}, got {rays}"));
    }
    if let Some(distance) = overrides.ao_distance.filter(|distance| distance.is_nan() || *distance <= 0.0) {
        return refuse("ao_distance", format!("must be positive, got {distance}"));
    }
    if let Some(ambient) = overrides.ambient.filter(|ambient| !(0.0..=1.0).contains(ambient)) {
        return refuse("ambient", format!("must be 0 to 1, got {ambient}"));
    }
    overrides.look_numbers.check()?;
    Ok(Shading {
        samples: overrides.samples.unwrap_or(base.samples),
        ambient_occlusion: overrides.ao.unwrap_or(base.ambient_occlusion),
        ao_distance: overrides.ao_distance.unwrap_or(base.ao_distance),
        shadows: overrides.shadows.unwrap_or(base.shadows),
        ambient: overrides.ambient.unwrap_or(base.ambient),
        seed: overrides.seed.unwrap_or(base.seed),
        outline_color: overrides.outline_color.unwrap_or(base.outline_color),
        ..base.with_numbers(&overrides.look_numbers)
    })
}

/// The given parts of a camera; the rest is chosen so that the whole scene is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CameraWish {
    pub(crate) eye: Option<Vec3>,
    pub(crate) target: Option<Vec3>,
    pub(crate) up: Option<Vec3>,
    /// Degrees.
    pub(crate) fov: Option<f32>,
    pub(crate) ortho: bool,
    /// World units; orthographic.
    pub(crate) ortho_height: Option<f32>,
    /// From where an automatic camera looks; +z when left out.
    pub(crate) toward_eye: Option<Vec3>,
}

impl CameraWish {
    /// With the caller's overrides in place.
    pub(crate) fn overridden(mut self, overrides: &Overrides) -> Result<Self> {
        for (name, point) in [("eye", overrides.eye), ("target", overrides.target), ("up", overrides.up)] {
            if let Some(point) = point.filter(|point| !point.iter().all(|value| value.is_finite())) {
                return Err(Error::Setting { name, message: format!("must be three finite numbers, got {point:?}") });
            }
        }
        if let Some(fov) = overrides.fov {
            if !(FOVS[0]..=FOVS[1]).contains(&fov) {
                let message = format!("must be {} to {} degrees, got {fov}", FOVS[0], FOVS[1]);
                return Err(Error::Setting { name: "fov", message });
            }
            if overrides.ortho == Some(true) {
                let message = "is for perspective; an orthographic camera has no angle of view".to_owned();
                return Err(Error::Setting { name: "fov", message });
            }
            self.ortho = false;
        }
        if let Some(height) = overrides.ortho_height {
            if !(height > 0.0 && height.is_finite()) {
                let message = format!("must be positive and finite, got {height}");
                return Err(Error::Setting { name: "ortho_height", message });
            }
            if overrides.fov.is_some() || overrides.ortho == Some(false) {
                let message = "is for parallel rays, not for perspective".to_owned();
                return Err(Error::Setting { name: "ortho_height", message });
            }
            (self.ortho, self.ortho_height) = (true, Some(height));
        }
        self.eye = overrides.eye.map(Vec3::from).or(self.eye);
        self.target = overrides.target.map(Vec3::from).or(self.target);
        self.up = overrides.up.map(Vec3::from).or(self.up);
        self.fov = overrides.fov.or(self.fov);
        self.ortho = overrides.ortho.unwrap_or(self.ortho);
        Ok(self)
    }

    /// The camera, or what is wrong with it.
    pub(crate) fn camera(&self, groups: &[SphereGroup<'_>], (width, height): (u32, u32)) -> Result<Camera, String> {
        let up = self.up.unwrap_or(Vec3::Y);
        let fov_y_radians = self.fov.unwrap_or(FOV).to_radians();
        // an eye without a target looks at the middle of everything
        let target = self.target.or_else(|| {
            let [least, most] = self.eye.and_then(|_| bounds(groups))?;
            Some((0.5 * (least + most)).as_vec3())
        });
        let toward_eye = match (self.eye, target) {
            (Some(eye), Some(target)) => eye - target,
            _ => self.toward_eye.unwrap_or(Vec3::Z),
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "sides of a picture are below 2^24 or the ratio's last bit is moot"
        )]
        let framing = Framing { toward_eye, up, aspect: width as f32 / height as f32 };
        let mut camera = if self.ortho {
            Camera::framing_orthographic(groups, &framing)
        } else {
            Camera::framing_perspective(groups, &framing, fov_y_radians)
        };
        match (self.eye, target) {
            (Some(eye), Some(target)) => {
                if self.ortho {
                    // as much as a perspective camera would show at the target's distance
                    let height = 2.0 * eye.distance(target) * libm::tanf(0.5 * fov_y_radians);
                    camera.projection = Projection::Orthographic { height };
                }
                (camera.eye, camera.target) = (eye, target);
            }
            (Some(eye), None) => (camera.eye, camera.target) = (eye, eye - toward_eye),
            (None, Some(target)) => {
                camera.eye += target - camera.target;
                camera.target = target;
            }
            (None, None) => {}
        }
        if let Some(height) = self.ortho_height.filter(|_| self.ortho) {
            camera.projection = Projection::Orthographic { height };
        }
        check(&camera).map(|()| camera)
    }
}

/// Says what is wrong with a camera.
fn check(camera: &Camera) -> Result<(), String> {
    // twice the precision: the square of a great length overflows
    let toward_eye = camera.eye.as_dvec3() - camera.target.as_dvec3();
    if !(camera.eye.is_finite() && camera.target.is_finite()) {
        return Err("the shapes reach too far for a camera; give it an eye and a target".to_owned());
    }
    if toward_eye == DVec3::ZERO {
        return Err(format!("eye and target must be two points, both are {:?}", camera.eye.to_array()));
    }
    let (toward_eye, up) = (toward_eye.normalize(), camera.up.as_dvec3().normalize_or_zero());
    // a tenth of a second of arc: nearer, and rounding turns the picture
    if up.cross(toward_eye).length() < 1e-6 {
        return Err(format!("up must not be 0 nor point along the line of sight, got {:?}", camera.up.to_array()));
    }
    Ok(())
}
