//! How far rows lie below the surface of all.
//!
//! Space outside is what a ball reaches from far away without a row inside of it: its radius is the distance between
//! evenly spread rows, so that gaps between neighbours are closed. Rows that such a ball touches are at the surface. The
//! depth of a row is its distance to the nearest of these. Closed cavities are not outside.
//!
//! The middles of balls are the nodes of a lattice around the middle of all rows, so that mirror images have the same depths.

use rayon::prelude::*;

use crate::rows::row_shapes::Spread;

/// Most steps of the lattice along the longest side: memory depends on this, not on the number of rows.
const MOST_STEPS: f64 = 256.0;

/// Steps of the lattice in the radius of a ball, unless there would be too many.
const STEPS: f64 = 2.0;

/// Rows whose depths are found one after the other.
const RUN: usize = 1 << 10;

/// The nodes where middles of balls may be.
struct Lattice {
    least: [f64; 3],
    step: f64,
    counts: [usize; 3],
    /// The radius of a ball.
    reach: f64,
}

impl Lattice {
    fn new(places: &[[f64; 3]]) -> Option<Self> {
        let [least, most] = Spread::of_places(places.iter().copied()).corners();
        let sides = [0, 1, 2].map(|axis| most[axis] - least[axis]);
        let longest = sides.into_iter().fold(0.0, f64::max);
        let volume: f64 = sides.map(|side| side.max(0.01 * longest)).iter().product();
        let spacing = libm::cbrt(volume / places.len().max(1) as f64);
        let step = (spacing / STEPS).max(longest / MOST_STEPS);
        let reach = spacing.max(step);
        if !(step > 0.0 && step.is_finite()) {
            return None;
        }
        // a free layer around all rows, and as many nodes on both sides of the middle
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds")]
        let counts = sides.map(|side| 2 * ((0.5 * side + reach) / step + 2.0) as usize + 1);
        let least = [0, 1, 2].map(|axis| 0.5 * (least[axis] + most[axis]) - (counts[axis] / 2) as f64 * step);
        Some(Self { least, step, counts, reach })
    }

    fn len(&self) -> usize {
        self.counts.iter().product()
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (x * self.counts[1] + y) * self.counts[2] + z
    }

    fn at(&self, index: usize) -> [usize; 3] {
        let (row, z) = (index / self.counts[2], index % self.counts[2]);
        [row / self.counts[1], row % self.counts[1], z]
    }

    fn place(&self, node: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.least[axis] + node[axis] as f64 * self.step)
    }

    /// The nodes beside one, along the axes.
    fn neighbors(&self, node: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + '_ {
        (0..6).filter_map(move |face| {
            let (axis, is_up) = (face / 2, face % 2 == 1);
            let mut next = node;
            next[axis] = if is_up { node[axis] + 1 } else { node[axis].checked_sub(1)? };
            (next[axis] < self.counts[axis]).then_some(next)
        })
    }

    /// Whether a ball at each node has a row inside.
    fn taken(&self, places: &[[f64; 3]]) -> Vec<bool> {
        let mut is_taken = vec![false; self.len()];
        let most = self.reach * self.reach;
        for place in places {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the lattice")]
            let ends = [0, 1, 2].map(|axis| {
                let [from, to] = [-self.reach, self.reach].map(|by| (place[axis] + by - self.least[axis]) / self.step);
                (libm::ceil(from).max(0.0) as usize, (to.max(0.0) as usize).min(self.counts[axis] - 1))
            });
            // the square of the distance along an axis
            let square = |axis: usize, at: usize| {
                let apart = self.least[axis] + at as f64 * self.step - place[axis];
                apart * apart
            };
            for x in ends[0].0..=ends[0].1 {
                let across = square(0, x);
                for y in ends[1].0..=ends[1].1 {
                    let across = across + square(1, y);
                    let row = self.index([x, y, 0]);
                    for z in ends[2].0..=ends[2].1 {
                        is_taken[row + z] |= across + square(2, z) <= most;
                    }
                }
            }
        }
        is_taken
    }

    /// The nodes that a ball reaches from far away, as far as the next ball has a row inside.
    fn surface(&self, places: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let is_taken = self.taken(places);
        let mut is_outside = vec![false; self.len()];
        is_outside[0] = true;
        let (mut open, mut surface) = (vec![0], Vec::new());
        while let Some(index) = open.pop() {
            let node = self.at(index);
            let mut is_last = false;
            for next in self.neighbors(node).map(|node| self.index(node)) {
                if is_taken[next] {
                    is_last = true;
                } else if !std::mem::replace(&mut is_outside[next], true) {
                    open.push(next);
                }
            }
            if is_last {
                surface.push(self.place(node));
            }
        }
        surface
    }
}

