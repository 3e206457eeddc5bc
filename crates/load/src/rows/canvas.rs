//! From the coordinates of data to the pixels of a canvas.

use crate::color::Scale;
use crate::geom::finite_single;
use crate::scene::circles::PaintedCircle;

/// From data coordinates to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanvasTransform {
    /// The coordinates of the picture's centre, on the scales of the axes.
    pub(crate) center: [f64; 2],
    /// Pixels a unit of y, and of lengths.
    pub(crate) scale: f64,
    /// The length of a unit of x, in units of y.
    pub(crate) stretch: f64,
    /// How numbers are spread along x and y.
    pub(crate) scales: [Scale; 2],
    /// −1 where y grows upwards.
    pub(crate) y_sign: f64,
    /// The centre of the picture, in pixels.
    pub(crate) middle: [f64; 2],
}

impl CanvasTransform {
    /// Pixels from the top-left corner.
    pub(crate) fn place(&self, point: [f64; 2]) -> [f32; 2] {
        self.exact(point).map(finite_single)
    }

    /// The same before it is rounded.
    fn exact(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = on_scales(self.scales, point);
        let x = self.middle[0] + (x - self.center[0]) * (self.scale * self.stretch);
        let y = self.middle[1] + (y - self.center[1]) * self.scale * self.y_sign;
        [x, y]
    }

    /// The centre of a circle in pixels, and its radius: with the rounded centre, it puts the point of the rim that is
    /// nearest to the middle of the picture where it should be, and other points of the picture to second order.
    pub(crate) fn circle(&self, center: [f64; 2], radius: f64) -> ([f32; 2], f64) {
        let (exact, radius) = (self.exact(center), radius * self.scale);
        let rounded = exact.map(finite_single);
        let toward = [0, 1].map(|axis| self.middle[axis] - exact[axis]);
        let distance = (toward[0] * toward[0] + toward[1] * toward[1]).sqrt();
        if !(distance.is_finite() && distance > 0.5 * radius) {
            return (rounded, radius);
        }
        let nearest = [0, 1].map(|axis| exact[axis] + toward[axis] * (radius / distance));
        let [x, y] = [0, 1].map(|axis| nearest[axis] - f64::from(rounded[axis]));
        (rounded, (x * x + y * y).sqrt())
    }

    /// The coordinates at the left and the right, and at the lower and the upper edge of a picture of this size, on the
    /// scales of the axes.
    pub(crate) fn ends(&self, (width, height): (u32, u32)) -> [[f64; 2]; 2] {
        let x = |pixel: f64| self.center[0] + (pixel - self.middle[0]) / (self.scale * self.stretch);
        let y = |pixel: f64| self.center[1] + (pixel - self.middle[1]) / (self.scale * self.y_sign);
        [[x(0.0), x(f64::from(width))], [y(f64::from(height)), y(0.0)]]
    }

    /// Moves a circle from data coordinates to the picture.
    pub fn apply(&self, circle: &mut PaintedCircle) {
        circle.center = self.place(circle.center.map(f64::from));
        circle.radius = self.length(f64::from(circle.radius));
    }

    /// The latitude at the centre of a map in degrees; `None` near the poles, where degrees of longitude have no
    /// length.
    pub(crate) fn latitude(&self) -> Option<f64> {
        let [_, latitude] = self.center;
        (latitude.abs() < 89.0).then_some(latitude)
    }

    /// A length in pixels.
    pub(crate) fn length(&self, length: f64) -> f32 {
        finite_single(length * self.scale)
    }
}

/// A place on the scales of the axes.
pub(crate) fn on_scales(scales: [Scale; 2], point: [f64; 2]) -> [f64; 2] {
    [scales[0].of(point[0]), scales[1].of(point[1])]
}

/// The least and the greatest corner of the bounding box of shapes in the plane.
#[derive(Clone, Copy, Debug)]
pub struct Corners {
    least: [f64; 2],
    greatest: [f64; 2],
}

impl Corners {
    /// The corners of no box.
    pub const NONE: Self = Self { least: [f64::INFINITY; 2], greatest: [f64::NEG_INFINITY; 2] };

    /// The box around some circles.
    pub fn of(circles: &[PaintedCircle]) -> Self {
        let mut corners = Self::NONE;
        circles.iter().for_each(|circle| corners.add(circle.center.map(f64::from), [f64::from(circle.radius); 2]));
        corners
    }

    /// Widens the box to hold a shape with this centre and this reach along each axis.
    pub(crate) fn add(&mut self, center: [f64; 2], radii: [f64; 2]) {
        for axis in 0..2 {
            self.least[axis] = self.least[axis].min(center[axis] - radii[axis]);
            self.greatest[axis] = self.greatest[axis].max(center[axis] + radii[axis]);
        }
    }

    /// The least and the greatest corner.
    pub(crate) fn extent(&self) -> [[f64; 2]; 2] {
        [self.least, self.greatest]
    }

    pub fn join(self, other: Self) -> Self {
        Self {
            least: [0, 1].map(|axis| self.least[axis].min(other.least[axis])),
            greatest: [0, 1].map(|axis| self.greatest[axis].max(other.greatest[axis])),
        }
    }

    /// The transform that centres the box on the canvas, as large as fits, with y down.
    pub fn filling(&self, (width, height): (u32, u32)) -> CanvasTransform {
        let Self { least, greatest } = self;
        let size = [f64::from(width), f64::from(height)];
        let scale = (0..2).map(|axis| size[axis] / (greatest[axis] - least[axis])).fold(f64::INFINITY, f64::min);
        CanvasTransform {
            center: [0, 1]
                .map(|axis| if least[axis] > greatest[axis] { 0.0 } else { 0.5 * (least[axis] + greatest[axis]) }),
            // a single point has no extent
            scale: if scale.is_finite() && scale > 0.0 { scale } else { 1.0 },
            stretch: 1.0,
            scales: [Scale::Linear; 2],
            y_sign: 1.0,
            middle: size.map(|length| 0.5 * length),
        }
    }
}
