//! Cylinders, cones and ellipsoids in any orientation.

use super::shapes::{are_finite, is_length};

/// How a cylinder ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Caps {
    /// In discs perpendicular to its axis.
    #[default]
    Flat,
    /// In half spheres around the ends of its axis: a capsule.
    Round,
}

/// A solid cylinder around the segment from `start` to `end`.
///
/// With [`Caps::Round`] it is all points within `radius` of the segment, and a sphere if that has no length. A flat
/// cylinder without length has no inside and is empty.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Caps, Cylinder};
///
/// let bond = Cylinder { start: [0.0; 3], end: [1.5, 0.0, 0.0], radius: 0.2, caps: Caps::Round };
/// assert!(!bond.is_empty());
/// assert!(Cylinder { radius: f32::NAN, ..bond }.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Cylinder {
    /// One end of the axis.
    pub start: [f32; 3],
    /// The other end.
    pub end: [f32; 3],
    /// Distance from the axis to the side.
    pub radius: f32,
    /// How it ends.
    pub caps: Caps,
}

impl Cylinder {
    /// Reports whether there is nothing inside: a number that is not finite, a radius that is not positive, or a flat
    /// cylinder without length.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_body = self.caps == Caps::Round || self.start != self.end;
        !(self.radius > 0.0 && is_length(self.radius) && has_body && are_finite(&self.start) && are_finite(&self.end))
    }
}

/// A solid cone from a point to a flat base.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::Cone;
///
/// let head = Cone { base: [0.0; 3], apex: [0.0, 0.0, 1.0], radius: 0.4 };
/// assert!(!head.is_empty());
/// assert!(Cone { apex: [0.0; 3], ..head }.is_empty(), "no height");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Cone {
    /// The centre of the base.
    pub base: [f32; 3],
    /// The tip.
    pub apex: [f32; 3],
    /// The radius of the base.
    pub radius: f32,
}

impl Cone {
    /// Reports whether there is nothing inside: a number that is not finite, a radius that is not positive, or no
    /// height.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_body = self.radius > 0.0 && is_length(self.radius) && self.base != self.apex;
        !(has_body && are_finite(&self.base) && are_finite(&self.apex))
    }
}

/// A solid ellipsoid in any orientation: all points center + Σ sᵢ · radiiᵢ · axesᵢ with Σ sᵢ² ≤ 1.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::TurnedEllipsoid;
///
/// let leaf = TurnedEllipsoid { center: [0.0; 3], radii: [1.0, 0.5, 0.3], ..TurnedEllipsoid::UNIT };
/// assert!(!leaf.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TurnedEllipsoid {
    /// The centre.
    pub center: [f32; 3],
    /// Half the length of each axis.
    pub radii: [f32; 3],
    /// Directions of the axes: unit vectors at right angles.
    pub axes: [[f32; 3]; 3],
}

impl TurnedEllipsoid {
    /// The unit ball around the origin.
    pub const UNIT: Self =
        Self { center: [0.0; 3], radii: [1.0; 3], axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// The longest radius.
    #[inline]
    #[must_use]
    pub fn longest(&self) -> f32 {
        self.radii[0].max(self.radii[1]).max(self.radii[2])
    }

    /// Reports whether it covers nothing: a number that is not finite, a negative radius, or two radii of 0. One radius
    /// of 0 makes a disc.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let ([a, b, c], [x, y, z]) = (self.radii, &self.axes);
        let middle = a.min(b).max(a.max(b).min(c));
        // `&` instead of `&&` avoids branches: this runs for millions of shapes
        let has_body = is_length(a) & is_length(b) & is_length(c) & (middle > 0.0);
        !(has_body & are_finite(&self.center) & are_finite(x) & are_finite(y) & are_finite(z))
    }
}
