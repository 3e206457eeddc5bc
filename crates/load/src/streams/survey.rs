//! One pass over all spheres of a stream, which finds the aspect ratio of its picture and its camera.

use std::ops::Range;

use glam::DVec3;

use crate::error::Result;
use crate::options::camera::CameraRequest;
use crate::options::orientation::turn_to_broadside;
use crate::options::picture_settings;
use crate::rows::row_shapes::Spread;
use crate::scene::spheres::{PaintedSphere, SphereGroup};
use crate::scene::{FillSpheres, Outermost, SphereSink, box_of_centers, in_chunks, sample_step, sphere_boxes};

/// Aspect ratios of pictures that follow the shape of their content, except for tiny ones.
const ASPECTS: [f32; 2] = [0.32, 3.1];

/// Spheres per round of all threads, before their results are merged.
const BLOCK: usize = 1 << 20;

/// Bounding box, sample and outermost spheres of a stream.
#[derive(Debug)]
pub struct Survey {
    pub spread: Spread,
    sample: SurveySample,
    outermost: Outermost,
    /// Least and greatest aspect ratio for which `outermost` decides the camera.
    aspects: [f32; 2],
}

impl Survey {
    /// A survey that finds the aspect ratio of the picture and then its camera.
    pub fn of_any_picture(request: &CameraRequest) -> Self {
        let [narrow, wide] = ASPECTS.map(|aspect| request.directions_that_decide(aspect));
        let ranges: Vec<[DVec3; 2]> = narrow.into_iter().zip(wide).map(|(narrow, wide)| [narrow, wide]).collect();
        Self::new(&ranges, ASPECTS)
    }

    /// A survey that finds the farthest spheres in some directions, six at most.
    pub fn of_directions(directions: &[DVec3]) -> Self {
        let ranges: Vec<[DVec3; 2]> = directions.iter().map(|&direction| [direction; 2]).collect();
        Self::new(&ranges, [f32::NAN; 2])
    }

    fn new(ranges: &[[DVec3; 2]], aspects: [f32; 2]) -> Self {
        Self { spread: Spread::default(), sample: SurveySample::default(), outermost: Outermost::new(ranges), aspects }
    }

    pub fn set_radius(&mut self, radius: f32) {
        self.sample.spheres.iter_mut().chain(self.outermost.candidates_mut()).for_each(|sphere| sphere.radius = radius);
    }

    /// Azimuth, elevation and roll that turn a view along z to the view of a scene in memory.
    pub fn turn_to_broadside(&self, is_tall: bool) -> Option<[f64; 3]> {
        turn_to_broadside(&[SphereGroup::from(&self.sample.spheres[..])], !is_tall)
    }

    /// Width over height of the picture that the spheres fill.
    pub fn aspect(&self, request: &CameraRequest) -> f64 {
        request.aspect(&[SphereGroup::from(&self.sample.spheres[..])]).unwrap_or(picture_settings::ASPECT)
    }

    /// The farthest spheres in the directions that decide the camera of a picture with this width over height; `None`
    /// if that needs another survey.
    pub fn farthest(&self, aspect: f32, directions: &[DVec3]) -> Option<Vec<PaintedSphere>> {
        let [least, most] = self.aspects;
        if (least..=most).contains(&aspect) { self.outermost.farthest(directions) } else { None }
    }

    /// The farthest spheres in the directions of [`Survey::of_directions`].
    pub fn farthest_of_directions(&self, directions: &[DVec3]) -> Vec<PaintedSphere> {
        self.outermost.farthest(directions).expect("one sphere for each direction is kept")
    }
}

