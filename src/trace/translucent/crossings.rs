//! Where rays enter and leave translucent spheres, in order.
//!
//! Samples for which crossings of several spheres wait have lists of them. Spheres come front to back, and crossings nearer than the next
//! sphere are taken out, so that most lists are short: an array in the order of distances. A longer list becomes a binary heap.
#![expect(clippy::cast_possible_truncation, reason = "lists of a tile are counted in 32 bits")]

/// The crossing is where the ray leaves the sphere.
pub(super) const EXIT: u32 = 1 << 31;
/// The crossing shows nothing: it is where a ray begins inside the sphere.
pub(super) const HIDDEN: u32 = 1 << 30;
/// The crossing is on a plane that cuts the sphere.
pub(super) const CAP: u32 = 1 << 29;
/// The bits of a tag that name a sphere of the tile.
pub(super) const SLOT: u32 = CAP - 1;

/// Where a ray enters or leaves a sphere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crossing {
    /// World units.
    pub distance: f32,
    /// The sphere, and flags.
    pub tag: u32,
    /// Cosine between normal and ray; on a cap the power of the sphere there, less than 0.
    pub cosine: f32,
}

impl Crossing {
    /// The slot of the sphere.
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        (self.tag & SLOT) as usize
    }

    #[inline(always)]
    pub(super) fn is_exit(self) -> bool {
        self.tag & EXIT != 0
    }

    /// Whether this crossing comes before another one; `numbers` are those of the slots.
    #[inline(always)]
    fn is_before(self, other: Self, numbers: &[u32]) -> bool {
        self.distance < other.distance || (self.distance == other.distance && self.wins_tie(other, numbers))
    }

    /// Which of two crossings at the same distance comes first: of caps that of the sphere in which the point lies deepest, or else
    /// that of the lower number.
    #[cold]
    fn wins_tie(self, other: Self, numbers: &[u32]) -> bool {
        // a ray enters a sphere before it leaves it
        if self.slot() == other.slot() {
            return !self.is_exit() && other.is_exit();
        }
        let power = |crossing: Self| if crossing.tag & CAP == 0 { 0.0 } else { crossing.cosine };
        let number = |crossing: Self| numbers[crossing.slot()];
        power(self).total_cmp(&power(other)).then(number(self).cmp(&number(other))).is_lt()
    }
}

/// Crossings of a short list.
const SHORT: usize = 10;

/// Marks the count of a list that is long; the other bits are its index.
const LONG: u32 = 1 << 31;

/// A list that fills two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct ShortList {
    count: u32,
    /// In order.
    crossings: [Crossing; SHORT],
}

impl ShortList {
    const EMPTY: Self = Self { count: 0, crossings: [Crossing { distance: 0.0, tag: 0, cosine: 0.0 }; SHORT] };
}

/// Lists of crossings in order, by number.
#[derive(Debug, Default)]
pub(super) struct CrossingLists {
    short: Vec<ShortList>,
    /// Lists that do not fit into short ones: heaps, the first crossing at the top.
    long: Vec<Vec<Crossing>>,
    /// Numbers that are not in use, of short lists and of long ones; the last used was in the cache last.
    free: [Vec<u32>; 2],
}

impl CrossingLists {
    /// Frees all lists.
    pub(super) fn clear(&mut self) {
        let Self { short, long, free } = self;
        short.clear();
        long.iter_mut().for_each(Vec::clear);
        let [free_short, free_long] = free;
        free_short.clear();
        free_long.clear();
        free_long.extend(0..long.len() as u32);
    }

    /// The number of an empty list.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> u32 {
        self.free[0].pop().unwrap_or_else(|| {
            self.short.push(ShortList::EMPTY);
            self.short.len() as u32 - 1
        })
    }

    /// Adds a crossing to a list; `numbers` are those of the slots.
    #[inline(always)]
    pub(super) fn insert(&mut self, list: u32, new: Crossing, numbers: &[u32]) {
        let list = &mut self.short[list as usize];
        let count = list.count as usize;
        if count >= SHORT {
            return Self::insert_into_long(list, &mut self.long, &mut self.free[1], (new, numbers));
        }
        let mut place = count;
        while place > 0 && new.is_before(list.crossings[place - 1], numbers) {
            list.crossings[place] = list.crossings[place - 1];
            place -= 1;
        }
        list.crossings[place] = new;
        list.count += 1;
    }

    #[inline(never)]
    fn insert_into_long(
        list: &mut ShortList,
        long: &mut Vec<Vec<Crossing>>,
        free: &mut Vec<u32>,
        (new, numbers): (Crossing, &[u32]),
    ) {
        if list.count < LONG {
            let index = free.pop().unwrap_or_else(|| {
                long.push(Vec::new());
                long.len() as u32 - 1
            });
            // what is in order is a heap
            long[index as usize].extend_from_slice(&list.crossings);
            list.count = LONG | index;
        }
        let heap = &mut long[(list.count & !LONG) as usize];
        heap.push(new);
        sift_up(heap, numbers);
    }

    /// Hands over the crossings of a list that are nearer than `end`, in order; returns whether the list is empty, and frees it then.
    #[inline(always)]
    pub(super) fn take_before(
        &mut self,
        number: u32,
        end: f32,
        numbers: &[u32],
        mut take: impl FnMut(Crossing),
    ) -> bool {
        let Self { short, long, free: [free_short, free_long] } = self;
        let list = &mut short[number as usize];
        if list.count >= LONG {
            let index = list.count & !LONG;
            let heap = &mut long[index as usize];
            while let Some(crossing) = take_top_before(heap, end, numbers) {
                take(crossing);
            }
            if !heap.is_empty() {
                return false;
            }
            free_long.push(index);
            list.count = 0;
        } else {
            let count = list.count as usize;
            let mut taken = 0;
            while taken < count && list.crossings[taken].distance < end {
                take(list.crossings[taken]);
                taken += 1;
            }
            list.crossings.copy_within(taken..count, 0);
            list.count = (count - taken) as u32;
        }
        if list.count == 0 {
            free_short.push(number);
        }
        list.count == 0
    }

    /// Empties a list and frees it.
    pub(super) fn drop_list(&mut self, number: u32) {
        let list = &mut self.short[number as usize];
        if list.count >= LONG {
            let index = list.count & !LONG;
            self.long[index as usize].clear();
            self.free[1].push(index);
        }
        list.count = 0;
        self.free[0].push(number);
    }
}

/// Takes the top of a heap off, if it is nearer than `end`.
fn take_top_before(heap: &mut Vec<Crossing>, end: f32, numbers: &[u32]) -> Option<Crossing> {
    let first = *heap.first().filter(|first| first.distance < end)?;
    heap.swap_remove(0);
    sift_down(heap, numbers);
    Some(first)
}

/// Moves the last crossing of a heap to its place.
fn sift_up(heap: &mut [Crossing], numbers: &[u32]) {
    let mut at = heap.len() - 1;
    while at > 0 && heap[at].is_before(heap[(at - 1) / 2], numbers) {
        heap.swap(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

/// Moves the first crossing of a heap to its place.
fn sift_down(heap: &mut [Crossing], numbers: &[u32]) {
    let mut at = 0;
    loop {
        let [left, right] = [2 * at + 1, 2 * at + 2];
        if left >= heap.len() {
            return;
        }
        let next = if right < heap.len() && heap[right].is_before(heap[left], numbers) { right } else { left };
        if !heap[next].is_before(heap[at], numbers) {
            return;
        }
        heap.swap(at, next);
        at = next;
    }
}
