//! The camera of a picture, from the scene, the caller's options and the defaults.

use glam::{DVec3, Vec3};

use crate::error::{Error, Result};
use crate::geom::{Origin, single};
use crate::options::load_options::LoadOptions;
use crate::options::orientation::broadside;
use crate::scene::spheres::{Camera, Framing, PaintedSphere, Projection, SphereGroup, StandardView, UpAxis};
use crate::scene::{bounds, filled_aspect, framing_directions};

/// Default vertical angle of view in degrees, as of a short portrait lens.
const FOV: f32 = 30.0;

/// Default directions towards the eye and up.
const FRONT: [Vec3; 2] = [Vec3::Z, Vec3::Y];

/// Angles that a perspective camera can have, degrees.
pub(crate) const FOVS: [f32; 2] = [0.01, 179.0];

/// The least and the greatest zoom.
pub(crate) const ZOOMS: [f32; 2] = [0.01, 100.0];

/// The given parts of a camera; the rest is chosen so that the whole scene is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraRequest {
    /// The origin to subtract from positions in options.
    pub origin: Origin,
    pub eye: Option<Vec3>,
    pub target: Option<Vec3>,
    pub up: Option<Vec3>,
    /// Degrees.
    pub fov: Option<f32>,
    pub ortho: bool,
    /// World units; orthographic.
    pub ortho_height: Option<f32>,
    /// View direction of an automatic camera; the front by default.
    pub view: Option<StandardView>,
    /// The axis of the world that is up in such a view.
    pub up_axis: UpAxis,
    /// Whether the longest axis is vertical in a broadside view.
    pub is_tall: bool,
    /// The directions of a view that depends on the spheres, once they are known.
    pub facing: Option<[Vec3; 2]>,
    /// Turns of the camera around its target.
    pub turn: Turn,
    /// How many times as large everything is drawn.
    pub zoom: Option<f32>,
}

/// The default view of data, and the axis that is up in named views.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    pub view: StandardView,
    pub up: UpAxis,
    /// A sphere to look at, instead of everything.
    pub focus: Option<PaintedSphere>,
    /// Directions towards the eye and up that replace the side.
    pub along: Option<[Vec3; 2]>,
}

impl Stance {
    /// The default for data with this up axis, in a periodic box or not.
    pub fn of(up: UpAxis, fills_cell: bool, is_membrane: bool) -> Self {
        let view = match (fills_cell, is_membrane, up) {
            (_, true, _) => StandardView::Front,
            (false, false, _) => StandardView::Broadside,
            // the sides of a box of particles show how deep it is
            (true, false, UpAxis::Z) => StandardView::Iso,
            (true, false, UpAxis::Y) => StandardView::Front,
        };
        Self { view, up, focus: None, along: None }
    }
}

/// Turns of a camera, in degrees, made one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// The eye goes to the right.
    pub(crate) azimuth: Option<f32>,
    /// Then it goes up.
    pub(crate) elevation: Option<f32>,
    /// Then the picture turns counter-clockwise.
    pub(crate) roll: Option<f32>,
}

impl Turn {
    /// The turned directions towards the eye and up. Directions that are parallel stay as they are.
    fn apply(&self, toward_eye: Vec3, up: Vec3) -> [Vec3; 2] {
        if *self == Self::default() {
            return [toward_eye, up];
        }
        let length = toward_eye.as_dvec3().length();
        let back = toward_eye.as_dvec3().normalize_or_zero();
        let right = up.as_dvec3().cross(back).normalize_or_zero();
        if right == DVec3::ZERO {
            return [toward_eye, up];
        }
        let up = back.cross(right);
        let rotated = |degrees: Option<f32>, from: DVec3, to: DVec3| {
            let (sine, cosine) = libm::sincos(f64::from(degrees.unwrap_or(0.0)).to_radians());
            (from * cosine + to * sine, to * cosine - from * sine)
        };
        let (back, right) = rotated(self.azimuth, back, right);
        let (back, up) = rotated(self.elevation, back, up);
        let (up, _) = rotated(self.roll, up, right);
        [(back * length).as_vec3(), up.as_vec3()]
    }
}

