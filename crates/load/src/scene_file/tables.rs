//! Tables of shapes in scene files: one circle, segment, sphere, cylinder, ellipsoid or arrow a row.

use crate::geom::Caps;
use crate::rows::glyphs::RowShape;
use crate::scene_file::decode::Located;
use crate::scene_file::text::{
    ArrowsText, CylindersText, EllipsoidsText, PointsText, SceneText, SegmentsText, SpheresText,
};
use crate::scene_file::values::Positive;

/// A table of spheres or other solids, in the form of `[[spheres]]`.
pub(crate) struct SolidTable {
    pub(crate) offset: usize,
    /// The table in messages, such as `arrows[0]`.
    pub(crate) path: String,
    pub(crate) text: SpheresText,
    pub(crate) shape: RowShape,
}

/// A table of circles or segments, in the form of `[[points]]`.
pub(crate) struct PlaneTable {
    pub(crate) offset: usize,
    /// The table in messages, such as `segments[0]`.
    pub(crate) path: String,
    pub(crate) text: PointsText,
    /// The columns of the other ends of segments.
    pub(crate) end: Option<Located<[String; 2]>>,
}

impl PlaneTable {
    pub(crate) fn of_points((index, Located { offset, value }): (usize, Located<PointsText>)) -> Self {
        Self { offset, path: format!("points[{index}]"), text: value, end: None }
    }

    pub(crate) fn of_segments((index, Located { offset, value }): (usize, Located<SegmentsText>)) -> Self {
        let SegmentsText { file, format, x, y, end, width, color, color_by, rows } = value;
        let text = PointsText {
            file,
            format,
            decimal: None,
            missing: None,
            x,
            y,
            radius: width,
            color,
            color_by,
            opacity: None,
            opacity_by: None,
            stroke: None,
            draw_order: None,
            seed: None,
            label: Vec::new(),
            rows,
        };
        Self { offset, path: format!("segments[{index}]"), text, end: Some(end) }
    }
}

impl SolidTable {
    /// Takes all tables out of a scene.
    pub(crate) fn take(scene: &mut SceneText) -> Vec<Self> {
        let spheres = std::mem::take(&mut scene.spheres).into_iter().enumerate().map(Self::of_spheres);
        let cylinders = std::mem::take(&mut scene.cylinders).into_iter().enumerate().map(Self::of_cylinders);
        let ellipsoids = std::mem::take(&mut scene.ellipsoids).into_iter().enumerate().map(Self::of_ellipsoids);
        let arrows = std::mem::take(&mut scene.arrows).into_iter().enumerate().map(Self::of_arrows);
        spheres.chain(cylinders).chain(ellipsoids).chain(arrows).collect()
    }

    fn of_spheres((index, Located { offset, value }): (usize, Located<SpheresText>)) -> Self {
        Self { offset, path: format!("spheres[{index}]"), text: value, shape: RowShape::Sphere }
    }

    fn of_cylinders((index, Located { offset, value }): (usize, Located<CylindersText>)) -> Self {
        let CylindersText { file, format, end, radius, caps, color, color_by, rows } = value;
        let shape = RowShape::Cylinder { end: end.value, caps: caps.map_or(Caps::Flat, Caps::from) };
        let text = SpheresText { file, format, radius, color, color_by, rows, ..SpheresText::default() };
        Self { offset, path: format!("cylinders[{index}]"), text, shape }
    }

    fn of_ellipsoids((index, Located { offset, value }): (usize, Located<EllipsoidsText>)) -> Self {
        let EllipsoidsText { file, format, radii, rotation, color, color_by, rows } = value;
        let shape = RowShape::Ellipsoid { radii: radii.value, rotation: rotation.map(|columns| columns.value) };
        let text = SpheresText { file, format, color, color_by, rows, ..SpheresText::default() };
        Self { offset, path: format!("ellipsoids[{index}]"), text, shape }
    }

    fn of_arrows((index, Located { offset, value }): (usize, Located<ArrowsText>)) -> Self {
        let ArrowsText { file, format, vector, scale, radius, color, color_by, rows } = value;
        let text = SpheresText {
            file,
            format,
            vectors: Some(vector),
            vector_scale: scale.or(Positive::of(1.0)),
            radius,
            color,
            color_by,
            rows,
            ..SpheresText::default()
        };
        Self { offset, path: format!("arrows[{index}]"), text, shape: RowShape::Arrow }
    }
}
