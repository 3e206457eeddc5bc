//! Picking: the shape under the mouse.

use glam::{DVec2, DVec3, Vec3};

use super::camera::Viewpoint;
use super::picture::PictureSpec;
use crate::geom::{Circle, single};
use crate::scene::arrows::PaintedCone;
use crate::scene::circles::{CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment, ViewBox};
use crate::scene::cylinders::PaintedCylinder;
use crate::scene::ellipsoids::PaintedEllipsoid;
use crate::scene::spheres::{PaintedSphere, SphereScene};
use crate::scene::{PlacedShape, PlacedShapes, Scene};
use roundel_render::{GBuffer, Renderer};

/// The shape under the mouse, and what its file records about it.
///
/// ```
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::viewer::{Event, MouseButton, Shape, TimedEvent, Viewer};
/// use roundel::{RenderSettings, Srgba8};
///
/// let coin = PaintedCircle::new([16.0, 12.0], 8.0, Srgba8::BLACK);
/// let scene = CircleScene::new(32, 24).with_layer(vec![coin]);
/// let mut viewer = Viewer::new(scene.into(), &RenderSettings::default())?;
/// let left = MouseButton::Left;
/// for event in [Event::Move { x: 10.0, y: 12.0 }, Event::Press(left), Event::Release(left)] {
///     viewer.handle(&TimedEvent::new(0, event))?;
/// }
/// let picked = viewer.picked().expect("the click is on the coin");
/// assert_eq!((picked.index, picked.shape), (0, Shape::Circle(coin)));
/// assert_eq!(viewer.drain_messages(), ["circle 0, at 16, 12, radius 8"]);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PickedShape {
    /// Index of the shape in the scene, from 0: it counts through layers, or through groups, their poses and their
    /// spheres, and then in the same way through cylinders, ellipsoids and cones.
    pub index: u64,
    /// The shape in world units, or in pixels of the circle scene.
    pub shape: Shape,
    /// Its middle as in [`Shape::middle`], in the coordinates of the data: they differ from the scene's where data is far
    /// from 0.
    pub middle: Vec<f64>,
    /// Names and values that the file holds for this shape, such as an atom's residue or a table's row. Empty for
    /// scenes in memory, and while hovering over shapes of a large file.
    pub record: Vec<(String, String)>,
}

/// A shape of either kind of scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A filled circle.
    Circle(PaintedCircle),
    /// A filled or stroked ellipse.
    Ellipse(PaintedEllipse),
    /// A straight line with round ends.
    Segment(PaintedSegment),
    /// A sphere, moved by the pose of its copy.
    Sphere(PaintedSphere),
    /// A cylinder that ends at no sphere, moved by the pose of its copy. Of a bond the atom at the nearer end is
    /// picked.
    Cylinder(PaintedCylinder),
    /// An ellipsoid, moved by the pose of its copy.
    Ellipsoid(PaintedEllipsoid),
    /// A cone, moved by the pose of its copy.
    Cone(PaintedCone),
}

impl Shape {
    /// The name of its kind, such as `sphere`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.measures().kind
    }

    /// The middle: two numbers on a canvas, three in space. Of a segment its start.
    #[must_use]
    pub fn middle(&self) -> Vec<f32> {
        self.measures().middle
    }

    /// One radius, or one along each axis.
    #[must_use]
    pub fn radii(&self) -> Vec<f32> {
        self.measures().radii
    }

    fn measures(&self) -> Measures {
        let of =
            |kind, middle: &[f32], radii: &[f32]| Measures { kind, middle: middle.to_vec(), radii: radii.to_vec() };
        match self {
            Self::Circle(circle) => of("circle", &circle.center, &[circle.radius]),
            Self::Segment(segment) => of("segment", &segment.start, &[0.5 * segment.width]),
            Self::Ellipse(ellipse) => of("ellipse", &ellipse.center, &ellipse.radii.map(single)),
            Self::Sphere(sphere) => of("sphere", &sphere.center, &[sphere.radius]),
            Self::Cylinder(cylinder) => of("cylinder", &middle(cylinder.start, cylinder.end), &[cylinder.radius]),
            Self::Ellipsoid(ellipsoid) => of("ellipsoid", &ellipsoid.center, &ellipsoid.radii),
            Self::Cone(cone) => of("cone", &middle(cone.base, cone.apex), &[cone.radius]),
        }
    }

    /// The middle of a shape in space.
    pub(super) fn center(&self) -> Option<DVec3> {
        let center: [f32; 3] = self.middle().try_into().ok()?;
        Some(DVec3::from(center.map(f64::from)))
    }
}

