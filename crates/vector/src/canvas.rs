//! Circles on a canvas as shapes, in painter's order.

use roundel_image::Srgba8;
use roundel_scene::circles::{Blend, CircleScene, Layer, PaintedEllipse, PaintedSegment};
use roundel_scene::figure::paper::{VectorMark, VectorPath, VectorShape};

use crate::{MOST_SHAPES, Point};

/// The shapes of a canvas that may show, the lowest first. Shapes outside of the canvas are left out.
///
/// # Errors
/// The reason why shapes cannot show the canvas: there are more than [`MOST_SHAPES`], or layers are blended in linear
/// light, which vector formats do not support.
pub fn marks_of_canvas(scene: &CircleScene<'_>) -> Result<Vec<VectorMark>, String> {
    if scene.canvas.blend == Blend::Linear && !is_opaque(scene) {
        return Err("translucent circles are blended in linear light".to_owned());
    }
    let size = [scene.canvas.width, scene.canvas.height].map(f64::from);
    let mut marks = Vec::new();
    for layer in &scene.layers {
        let mut push = |shape: Option<VectorShape>, color: Srgba8| {
            let shown = shape.filter(|shape| color.a > 0 && may_show(shape, size));
            marks.extend(shown.map(|shape| VectorMark { shape, color }));
            if marks.len() > MOST_SHAPES {
                return Err(format!("more than {MOST_SHAPES} shapes are in the picture"));
            }
            Ok(())
        };
        match layer {
            Layer::Circles(circles) => circles.iter().try_for_each(|circle| {
                let radius = f64::from(circle.radius);
                push(ellipse(&PaintedEllipse::new(circle.center, [radius; 2], circle.color)), circle.color)
            })?,
            Layer::Ellipses(ellipses) => ellipses.iter().try_for_each(|shape| push(ellipse(shape), shape.color))?,
            Layer::Segments(segments) => segments.iter().try_for_each(|line| push(segment(line), line.color))?,
        }
    }
    Ok(marks)
}

/// Whether every shape is opaque; only its edges are blended then.
fn is_opaque(scene: &CircleScene<'_>) -> bool {
    scene.layers.iter().all(|layer| match layer {
        Layer::Circles(circles) => circles.iter().all(|circle| circle.color.a == u8::MAX),
        Layer::Ellipses(ellipses) => ellipses.iter().all(|ellipse| ellipse.color.a == u8::MAX),
        Layer::Segments(segments) => segments.iter().all(|segment| segment.color.a == u8::MAX),
    })
}

/// The shape of an ellipse; `None` if it draws nothing.
fn ellipse(shape: &PaintedEllipse) -> Option<VectorShape> {
    let center = shape.center.map(f64::from);
    let (radii, hole) = (shape.outer_radii(), shape.hole_radii().filter(|hole| hole[0] > 0.0 && hole[1] > 0.0));
    let is_drawn = center.iter().chain(&radii).chain(&shape.radii).all(|number| number.is_finite());
    if !(is_drawn && radii[0] > 0.0 && radii[1] > 0.0 && shape.radii[0] >= 0.0 && shape.radii[1] >= 0.0) {
        return None;
    }
    Some(match hole {
        None => VectorShape::Ellipse { center, radii },
        Some(hole) if shape.radii[0] == shape.radii[1] => {
            VectorShape::Ring { center, radius: shape.radii[0], width: radii[0] - hole[0] }
        }
        // a stroke along an ellipse has other edges than ellipses
        Some(hole) => {
            let [outer, inner] =
                [(radii, true), (hole, false)].map(|(radii, turn)| VectorPath::ellipse(center, radii, turn));
            VectorShape::Inside(VectorPath([outer.0, inner.0].concat()))
        }
    })
}

