//! A window of a circle scene, scaled to a canvas.

use std::borrow::Cow;

use super::circles::{CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment, Stroke, Style, ViewBox};
use crate::geom::finite_single;

/// The largest radius in pixels of an enlarged circle. At 2²², a rim across a picture 4096 pixels wide differs from a
/// straight line by half a pixel, and `f32` still resolves the centre to a quarter pixel.
const LARGEST_RADIUS: f64 = 4_194_304.0;

impl CircleScene<'_> {
    /// The part of this scene inside `view_box`, on a canvas of the given size.
    ///
    /// Positions relative to the box's centre are computed in `f64` and rounded once, so that enlarging loses no
    /// precision: positions that differ in the scene's `f32` numbers differ in the enlarged picture. Circles outside
    /// the box are left out. A circle enlarged past a radius of 2²² pixels is replaced by a circle of that radius with
    /// the same nearest point of the rim.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::Srgba8;
    /// use roundel::circles::{CircleScene, PaintedCircle, ViewBox};
    ///
    /// let coin = vec![PaintedCircle::new([10.0, 10.0], 1.0, Srgba8::BLACK)];
    /// let scene = CircleScene::new(100, 100).with_layer(coin);
    /// let part = scene.in_view_box(&ViewBox { center: [10.0, 10.0], height: 4.0 }, (40, 40));
    /// let enlarged = vec![PaintedCircle::new([20.0, 20.0], 10.0, Srgba8::BLACK)];
    /// assert_eq!(part, CircleScene::new(40, 40).with_layer(enlarged), "ten times as large");
    /// ```
    #[must_use]
    pub fn in_view_box(&self, view_box: &ViewBox, (width, height): (u32, u32)) -> CircleScene<'static> {
        let zoom = CanvasZoom::new(view_box, (width, height));
        let layers = self.layers.iter().map(|layer| match layer {
            Layer::Circles(circles) => {
                Layer::Circles(Cow::Owned(circles.iter().filter_map(|circle| zoom.circle(circle)).collect()))
            }
            Layer::Ellipses(ellipses) => {
                Layer::Ellipses(Cow::Owned(ellipses.iter().filter_map(|ellipse| zoom.ellipse(ellipse)).collect()))
            }
            Layer::Segments(segments) => {
                Layer::Segments(Cow::Owned(segments.iter().filter_map(|segment| zoom.segment(segment)).collect()))
            }
        });
        let mut canvas = self.canvas;
        (canvas.width, canvas.height) = (width, height);
        CircleScene { canvas, layers: layers.collect() }
    }
}

/// From pixels of a canvas to pixels of a part of it.
#[derive(Clone, Copy, Debug)]
pub struct CanvasZoom {
    center: [f64; 2],
    scale: f64,
    /// Half the part's sides.
    half: [f64; 2],
}

impl CanvasZoom {
    pub fn new(view_box: &ViewBox, (width, height): (u32, u32)) -> Self {
        Self {
            center: view_box.center,
            scale: f64::from(height) / view_box.height,
            half: [0.5 * f64::from(width), 0.5 * f64::from(height)],
        }
    }

    /// A disc in the part, whether the part shows it or not.
    pub fn disc(&self, center: [f32; 2], radius: f32) -> ([f32; 2], f32) {
        (self.pixel(self.position(center)), finite_single(f64::from(radius) * self.scale))
    }

    /// A point relative to the canvas's centre, in its pixels.
    fn position(&self, point: [f32; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (f64::from(point[axis]) - self.center[axis]) * self.scale)
    }

    /// Whether a box with this centre and these half-extents misses the canvas by more than a pixel; false for NaN.
    fn misses(&self, place: [f64; 2], radii: [f64; 2]) -> bool {
        (0..2).any(|axis| place[axis].abs() - radii[axis] > self.half[axis] + 1.0)
    }

    fn circle(&self, circle: &PaintedCircle) -> Option<PaintedCircle> {
        let (mut place, mut radius) = (self.position(circle.center), f64::from(circle.radius) * self.scale);
        if self.misses(place, [radius; 2]) {
            return None;
        }
        if radius > LARGEST_RADIUS {
            // move the centre so that the point of the rim nearest to the canvas's middle stays
            let distance = (place[0] * place[0] + place[1] * place[1]).sqrt();
            let share = if distance > 0.0 { (distance - radius + LARGEST_RADIUS) / distance } else { 0.0 };
            // the middle is so deep inside that the rim is out of sight on all sides
            let share = if radius - distance > LARGEST_RADIUS { 0.0 } else { share };
            place = place.map(|part| part * share);
            radius = LARGEST_RADIUS;
        }
        Some(PaintedCircle { center: self.pixel(place), radius: finite_single(radius), color: circle.color })
    }

