//! What planes leave of a scene's spheres.

use std::borrow::Cow;

use glam::DVec3;

use super::bounds::{ball, depth_range};
use super::clip_plane::ClipPlane;
use super::rays::Rays;
use super::spheres::{PaintedSphere, Pose, SphereGroup, SphereScene, View};
use crate::color::Srgba8;
use crate::geom::{Plane, Side, Sphere};

impl SphereScene<'_> {
    /// Number of spheres, copies counted.
    pub(crate) fn count(&self) -> u64 {
        self.groups.iter().map(|group| group.spheres.len() as u64 * group.poses.len() as u64).sum()
    }

    /// Whether planes cut anything away.
    pub(crate) fn is_cut(&self) -> bool {
        !self.clip_planes.is_empty() || self.slab.is_some()
    }

    /// The same scene with two planes in the place of its slab, and without the spheres that are cut away as a whole.
    pub(crate) fn cut(&self) -> Cow<'_, SphereScene<'_>> {
        if !self.is_cut() {
            return Cow::Borrowed(self);
        }
        let clip_planes = self.planes_before(&self.view);
        let mut groups = Vec::new();
        for group in &self.groups {
            cut_group(group, &clip_planes, &mut groups);
        }
        let (view, lights, shading) = (self.view, self.lights.clone(), self.shading);
        Cow::Owned(SphereScene { view, groups, lights, shading, clip_planes, slab: None })
    }

    /// All planes, those of the slab as they are before a view.
    pub(crate) fn planes_before(&self, view: &View) -> Vec<ClipPlane> {
        let mut planes = self.clip_planes.clone();
        planes.extend(self.slab_planes(view));
        planes
    }

    /// The planes of the slab that cut anything.
    fn slab_planes(&self, view: &View) -> Vec<ClipPlane> {
        let rays = Rays::new(view);
        let (Some([begin, end]), Some([near, far])) = (self.slab, depth_range(&self.groups, &rays)) else {
            return Vec::new();
        };
        let forward = DVec3::from(rays.forward.map(f64::from));
        let eye = forward.dot(DVec3::from(rays.eye.map(f64::from)));
        let plane = |share: f32, sign: f64| {
            let depth = eye + near + (far - near) * f64::from(share);
            let normal = (forward * sign).as_vec3();
            #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
            let offset = (depth * sign) as f32;
            ClipPlane { boundary: Plane { normal, offset } }
        };
        let front = (begin > 0.0).then(|| plane(begin, -1.0));
        let back = (end < 1.0).then(|| plane(end, 1.0));
        front.into_iter().chain(back).collect()
    }
}

/// Appends what planes leave of a group: copies of which they leave all together, others one by one.
fn cut_group<'a>(group: &'a SphereGroup<'_>, planes: &[ClipPlane], groups: &mut Vec<SphereGroup<'a>>) {
    let whole = |first: usize, end: usize| SphereGroup {
        spheres: Cow::Borrowed(&group.spheres[..]),
        poses: Cow::Borrowed(&group.poses[first..end]),
        parts: Cow::Borrowed(&group.parts[..]),
    };
    let (center, radius) = ball(group);
    #[expect(clippy::cast_possible_truncation, reason = "a bound, with slack")]
    let ball = PaintedSphere::new(center.as_vec3(), (radius * 1.001) as f32, Srgba8::BLACK);
    // copies are given in order, so that indices stay in order
    let mut first = 0;
    for (index, pose) in group.poses.iter().enumerate() {
        let side = side(&ball, pose, planes);
        if side == Side::Inside {
            continue;
        }
        if first < index {
            groups.push(whole(first, index));
        }
        first = index + 1;
        if side == Side::Intersecting {
            groups.extend(cut_copy(group, index, planes));
        }
    }
    if first < group.poses.len() {
        groups.push(whole(first, group.poses.len()));
    }
}

/// What planes leave of one copy of a group.
fn cut_copy<'a>(group: &'a SphereGroup<'_>, index: usize, planes: &[ClipPlane]) -> Option<SphereGroup<'a>> {
    let pose = &group.poses[index];
    let is_left = |sphere: &PaintedSphere| side(sphere, pose, planes) != Side::Outside;
    let mut spheres = Vec::new();
    let mut parts = Vec::new();
    for (place, sphere) in group.spheres.iter().enumerate().filter(|(_, sphere)| is_left(sphere)) {
        spheres.push(*sphere);
        parts.extend(group.parts.get(place));
    }
    (!spheres.is_empty()).then(|| SphereGroup {
        spheres: spheres.into(),
        poses: vec![*pose].into(),
        parts: parts.into(),
    })
}

/// Where a sphere is: inside all planes, outside one, or cut.
fn side(sphere: &PaintedSphere, pose: &Pose, planes: &[ClipPlane]) -> Side {
    let center = if *pose == Pose::IDENTITY { sphere.center } else { pose.apply(sphere.center) };
    let sphere = Sphere { center, radius: sphere.radius };
    planes.iter().fold(Side::Inside, |so_far, plane| match (so_far, plane.boundary.side(&sphere)) {
        (Side::Outside, _) | (_, Side::Outside) => Side::Outside,
        (Side::Inside, side) => side,
        (Side::Intersecting, _) => Side::Intersecting,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::spheres::Camera;

    #[test]
    fn spheres_that_are_cut_away_are_left_out() {
        let sphere = |x: f32| PaintedSphere::new([x, 0.0, 0.0], 1.0, Srgba8::BLACK);
        let row = SphereGroup::new(vec![sphere(0.0), sphere(3.0)], vec![Pose::IDENTITY; 1]).with_parts(vec![4, 7]);
        let poses: Vec<Pose> = [0.0, 10.0, 20.0, 30.0].map(|x| Pose::from_translation([x, 0.0, 0.0])).into();
        let copies = SphereGroup::new(vec![sphere(0.0), sphere(3.0)], poses);
        let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 9.0], [0.0; 3]), 8, 8).with_groups([row, copies]);
        assert!(matches!(scene.cut(), Cow::Borrowed(_)));
        let scene = scene.with_clip_plane("x>1.5".parse::<ClipPlane>().expect("a plane"));
        let scene = scene.with_clip_plane("x<22".parse::<ClipPlane>().expect("a plane"));
        let cut = scene.cut();
        let spheres = |group: &SphereGroup<'_>| group.spheres.iter().map(|s| s.center[0]).collect::<Vec<_>>();
        let found: Vec<_> = cut.groups.iter().map(|group| (spheres(group), group.poses.len())).collect();
        assert_eq!(found, [(vec![3.0], 1), (vec![3.0], 1), (vec![0.0, 3.0], 1), (vec![0.0], 1)]);
        assert_eq!(&*cut.groups[0].parts, [7]);
    }

    #[test]
    fn slab_is_a_share_of_the_depth_of_the_spheres() {
        let sphere = |z: f32| PaintedSphere::new([0.0, 0.0, z], 1.0, Srgba8::BLACK);
        let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]), 8, 8)
            .with_spheres(vec![sphere(4.0), sphere(0.0), sphere(-4.0)])
            .with_slab(0.25, 1.0);
        let cut = scene.cut();
        assert_eq!(cut.clip_planes, ["z<2.5".parse().expect("a plane")]);
        assert_eq!(cut.groups[0].spheres.len(), 2);
        assert_eq!(scene.with_slab(0.0, 1.0).cut().clip_planes, []);
    }
}
