//! A camera that moves: numbers at some times, and smooth curves between them.

use crate::geom::single;
use crate::options::load_options::LoadOptions;

/// A keyframe of the camera. Numbers that are `None` have no key at this time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CameraKey {
    /// Seconds from the start of the film.
    pub(crate) time: f64,
    pub(crate) eye: Option<[f64; 3]>,
    pub(crate) target: Option<[f64; 3]>,
    pub(crate) up: Option<[f32; 3]>,
    pub(crate) fov: Option<f32>,
    pub(crate) ortho_height: Option<f32>,
    pub(crate) azimuth: Option<f32>,
    pub(crate) elevation: Option<f32>,
    pub(crate) roll: Option<f32>,
    pub(crate) zoom: Option<f32>,
}

/// The keys of a camera in the order of their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraKeys(pub(crate) Vec<CameraKey>);

impl CameraKeys {
    /// The time of the last key in seconds.
    pub fn seconds(&self) -> f64 {
        self.0.last().map_or(0.0, |key| key.time)
    }

    /// Whether a number that turns the camera is bound to times.
    pub(crate) fn has_turns(&self) -> bool {
        self.0.iter().any(|key| key.azimuth.or(key.elevation).or(key.roll).is_some())
    }

    pub(crate) fn has_zoom(&self) -> bool {
        self.0.iter().any(|key| key.zoom.is_some())
    }

    /// The keys without the numbers that the caller states.
    pub(crate) fn without(&self, stated: &LoadOptions) -> Self {
        let (is_viewed, is_zoomed) = (stated.view.is_some(), stated.fov.is_some() || stated.ortho_height.is_some());
        let rest = |key: &CameraKey| CameraKey {
            time: key.time,
            eye: key.eye.filter(|_| !is_viewed && stated.eye.is_none()),
            target: key.target.filter(|_| !is_viewed && stated.target.is_none()),
            up: key.up.filter(|_| !is_viewed && stated.up.is_none()),
            fov: key.fov.filter(|_| !is_zoomed),
            ortho_height: key.ortho_height.filter(|_| !is_zoomed),
            azimuth: stated.azimuth.map_or(key.azimuth, |angle| key.azimuth.map(|_| angle)),
            elevation: stated.elevation.map_or(key.elevation, |angle| key.elevation.map(|_| angle)),
            roll: stated.roll.map_or(key.roll, |angle| key.roll.map(|_| angle)),
            zoom: key.zoom.filter(|_| stated.zoom.is_none()),
        };
        Self(self.0.iter().map(rest).collect())
    }

    /// Sets the camera's numbers at a time. Before a number's first key and after its last one it is constant.
    pub fn state(&self, time: f64, options: &mut LoadOptions) {
        let along = |of: &dyn Fn(&CameraKey) -> Option<f64>| {
            let points: Vec<[f64; 2]> = self.0.iter().filter_map(|key| Some([key.time, of(key)?])).collect();
            curve(&points, time)
        };
        let number = |of: &dyn Fn(&CameraKey) -> Option<f32>| along(&|key| of(key).map(f64::from)).map(single);
        let place = |of: &dyn Fn(&CameraKey) -> Option<[f64; 3]>| {
            let axis = |axis: usize| along(&|key| Some(of(key)?[axis]));
            Some([axis(0)?, axis(1)?, axis(2)?])
        };
        let direction = place(&|key| key.up.map(|up| up.map(f64::from)));
        options.eye = place(&|key| key.eye).or(options.eye);
        options.target = place(&|key| key.target).or(options.target);
        options.up = direction.map(|up| up.map(single)).or(options.up);
        options.fov = number(&|key| key.fov).or(options.fov);
        options.ortho_height = number(&|key| key.ortho_height).or(options.ortho_height);
        options.azimuth = number(&|key| key.azimuth).or(options.azimuth);
        options.elevation = number(&|key| key.elevation).or(options.elevation);
        options.roll = number(&|key| key.roll).or(options.roll);
        options.zoom = number(&|key| key.zoom).or(options.zoom);
    }
}