    fn ellipse(&self, ellipse: &PaintedEllipse) -> Option<PaintedEllipse> {
        let place = self.position(ellipse.center);
        let radii = ellipse.radii.map(|radius| (radius * self.scale).min(f64::from(f32::MAX)));
        let (style, reach) = match ellipse.style {
            Style::Fill => (Style::Fill, 0.0),
            Style::Stroke(Stroke { width }) => {
                let width = f64::from(width) * self.scale;
                (Style::Stroke(Stroke { width: finite_single(width) }), 0.5 * width)
            }
        };
        let outer = radii.map(|radius| radius + reach);
        if self.misses(place, outer) {
            return None;
        }
        Some(PaintedEllipse { center: self.pixel(place), radii, style, color: ellipse.color })
    }

    /// A segment enlarged beyond the precision of `f32` is not corrected as circles are.
    fn segment(&self, segment: &PaintedSegment) -> Option<PaintedSegment> {
        let [start, end] = [segment.start, segment.end].map(|point| self.position(point));
        let width = f64::from(segment.width) * self.scale;
        let middle = [0, 1].map(|axis| 0.5 * (start[axis] + end[axis]));
        let reach = [0, 1].map(|axis| 0.5 * ((end[axis] - start[axis]).abs() + width));
        if self.misses(middle, reach) {
            return None;
        }
        let (start, end, width) = (self.pixel(start), self.pixel(end), finite_single(width));
        Some(PaintedSegment { start, end, width, color: segment.color })
    }

    fn pixel(&self, place: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|axis| finite_single(place[axis] + self.half[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::circles::{Blend, Canvas};

    fn scene(circles: Vec<PaintedCircle>) -> CircleScene<'static> {
        let canvas = Canvas { width: 640, height: 480, background: Srgba8::TRANSPARENT, blend: Blend::Srgb };
        CircleScene { canvas, layers: vec![Layer::Circles(Cow::Owned(circles))] }
    }

    fn circle(x: f32, y: f32, radius: f32) -> PaintedCircle {
        PaintedCircle { center: [x, y], radius, color: Srgba8::TRANSPARENT }
    }

    fn circles<'a>(scene: &'a CircleScene<'_>) -> &'a [PaintedCircle] {
        let [Layer::Circles(circles)] = &scene.layers[..] else { panic!("one layer of circles") };
        circles
    }

    #[test]
    fn window_of_the_whole_picture_changes_no_bit() {
        let scene = scene((0..1000_u16).map(|i| circle(f32::from(i) * 0.317 + 0.1, f32::from(i) / 3.0, 7.3)).collect());
        let whole = ViewBox { center: [320.0, 240.0], height: 480.0 };
        assert_eq!(scene.in_view_box(&whole, (640, 480)), scene);
    }

    #[test]
    fn neighbours_stay_apart_however_far_they_are_enlarged() {
        // two numbers next to one another, seen from nearby at a million pixels a pixel
        let (x, next) = (100.0_f32, 100.0_f32.next_up());
        let window = ViewBox { center: [f64::from(x), 50.0], height: 480e-6 };
        let seen = scene(vec![circle(x, 50.0, 1e-6), circle(next, 50.0, 1e-6)]).in_view_box(&window, (640, 480));
        let [first, second] = circles(&seen) else { panic!("both are seen") };
        assert_eq!((first.center, first.radius), ([320.0, 240.0], 1.0));
        assert!((second.center[0] - 320.0 - 7.629_395).abs() < 1e-3, "2^-17 pixels apart, a million times: {second:?}");
    }

    #[test]
    fn circles_out_of_sight_are_left_out() {
        let window = ViewBox { center: [320.0, 240.0], height: 240.0 };
        let scene = scene(vec![circle(320.0, 240.0, 1.0), circle(100.0, 240.0, 1.0), circle(100.0, 240.0, 61.0)]);
        assert_eq!(circles(&scene.in_view_box(&window, (640, 480))).len(), 2);
    }

    #[test]
    fn huge_circles_keep_the_rim_in_sight() {
        // the rim runs through the window's middle, or the inside covers everything
        for (x, rim) in [(0.0_f32, 100.0_f64), (0.0, 80.0), (200.0, 100.0)] {
            let window = ViewBox { center: [rim, 0.0], height: 1e-6 };
            let seen = scene(vec![circle(x, 0.0, 100.0)]).in_view_box(&window, (640, 480));
            let [seen] = circles(&seen) else { panic!("it is seen") };
            assert!(f64::from(seen.radius) <= LARGEST_RADIUS);
            let to_middle = (f64::from(seen.center[0]) - 320.0).abs() - f64::from(seen.radius);
            if rim == 100.0 {
                assert!(to_middle.abs() <= 0.5, "the rim is {to_middle} pixels off");
            } else {
                assert!(to_middle < -640.0, "all inside");
            }
        }
    }
}