/// The shape of a segment; `None` if it draws nothing.
fn segment(line: &PaintedSegment) -> Option<VectorShape> {
    let (from, to, width) = (line.start.map(f64::from), line.end.map(f64::from), f64::from(line.width));
    let is_drawn = from.iter().chain(&to).chain([&width]).all(|number| number.is_finite()) && width > 0.0;
    is_drawn.then_some(if from == to {
        VectorShape::Ellipse { center: from, radii: [0.5 * width; 2] }
    } else {
        VectorShape::Line { from, to, width }
    })
}

/// Whether the box around a shape touches the picture.
fn may_show(shape: &VectorShape, size: [f64; 2]) -> bool {
    let (min, max) = match *shape {
        VectorShape::Ellipse { center, radii } => bounds(center, center, radii),
        VectorShape::Ring { center, radius, width } => bounds(center, center, [radius + 0.5 * width; 2]),
        VectorShape::Line { from, to, width } => bounds(from, to, [0.5 * width; 2]),
        _ => return true,
    };
    min[0] < size[0] && min[1] < size[1] && max[0] > 0.0 && max[1] > 0.0
}

fn bounds(a: Point, b: Point, reach: [f64; 2]) -> (Point, Point) {
    let corner = |axis: usize| (a[axis].min(b[axis]) - reach[axis], a[axis].max(b[axis]) + reach[axis]);
    let [(left, right), (top, bottom)] = [corner(0), corner(1)];
    ([left, top], [right, bottom])
}

#[cfg(test)]
mod tests {
    use roundel_scene::circles::{Canvas, PaintedCircle, Stroke};

    use super::*;

    #[test]
    fn rings_have_the_edges_of_the_raster() {
        let ring = |radii: [f64; 2], width| PaintedEllipse::ring([5.0, 5.0], radii, Stroke::new(width), Srgba8::BLACK);
        assert_eq!(
            ellipse(&ring([3.0, 3.0], 2.0)),
            Some(VectorShape::Ring { center: [5.0, 5.0], radius: 3.0, width: 2.0 })
        );
        let closed = VectorShape::Ellipse { center: [5.0, 5.0], radii: [6.0, 6.0] };
        assert_eq!(ellipse(&ring([3.0, 3.0], 6.0)), Some(closed), "a stroke over the centre");
        assert!(matches!(ellipse(&ring([3.0, 2.0], 1.0)), Some(VectorShape::Inside(_))));
        assert_eq!(ellipse(&PaintedEllipse::new([5.0, f32::NAN], [1.0, 1.0], Srgba8::BLACK)), None);
        assert_eq!(ellipse(&PaintedEllipse::new([5.0, 5.0], [-1.0, 1.0], Srgba8::BLACK)), None);
    }

    #[test]
    fn shapes_beside_the_canvas_do_not_count() {
        let inside = PaintedCircle::new([1.0, 1.0], 1.0, Srgba8::BLACK);
        let outside = PaintedCircle::new([-3.0, 1.0], 2.0, Srgba8::BLACK);
        let many = vec![outside; MOST_SHAPES + 1];
        let scene = CircleScene::new(8, 8).with_layer(many).with_layer(vec![inside]);
        assert_eq!(marks_of_canvas(&scene).map(|marks| marks.len()), Ok(1));
        let scene = CircleScene::new(8, 8).with_layer(vec![inside; MOST_SHAPES + 1]);
        assert!(marks_of_canvas(&scene).is_err());
    }

    #[test]
    fn linear_blending_is_for_pixels() {
        let half = PaintedCircle::new([1.0, 1.0], 1.0, Srgba8::BLACK.with_alpha(128));
        let canvas = Canvas::new(8, 8).with_blend(Blend::Linear);
        assert!(marks_of_canvas(&CircleScene::from(canvas).with_layer(vec![half])).is_err());
        let full = PaintedCircle { color: Srgba8::BLACK, ..half };
        assert!(marks_of_canvas(&CircleScene::from(canvas).with_layer(vec![full])).is_ok());
    }
}
