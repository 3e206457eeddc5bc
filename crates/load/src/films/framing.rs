//! The camera that shows all frames of a film, still or as it turns.

use glam::{DVec3, Vec3};

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::options::camera::{CameraRequest, Turn, ratio};
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::pictures::bare_data;
use crate::scene::spheres::{Camera, PaintedSphere, Pose, Projection, SphereGroup, SphereScene, StandardView};
use crate::scene::{SphereSink, bounds};
use crate::streams::survey::Survey;

/// Spheres per block of the survey.
const BLOCK: usize = 1 << 16;

/// Angle in degrees between the framed positions of a turning sphere.
const TURN_STEP: f64 = 5.0;

/// Finds the camera that shows all frames.
pub(crate) struct Framed {
    /// The part of each frame that the camera shows; `None` for all.
    part: Option<usize>,
    request: CameraRequest,
    survey: Survey,
    swept: Option<Swept>,
    /// Spheres so far.
    count: u64,
    /// Directions towards the eye and up, before turns.
    directions: [Vec3; 2],
}

impl Framed {
    /// A camera with the direction of a scene's, for frames of these options. A sweep turns around the middle of the scene.
    pub(crate) fn new(scene: &SphereScene<'_>, options: &LoadOptions, sweep: Option<[f64; 2]>) -> Self {
        let camera = &scene.view.camera;
        let directions = [camera.eye - camera.target, camera.up];
        let turn = match sweep {
            None => Turn::default(),
            Some(_) => Turn { azimuth: None, elevation: options.elevation, roll: options.roll },
        };
        let request = CameraRequest {
            view: Some(StandardView::Broadside),
            facing: Some(directions),
            ortho: matches!(camera.projection, Projection::Orthographic { .. }),
            fov: options.fov,
            zoom: options.zoom,
            turn,
            ..CameraRequest::default()
        };
        let survey = match options.width.zip(options.height) {
            Some(size) => Survey::of_directions(&request.directions_that_decide(ratio(size))),
            None => Survey::of_any_picture(&request),
        };
        let azimuth = f64::from(options.azimuth.unwrap_or(0.0));
        let swept = sweep.map(|angles| Swept::new(scene, directions, angles.map(|angle| angle + azimuth)));
        Self { part: None, request, survey, swept, count: 0, directions }
    }

    /// The same for one part of each frame, whose spheres a scene of that part has.
    pub(crate) fn of_part(self, part: usize) -> Self {
        Self { part: Some(part), ..self }
    }

    /// Whether the camera shows a part.
    pub(crate) fn shows(&self, part: usize) -> bool {
        self.part.is_none_or(|own| own == part)
    }

    /// Adds the shapes of a frame and the corners of its box.
    pub(crate) fn add(&mut self, scene: &SphereScene<'_>, figure: &Figure) -> Result<()> {
        if let Some(cell) = &figure.cell {
            self.add_block(&bare_data::corners(cell))?;
        }
        let mut block = Vec::with_capacity(BLOCK);
        for group in scene.framed().iter() {
            for pose in group.poses.iter() {
                for sphere in group.spheres.iter() {
                    let center = if *pose == Pose::IDENTITY { sphere.center } else { pose.apply(sphere.center) };
                    block.push(PaintedSphere { center, ..sphere });
                    if block.len() == BLOCK {
                        self.add_block(&block)?;
                        block.clear();
                    }
                }
            }
        }
        self.add_block(&block)
    }

    fn add_block(&mut self, spheres: &[PaintedSphere]) -> Result<()> {
        if let Some(swept) = &mut self.swept {
            spheres.iter().for_each(|sphere| swept.add(sphere));
            return Ok(());
        }
        self.survey.add_at(self.count, spheres)?;
        self.count += spheres.len() as u64;
        Ok(())
    }

    /// The camera and the size of the picture.
    pub(crate) fn camera(mut self, options: &LoadOptions) -> Result<(Camera, (u32, u32))> {
        if let Some(swept) = &self.swept {
            self.survey.add_at(0, &swept.places())?;
        }
        let refuse = |message| Error::setting("eye", message);
        let (size, farthest) = match options.width.zip(options.height) {
            Some(size) => {
                let directions = self.request.directions_that_decide(ratio(size));
                (size, self.survey.farthest_of_directions(&directions))
            }
            None => {
                let size = picture_settings::size_filled(options, self.survey.aspect(&self.request))?;
                let directions = self.request.directions_that_decide(ratio(size));
                let farthest = self.survey.farthest(ratio(size), &directions);
                let hard = || refuse("is hard to find for this shape; give width and height".to_owned());
                (size, farthest.ok_or_else(hard)?)
            }
        };
        let groups = [SphereGroup::from(&farthest[..])];
        let mut camera = self.request.camera(&groups, size).map_err(refuse)?;
        if let Some(Swept { pivot, axis, .. }) = self.swept {
            // the camera before it turns, aimed at the point of the axis nearest to its line of sight
            let (eye, target) = (camera.eye.as_dvec3(), camera.target.as_dvec3());
            let (along, from) = ((eye - target).normalize_or(DVec3::Z), eye - pivot);
            let cosine = along.dot(axis);
            let across = 1.0 - cosine * cosine;
            let height = if across > 1e-6 {
                (from.dot(axis) - from.dot(along) * cosine) / across
            } else {
                (target - pivot).dot(axis)
            };
            let middle = pivot + axis * height;
            let [toward_eye, up] = self.directions;
            camera.target = middle.as_vec3();
            camera.eye = (middle + toward_eye.as_dvec3().normalize_or(DVec3::Z) * eye.distance(middle)).as_vec3();
            camera.up = up;
        }
        Ok((camera, size))
    }
}

