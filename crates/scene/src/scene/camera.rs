//! The camera, its projection, and the picture's size and background.

use glam::{Mat3, Mat4, Vec3, Vec4};

use crate::color::Srgba8;
use crate::geom::PlaneBox;

/// Default vertical field of view: a photographer's short portrait lens.
const DEFAULT_FOV_DEGREES: f32 = 30.0;

/// The position and the direction of the eye, and the projection.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{Camera, Projection};
///
/// let camera = Camera::look_at([0.0, 2.0, 10.0], [0.0; 3]).with_projection(Projection::perspective_degrees(45.0));
/// assert_eq!(camera.up, roundel::glam::Vec3::Y);
/// let upside_down = camera.with_up([0.0, -1.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Camera {
    /// World position of the eye.
    pub eye: Vec3,
    /// The world position at the picture's centre.
    pub target: Vec3,
    /// The direction that is up in the picture. Need not be perpendicular to the line of sight, nor have unit length.
    pub up: Vec3,
    /// Perspective or orthographic.
    pub projection: Projection,
}

impl Camera {
    /// A perspective camera at `eye` that looks at `target`, with +y up and a field of view of 30 degrees.
    #[doc(alias = "new")]
    #[doc(alias = "perspective")]
    #[must_use]
    pub fn look_at(eye: impl Into<Vec3>, target: impl Into<Vec3>) -> Self {
        let projection = Projection::perspective_degrees(DEFAULT_FOV_DEGREES);
        Self { eye: eye.into(), target: target.into(), up: Vec3::Y, projection }
    }

    /// The same camera with another direction up.
    #[must_use]
    pub fn with_up(self, up: impl Into<Vec3>) -> Self {
        Self { up: up.into(), ..self }
    }

    /// The same camera with another projection.
    #[must_use]
    pub fn with_projection(self, projection: Projection) -> Self {
        Self { projection, ..self }
    }

    /// The matrix from world to clip space (right-handed, depth from 0 at `near` to 1 at `far`), for programs that draw
    /// or cull beside roundel. `aspect` is the picture's width over its height.
    ///
    /// `up` must not point along the line of sight.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::Camera;
    ///
    /// let camera = Camera::look_at([0.0, 0.0, 10.0], [0.0; 3]);
    /// let middle = camera.view_projection(16.0 / 9.0, 0.1, 100.0).project_point3(camera.target);
    /// assert!(middle.x.abs() < 1e-6 && middle.y.abs() < 1e-6 && middle.z > 0.0 && middle.z < 1.0);
    /// ```
    #[must_use]
    pub fn view_projection(&self, aspect: f32, near: f32, far: f32) -> Mat4 {
        let depth = 1.0 / (near - far);
        let (y, z, w) = match self.projection {
            Projection::Perspective { fov_y_radians } => {
                let z = Vec4::new(0.0, 0.0, far * depth, -1.0);
                (1.0 / libm::tanf(0.5 * fov_y_radians), z, Vec4::Z * (near * far * depth))
            }
            Projection::Orthographic { height } => {
                (2.0 / height, Vec4::Z * depth, Vec4::new(0.0, 0.0, near * depth, 1.0))
            }
        };
        let projection = Mat4::from_cols(Vec4::X * (y / aspect), Vec4::Y * y, z, w);
        let back = (self.eye - self.target).normalize();
        let right = self.up.cross(back).normalize();
        let to_world = Mat3::from_cols(right, back.cross(right), back);
        let to_eye = to_world.transpose();
        projection * Mat4::from_mat3_translation(to_eye, to_eye * -self.eye)
    }

    /// The view frustum between two depths, as six planes for culling. `aspect` is the picture's width over its height.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::geom::{Side, Sphere};
    /// use roundel::spheres::Camera;
    ///
    /// let seen = Camera::look_at([0.0, 0.0, 10.0], [0.0; 3]).frustum(16.0 / 9.0, 0.1, 100.0);
    /// assert_eq!(seen.side_of(&Sphere::new([0.0; 3], 1.0)), Side::Inside);
    /// assert_eq!(seen.side_of(&Sphere::new([0.0, 0.0, 20.0], 1.0)), Side::Outside);
    /// ```
    #[must_use]
    pub fn frustum(&self, aspect: f32, near: f32, far: f32) -> PlaneBox {
        PlaneBox::from_view_projection(self.view_projection(aspect, near, far))
    }
}

