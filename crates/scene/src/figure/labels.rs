//! Labels beside shapes: which shapes are visible, and where each label is placed so that none overlap.

use std::ops::Range;
use std::sync::LazyLock;

use glam::DVec3;

use super::backdrop::{Backdrop, contrast};
use super::paint::{FilledRectangle, Line, Point, draw_line, fill_disc};
use super::paper::Paper;
use super::space::Lens;
use super::text::{Halo, TextLine};
use crate::color::Srgba8;
use crate::geom::Plane;
use crate::scene::DepthMap;
use crate::scene::spheres::SphereScene;

/// A label for one shape, or for several that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    #[doc(hidden)]
    pub text: String,
    /// The visible anchor nearest to the mean of all visible ones gets the label.
    #[doc(hidden)]
    pub anchors: Vec<LabelAnchor>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelAnchor {
    #[doc(hidden)]
    pub place: DVec3,
    #[doc(hidden)]
    pub radius: f64,
}

/// Numbers of labels that are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelCounts {
    /// Their shapes are hidden, cut away or outside of the picture.
    pub hidden: u32,
    /// There is no room for them.
    pub crowded: u32,
}

/// Sizes in points: gap between shape and label, margin around labels, width of the halo around text, and of leader
/// lines.
const GAP: f64 = 2.5;
const MARGIN: f64 = 1.5;
const HALO: f64 = 1.1;
const LEADER: f64 = 0.7;

/// Radius of the dot at the end of a leader line, in points.
const DOT: f64 = 1.5;

/// Number of directions from a shape in which a label may be placed.
const DIRECTIONS: usize = 16;

/// The unit vector of each direction; the first points to the right.
static UNIT: LazyLock<[Point; DIRECTIONS]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * step as f64 / DIRECTIONS as f64);
        [cosine, sine]
    })
});

/// Number of distances from a sphere, and from a circle, that are tried, about a line of text apart.
const RINGS: usize = 24;
const RINGS_OF_CIRCLES: usize = 8;

/// Of more visible labels than this, those without room beside their shape are left out.
const MANY: usize = 1000;

/// The label of a large sphere is placed on it, at most this many lines of text from its centre; the label of a circle
/// beside it, unless its radius is more lines than this.
const MOST_REACH: f64 = 1.5;
const MOST_BESIDE: f64 = 8.0;

/// Costs, as a distance in lines of text, of covering shapes instead of background, of hiding another labelled shape,
/// of crossing another leader line or circle, and of standing nearer to another circle.
const OFF_SHAPES: f64 = 4.0;
const OFF_ANCHOR: f64 = 4.0;
const OFF_LEADER: f64 = 6.0;
const OFF_OTHERS: f64 = 2.0;

/// Cost of a label above or below its shape, in lines: labels on the left and right are easier to read.
const UPRIGHT: f64 = 0.6;

/// Labels may cover circles of at least this radius in lines of text, which still show; of smaller ones they cover no point within
/// half of the radius.
const LARGE: f64 = 0.75;

#[derive(Clone, Copy, Debug)]
struct LabelSpot {
    center: Point,
    /// In pixels.
    radius: f64,
    /// The distance from the centre from which labels stand, in pixels.
    reach: f64,
}

impl LabelSpot {
    /// Whether a line crosses this circle.
    fn is_crossed_by(&self, [from, to]: &[Point; 2]) -> bool {
        let along = [to[0] - from[0], to[1] - from[1]];
        let ahead = [self.center[0] - from[0], self.center[1] - from[1]];
        let share = ((along[0] * ahead[0] + along[1] * ahead[1]) / squared(*from, *to)).clamp(0.0, 1.0);
        let nearest = [0, 1].map(|axis| from[axis] + share * along[axis]);
        squared(nearest, self.center) < self.radius * self.radius
    }

    /// Whether an area of text hides this circle.
    fn is_hidden_by(&self, area: &FilledRectangle, line: f64) -> bool {
        self.radius < LARGE * line && contains(&grown(area, 0.5 * self.radius), self.center)
    }
}

/// The shapes beside which labels stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Labelled {
    /// Leader lines end in dots on them.
    Spheres,
    /// Labels keep off other circles, and leader lines end at their rims.
    Circles,
}

/// A placed label.
struct PlacedLabel<'a> {
    text: &'a str,
    spot: LabelSpot,
    area: FilledRectangle,
    /// The leader line from the shape to the label, if they are apart.
    leader: Option<[Point; 2]>,
}