/// Rows in a tree of boxes, each of which is halved across its longest side.
struct RowTree {
    rows: Vec<u32>,
    /// The places of these rows.
    places: Vec<[f64; 3]>,
    /// The least and the greatest corner of each node; the children of node n are 2 n + 1 and 2 n + 2.
    boxes: Vec<[[f64; 3]; 2]>,
}

/// A node of a tree, and the range of its rows.
#[derive(Clone, Copy)]
struct RowNode {
    index: usize,
    first: usize,
    end: usize,
}

impl RowNode {
    /// Rows of a node that is not divided.
    const LEAF: usize = 8;

    /// Its halves, unless it has few rows.
    fn children(self) -> Option<[Self; 2]> {
        let Self { index, first, end } = self;
        let middle = first + (end - first) / 2;
        let [left, right] = [(2 * index + 1, first, middle), (2 * index + 2, middle, end)]
            .map(|(index, first, end)| Self { index, first, end });
        (end - first > Self::LEAF).then_some([left, right])
    }
}

impl RowTree {
    fn new(places: &[[f64; 3]], rows: Vec<u32>) -> Self {
        let nodes = 4 * (rows.len() / RowNode::LEAF + 1).next_power_of_two();
        let mut tree = Self { places: Vec::new(), rows, boxes: vec![[[f64::INFINITY; 3]; 2]; nodes] };
        let mut open = vec![tree.root()];
        while let Some(node) = open.pop() {
            let rows = &mut tree.rows[node.first..node.end];
            let spread = Spread::of_places(rows.iter().map(|row| places[*row as usize]));
            let [least, most] = spread.corners();
            tree.boxes[node.index] = [least, most];
            if let Some([left, right]) = node.children() {
                let side = |axis: &usize| most[*axis] - least[*axis];
                let axis = (0..3).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
                let along = |row: &u32| places[*row as usize][axis];
                rows.select_nth_unstable_by(left.end - left.first, |a, b| along(a).total_cmp(&along(b)));
                open.extend([left, right]);
            }
        }
        tree.places = tree.rows.iter().map(|row| places[*row as usize]).collect();
        tree
    }

    fn root(&self) -> RowNode {
        RowNode { index: 0, first: 0, end: self.rows.len() }
    }

    /// The square of the distance from a place to a node's box.
    fn square_to(&self, node: RowNode, place: [f64; 3]) -> f64 {
        let [least, most] = &self.boxes[node.index];
        let mut sum = 0.0;
        for axis in 0..3 {
            let gap = (least[axis] - place[axis]).max(place[axis] - most[axis]).max(0.0);
            sum += gap * gap;
        }
        sum
    }

    /// The square of the distance from a place to the nearest row, if it is less than a bound; else the bound.
    fn nearest_square(&self, place: [f64; 3], bound: f64) -> f64 {
        let mut nearest = bound;
        self.nearer(self.root(), place, &mut nearest);
        nearest
    }

    fn nearer(&self, node: RowNode, place: [f64; 3], nearest: &mut f64) {
        let Some([left, right]) = node.children() else {
            for of_row in &self.places[node.first..node.end] {
                *nearest = nearest.min(square(*of_row, place));
            }
            return;
        };
        let (to_left, to_right) = (self.square_to(left, place), self.square_to(right, place));
        let [near, far] = if to_left < to_right {
            [(left, to_left), (right, to_right)]
        } else {
            [(right, to_right), (left, to_left)]
        };
        if near.1 < *nearest {
            self.nearer(near.0, place, nearest);
        }
        if far.1 < *nearest {
            self.nearer(far.0, place, nearest);
        }
    }

    /// The rows within a distance of a place.
    fn within(&self, place: [f64; 3], distance: f64) -> Vec<u32> {
        let most = distance * distance;
        let (mut found, mut open) = (Vec::new(), vec![self.root()]);
        while let Some(node) = open.pop() {
            match node.children() {
                _ if self.square_to(node, place) > most => {}
                Some(children) => open.extend(children),
                None => {
                    let rows = self.rows[node.first..node.end].iter().zip(&self.places[node.first..node.end]);
                    found.extend(rows.filter(|(_, of_row)| square(**of_row, place) <= most).map(|(row, _)| *row));
                }
            }
        }
        found
    }
}

fn square(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (x, y, z) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    x * x + y * y + z * z
}