/// The parts of a shape's description.
struct Measures {
    kind: &'static str,
    middle: Vec<f32>,
    radii: Vec<f32>,
}

fn middle(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]))
}

impl PickedShape {
    fn new(index: u64, shape: Shape) -> Self {
        // the decimals that stand for these numbers
        let decimal = |along: &f32| along.to_string().parse().unwrap_or(f64::from(*along));
        let middle = shape.middle().iter().map(decimal).collect();
        Self { index, shape, middle, record: Vec::new() }
    }

    /// The same, with its middle moved to the coordinates of the scene's data.
    fn in_data(self, scene: &SphereScene<'_>) -> Self {
        match <[f32; 3]>::try_from(self.shape.middle()) {
            Ok(middle) => Self { middle: scene.in_data(middle).to_vec(), ..self },
            Err(_) => self,
        }
    }

    /// Returns a description for people, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let Measures { kind, radii, .. } = self.shape.measures();
        let (center, radii) = (list(&self.middle), list(&radii));
        let mut lines = vec![format!("{kind} {}", self.index), format!("at\t{center}"), format!("radius\t{radii}")];
        lines.extend(self.record.iter().map(|(name, value)| format!("{name}:\t{value}")));
        lines
    }

    /// Returns a picked circle in window pixels; `None` for any other shape.
    pub(super) fn circle_in_window(&self, picture: &PictureSpec) -> Option<Circle> {
        let (Viewpoint::ViewBox(view_box), Shape::Circle(circle)) = (&picture.viewpoint, &self.shape) else {
            return None;
        };
        let (width, height) = picture.size;
        let scale = f64::from(height) / view_box.height;
        let offset = (dvec2(circle.center) - DVec2::from(view_box.center)) * scale;
        let center = offset + 0.5 * DVec2::new(f64::from(width), f64::from(height));
        Some(Circle { center: center.as_vec2().to_array(), radius: single(f64::from(circle.radius) * scale) })
    }
}