/// Draws labels on the picture of a scene.
pub(super) struct LabelPainter<'a> {
    /// Width and height of the picture.
    pub(super) size: (u32, u32),
    /// Infinite where nothing is.
    pub(super) depths: &'a DepthMap,
    pub(super) text: &'a TextLine,
    /// Pixels per point.
    pub(super) point: f64,
    pub(super) background: Backdrop,
}

impl LabelPainter<'_> {
    /// Draws the labels of visible spheres.
    pub(super) fn draw_of_spheres(
        &self,
        paper: &mut Paper<'_>,
        scene: &SphereScene<'_>,
        labels: &[Label],
    ) -> LabelCounts {
        let lens = Lens::new(&scene.view);
        let planes: Vec<Plane> = scene.planes_before(&scene.view).iter().map(|plane| plane.boundary).collect();
        let spots = labels.iter().map(|label| (label, self.spot(label, &lens, &planes))).collect();
        self.draw(paper, spots, Labelled::Spheres)
    }

    /// Draws the labels of circles inside of the picture, the largest circle first. Positions and radii are in
    /// pixels.
    pub(super) fn draw_of_circles(&self, paper: &mut Paper<'_>, labels: &[Label]) -> LabelCounts {
        let spot = |label: &Label| {
            let anchor = label.anchors.first()?;
            let center = [anchor.place.x, anchor.place.y];
            let line = self.text.size;
            let reach = if anchor.radius <= MOST_BESIDE * line { anchor.radius } else { MOST_REACH * line };
            self.pixel(center).map(|_| LabelSpot { center, radius: anchor.radius, reach })
        };
        let mut spots: Vec<_> = labels.iter().map(|label| (label, spot(label))).collect();
        let radius = |spot: &Option<LabelSpot>| spot.map_or(0.0, |spot| spot.radius);
        spots.sort_by(|(_, a), (_, b)| radius(b).total_cmp(&radius(a)));
        self.draw(paper, spots, Labelled::Circles)
    }

    /// Draws labels at their spots, in this order. A label without a spot is hidden.
    fn draw(&self, paper: &mut Paper<'_>, spots: Vec<(&Label, Option<LabelSpot>)>, labelled: Labelled) -> LabelCounts {
        let mut counts = LabelCounts::default();
        let visible: Vec<LabelSpot> = spots.iter().filter_map(|(_, spot)| *spot).collect();
        let is_crowd = visible.len() > MANY;
        let rings = match labelled {
            _ if is_crowd => 1,
            Labelled::Spheres => RINGS,
            Labelled::Circles => RINGS_OF_CIRCLES,
        };
        let mut taken = TakenAreas::new(self.size, self.text.size);
        let mut before = 0;
        for (label, spot) in spots {
            let Some(spot) = spot else {
                counts.hidden += 1;
                continue;
            };
            // a crowd leaves no room beside all circles: its labels keep off the larger ones
            let kept = if is_crowd && labelled == Labelled::Circles { before } else { visible.len() };
            let others = Others { labelled, spots: &visible[..kept.min(MANY)], taken: &taken };
            match self.placed(&label.text, spot, &others, rings) {
                None => counts.crowded += 1,
                Some(label) => taken.push(label, self.margin()),
            }
            before += 1;
        }
        let placed = taken.labels;
        let halo = self.halo();
        let line = |[from, to]: [Point; 2], more: f64| Line { from, to, width: (LEADER + more) * self.point };
        if labelled == Labelled::Spheres {
            for leader in placed.iter().filter_map(|label| label.leader) {
                draw_line(paper, &line(leader, 2.0 * HALO), halo);
                fill_disc(paper, leader[0], (DOT + HALO) * self.point, halo);
            }
        }
        for leader in placed.iter().filter_map(|label| label.leader) {
            draw_line(paper, &line(leader, 0.0), self.background.ink);
            if labelled == Labelled::Spheres {
                fill_disc(paper, leader[0], DOT * self.point, self.background.ink);
            }
        }
        let directions: &[Point; 8] = &std::array::from_fn(|step| UNIT[2 * step]);
        for PlacedLabel { text, area, .. } in &placed {
            let start = [area.min[0], 0.5 * (area.min[1] + area.max[1] + self.text.cap_height())];
            self.text.draw_halo(paper, start, text, Halo { reach: HALO * self.point, directions, color: halo });
            self.text.draw(paper, start, text, self.background.ink);
        }
        counts
    }

    /// The colour around text: the background's or, without an opaque background, one that contrasts with the text.
    fn halo(&self) -> Srgba8 {
        match self.background.bottom {
            color if color.a == 255 => color,
            _ => contrast(self.background.ink),
        }
    }

    /// The visible anchor that is nearest to the mean of all visible ones.
    fn spot(&self, label: &Label, lens: &Lens, planes: &[Plane]) -> Option<LabelSpot> {
        let seen: Vec<LabelSpot> = label.anchors.iter().filter_map(|anchor| self.seen(anchor, lens, planes)).collect();
        let count = seen.len() as f64;
        let middle = [0, 1].map(|axis| seen.iter().map(|spot| spot.center[axis]).sum::<f64>() / count);
        seen.into_iter().min_by(|a, b| squared(a.center, middle).total_cmp(&squared(b.center, middle)))
    }

    /// The position of a shape in the picture, if it is visible: its centre, or another visible point of it.
    fn seen(&self, anchor: &LabelAnchor, lens: &Lens, planes: &[Plane]) -> Option<LabelSpot> {
        let LabelAnchor { place, radius } = *anchor;
        let depth = lens.depth(place);
        let is_cut = |plane: &Plane| place.dot(plane.normal.as_dvec3()) - radius >= f64::from(plane.offset);
        if depth <= radius || planes.iter().any(is_cut) {
            return None;
        }
        let center = lens.place(place);
        let pixels = radius * lens.pixels(depth);
        // slightly more than the radius: depths are rounded
        let front = depth - radius - 1e-3 * (radius + 1e-3 * depth);
        let shows =
            |[x, y]: Point| self.pixel([x, y]).is_some_and(|pixel| self.depths.share_beyond(pixel, front) > 0.0);
        let around = (0..DIRECTIONS / 2).map(|step| {
            let [x, y] = UNIT[2 * step];
            [center[0] + 0.6 * pixels * x, center[1] + 0.6 * pixels * y]
        });
        let center = std::iter::once(center).chain(around).find(|place| shows(*place))?;
        Some(LabelSpot { center, radius: pixels, reach: pixels.min(MOST_REACH * self.text.size) })
    }

    /// The pixel at a point, if it is in the picture.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside of the picture")]
    fn pixel(&self, [x, y]: Point) -> Option<[u32; 2]> {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        (x >= 0.0 && y >= 0.0 && x < width && y < height).then_some([x as u32, y as u32])
    }

    /// Places a label at the least cost; `None` if there is no room.
    fn placed<'a>(&self, text: &'a str, spot: LabelSpot, others: &Others<'_>, rings: usize) -> Option<PlacedLabel<'a>> {
        let (width, height) = (self.text.width(text), self.text.cap_height());
        let line = self.text.size;
        let mut best: Option<(f64, PlacedLabel<'a>)> = None;
        for ring in 0..rings {
            let gap = GAP * self.point + ring as f64 * 0.8 * line;
            if best.as_ref().is_some_and(|(cost, _)| *cost <= gap) {
                break;
            }
            for [x, y] in *UNIT {
                let reach = spot.reach + gap;
                let center = [spot.center[0] + x * (reach + 0.5 * width), spot.center[1] + y * (reach + 0.5 * height)];
                let area = FilledRectangle {
                    min: [center[0] - 0.5 * width, center[1] - 0.5 * height],
                    max: [center[0] + 0.5 * width, center[1] + 0.5 * height],
                };
                let leader = (ring > 0).then(|| {
                    let end = nearest(&area, spot.center, self.point);
                    let rim = if others.labelled == Labelled::Circles { spot.radius } else { 0.0 };
                    [toward(spot.center, end, rim), end]
                });
                let candidate = PlacedLabel { text, spot, area, leader };
                if let Some(cost) = self.cost(&candidate, others) {
                    let cost = gap + line * (cost + UPRIGHT * y.abs());
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, candidate));
                    }
                }
            }
        }
        best.map(|(_, placed)| placed)
    }

    /// The distance that labels keep from each other and from the picture's edge, in pixels.
    fn margin(&self) -> f64 {
        MARGIN * self.point
    }

    /// The cost of a position, in lines of text; `None` if it is occupied.
    fn cost(&self, candidate: &PlacedLabel<'_>, Others { labelled, spots, taken }: &Others<'_>) -> Option<f64> {
        let area = grown(&candidate.area, self.margin());
        let is_inside = self.pixel(area.min).is_some() && self.pixel(area.max).is_some();
        if !is_inside || taken.meets(&area, candidate.leader.as_ref(), self.margin()) {
            return None;
        }
        let others = || spots.iter().filter(|spot| spot.center != candidate.spot.center);
        if *labelled == Labelled::Circles && others().any(|spot| spot.is_hidden_by(&area, self.text.size)) {
            return None;
        }
        let hidden = others().filter(|spot| contains(&area, spot.center)).count() as f64;
        let crosses = |leader: &[Point; 2]| taken.leaders().filter(|other| segments_cross(leader, other)).count();
        let mut crossings = candidate.leader.as_ref().map_or(0, crosses) as f64;
        let mut nearer = 0.0;
        if *labelled == Labelled::Circles {
            let from = |spot: &LabelSpot| squared(spot.center, nearest(&candidate.area, spot.center, 0.0)).sqrt();
            let own = from(&candidate.spot) - candidate.spot.radius;
            match &candidate.leader {
                Some(leader) => crossings += others().filter(|spot| spot.is_crossed_by(leader)).count() as f64,
                None => nearer = others().filter(|spot| from(spot) - spot.radius < own).count() as f64,
            }
        }
        let of_others = OFF_LEADER * crossings + OFF_OTHERS * nearer;
        Some(OFF_SHAPES * self.covered(&area) + OFF_ANCHOR * hidden + of_others)
    }

    /// The share of an area that shows shapes, sampled at a few pixels.
    fn covered(&self, area: &FilledRectangle) -> f64 {
        const COLUMNS: u32 = 7;
        const ROWS: u32 = 3;
        let share = |step: u32, of: u32| (f64::from(step) + 0.5) / f64::from(of);
        let mut covered = 0.0;
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let place = [(0, share(column, COLUMNS)), (1, share(row, ROWS))]
                    .map(|(axis, share)| area.min[axis] + share * (area.max[axis] - area.min[axis]));
                covered += self.pixel(place).map_or(0.0, |pixel| 1.0 - self.depths.share_beyond(pixel, f64::MAX));
            }
        }
        covered / f64::from(COLUMNS * ROWS)
    }
}