impl SphereSink for Survey {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        let index = |number: u64| usize::try_from(number - first).expect("the spheres are in memory");
        self.add_by_rule(first..first + spheres.len() as u64, |numbers, made| {
            made.extend_from_slice(&spheres[index(numbers.start)..index(numbers.end)]);
        })
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        for first in numbers.clone().step_by(BLOCK) {
            let (step, before) = (self.sample.step, self.sample.count);
            let look = |numbers: Range<u64>, spheres: &mut Vec<PaintedSphere>| {
                fill(numbers.clone(), spheres);
                // a guess: earlier chunks may leave spheres out
                let index = before + (numbers.start - first);
                let boxes = sphere_boxes(spheres);
                let count = spheres.len() as u64;
                let in_box =
                    |corners: [[f32; 3]; 2]| Spread::of_box(count, corners.map(|corner| corner.map(f64::from)));
                SurveyResult {
                    spread: box_of_centers(&boxes).map_or_else(|| Spread::of(spheres), in_box),
                    index,
                    sample: every(step, index, spheres),
                    outer: self.outermost.candidates(spheres, &boxes),
                    numbers,
                }
            };
            let end = numbers.end.min(first + BLOCK as u64);
            for mut found in in_chunks(first..end, look) {
                if found.index != self.sample.count {
                    let mut spheres = Vec::new();
                    fill(found.numbers, &mut spheres);
                    found.sample = every(step, self.sample.count, &spheres);
                }
                self.sample.add(&found.sample, found.spread.count);
                self.outermost.add(found.outer);
                self.spread = self.spread.join(found.spread);
            }
            self.sample.thin();
        }
        Ok(())
    }
}

/// The survey of a chunk of spheres.
struct SurveyResult {
    numbers: Range<u64>,
    spread: Spread,
    /// The number of spheres before these that `sample` assumes.
    index: u64,
    sample: Vec<PaintedSphere>,
    outer: Vec<PaintedSphere>,
}

/// Every `step`th sphere of all, for a part that follows `before` others.
fn every(step: usize, before: u64, spheres: &[PaintedSphere]) -> Vec<PaintedSphere> {
    let skip = usize::try_from(before.next_multiple_of(step as u64) - before).expect("less than a step");
    spheres.iter().skip(skip).step_by(step).copied().collect()
}

/// Some thousands of spheres, evenly spaced among all.
#[derive(Debug)]
struct SurveySample {
    spheres: Vec<PaintedSphere>,
    /// Sampling stride.
    step: usize,
    /// The number of all.
    count: u64,
}

impl Default for SurveySample {
    fn default() -> Self {
        Self { spheres: Vec::new(), step: 1, count: 0 }
    }
}

impl SurveySample {
    /// Adds every `step`th of the next `count` spheres.
    fn add(&mut self, sample: &[PaintedSphere], count: u64) {
        self.spheres.extend_from_slice(sample);
        self.count += count;
    }

    /// Thins the sample to the stride for `count` spheres.
    fn thin(&mut self) {
        let step = sample_step(usize::try_from(self.count).unwrap_or(usize::MAX));
        if step > self.step {
            self.spheres = self.spheres.iter().step_by(step / self.step).copied().collect();
            self.step = step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::generate::{self, Pattern};

    #[test]
    fn a_sample_of_unknown_length_is_that_of_the_whole() {
        let spheres = generate::spheres(Pattern::Uniform, 300_000, 2);
        // some numbers have no sphere
        let is_left_out = |number: u64| number % 1000 == 17 || (150_000..200_000).contains(&number);
        for block in [1000, 65_536, 100_001, 300_000] {
            for count in [1, 32_768, 65_535, 65_536, 131_073, 300_000] {
                for some_left_out in [false, true] {
                    let is_there = |number: u64| !(some_left_out && is_left_out(number));
                    let sphere = |number: u64| spheres[usize::try_from(number).expect("small")];
                    let mut survey = Survey::of_directions(&[DVec3::X]);
                    for first in (0..count).step_by(block) {
                        let fill = |numbers: Range<u64>, made: &mut Vec<PaintedSphere>| {
                            made.extend(numbers.filter(|&number| is_there(number)).map(sphere));
                        };
                        survey.add_by_rule(first..count.min(first + block as u64), fill).expect("no errors");
                    }
                    let all: Vec<PaintedSphere> = (0..count).filter(|&number| is_there(number)).map(sphere).collect();
                    let expected: Vec<PaintedSphere> = all.iter().step_by(sample_step(all.len())).copied().collect();
                    assert!(survey.sample.spheres == expected, "{count} in blocks of {block}");
                    assert_eq!(survey.spread.count, all.len() as u64);
                    assert!(all.len() < 65_536 || (32_768..=65_536).contains(&expected.len()), "{}", expected.len());
                }
            }
        }
    }
}
