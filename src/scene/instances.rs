//! Every sphere of a scene under one running index, placed by its pose and seen from the eye.

use glam::Mat3;

use super::spheres::{PaintedSphere, Pose, SphereGroup};
use crate::color::Srgba8;

/// The spheres of a scene in one row: through groups, then poses, then spheres. Copies are placed when asked for.
#[derive(Debug)]
pub(crate) struct SphereInstances<'a> {
    groups: Vec<Placed<'a>>,
    eye: [f32; 3],
    count: u64,
}

/// One group and where its indices start.
#[derive(Debug)]
struct Placed<'a> {
    start: u64,
    end: u64,
    spheres: &'a [PaintedSphere],
    poses: &'a [Pose],
    /// One pose, and it is the identity: what nearly all scenes are made of.
    plain: bool,
}

/// A run of spheres with one pose, cut from the roster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstanceRun<'a> {
    /// The roster's index of the first sphere.
    pub start: u32,
    pub spheres: &'a [PaintedSphere],
    /// `None` where things stand already.
    pub pose: Option<&'a Pose>,
}

/// A sphere's place relative to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EyeSphere {
    pub center: [f32; 3],
    pub radius: f32,
}

impl Pose {
    /// Where a point of the group stands in the world.
    #[inline(always)]
    fn place(&self, [px, py, pz]: [f32; 3]) -> [f32; 3] {
        let Mat3 { x_axis: x, y_axis: y, z_axis: z } = self.rotation;
        let t = self.translation;
        [
            ((x.x * px + y.x * py) + z.x * pz) + t.x,
            ((x.y * px + y.y * py) + z.y * pz) + t.y,
            ((x.z * px + y.z * py) + z.z * pz) + t.z,
        ]
    }
}

/// The pose, unless it leaves everything where it is: the identity changes no bit.
#[inline(always)]
fn moving(pose: &Pose) -> Option<&Pose> {
    (*pose != Pose::IDENTITY).then_some(pose)
}

impl<'a> SphereInstances<'a> {
    pub(crate) fn new(groups: &'a [SphereGroup<'a>], eye: [f32; 3]) -> Self {
        let mut count = 0;
        let placed = groups.iter().filter(|group| !group.spheres.is_empty() && !group.poses.is_empty()).map(|group| {
            let start = count;
            count += group.spheres.len() as u64 * group.poses.len() as u64;
            let plain = group.poses[..] == [Pose::IDENTITY];
            Placed { start, end: count, spheres: &group.spheres, poses: &group.poses, plain }
        });
        let groups = placed.collect();
        Self { groups, eye, count }
    }

    /// Spheres, copies counted.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The sphere of that index, in its group's own coordinates, and its pose.
    #[inline(always)]
    fn find(&self, index: u32) -> (&'a PaintedSphere, Option<&'a Pose>) {
        let index = u64::from(index);
        let mut group = &self.groups[0];
        if index >= group.end {
            group = &self.groups[self.groups.partition_point(|group| group.end <= index)];
        }
        let local = usize::try_from(index - group.start).expect("indices fit 32 bits");
        let length = group.spheres.len();
        if group.plain {
            (&group.spheres[local], None)
        } else {
            (&group.spheres[local % length], moving(&group.poses[local / length]))
        }
    }

    /// The sphere of that index, seen from the eye, and as it was given.
    #[inline(always)]
    pub(crate) fn sphere(&self, index: u32) -> (EyeSphere, &'a PaintedSphere) {
        let (sphere, pose) = self.find(index);
        (self.seen(sphere, pose), sphere)
    }

    /// The colour of the sphere of that index.
    #[inline(always)]
    pub(crate) fn color(&self, index: u32) -> Srgba8 {
        self.find(index).0.color
    }

    /// A sphere placed by its pose, relative to the eye.
    #[inline(always)]
    pub(crate) fn seen(&self, sphere: &PaintedSphere, pose: Option<&Pose>) -> EyeSphere {
        let [x, y, z] = match pose {
            None => sphere.center,
            Some(pose) => pose.place(sphere.center),
        };
        EyeSphere { center: [x - self.eye[0], y - self.eye[1], z - self.eye[2]], radius: sphere.radius }
    }

    /// What is drawn of a stretch's runs, each with its index.
    pub(crate) fn drawn(&self, runs: &[InstanceRun<'a>]) -> impl Iterator<Item = (u32, EyeSphere)> {
        let placed = runs.iter().flat_map(|run| {
            run.spheres.iter().zip(run.start..).map(|(sphere, index)| (index, self.seen(sphere, run.pose)))
        });
        placed.filter(|(_, seen)| seen.is_drawn())
    }

    /// The roster cut into stretches of at most `length` spheres, each a handful of runs.
    pub(crate) fn stretches(&self, length: usize) -> Vec<Vec<InstanceRun<'a>>> {
        let mut stretches = Vec::new();
        let (mut stretch, mut room) = (Vec::new(), length);
        let mut start = 0u32;
        for group in &self.groups {
            for pose in group.poses {
                let mut rest = group.spheres;
                while !rest.is_empty() {
                    let (spheres, tail) = rest.split_at(rest.len().min(room));
                    stretch.push(InstanceRun { start, spheres, pose: moving(pose) });
                    start += u32::try_from(spheres.len()).expect("indices fit 32 bits");
                    room -= spheres.len();
                    rest = tail;
                    if room == 0 {
                        stretches.push(std::mem::take(&mut stretch));
                        room = length;
                    }
                }
            }
        }
        if !stretch.is_empty() {
            stretches.push(stretch);
        }
        stretches
    }
}

impl EyeSphere {
    /// No sphere: a place holder that is not drawn.
    pub(crate) const EMPTY: Self = Self { center: [0.0; 3], radius: -1.0 };

    /// Whether there is anything to draw: finite numbers, a positive radius.
    #[inline(always)]
    pub(crate) fn is_drawn(&self) -> bool {
        // sums of magnitudes are finite when all are, up to f32::MAX
        let extent = (self.center[0].abs() + self.center[1].abs()) + (self.center[2].abs() + self.radius);
        self.radius > 0.0 && extent < f32::INFINITY
    }
}