/// Labels and shapes that a label should not cover.
struct Others<'a> {
    labelled: Labelled,
    /// Labelled shapes.
    spots: &'a [LabelSpot],
    taken: &'a TakenAreas<'a>,
}

/// The labels that have their places, in a grid of cells by the areas that they take.
struct TakenAreas<'a> {
    labels: Vec<PlacedLabel<'a>>,
    /// The width and height of a cell in pixels.
    cell: f64,
    columns: usize,
    /// The areas that touch each cell, row by row, grown by the margin between labels.
    cells: Vec<Vec<FilledRectangle>>,
}

impl<'a> TakenAreas<'a> {
    /// No areas in a picture of this size, with lines of text this high, in pixels.
    fn new((width, height): (u32, u32), line: f64) -> Self {
        /// Cells about as wide as a short label.
        const LINES: f64 = 3.0;
        let cell = (LINES * line).max(1.0);
        let [columns, rows] = [width, height].map(|side| place_of(f64::from(side) / cell) + 1);
        Self { labels: vec![], cell, columns, cells: vec![vec![]; columns * rows] }
    }

    /// The cells that an area inside of the picture touches: in each row of them a range.
    fn touched(&self, area: &FilledRectangle) -> impl Iterator<Item = Range<usize>> + use<> {
        let place = |along: f64| place_of(along / self.cell);
        let (first, last) = (place(area.min[0]), place(area.max[0]));
        let stride = self.columns;
        (place(area.min[1])..=place(area.max[1])).map(move |row| row * stride + first..row * stride + last + 1)
    }

