//! Removes the spheres outside the clip planes from a scene.

use std::borrow::Cow;
use std::ops::Range;

use glam::DVec3;

use super::bounds::{bounding_sphere, sphere_extents};
use super::clip_plane::ClipPlane;
use super::extents::{SphereExtents, forward};
use super::rays::Rays;
use super::spheres::{Gloss, PaintedSphere, Pose, SphereGroup, SphereScene, View};
use crate::color::Srgba8;
use crate::geom::{Plane, Side, Sphere, single};

impl SphereScene<'_> {
    /// Number of spheres, copies counted.
    #[doc(hidden)]
    pub fn count(&self) -> u64 {
        self.groups.iter().map(|group| group.spheres.len() as u64 * group.poses.len() as u64).sum()
    }

    /// Number of spheres that other shapes replace, copies counted: spheres without a positive radius in a scene with
    /// other shapes.
    #[doc(hidden)]
    pub fn stand_ins(&self) -> u64 {
        if self.shapes.is_empty() {
            return 0;
        }
        let is_undrawn = |radius: f32| !(radius > 0.0 && radius < f32::INFINITY);
        let undrawn = |group: &SphereGroup<'_>| {
            let spheres = group.spheres.slice();
            let count = (0..spheres.len()).filter(|index| is_undrawn(spheres.body(*index).1)).count();
            count as u64 * group.poses.len() as u64
        };
        self.groups.iter().map(undrawn).sum()
    }

    /// Whether there are clip planes or a depth range.
    #[doc(hidden)]
    pub fn is_cut(&self) -> bool {
        !self.clip_planes.is_empty() || self.depth_range.is_some()
    }

    /// The same scene from another view; borrows from this one.
    #[doc(hidden)]
    pub fn borrowed(&self, view: View) -> SphereScene<'_> {
        SphereScene {
            view,
            origin: self.origin,
            groups: self.groups.iter().map(SphereGroup::borrowed).collect(),
            shapes: self.shapes.borrowed(),
            lights: self.lights.clone(),
            shading: self.shading,
            clip_planes: self.clip_planes.clone(),
            depth_range: self.depth_range,
            extents: self.extents.clone(),
        }
    }

    /// The same scene with its depth range as two planes, and without the spheres that are cut away entirely.
    #[doc(hidden)]
    pub fn cut(&self) -> Cow<'_, SphereScene<'_>> {
        if !self.is_cut() {
            return Cow::Borrowed(self);
        }
        let clip_planes = self.planes_before(&self.view);
        let mut cut = self.borrowed(self.view);
        // other shapes refer to groups of spheres by index: then all groups stay
        if self.shapes.is_empty() {
            cut.groups = self.groups.iter().flat_map(|group| kept_groups(group, &clip_planes)).collect();
        }
        Cow::Owned(SphereScene { clip_planes, depth_range: None, ..cut })
    }

    /// The index in this scene of each sphere of [`SphereScene::cut`]. With other shapes, spheres keep their indices.
    #[expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits")]
    #[doc(hidden)]
    pub fn kept_indices(&self) -> Vec<u32> {
        if !self.shapes.is_empty() {
            return (0..self.count() as u32).collect();
        }
        let planes = self.planes_before(&self.view);
        let mut start = 0;
        let mut indices = Vec::new();
        for group in &self.groups {
            let length = group.spheres.len();
            let first = |copy: usize| (start + copy * length) as u32;
            for part in kept(group, 1, &planes) {
                match part {
                    Kept::Copies(copies) => indices.extend(first(copies.start)..first(copies.end)),
                    Kept::Spheres(copy, spheres) => indices.extend(spheres.iter().map(|index| first(copy) + index)),
                }
            }
            start += length * group.poses.len();
        }
        indices
    }

    /// The extents of all shapes but the ones that planes remove wholly.
    #[doc(hidden)]
    pub fn kept_extents(&self, rays: &Rays) -> SphereExtents {
        let planes = self.planes_before(&self.view);
        if planes.is_empty() {
            return sphere_extents(&self.framed(), rays);
        }
        let hulls = self.shapes.hulls();
        let spheres = self.groups.iter().flat_map(|group| kept_groups(group, &planes));
        let hulls = hulls.iter().flat_map(|group| groups_of(group, &kept(group, HULL, &planes)));
        sphere_extents(&spheres.chain(hulls).collect::<Vec<_>>(), rays)
    }

    /// All clip planes, with the two planes of the depth range as seen in a view.
    #[doc(hidden)]
    pub fn planes_before(&self, view: &View) -> Vec<ClipPlane> {
        let mut planes = self.clip_planes.clone();
        planes.extend(self.slab_planes(view));
        planes
    }

    /// The planes of the depth range that cut anything.
    fn slab_planes(&self, view: &View) -> Vec<ClipPlane> {
        let rays = Rays::new(view);
        let Some([begin, end]) = self.depth_range else { return Vec::new() };
        let Some([near, far]) = sphere_extents(&self.framed(), &rays).depths(&rays) else { return Vec::new() };
        let forward = forward(&rays);
        let eye = forward.dot(DVec3::from(rays.eye.map(f64::from)));
        let plane = |share: f32, sign: f64| {
            let depth = eye + near + (far - near) * f64::from(share);
            let normal = (forward * sign).as_vec3();
            Plane { normal, offset: single(depth * sign) }.into()
        };
        let front = (begin > 0.0).then(|| plane(begin, -1.0));
        let back = (end < 1.0).then(|| plane(end, 1.0));
        front.into_iter().chain(back).collect()
    }
}

/// Spheres of the hull of a shape: a plane removes all of them or none.
const HULL: u32 = 2;

