//! Rays against spheres.
//!
//! Distances are checked without a square root: t is within an ulp of a crossing when |origin + t·direction − center|²
//! − r², evaluated in fractions of whole numbers, changes its sign between the neighbours of t.

use dashu_ratio::RBig;
use roundel::geom::{Ray, RaySphere, Sphere, ray_sphere};

use super::exact;

/// a t² − 2 b t + c, which is 0 where the ray's line crosses the sphere.
pub(crate) struct Line {
    pub(crate) a: RBig,
    pub(crate) b: RBig,
    pub(crate) c: RBig,
}

impl Line {
    pub(crate) fn new<const N: usize>(ray: &Ray<N>, s: &Sphere<N>) -> Self {
        let (mut a, mut b, mut c) = (RBig::ZERO, RBig::ZERO, -exact(s.radius).sqr());
        for axis in 0..N {
            let (f, d) = (exact(s.center[axis]) - exact(ray.origin[axis]), exact(ray.direction[axis]));
            a += d.sqr();
            b += &f * &d;
            c += f.sqr();
        }
        Self { a, b, c }
    }

    fn discriminant(&self) -> RBig {
        self.b.sqr() - &self.a * &self.c
    }

    fn at(&self, t: f32) -> RBig {
        let t = exact(t);
        (&self.a * &t - RBig::from(2) * &self.b) * &t + &self.c
    }

    /// The distance along the ray at which it is nearest to the centre.
    pub(crate) fn middle(&self) -> RBig {
        &self.b / &self.a
    }

    fn assert_enters_at(&self, t: f32) {
        let (before, after) = (t.next_down(), t.next_up());
        assert!(self.at(before) >= RBig::ZERO && exact(before) <= self.middle(), "enters before {t}");
        assert!(self.at(after) <= RBig::ZERO || exact(after) >= self.middle(), "enters after {t}");
    }

    fn assert_exits_at(&self, t: f32) {
        let (before, after) = (t.next_down(), t.next_up());
        assert!(self.at(before) <= RBig::ZERO || exact(before) <= self.middle(), "exits before {t}");
        assert!(self.at(after) >= RBig::ZERO && exact(after) >= self.middle(), "exits after {t}");
    }
}

/// The case by its definition, and each distance within an ulp.
pub(crate) fn check<const N: usize>(ray: &Ray<N>, s: &Sphere<N>) -> RaySphere {
    let line = Line::new(ray, s);
    let answer = ray_sphere(ray, s);
    check_case(&line, answer);
    match answer {
        RaySphere::Miss => {}
        RaySphere::Tangent { t } => {
            assert!(exact(t.next_down()) <= line.middle() && line.middle() <= exact(t.next_up()), "touches at {t}");
        }
        RaySphere::Outside { enter, exit } => {
            line.assert_enters_at(enter);
            line.assert_exits_at(exit);
        }
        RaySphere::Inside { exit } => line.assert_exits_at(exit),
    }
    answer
}

/// The case by its definition.
pub(crate) fn check_case(line: &Line, answer: RaySphere) {
    let (discriminant, ahead) = (line.discriminant(), line.b > RBig::ZERO);
    let case_is_right = match answer {
        RaySphere::Miss => {
            let passes = discriminant < RBig::ZERO;
            let behind = if discriminant == RBig::ZERO { line.b < RBig::ZERO } else { line.c > RBig::ZERO && !ahead };
            passes || behind || line.a == RBig::ZERO
        }
        RaySphere::Tangent { .. } => discriminant == RBig::ZERO && line.b >= RBig::ZERO,
        RaySphere::Outside { .. } => discriminant > RBig::ZERO && line.c >= RBig::ZERO && ahead,
        RaySphere::Inside { .. } => {
            discriminant > RBig::ZERO && (line.c < RBig::ZERO || (line.c == RBig::ZERO && !ahead))
        }
    };
    assert!(case_is_right, "{answer:?} with discriminant {discriminant}, c {}, b {}", line.c, line.b);
}