    /// Adds a label. Others keep the margin from it, in pixels.
    fn push(&mut self, label: PlacedLabel<'a>, margin: f64) {
        let area = grown(&label.area, margin);
        for cells in self.touched(&area) {
            self.cells[cells].iter_mut().for_each(|areas| areas.push(area));
        }
        self.labels.push(label);
    }

    fn leaders(&self) -> impl Iterator<Item = &[Point; 2]> {
        self.labels.iter().filter_map(|label| label.leader.as_ref())
    }

    /// Reports whether an area meets a label or its leader line, or whether a leader line meets a label.
    fn meets(&self, area: &FilledRectangle, leader: Option<&[Point; 2]>, margin: f64) -> bool {
        let is_met = |leader: &[Point; 2]| self.labels.iter().any(|label| crosses(leader, &grown(&label.area, margin)));
        self.touched(area).any(|cells| self.cells[cells].iter().flatten().any(|taken| overlap(area, taken)))
            || self.leaders().any(|line| crosses(line, area))
            || leader.is_some_and(is_met)
    }
}

/// The whole number below a number that is not negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a picture; `as` saturates")]
fn place_of(number: f64) -> usize {
    number as usize
}

fn squared(a: Point, b: Point) -> f64 {
    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
}

fn grown(area: &FilledRectangle, by: f64) -> FilledRectangle {
    FilledRectangle { min: area.min.map(|value| value - by), max: area.max.map(|value| value + by) }
}