impl CameraRequest {
    pub fn overridden(mut self, options: &LoadOptions) -> Result<Self> {
        for (name, point) in
            [("eye", options.eye), ("target", options.target), ("up", options.up.map(|up| up.map(f64::from)))]
        {
            if let Some(point) = point.filter(|point| !point.iter().all(|value| single(*value).is_finite())) {
                return Err(Error::setting(name, format!("must be three finite numbers, got {point:?}")));
            }
        }
        if let Some(fov) = options.fov {
            if !(FOVS[0]..=FOVS[1]).contains(&fov) {
                return Err(Error::setting("fov", format!("must be {} to {} degrees, got {fov}", FOVS[0], FOVS[1])));
            }
            if options.ortho == Some(true) {
                return Err(Error::setting("fov", "is for perspective; an orthographic camera has no angle of view"));
            }
            self.ortho = false;
        }
        if let Some(height) = options.ortho_height {
            if !(height > 0.0 && height.is_finite()) {
                return Err(Error::setting("ortho_height", format!("must be positive and finite, got {height}")));
            }
            if options.fov.is_some() || options.ortho == Some(false) {
                return Err(Error::setting("ortho_height", "is for parallel rays, not for perspective"));
            }
            (self.ortho, self.ortho_height) = (true, Some(height));
        }
        if let (Some(_), Some(view)) = (options.eye, options.view) {
            return Err(Error::setting("eye", format!("and view both say from where to look; give one, got {view}")));
        }
        let angles = [
            ("azimuth", options.azimuth, &mut self.turn.azimuth),
            ("elevation", options.elevation, &mut self.turn.elevation),
            ("roll", options.roll, &mut self.turn.roll),
        ];
        for (name, angle, own) in angles {
            if let Some(angle) = angle {
                if !angle.is_finite() {
                    return Err(Error::setting(name, format!("must be a finite angle, got {angle}")));
                }
                *own = Some(angle);
            }
        }
        if let Some(zoom) = options.zoom {
            if !(ZOOMS[0]..=ZOOMS[1]).contains(&zoom) {
                return Err(Error::setting("zoom", format!("must be {} to {}, got {zoom}", ZOOMS[0], ZOOMS[1])));
            }
            self.zoom = Some(zoom);
        }
        if options.eye.is_some() {
            // a caller who places the eye has the world's up in mind
            self.view = None;
        }
        if options.view.is_some() {
            (self.eye, self.target, self.up, self.view) = (None, None, None, options.view);
        }
        self.eye = options.eye.map(|eye| self.origin.subtracted(eye).into()).or(self.eye);
        self.target = options.target.map(|target| self.origin.subtracted(target).into()).or(self.target);
        self.up = options.up.map(Vec3::from).or(self.up);
        self.fov = options.fov.or(self.fov);
        self.ortho = options.ortho.unwrap_or(self.ortho);
        Ok(self)
    }

    /// Looks from these directions, if there are some, unless the eye is given.
    pub(crate) fn along(mut self, directions: Option<[Vec3; 2]>) -> Self {
        if let (Some(_), None) = (directions, self.eye) {
            (self.view, self.facing) = (Some(StandardView::Broadside), directions);
        }
        self
    }