/// How depth is projected.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::Projection;
///
/// let parallel = Projection::orthographic(20.0);
/// assert_eq!(parallel, Projection::Orthographic { height: 20.0 });
/// assert!(matches!(Projection::perspective_degrees(90.0), Projection::Perspective { fov_y_radians } if fov_y_radians > 1.57));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// All rays start at the eye.
    Perspective {
        /// Field of view between the picture's top and bottom edges.
        fov_y_radians: f32,
    },
    /// Rays are parallel and start in the plane of the eye.
    Orthographic {
        /// World units between the picture's bottom and top edges.
        height: f32,
    },
}

impl Projection {
    /// A perspective projection with this field of view between the picture's top and bottom edges.
    #[must_use]
    pub fn perspective_degrees(fov_y: f32) -> Self {
        Self::Perspective { fov_y_radians: fov_y.to_radians() }
    }

    /// An orthographic projection that shows this many world units from bottom to top.
    #[must_use]
    pub fn orthographic(height: f32) -> Self {
        Self::Orthographic { height }
    }
}

/// The direction of an automatic camera; see [`Camera::framing_perspective`].
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::glam::Vec3;
/// use roundel::spheres::{Camera, Framing, PaintedSphere, SphereGroup, SphereScene};
///
/// let spheres = vec![PaintedSphere::new([40.0, 0.0, 0.0], 5.0, Srgba8::BLACK)];
/// let groups = vec![SphereGroup::from(spheres)];
/// let framing = Framing { toward_eye: Vec3::Z, up: Vec3::Y, aspect: 4.0 / 3.0 };
/// let camera = Camera::framing_perspective(&groups, &framing, 0.5);
/// assert_eq!(camera.target, Vec3::new(40.0, 0.0, 0.0));
/// let parallel = Camera::framing_orthographic(&groups, &framing);
/// assert_eq!(parallel.target, camera.target);
/// let scene = SphereScene::new(camera, 640, 480).with_groups(groups);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Framing {
    /// The direction from the spheres to the eye; any length but 0.
    pub toward_eye: Vec3,
    /// The direction that is up in the picture; any length but 0.
    pub up: Vec3,
    /// Width of the picture over its height.
    pub aspect: f32,
}

/// The picture: its size, its background and its camera.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::{Background, Camera, SphereScene, View};
///
/// let sky = Background::Gradient { bottom: Srgba8::WHITE, top: Srgba8::rgb(0x80, 0xb3, 0xff) };
/// let view = View::new(Camera::look_at([0.0, 1.0, 5.0], [0.0; 3]), 640, 480).with_background(sky);
/// let scene = SphereScene::from(view);
/// assert_eq!(scene.view.background, sky);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct View {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Visible where no sphere is hit.
    pub background: Background,
    /// The camera.
    pub camera: Camera,
}

impl View {
    /// A picture of this size in pixels on a white background.
    #[must_use]
    pub fn new(camera: Camera, width: u32, height: u32) -> Self {
        Self { width, height, background: Background::Solid(Srgba8::WHITE), camera }
    }

    /// The same picture on another background.
    #[must_use]
    pub fn with_background(self, background: impl Into<Background>) -> Self {
        Self { background: background.into(), ..self }
    }
}

/// The background of a picture of spheres.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::Srgba8;
/// use roundel::spheres::Background;
///
/// assert_eq!(Background::from(Srgba8::TRANSPARENT), Background::Solid(Srgba8::TRANSPARENT));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    /// One colour; may be translucent.
    Solid(Srgba8),
    /// A sky: two colours mixed in linear light by the ray direction's world y, from −1 to 1.
    Gradient {
        /// The colour straight down.
        bottom: Srgba8,
        /// The colour straight up.
        top: Srgba8,
    },
}

impl From<Srgba8> for Background {
    fn from(color: Srgba8) -> Self {
        Self::Solid(color)
    }
}