/// A smooth curve through points in the order of their times, at a time; `None` without points.
///
/// It rises where the points rise and falls where they fall, so that it passes no point's value between points, and
/// begins and ends at rest. Only + − × ÷: the same on every machine.
///
/// Source: M. Steffen, "A simple method for monotonic interpolation in one dimension", Astronomy & Astrophysics 239
/// (1990). The slopes at both ends are ours.
fn curve(points: &[[f64; 2]], time: f64) -> Option<f64> {
    let after = points.partition_point(|point| point[0] <= time);
    let (Some(&[start, from]), Some(&[end, to])) = (points.get(after.wrapping_sub(1)), points.get(after)) else {
        // before the first point, or after the last
        return points.get(after.min(points.len().checked_sub(1)?)).map(|point| point[1]);
    };
    let [first, last] = [after - 1, after].map(|index| slope(points, index));
    let (length, rise) = (end - start, to - from);
    let secant = rise / length;
    let (cubic, square) =
        ((first + last - 2.0 * secant) / (length * length), (3.0 * secant - 2.0 * first - last) / length);
    let passed = time - start;
    Some(((cubic * passed + square) * passed + first) * passed + from)
}

fn slope(points: &[[f64; 2]], index: usize) -> f64 {
    let (Some(before), Some(after)) =
        (index.checked_sub(1).and_then(|before| points.get(before)), points.get(index + 1))
    else {
        return 0.0;
    };
    let point = points[index];
    let (left, right) = (point[0] - before[0], after[0] - point[0]);
    let (falls, rises) = ((point[1] - before[1]) / left, (after[1] - point[1]) / right);
    if falls * rises <= 0.0 {
        return 0.0;
    }
    // the slope of the parabola through the three points, unless it is too steep
    let mean = (falls * right + rises * left) / (left + right);
    let least = falls.abs().min(rises.abs()).min(0.5 * mean.abs());
    if rises > 0.0 { 2.0 * least } else { -2.0 * least }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_all_points_and_no_further() {
        let points = [[0.0, 1.0], [1.0, 2.0], [1.5, 7.0], [4.0, 7.0], [5.0, -3.0], [9.0, 0.5]];
        for [time, value] in points {
            assert_eq!(curve(&points, time), Some(value));
        }
        for pair in points.windows(2) {
            let ([start, from], [end, to]) = (pair[0], pair[1]);
            let mut last = from;
            for step in 0..=100 {
                let value = curve(&points, start + (end - start) * f64::from(step) / 100.0).unwrap();
                let tolerance = 1e-5;
                if to >= from {
                    assert!(value >= last - tolerance && value <= to + tolerance, "{start}: {value}");
                } else {
                    assert!(value <= last + tolerance && value >= to - tolerance, "{start}: {value}");
                }
                last = value;
            }
        }
        assert_eq!((curve(&points, -1.0), curve(&points, 99.0)), (Some(1.0), Some(0.5)));
        assert_eq!((curve(&[], 0.0), curve(&[[2.0, 5.0]], 0.0)), (None, Some(5.0)));
    }

    #[test]
    fn curves_have_no_corners() {
        let points = [[0.0, 0.0], [1.0, 2.0], [1.5, 7.0], [4.0, 8.0], [5.0, -3.0], [9.0, 0.5]];
        let at = |time: f64| curve(&points, time).unwrap();
        for [time, _] in points {
            let (step, mut slopes) = (1e-3, [0.0; 2]);
            slopes[0] = (at(time) - at(time - step)) / step;
            slopes[1] = (at(time + step) - at(time)) / step;
            assert!((slopes[0] - slopes[1]).abs() < 0.1, "{time}: {slopes:?}");
        }
        // at rest at both ends
        assert!(at(0.001) < 1e-4 && (at(8.999) - 0.5).abs() < 1e-4);
    }

    #[test]
    fn numbers_without_keys_stay() {
        let key = |time, azimuth| CameraKey { time, azimuth, ..CameraKey::default() };
        let keys = CameraKeys(vec![key(0.0, Some(0.0)), key(1.0, None), key(2.0, Some(90.0))]);
        let mut options = LoadOptions { zoom: Some(2.0), ..LoadOptions::default() };
        keys.state(1.0, &mut options);
        assert_eq!((options.azimuth, options.zoom, options.eye), (Some(45.0), Some(2.0), None));
    }
}