fn overlap(a: &FilledRectangle, b: &FilledRectangle) -> bool {
    a.min[0] < b.max[0] && b.min[0] < a.max[0] && a.min[1] < b.max[1] && b.min[1] < a.max[1]
}

fn contains(area: &FilledRectangle, place: Point) -> bool {
    (0..2).all(|axis| area.min[axis] <= place[axis] && place[axis] <= area.max[axis])
}

/// The point of the segment from one point to another at this distance from the first, or its end.
fn toward(from: Point, to: Point, distance: f64) -> Point {
    let share = (distance / squared(from, to).sqrt()).min(1.0);
    [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
}

/// The point just outside an area that is nearest to a point outside of it.
fn nearest(area: &FilledRectangle, place: Point, point: f64) -> Point {
    let area = grown(area, point);
    [0, 1].map(|axis| place[axis].clamp(area.min[axis], area.max[axis]))
}

/// Reports whether a segment intersects a rectangle (Liang and Barsky, 1984).
fn crosses([from, to]: &[Point; 2], area: &FilledRectangle) -> bool {
    let (mut enter, mut exit) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let along = to[axis] - from[axis];
        if along == 0.0 {
            if from[axis] <= area.min[axis] || from[axis] >= area.max[axis] {
                return false;
            }
            continue;
        }
        let ends = [area.min[axis], area.max[axis]].map(|edge| (edge - from[axis]) / along);
        enter = enter.max(ends[0].min(ends[1]));
        exit = exit.min(ends[0].max(ends[1]));
    }
    enter < exit
}

