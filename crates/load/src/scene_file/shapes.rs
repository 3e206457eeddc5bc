//! Turns the cylinders, ellipsoids and arrows of a scene file into shapes in front of a camera.

use crate::error::Result;
use crate::geom::{Caps, Origin};
use crate::scene::Placeable;
use crate::scene::arrows::PaintedArrow;
use crate::scene::cylinders::PaintedCylinder;
use crate::scene::ellipsoids::PaintedEllipsoid;
use crate::scene::spheres::{Gloss, ShapeGroup, Shapes};
use crate::scene_file::builder::{Builder, COLOR};
use crate::scene_file::decode::Located;
use crate::scene_file::spheres::own_gloss;
use crate::scene_file::text::{ArrowText, CylinderText, EllipsoidText, SceneText};

impl Builder<'_> {
    pub(crate) fn shapes(&mut self, scene: &SceneText) -> Result<Shapes<'static>> {
        let SceneText { cylinder: cylinders, ellipsoid: ellipsoids, arrow: arrows, .. } = scene;
        self.hold_single_shapes(cylinders.len(), cylinders.last())?;
        self.hold_single_shapes(ellipsoids.len(), ellipsoids.last())?;
        self.hold_single_shapes(2 * arrows.len(), arrows.last())?;
        let origin = self.origin();
        let mut shapes = Shapes::default();
        let rods: Vec<_> = cylinders.iter().map(|text| cylinder(&text.value, origin)).collect();
        self.note_empty(rods.iter().filter(|rod| rod.solid().is_empty()).count(), "cylinder", "length or radius");
        if !rods.is_empty() {
            let gloss = own_gloss(cylinders.iter().map(|text| text.value.gloss.map(Gloss::from)).collect());
            shapes = shapes.with_cylinders(ShapeGroup::from(rods).with_gloss(gloss));
        }
        let bodies = ellipsoids.iter().map(|text| self.ellipsoid(&text.value)).collect::<Result<Vec<_>>>()?;
        self.note_empty(bodies.iter().filter(|of| of.solid().is_empty()).count(), "ellipsoid", "two radii above 0");
        if !bodies.is_empty() {
            let gloss = own_gloss(ellipsoids.iter().map(|text| text.value.gloss.map(Gloss::from)).collect());
            shapes = shapes.with_ellipsoids(ShapeGroup::from(bodies).with_gloss(gloss));
        }
        let arrows: Vec<_> = arrows.iter().map(|text| arrow(&text.value, origin)).collect();
        self.note_empty(arrows.iter().filter(|arrow| arrow.head().is_none()).count(), "arrow", "length or radius");
        Ok(if arrows.is_empty() { shapes } else { shapes.with_arrows(&arrows) })
    }

    /// Notes shapes that draw nothing.
    pub(crate) fn note_empty(&mut self, count: usize, what: &str, lack: &str) {
        let (plural, have, are) = if count == 1 { ("", "has", "is") } else { ("s", "have", "are") };
        if count > 0 {
            self.notes.push(format!("{}: {count} {what}{plural} {have} no {lack} and {are} left out", self.file));
        }
    }

    fn ellipsoid(&self, text: &EllipsoidText) -> Result<PaintedEllipsoid> {
        let rotation = match &text.rotation {
            Some(Located { offset, value }) => {
                let rotation = value.f32();
                if rotation == [0.0; 4] {
                    let rule = "ellipsoid.rotation must be a quaternion x, y, z, w that is not 0, got [0, 0, 0, 0]";
                    return Err(self.refuse(*offset, rule));
                }
                rotation
            }
            None => PaintedEllipsoid::UNTURNED,
        };
        let color = text.color.map_or(COLOR, |color| color.0);
        Ok(PaintedEllipsoid::new(self.origin().subtracted(text.center.f64()), text.radii.f32(), color)
            .with_rotation(rotation))
    }
}

fn cylinder(text: &CylinderText, origin: Origin) -> PaintedCylinder {
    let color = text.color.map_or(COLOR, |color| color.0);
    let [start, end] = [text.start, text.end].map(|place| origin.subtracted(place.f64()));
    PaintedCylinder::new(start, end, text.radius.f32(), color)
        .with_end_color(text.color2.map_or(color, |color| color.0))
        .with_caps(text.caps.map_or(Caps::Flat, Caps::from))
}

fn arrow(text: &ArrowText, origin: Origin) -> PaintedArrow {
    let color = text.color.map_or(COLOR, |color| color.0);
    PaintedArrow::new(origin.subtracted(text.start.f64()), text.vector.f32(), text.radius.f32(), color)
}