/// The volume that spheres sweep as they turn around an axis.
struct Swept {
    pivot: DVec3,
    /// Unit vectors: up, and two across.
    axis: DVec3,
    across: [DVec3; 2],
    angles: [f64; 2],
    /// Directions, and the sphere that reaches farthest in each. Their components: for whole turns out from the axis, 0
    /// and up, otherwise right, back and up.
    leaders: Vec<SweptLeader>,
}

/// The sphere that reaches farthest in a direction.
struct SweptLeader {
    direction: [f64; 3],
    reach: f64,
    sphere: Option<PaintedSphere>,
}

/// Number of directions in the half-plane beside the axis, and in space.
const PROFILE: u32 = 48;
const SPIRAL: u32 = 512;

impl Swept {
    fn new(scene: &SphereScene<'_>, [toward_eye, up]: [Vec3; 2], angles: [f64; 2]) -> Self {
        let back = toward_eye.as_dvec3().normalize_or(DVec3::Z);
        let right = up.as_dvec3().cross(back).normalize_or(DVec3::X);
        let axis = back.cross(right);
        let pivot = bounds(&scene.framed()).map_or(DVec3::ZERO, |[least, most]| 0.5 * (least + most));
        let leader = |direction| SweptLeader { direction, reach: f64::NEG_INFINITY, sphere: None };
        let mut swept = Self { pivot, axis, across: [right, back], angles, leaders: Vec::new() };
        swept.leaders = if swept.is_whole_turn() {
            (0..PROFILE).map(|index| leader(half_circle(index))).collect()
        } else {
            (0..SPIRAL).map(|index| leader(spiral(index))).collect()
        };
        swept
    }

    fn is_whole_turn(&self) -> bool {
        self.angles[1] - self.angles[0] >= 359.0
    }

    fn add(&mut self, sphere: &PaintedSphere) {
        let from = Vec3::from(sphere.center).as_dvec3() - self.pivot;
        let height = from.dot(self.axis);
        let [x, y] = self.across.map(|across| from.dot(across));
        let (radius, is_whole) = (f64::from(sphere.radius), self.is_whole_turn());
        if !radius.is_finite() || radius < 0.0 {
            return;
        }
        let place = if is_whole { [(x * x + y * y).sqrt(), 0.0, height] } else { [x, y, height] };
        for leader in &mut self.leaders {
            let [a, b, c] = leader.direction;
            let reach = place[0] * a + place[1] * b + place[2] * c + radius;
            if reach > leader.reach {
                (leader.reach, leader.sphere) = (reach, Some(*sphere));
            }
        }
    }

    /// The farthest spheres, at several positions of their turn.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded to f32; some dozens of steps")]
    fn places(&self) -> Vec<PaintedSphere> {
        let [from, to] = if self.is_whole_turn() { [0.0, 360.0] } else { self.angles };
        let steps = libm::ceil((to - from) / TURN_STEP).max(1.0) as u32;
        // between two positions the arc lies outside of the chord
        let out = 1.0 / libm::cos((0.5 * (to - from) / f64::from(steps)).to_radians());
        let mut places = Vec::new();
        for sphere in self.leaders.iter().filter_map(|leader| leader.sphere.as_ref()) {
            let offset = Vec3::from(sphere.center).as_dvec3() - self.pivot;
            let height = offset.dot(self.axis);
            let [x, y] = self.across.map(|across| offset.dot(across) * out);
            for step in 0..=steps {
                // the spheres turn to the left as the eye goes to the right
                let angle = -(from + (to - from) * f64::from(step) / f64::from(steps)).to_radians();
                let (sine, cosine) = libm::sincos(angle);
                let [right, back] = self.across;
                // from the side towards the back of the picture: right × back = -axis
                let place = |x: f64, y: f64| {
                    let place = self.pivot + self.axis * height + right * x + back * y;
                    PaintedSphere { center: place.as_vec3().to_array(), ..*sphere }
                };
                let (aside, behind) = (x * cosine + y * sine, y * cosine - x * sine);
                places.push(place(aside, behind));
                // the camera looks at the axis: a part of a turn takes as much room on its other side
                if !self.is_whole_turn() {
                    places.push(place(-aside, behind));
                }
            }
        }
        places
    }
}

/// A unit vector of the half-plane beside the axis: out from the axis, 0, up.
fn half_circle(index: u32) -> [f64; 3] {
    let angle = std::f64::consts::PI * (f64::from(index) / f64::from(PROFILE - 1) - 0.5);
    let (sine, cosine) = libm::sincos(angle);
    [cosine, 0.0, sine]
}

/// A unit vector of an even spread over the sphere: the golden spiral.
fn spiral(index: u32) -> [f64; 3] {
    /// The golden angle.
    const ANGLE: f64 = 2.399_963_229_728_653;
    let z = 1.0 - 2.0 * (f64::from(index) + 0.5) / f64::from(SPIRAL);
    let (sine, cosine) = libm::sincos(ANGLE * f64::from(index));
    let around = (1.0 - z * z).sqrt();
    [around * cosine, around * sine, z]
}