/// Reports whether two segments cross.
fn segments_cross(a: &[Point; 2], b: &[Point; 2]) -> bool {
    let side = |[from, to]: &[Point; 2], at: Point| {
        (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
    };
    side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;
    use crate::geom::{Ray, Sphere, ray_sphere};
    use crate::scene::spheres::{Camera, PaintedSphere, Projection};

    /// A row of balls seen along −z, ten pixels a unit; the last stands behind the first.
    fn scene(centers: &[[f32; 3]]) -> SphereScene<'static> {
        let camera = Camera {
            projection: Projection::Orthographic { height: 20.0 },
            ..Camera::look_at([0.0, 0.0, 50.0], [0.0; 3])
        };
        let spheres: Vec<_> = centers.iter().map(|center| PaintedSphere::new(*center, 1.0, Srgba8::BLACK)).collect();
        SphereScene::new(camera, 300, 200).with_spheres(spheres)
    }

    /// The depth of the nearest ball behind the middle of each pixel, for parallel rays along −z.
    fn depths(scene: &SphereScene<'_>) -> DepthMap {
        let mut map = DepthMap::new([300, 200], 0, 1);
        for (row, depths) in (0u8..).zip(map.depths.chunks_mut(300)) {
            for (column, depth) in (0u16..).zip(depths) {
                let at = [0.1 * (f32::from(column) - 149.5), 0.1 * (99.5 - f32::from(row)), 50.0];
                let ray = Ray::new(at, [0.0, 0.0, -1.0]);
                let spheres = scene.groups[0].spheres.iter();
                let hits =
                    spheres.filter_map(|ball| ray_sphere(&ray, &Sphere::new(ball.center, ball.radius)).nearest());
                *depth = hits.fold(f32::INFINITY, f32::min);
            }
        }
        map
    }

    fn labels(centers: &[[f32; 3]], text: &str) -> Vec<Label> {
        let anchor = |center: &[f32; 3]| LabelAnchor { place: DVec3::from(center.map(f64::from)), radius: 1.0 };
        centers.iter().map(|center| Label { text: text.to_owned(), anchors: vec![anchor(center)] }).collect()
    }

    fn painted(centers: &[[f32; 3]], text: &str) -> (Vec<FilledRectangle>, LabelCounts) {
        let scene = scene(centers);
        let depths = depths(&scene);
        let type_of = TextLine::new(10.0);
        let background = Backdrop::solid(Srgba8::WHITE);
        let painter = LabelPainter { size: (300, 200), depths: &depths, text: &type_of, point: 1.0, background };
        let mut frame = Frame::new(300, 200, Srgba8::WHITE).expect("small");
        let labels = labels(centers, text);
        let counts = painter.draw_of_spheres(&mut Paper::new(&mut frame), &scene, &labels);
        let lens = Lens::new(&scene.view);
        let spots: Vec<Option<LabelSpot>> = labels.iter().map(|label| painter.spot(label, &lens, &[])).collect();
        let visible: Vec<LabelSpot> = spots.iter().flatten().copied().collect();
        let mut taken = TakenAreas::new(painter.size, type_of.size);
        for (label, spot) in labels.iter().zip(spots) {
            let others = Others { labelled: Labelled::Spheres, spots: &visible, taken: &taken };
            let placed = spot.and_then(|spot| painter.placed(&label.text, spot, &others, RINGS));
            placed.into_iter().for_each(|label| taken.push(label, painter.margin()));
        }
        (taken.labels.into_iter().map(|label| label.area).collect(), counts)
    }

    #[test]
    fn labels_stand_apart_inside_the_picture() {
        let centers: Vec<[f32; 3]> = (0..12).map(|step: u8| [f32::from(step) * 2.0 - 11.0, 0.0, 0.0]).collect();
        let (areas, counts) = painted(&centers, "residue 12");
        assert_eq!((areas.len(), counts), (12, LabelCounts::default()));
        for (index, area) in areas.iter().enumerate() {
            assert!(area.min[0] > 0.0 && area.max[0] < 300.0 && area.min[1] > 0.0 && area.max[1] < 200.0, "{area:?}");
            for other in &areas[index + 1..] {
                assert!(!overlap(area, other), "{area:?} and {other:?}");
            }
        }
    }

    #[test]
    fn labels_keep_off_other_circles() {
        let depths = DepthMap::new([300, 200], 0, 1);
        let (type_of, background) = (TextLine::new(10.0), Backdrop::solid(Srgba8::WHITE));
        let painter = LabelPainter { size: (300, 200), depths: &depths, text: &type_of, point: 1.0, background };
        let centers = [[150.5, 100.5], [158.5, 98.5], [166.5, 102.5], [150.5, 110.5]];
        let label = |[x, y]: [f64; 2]| {
            let anchor = LabelAnchor { place: DVec3::new(x, y, 0.0), radius: 4.0 };
            Label { text: "Beta station".to_owned(), anchors: vec![anchor] }
        };
        let red = Srgba8::rgb(255, 0, 0);
        let mut frame = Frame::new(300, 200, red).expect("small");
        let counts = painter.draw_of_circles(&mut Paper::new(&mut frame), &centers.map(label));
        assert_eq!(counts, LabelCounts::default());
        for [x, y] in centers {
            let is_free =
                |[across, down]: [f64; 2]| frame.pixels()[place_of(y + down) * 300 + place_of(x + across)] == red;
            assert!([[0.0, 0.0], [2.0, 0.0], [-2.0, 0.0], [0.0, 2.0], [0.0, -2.0]].into_iter().all(is_free), "{x} {y}");
        }
    }

    #[test]
    fn what_is_hidden_or_has_no_room_is_counted() {
        let (_, counts) = painted(&[[0.0; 3], [0.0, 0.0, -5.0], [90.0, 0.0, 0.0]], "A");
        assert_eq!(counts, LabelCounts { hidden: 2, crowded: 0 });
        let (areas, counts) = painted(&[[0.0; 3]], &"wide ".repeat(30));
        assert_eq!((areas.len(), counts), (0, LabelCounts { hidden: 0, crowded: 1 }));
    }

    #[test]
    fn lines_meet_areas_where_they_pass() {
        let area = FilledRectangle { min: [1.0, 1.0], max: [3.0, 2.0] };
        for (line, expected) in [
            ([[0.0, 0.0], [4.0, 3.0]], true),
            ([[0.0, 1.5], [0.9, 1.5]], false),
            ([[2.0, 0.0], [2.0, 5.0]], true),
            ([[0.0, 2.0], [4.0, 2.0]], false),
        ] {
            assert_eq!(crosses(&line, &area), expected, "{line:?}");
        }
        assert!(segments_cross(&[[0.0, 0.0], [2.0, 2.0]], &[[0.0, 2.0], [2.0, 0.0]]));
        assert!(!segments_cross(&[[0.0, 0.0], [1.0, 1.0]], &[[0.0, 2.0], [2.0, 1.0]]));
    }
}