fn list(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The primitive at each pixel of a picture. The first pick finds them for all pixels, and they are kept while the
/// picture stays, so that hovering over millions of spheres is a lookup.
#[derive(Debug, Default)]
pub(super) struct PrimitiveMap {
    /// The picture, and the least alpha of picked primitives.
    known: Option<(PictureSpec, u8)>,
    /// Row by row from the top.
    indices: Vec<u32>,
}

impl PrimitiveMap {
    fn index_at(
        &mut self,
        renderer: &Renderer,
        scene: &Scene<'_>,
        picture: &PictureSpec,
        [x, y]: [u32; 2],
        least_alpha: u8,
    ) -> Option<u32> {
        let (width, height) = picture.size;
        if x >= width || y >= height {
            return None;
        }
        if self.known != Some((*picture, least_alpha)) {
            let Scene::Spheres(seen) = picture.apply(scene) else { return None };
            let indices = renderer.primitive_map(&seen, least_alpha).ok()?;
            *self = Self { indices, known: Some((*picture, least_alpha)) };
        }
        let index = *self.indices.get(y as usize * width as usize + x as usize)?;
        (index != GBuffer::NONE).then_some(index)
    }
}

/// Returns the shape visible at the centre of the pixel that contains `cursor`. Spheres, cylinders, ellipsoids and
/// cones with less than `least_alpha` are skipped.
pub(super) fn pick(
    map: &mut PrimitiveMap,
    renderer: &Renderer,
    scene: &Scene<'_>,
    picture: &PictureSpec,
    cursor: [f32; 2],
    least_alpha: u8,
) -> Option<PickedShape> {
    let (width, height) = picture.size;
    let pixel = cursor.map(f32::floor);
    match (scene, &picture.viewpoint) {
        (Scene::Circles(scene), Viewpoint::ViewBox(view_box)) => {
            let window_center = 0.5 * DVec2::new(f64::from(width), f64::from(height));
            topmost(scene, view_box, (dvec2(pixel) + 0.5 - window_center) / f64::from(height))
        }
        (Scene::Spheres(spheres), _) => {
            if cursor.iter().any(|along| *along < 0.0) {
                return None;
            }
            let index = map.index_at(renderer, scene, picture, pixel.map(whole), least_alpha)?;
            let picked = if u64::from(index) < spheres.count() {
                PickedShape::new(u64::from(index), Shape::Sphere(sphere(spheres, index)?))
            } else {
                other_shape(spheres, index)
            };
            Some(picked.in_data(spheres))
        }
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` clamps, and a window is smaller")]
fn whole(value: f32) -> u32 {
    value as u32
}

/// Returns the last shape in painter's order that covers a point, in window heights from the window's centre.
fn topmost(scene: &CircleScene<'_>, view_box: &ViewBox, offset: DVec2) -> Option<PickedShape> {
    let point = DVec2::from(view_box.center) + view_box.height * offset;
    let mut end: usize = scene.layers.iter().map(Layer::len).sum();
    for layer in scene.layers.iter().rev() {
        let start = end - layer.len();
        let found = match layer {
            Layer::Circles(circles) => {
                let found = circles.iter().rposition(|circle| circle_covers(circle, point));
                found.map(|index| (index, Shape::Circle(circles[index])))
            }
            Layer::Ellipses(ellipses) => {
                let found = ellipses.iter().rposition(|ellipse| ellipse_covers(ellipse, point));
                found.map(|index| (index, Shape::Ellipse(ellipses[index])))
            }
            Layer::Segments(segments) => {
                let found = segments.iter().rposition(|segment| segment_covers(segment, point));
                found.map(|index| (index, Shape::Segment(segments[index])))
            }
        };
        if let Some((index, shape)) = found {
            return Some(PickedShape::new((start + index) as u64, shape));
        }
        end = start;
    }
    None
}

fn segment_covers(segment: &PaintedSegment, point: DVec2) -> bool {
    let [start, end] = [segment.start, segment.end].map(|end| DVec2::from(end.map(f64::from)));
    let along = end - start;
    let share = (along.dot(point - start) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (start + along * share).distance(point) <= 0.5 * f64::from(segment.width)
}

fn circle_covers(circle: &PaintedCircle, point: DVec2) -> bool {
    let radius = f64::from(circle.radius);
    (point - dvec2(circle.center)).length_squared() <= radius * radius
}

fn ellipse_covers(ellipse: &PaintedEllipse, point: DVec2) -> bool {
    let is_within = |radii: [f64; 2]| {
        let radii = DVec2::from(radii);
        radii.min_element() > 0.0 && ((point - dvec2(ellipse.center)) / radii).length_squared() <= 1.0
    };
    is_within(ellipse.outer_radii()) && !ellipse.hole_radii().is_some_and(is_within)
}

fn dvec2([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(f64::from(x), f64::from(y))
}

/// Returns the sphere of this index, moved by the pose of its copy.
fn sphere(scene: &SphereScene<'_>, index: u32) -> Option<PaintedSphere> {
    let mut index = usize::try_from(index).ok()?;
    for group in &scene.groups {
        let length = group.spheres.len();
        if index < length * group.poses.len() {
            let (pose, sphere) = (group.poses[index / length], group.spheres.at(index % length));
            let center = pose.rotation.as_dmat3() * DVec3::from(sphere.center.map(f64::from));
            let center = (center + pose.translation.as_dvec3()).as_vec3().to_array();
            return Some(PaintedSphere { center, ..sphere });
        }
        index -= length * group.poses.len();
    }
    None
}

/// Returns the cylinder, ellipsoid or cone with this index, or the atom at the nearer end of a bond.
fn other_shape(scene: &SphereScene<'_>, index: u32) -> PickedShape {
    let shapes = PlacedShapes::new(&scene.shapes, [0.0; 3], scene.count());
    let shape = match shapes.shape(index) {
        PlacedShape::Cylinder(_) => {
            let (cylinder, pose) = shapes.cylinders.original(index);
            let (group, copy, _) = shapes.part(index);
            let end = if shapes.whole(index) == index { cylinder.start } else { cylinder.end };
            if let Some(atom) = atom_at_end(scene, end, BESIDE * cylinder.radius, group, copy) {
                return atom;
            }
            let [start, end] = [cylinder.start, cylinder.end].map(|point| pose.apply(point));
            Shape::Cylinder(PaintedCylinder { start, end, ..*cylinder })
        }
        PlacedShape::Ellipsoid(_) => {
            let (ellipsoid, pose) = shapes.ellipsoids.original(index);
            let rotation = ellipsoid.rotation_in(&pose);
            Shape::Ellipsoid(PaintedEllipsoid { center: pose.apply(ellipsoid.center), rotation, ..*ellipsoid })
        }
        PlacedShape::Cone(_) => {
            let (cone, pose) = shapes.cones.original(index);
            let [base, apex] = [cone.base, cone.apex].map(|point| pose.apply(point));
            Shape::Cone(PaintedCone { base, apex, ..*cone })
        }
    };
    PickedShape::new(u64::from(shapes.number(index)), shape)
}

/// The greatest distance of an atom from its end of a bond, in radii of the bond: the lines of a double bond end beside
/// the atoms.
const BESIDE: f32 = 4.0;

/// Returns the atom at an end of a bond: the nearest sphere of its group, unless it is farther than `reach`.
fn atom_at_end(scene: &SphereScene<'_>, end: [f32; 3], reach: f32, group: usize, copy: usize) -> Option<PickedShape> {
    let (before, rest) = scene.groups.split_at_checked(group)?;
    let group = rest.first()?;
    let length = group.spheres.len();
    let distance = |index: usize| Vec3::from(group.spheres.at(index).center).distance_squared(Vec3::from(end));
    let nearest = (0..length).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))?;
    if copy >= group.poses.len() || distance(nearest).sqrt() > reach {
        return None;
    }
    let before: usize = before.iter().map(|group| group.spheres.len() * group.poses.len()).sum();
    let index = u32::try_from(before + copy * length + nearest).ok()?;
    Some(PickedShape::new(u64::from(index), Shape::Sphere(sphere(scene, index)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::circles::{Blend, Canvas, PaintedCircle, Stroke};
    use crate::scene::spheres::Pose;
    use crate::scene::spheres::{Camera, Projection, Shading, ShapeGroup, SphereGroup};
    use glam::{Mat3, Vec3};
    use roundel_render::RenderSettings;
    use roundel_render::inner::SOLID;
    use std::borrow::Cow;

    const RED: Srgba8 = Srgba8 { r: 255, g: 0, b: 0, a: 255 };

    fn spheres(groups: Vec<SphereGroup<'static>>, projection: Projection) -> (Scene<'static>, PictureSpec) {
        let camera = Camera::look_at([0.0, 0.0, 10.0], [0.0; 3]).with_projection(projection);
        let scene = SphereScene::new(camera, 100, 100).with_background(RED).with_groups(groups);
        let picture = PictureSpec { viewpoint: Viewpoint::Camera(camera), shading: scene.shading, size: (100, 100) };
        (Scene::Spheres(scene), picture)
    }

    fn renderer() -> Renderer {
        Renderer::new(&RenderSettings::default()).expect("good settings")
    }

    fn sphere_at(x: f32, y: f32, z: f32) -> PaintedSphere {
        PaintedSphere { center: [x, y, z], radius: 1.0, color: RED }
    }

    #[test]
    fn nearest_sphere_is_picked_and_counted_through_poses() {
        let turned = Pose { rotation: Mat3::from_diagonal(Vec3::new(-1.0, -1.0, 1.0)), translation: Vec3::ZERO };
        let first =
            SphereGroup::new(vec![sphere_at(3.0, 0.0, 0.0), sphere_at(0.0, 0.0, 2.0)], vec![Pose::IDENTITY, turned]);
        let second = SphereGroup::from(vec![sphere_at(0.0, 0.0, 4.0)]);
        for projection in
            [Projection::Orthographic { height: 10.0 }, Projection::Perspective { fov_y_radians: 0.927_295_2 }]
        {
            let (scene, picture) = spheres(vec![first.clone(), second.clone()], projection);
            let (mut map, renderer) = (PrimitiveMap::default(), renderer());
            let mut at = |x, y| pick(&mut map, &renderer, &scene, &picture, [x, y], SOLID).map(|picked| picked.index);
            assert_eq!(at(50.0, 50.0), Some(4), "the one in front");
            assert_eq!(at(80.0, 50.0), Some(0));
            assert_eq!(at(20.0, 50.0), Some(2), "the first of the second pose");
            assert_eq!(at(50.0, 5.0), None);
        }
    }

    #[test]
    fn inside_of_a_sphere_is_picked() {
        let (mut scene, picture) = spheres(Vec::new(), Projection::Perspective { fov_y_radians: 1.0 });
        assert_eq!(pick(&mut PrimitiveMap::default(), &renderer(), &scene, &picture, [50.0, 50.0], SOLID), None);
        if let Scene::Spheres(scene) = &mut scene {
            let spheres = vec![sphere_at(0.0, 0.0, 20.0), sphere_at(0.0, 0.0, 10.5)];
            scene.groups = vec![spheres.into()];
        }
        assert_eq!(
            pick(&mut PrimitiveMap::default(), &renderer(), &scene, &picture, [50.0, 50.0], SOLID)
                .map(|picked| picked.index),
            Some(1),
            "not the one behind"
        );
    }

    /// Picks at pixels of a scene with these spheres and other shapes, 10 pixels to a unit.
    fn picked(
        change: impl FnOnce(SphereScene<'static>) -> SphereScene<'static>,
        group: SphereGroup<'static>,
    ) -> impl Fn([f32; 2], u8) -> Option<PickedShape> {
        let (scene, picture) = spheres(vec![group], Projection::Orthographic { height: 10.0 });
        let Scene::Spheres(scene) = scene else { panic!("a scene of spheres") };
        let scene = Scene::Spheres(change(scene));
        let renderer = renderer();
        move |cursor, least_alpha| pick(&mut PrimitiveMap::default(), &renderer, &scene, &picture, cursor, least_alpha)
    }

    #[test]
    fn half_of_a_bond_is_the_atom_at_its_end() {
        let atoms = vec![PaintedSphere { radius: 0.2, ..sphere_at(-2.0, 0.0, 0.0) }, sphere_at(3.0, 3.0, 0.0)];
        let bond = PaintedCylinder::new([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.2, RED);
        let turned = Pose { rotation: Mat3::IDENTITY, translation: Vec3::new(0.0, -3.0, 0.0) };
        let poses = vec![Pose::IDENTITY, turned];
        let at = picked(
            |mut scene| {
                scene.shapes.cylinders = vec![ShapeGroup::new(vec![bond], poses.clone())];
                scene
            },
            SphereGroup::new(atoms, poses.clone()),
        );
        let index = |x, y| at([x, y], SOLID).map(|picked| picked.index);
        assert_eq!(index(40.0, 50.0), Some(0), "the half at the first atom");
        assert_eq!(index(40.0, 80.0), Some(2), "in the second copy");
        let no_atom = at([60.0, 80.0], SOLID).expect("the other half");
        assert_eq!(no_atom.index, 5, "the second copy of the bond, after four spheres");
        let Shape::Cylinder(found) = no_atom.shape else { panic!("{no_atom:?}") };
        assert_eq!((found.start, found.end), ([-2.0, -3.0, 0.0], [2.0, -3.0, 0.0]));
        assert_eq!(index(50.0, 20.0), None);
    }

    #[test]
    fn ellipsoids_and_cones_are_picked() {
        let ellipsoid = PaintedEllipsoid::new([-2.0, 0.0, 0.0], [2.0, 1.0, 1.0], RED);
        let cone = PaintedCone::new([2.0, 0.0, 0.0], [4.0, 0.0, 0.0], 1.0, RED);
        let at = picked(
            |scene| scene.with_ellipsoids(vec![ellipsoid]).with_cones(vec![cone]),
            SphereGroup::from(vec![sphere_at(0.0, 4.0, 0.0)]),
        );
        let found = |x, y| at([x, y], SOLID).map(|picked| (picked.index, picked.shape));
        assert_eq!(found(15.0, 50.0), Some((1, Shape::Ellipsoid(ellipsoid))));
        assert_eq!(found(75.0, 50.0), Some((2, Shape::Cone(cone))));
        assert_eq!(found(50.0, 10.0).map(|(index, _)| index), Some(0));
    }

    #[test]
    fn translucent_spheres_are_passed_unless_they_are_asked_for() {
        let ghost = PaintedSphere { color: RED.with_alpha(60), ..sphere_at(0.0, 0.0, 3.0) };
        let at = picked(|scene| scene, SphereGroup::from(vec![ghost, sphere_at(0.0, 0.0, 0.0)]));
        let index = |least_alpha| at([50.0, 50.0], least_alpha).map(|picked| picked.index);
        assert_eq!((index(SOLID), index(1)), (Some(1), Some(0)));
    }

    #[test]
    fn topmost_circle_is_picked_through_any_zoom() {
        let circle = |x, radius| PaintedCircle { center: [x, 50.0], radius, color: RED };
        let ring = PaintedEllipse::ring([50.0, 50.0], [30.0, 20.0], Stroke::new(2.0), RED);
        let canvas = Canvas { width: 100, height: 100, background: RED, blend: Blend::Srgb };
        let layers = vec![
            Layer::Circles(Cow::Owned(vec![circle(40.0, 15.0), circle(55.0, 10.0)])),
            Layer::Ellipses(Cow::Owned(vec![ring])),
        ];
        let scene = Scene::Circles(CircleScene { canvas, layers });
        for zoom in [1.0, 8.0, 1e6] {
            let at = |x: f64| {
                let viewpoint = Viewpoint::ViewBox(ViewBox { center: [x, 50.0], height: 100.0 / zoom });
                let picture = PictureSpec { viewpoint, shading: Shading::default(), size: (101, 101) };
                pick(&mut PrimitiveMap::default(), &renderer(), &scene, &picture, [50.0, 50.0], SOLID)
                    .map(|picked| picked.index)
            };
            assert_eq!(
                [50.0, 60.0, 40.0, 20.0, 25.4, 90.0].map(at),
                [Some(1), Some(1), Some(0), Some(2), Some(0), None]
            );
        }
    }
}