/// The depth of each place below the surface of all; 0 if they span no volume.
pub(crate) fn below_surface(places: &[[f64; 3]]) -> Vec<f64> {
    let lattice = Lattice::new(places).filter(|_| u32::try_from(places.len()).is_ok());
    let Some(lattice) = lattice else { return vec![0.0; places.len()] };
    let rows = RowTree::new(places, (0..).take(places.len()).collect());
    // the row that stops a ball on its way to the next node, and those that would but for the lattice
    let touched = |node| rows.within(node, rows.nearest_square(node, f64::INFINITY).sqrt() + 0.5 * lattice.step);
    let mut at_surface: Vec<u32> = lattice.surface(places).into_par_iter().flat_map_iter(touched).collect();
    at_surface.par_sort_unstable();
    at_surface.dedup();
    let surface = RowTree::new(places, at_surface);
    // rows that follow each other in the tree are near each other: the depth of one bounds that of the next
    let of_run = |run: &[[f64; 3]]| {
        let (mut before, mut depth) = (run[0], f64::INFINITY);
        let depth_of = |place: &[f64; 3]| {
            // more than the rounding of the sum
            let bound = (depth + square(*place, before).sqrt()) * (1.0 + 1e-12);
            depth = surface.nearest_square(*place, bound * bound).sqrt();
            before = *place;
            depth
        };
        run.iter().map(depth_of).collect::<Vec<f64>>()
    };
    let found: Vec<f64> = rows.places.par_chunks(RUN).flat_map_iter(of_run).collect();
    let mut depths = vec![0.0; places.len()];
    rows.rows.iter().zip(found).for_each(|(row, depth)| depths[*row as usize] = depth);
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of a lattice of this side in a ball of radius 10 around a center.
    fn ball(side: f64, center: [f64; 3]) -> Vec<[f64; 3]> {
        let steps = -30..=30_i16;
        let all = steps.clone().flat_map(|x| steps.clone().flat_map(move |y| (-30..=30_i16).map(move |z| [x, y, z])));
        let places = all.map(|steps| steps.map(|step| f64::from(step) * side));
        let inside = places.filter(|place| square(*place, [0.0; 3]) <= 100.0);
        inside.map(|place| [0, 1, 2].map(|axis| place[axis] + center[axis])).collect()
    }

    #[test]
    fn the_middle_of_a_ball_is_as_deep_as_its_radius() {
        for side in [1.0, 0.7] {
            let places = ball(side, [0.0; 3]);
            for (place, depth) in places.iter().zip(below_surface(&places)) {
                let expected = 10.0 - square(*place, [0.0; 3]).sqrt();
                assert!((depth - expected).abs() < 1.3 * side, "{place:?}: {depth} and {expected}");
            }
        }
        assert_eq!(below_surface(&[[1.0; 3]; 4]), [0.0; 4]);
        assert_eq!(below_surface(&[]), Vec::<f64>::new());
        assert_eq!(below_surface(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), [0.0; 3], "a line is all surface");
    }

    #[test]
    fn mirror_images_are_equally_deep() {
        let places = ball(0.83, [3.1, -2.7, 11.3]);
        let depths = below_surface(&places);
        // the lattice is listed from one end to the other
        let differ = depths.iter().zip(depths.iter().rev()).filter(|(a, b)| (*a - *b).abs() > 1e-6).count();
        assert_eq!(differ, 0, "of {}", depths.len());
    }

    #[test]
    fn depth_is_the_distance_to_the_nearest_row_at_the_surface() {
        let places = ball(1.0, [0.0; 3]);
        let depths = below_surface(&places);
        let surface: Vec<[f64; 3]> =
            places.iter().zip(&depths).filter(|(_, depth)| **depth == 0.0).map(|of| *of.0).collect();
        assert!(
            surface.len() > 900 && surface.iter().all(|place| square(*place, [0.0; 3]) > 70.0),
            "{}",
            surface.len()
        );
        for (place, depth) in places.iter().zip(depths) {
            let nearest = surface.iter().map(|of| square(*of, *place)).fold(f64::INFINITY, f64::min).sqrt();
            assert!((depth - nearest).abs() < 1e-12, "{place:?}: {depth} and {nearest}");
        }
    }

    #[test]
    fn a_closed_cavity_is_not_outside() {
        let places: Vec<[f64; 3]> =
            ball(1.0, [0.0; 3]).into_iter().filter(|place| square(*place, [0.0; 3]) > 16.0).collect();
        let depths = below_surface(&places);
        let inner = places.iter().zip(depths).filter(|(place, _)| square(**place, [0.0; 3]) < 26.0);
        assert!(inner.map(|(_, depth)| depth).fold(f64::INFINITY, f64::min) > 3.0);
    }
}
