//! Connected regions of differing pixels, found row by row.
//!
//! Connected-component labelling: each row's runs of differing pixels are joined, in a union-find forest, with the runs
//! above that they touch, corners included. Memory grows with the number of regions, not with the picture.

/// A connected region of differing pixels. Pixels that touch at a corner are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// Leftmost column.
    pub x: u32,
    /// Topmost row.
    pub y: u32,
    /// Number of columns from the leftmost to the rightmost pixel.
    pub width: u32,
    /// Number of rows from the topmost to the lowest pixel.
    pub height: u32,
    /// Number of differing pixels.
    pub pixels: u64,
}

/// The columns `start..end` of one row, and the index of their region.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    end: u32,
    region: usize,
}

/// A region while rows are added: its bounds with exclusive ends, and the region that it was joined to (itself for a
/// root).
#[derive(Clone, Copy, Debug)]
struct Growing {
    parent: usize,
    x: [u32; 2],
    y: [u32; 2],
    pixels: u64,
}

/// Builds regions from runs in reading order.
#[derive(Debug, Default)]
pub(super) struct Regions {
    regions: Vec<Growing>,
    above: Vec<Run>,
    current: Vec<Run>,
    /// The row number of `current`.
    row: u32,
    /// Index of the first run above that may touch the next run.
    next_above: usize,
}

impl Regions {
    /// Adds the differing pixels `start..end` of row `y`. Runs must be added in reading order.
    pub(super) fn add(&mut self, y: u32, start: u32, end: u32) {
        if y != self.row {
            std::mem::swap(&mut self.above, &mut self.current);
            self.current.clear();
            if y != self.row + 1 {
                self.above.clear();
            }
            (self.row, self.next_above) = (y, 0);
        }
        let mut region = None;
        // runs touch when each begins at or before the other's exclusive end, which is its diagonal neighbour
        while let Some(&above) = self.above.get(self.next_above) {
            if above.start > end {
                break;
            }
            if above.end >= start {
                let root = self.root(above.region);
                region = match region {
                    Some(joined) => Some(self.join(joined, root)),
                    None => Some(root),
                };
            }
            if above.end > end {
                // it may also touch the next run
                break;
            }
            self.next_above += 1;
        }
        let region = region.unwrap_or_else(|| {
            self.regions.push(Growing { parent: self.regions.len(), x: [start, end], y: [y, y + 1], pixels: 0 });
            self.regions.len() - 1
        });
        let growing = &mut self.regions[region];
        growing.x = [growing.x[0].min(start), growing.x[1].max(end)];
        growing.y[1] = y + 1;
        growing.pixels += u64::from(end - start);
        self.current.push(Run { start, end, region });
    }

    fn root(&mut self, mut region: usize) -> usize {
        while self.regions[region].parent != region {
            // path halving
            let parent = self.regions[region].parent;
            self.regions[region].parent = self.regions[parent].parent;
            region = parent;
        }
        region
    }

    /// Joins two roots and returns the older, which stays a root.
    fn join(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let (keep, gone) = (a.min(b), a.max(b));
        let other = self.regions[gone];
        self.regions[gone].parent = keep;
        let kept = &mut self.regions[keep];
        kept.x = [kept.x[0].min(other.x[0]), kept.x[1].max(other.x[1])];
        kept.y = [kept.y[0].min(other.y[0]), kept.y[1].max(other.y[1])];
        kept.pixels += other.pixels;
        keep
    }

    /// All regions, largest first; equally large ones in reading order.
    pub(super) fn finish(self) -> Vec<Region> {
        let roots = self.regions.iter().enumerate().filter(|(number, region)| region.parent == *number);
        let mut regions: Vec<Region> = roots
            .map(|(_, &Growing { x, y, pixels, .. })| Region {
                x: x[0],
                y: y[0],
                width: x[1] - x[0],
                height: y[1] - y[0],
                pixels,
            })
            .collect();
        regions.sort_by_key(|region| std::cmp::Reverse(region.pixels));
        regions
    }
}
