//! A counting sort of entries by tile: count the entries of each tile, turn the counts into starts, scatter.
//!
//! The tracer has three sorts of its own, because they scatter something else and pairs in between would be one more
//! pass over memory: slabs of depth are sorted from lists that are read twice (`trace/find/primary.rs`), light buffers
//! scatter spheres into groups of lanes (`trace/accel/light_buffer.rs`), and fragments are sorted as indices
//! (`trace/translucent/lighting.rs`).

/// Sorts entries by tile, in a stable order: `entries[starts[t]..starts[t + 1]]` is tile `t`'s list. Reuses the memory
/// of both.
pub(super) fn sort_by_tile<T: Copy>(pairs: &[(u32, T)], tiles: usize, starts: &mut Vec<u32>, entries: &mut Vec<T>) {
    starts.clear();
    starts.resize(tiles + 2, 0);
    for (tile, _) in pairs {
        starts[*tile as usize + 2] += 1;
    }
    for tile in 2..starts.len() {
        starts[tile] += starts[tile - 1];
    }
    entries.clear();
    entries.reserve_exact(pairs.len());
    // writes all entries once in order, which brings the memory into the cache before they are scattered over it
    entries.extend(pairs.iter().map(|(_, entry)| entry));
    for &(tile, entry) in pairs {
        let position = &mut starts[tile as usize + 1];
        entries[*position as usize] = entry;
        *position += 1;
    }
    starts.pop();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_by_tile_and_keep_their_order() {
        let (mut starts, mut entries) = (vec![7; 9], vec!['z'; 9]);
        sort_by_tile(&[(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')], 4, &mut starts, &mut entries);
        assert_eq!((starts, entries), (vec![0, 2, 2, 4, 5], vec!['b', 'e', 'a', 'c', 'd']));
        let (mut starts, mut entries) = (Vec::new(), vec!['z']);
        sort_by_tile(&[], 2, &mut starts, &mut entries);
        assert_eq!((starts, entries), (vec![0; 3], Vec::new()));
    }
}