/// A part of a group that remains after cutting.
enum Kept {
    /// Whole copies.
    Copies(Range<usize>),
    /// Some of the spheres of one copy.
    Spheres(usize, Vec<u32>),
}

/// The spheres and copies of a group that the planes leave, in index order. Of spheres that belong together in runs of
/// this length, a plane removes all or none.
#[expect(clippy::cast_possible_truncation, reason = "a bound, with slack; indices fit 32 bits")]
fn kept(group: &SphereGroup<'_>, together: u32, planes: &[ClipPlane]) -> Vec<Kept> {
    let (center, radius) = bounding_sphere(group);
    let bound = PaintedSphere::new(center.as_vec3(), (radius * 1.001) as f32, Srgba8::BLACK);
    // a sphere that is not drawn may have a centre that is not finite
    let is_bounded = bound.radius.is_finite() && center.is_finite();
    let mut parts = Vec::new();
    let mut first = 0;
    for (copy, pose) in group.poses.iter().enumerate() {
        let side_of_copy = if is_bounded { side(&bound, pose, planes) } else { Side::Intersecting };
        if side_of_copy == Side::Inside {
            continue;
        }
        parts.push(Kept::Copies(first..copy));
        first = copy + 1;
        if side_of_copy == Side::Intersecting {
            let count = group.spheres.len() as u32;
            let run = |first: u32| first..count.min(first + together);
            let is_outside =
                |index, plane: &ClipPlane| side(&group.spheres.at(index as usize), pose, &[*plane]) == Side::Outside;
            let stays = |&first: &u32| !planes.iter().any(|plane| run(first).all(|index| is_outside(index, plane)));
            let spheres = (0..count).step_by(together as usize).filter(stays).flat_map(run);
            parts.push(Kept::Spheres(copy, spheres.collect()));
        }
    }
    parts.push(Kept::Copies(first..group.poses.len()));
    parts.retain(|part| match part {
        Kept::Copies(copies) => !copies.is_empty(),
        Kept::Spheres(_, spheres) => !spheres.is_empty(),
    });
    parts
}

/// The groups of the spheres that planes leave.
pub fn kept_groups<'a>(group: &'a SphereGroup<'_>, planes: &[ClipPlane]) -> Vec<SphereGroup<'a>> {
    if planes.is_empty() {
        return vec![group.borrowed()];
    }
    groups_of(group, &kept(group, 1, planes))
}

fn groups_of<'a>(group: &'a SphereGroup<'_>, parts: &[Kept]) -> Vec<SphereGroup<'a>> {
    parts.iter().map(|part| group_of(group, part)).collect()
}

/// Part of a group as a group of its own.
fn group_of<'a>(group: &'a SphereGroup<'_>, part: &Kept) -> SphereGroup<'a> {
    match part {
        Kept::Copies(copies) => SphereGroup {
            spheres: group.spheres.borrowed(),
            poses: Cow::Borrowed(&group.poses[copies.clone()]),
            parts: Cow::Borrowed(&group.parts[..]),
            gloss: Cow::Borrowed(&group.gloss[..]),
        },
        Kept::Spheres(copy, spheres) => {
            let indices = || spheres.iter().map(|&index| index as usize);
            let parts: Vec<u32> = indices().filter_map(|index| group.parts.get(index).copied()).collect();
            let gloss: Vec<Option<Gloss>> = indices().filter_map(|index| group.gloss.get(index).copied()).collect();
            let spheres: Vec<PaintedSphere> = indices().map(|index| group.spheres.at(index)).collect();
            SphereGroup::new(spheres, vec![group.poses[*copy]]).with_parts(parts).with_gloss(gloss)
        }
    }
}

/// Reports whether the planes leave anything of a sphere. Sets the bit in `cutting` of each of the first 64 planes that
/// cuts or removes the sphere.
#[inline]
pub fn is_kept(sphere: &PaintedSphere, planes: &[ClipPlane], cutting: &mut u64) -> bool {
    let sphere = Sphere { center: sphere.center, radius: sphere.radius };
    let mut is_kept = true;
    for (index, plane) in (0_u32..).zip(planes) {
        let side = plane.boundary.side(&sphere);
        is_kept &= side != Side::Outside;
        *cutting |= u64::from(side != Side::Inside).checked_shl(index).unwrap_or(0);
    }
    is_kept
}

/// The side of a sphere: inside all planes, outside one, or intersecting.
#[inline]
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
        let scene = scene.with_clip_plane("x<21.5".parse::<ClipPlane>().expect("a plane"));
        let cut = scene.cut();
        let spheres = |group: &SphereGroup<'_>| group.spheres.iter().map(|s| s.center[0]).collect::<Vec<_>>();
        let found: Vec<_> = cut.groups.iter().map(|group| (spheres(group), group.poses.len())).collect();
        assert_eq!(found, [(vec![3.0], 1), (vec![3.0], 1), (vec![0.0, 3.0], 1), (vec![0.0], 1)]);
        assert_eq!(&*cut.groups[0].parts, [7]);
        assert_eq!(scene.kept_indices(), [1, 3, 4, 5, 6]);
    }

    #[test]
    fn slab_is_a_share_of_the_depth_of_the_spheres() {
        let sphere = |z: f32| PaintedSphere::new([0.0, 0.0, z], 1.0, Srgba8::BLACK);
        let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]), 8, 8)
            .with_spheres(vec![sphere(4.0), sphere(0.0), sphere(-4.0)])
            .with_depth_range(0.25, 1.0);
        let cut = scene.cut();
        assert_eq!(cut.clip_planes, ["z<2.5".parse().expect("a plane")]);
        assert_eq!(cut.groups[0].spheres.len(), 2);
        assert_eq!(scene.with_depth_range(0.0, 1.0).cut().clip_planes, []);
    }
}