    /// Resolves the view direction for these spheres, which takes a pass over all of them.
    pub(crate) fn facing(mut self, groups: &[SphereGroup<'_>]) -> Self {
        if self.facing.is_none()
            && self.eye.is_none()
            && self.view.is_some_and(|view| view.directions(self.up_axis).is_none())
        {
            self.facing = broadside(groups, !self.is_tall).or(Some(FRONT));
        }
        self
    }

    /// Eye, up vector and target, as far as they are given.
    fn directions(&self, groups: &[SphereGroup<'_>]) -> ([Vec3; 2], Option<Vec3>) {
        // an eye without a target looks at the middle of everything
        let target = self.target.or_else(|| {
            let [least, most] = self.eye.and_then(|_| bounds(groups))?;
            Some((0.5 * (least + most)).as_vec3())
        });
        let [toward_eye, up] = match (self.eye, target, self.view) {
            (Some(eye), Some(target), _) => [eye - target, Vec3::Y],
            (_, _, Some(view)) => {
                let known = view.directions(self.up_axis).or(self.facing);
                known.or_else(|| broadside(groups, !self.is_tall)).unwrap_or(FRONT)
            }
            _ => FRONT,
        };
        (self.turn.apply(toward_eye, self.up.unwrap_or(up)), target)
    }

    /// Width over height of the picture that everything fills; `None` where eye, target or extent are given.
    pub fn aspect(&self, groups: &[SphereGroup<'_>]) -> Option<f64> {
        if self.eye.is_some() || self.target.is_some() || self.ortho_height.is_some() {
            return None;
        }
        let ([toward_eye, up], _) = self.directions(groups);
        let fov_y_radians = self.fov.unwrap_or(FOV).to_radians();
        Some(filled_aspect(groups, toward_eye, up, (!self.ortho).then_some(fov_y_radians)))
    }

    /// Whether the camera depends on where the spheres are.
    pub fn depends_on_spheres(&self) -> bool {
        self.eye.is_none() || self.target.is_none()
    }

    /// The directions whose farthest spheres decide the camera for this aspect ratio, except for broadside views.
    pub fn directions_that_decide(&self, aspect: f32) -> [DVec3; 6] {
        let ([toward_eye, up], _) = self.directions(&[]);
        let framing = Framing { toward_eye, up, aspect };
        let fov_y_radians = (!self.ortho).then_some(self.fov.unwrap_or(FOV).to_radians());
        if self.eye.is_some() {
            // the target is in the middle of the box around everything
            return [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        }
        framing_directions(&framing, fov_y_radians)
    }

    pub(crate) fn camera(&self, groups: &[SphereGroup<'_>], (width, height): (u32, u32)) -> Result<Camera, String> {
        let fov_y_radians = self.fov.unwrap_or(FOV).to_radians();
        let ([toward_eye, up], target) = self.directions(groups);
        let eye =
            self.eye.map(|eye| if self.turn == Turn::default() { eye } else { target.unwrap_or(eye) + toward_eye });
        let framing = Framing { toward_eye, up, aspect: ratio((width, height)) };
        // a given eye needs no extents of the spheres
        let framed = if eye.is_some() { &[] } else { groups };
        let mut camera = if self.ortho {
            Camera::framing_orthographic(framed, &framing)
        } else {
            Camera::framing_perspective(framed, &framing, fov_y_radians)
        };
        match (eye, target) {
            (Some(eye), Some(target)) => {
                if self.ortho {
                    // the height that a perspective camera shows at the target's distance
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
        if let Some(zoom) = self.zoom.filter(|&zoom| zoom != 1.0) {
            camera.projection = zoomed(camera.projection, zoom);
        }
        check(&camera).map(|()| camera)
    }
}

/// Aspect ratio of a picture, width over height.
#[expect(clippy::cast_precision_loss, reason = "sides of a picture are below 2^24 or the ratio's last bit is moot")]
pub fn ratio((width, height): (u32, u32)) -> f32 {
    width as f32 / height as f32
}

/// A projection that shows everything enlarged by a factor.
fn zoomed(projection: Projection, zoom: f32) -> Projection {
    match projection {
        Projection::Perspective { fov_y_radians } => {
            let tangent = libm::tan(0.5 * f64::from(fov_y_radians)) / f64::from(zoom);
            Projection::Perspective { fov_y_radians: single(2.0 * libm::atan(tangent)) }
        }
        Projection::Orthographic { height } => Projection::Orthographic { height: height / zoom },
    }
}

fn check(camera: &Camera) -> Result<(), String> {
    // in f64: the square of a great length overflows f32
    let toward_eye = camera.eye.as_dvec3() - camera.target.as_dvec3();
    if !(camera.eye.is_finite() && camera.target.is_finite()) {
        return Err("the shapes reach too far for a camera; give it an eye and a target".to_owned());
    }
    if toward_eye == DVec3::ZERO {
        return Err(format!("eye and target must be two points, both are {:?}", camera.eye.to_array()));
    }
    let (toward_eye, up) = (toward_eye.normalize(), camera.up.as_dvec3().normalize_or_zero());
    // a fifth of a second of arc: at smaller angles rounding turns the picture
    if up.cross(toward_eye).length() < 1e-6 {
        return Err(format!("up must not be 0 nor point along the line of sight, got {:?}", camera.up.to_array()));
    }
    Ok(())
}
