//! Atoms with alternate locations: one of these is drawn.

use crate::data::Alternate;

/// The rows to keep: of a residue's alternate locations, the most frequent one; of equals, the first.
pub(super) fn kept(rows: usize, alternates: &[Alternate]) -> Vec<bool> {
    let mut kept = vec![true; rows];
    for residue in alternates.chunk_by(|a, b| a.residue == b.residue) {
        // locations in the order of their first atoms, and their summed occupancies
        let mut places: Vec<(u8, f32)> = Vec::new();
        for alternate in residue {
            match places.iter_mut().find(|(place, _)| *place == alternate.place) {
                Some((_, occupancy)) => *occupancy += alternate.occupancy,
                None => places.push((alternate.place, alternate.occupancy)),
            }
        }
        let most = places.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
        for alternate in residue.iter().filter(|alternate| most.is_some_and(|(place, _)| place != alternate.place)) {
            kept[alternate.row] = false;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternates_keep_one_kind_a_residue() {
        let row = |row, residue: &str, place, occupancy| Alternate {
            row,
            residue: residue.as_bytes().into(),
            place,
            occupancy,
        };
        let kept = |alternates: &[Alternate]| {
            let kept = super::kept(6, alternates);
            (0..6).filter(|&row| kept[row]).collect::<Vec<_>>()
        };
        assert_eq!(kept(&[]), [0, 1, 2, 3, 4, 5]);
        let equal = [row(1, "A 1", b'B', 0.5), row(2, "A 1", b'A', 0.5), row(4, "A 2", b'A', 0.5)];
        assert_eq!(kept(&equal), [0, 1, 3, 4, 5], "the first of equals, and each residue has its own");
        let unequal = [row(1, "A 1", b'A', 0.3), row(2, "A 1", b'B', 0.7), row(3, "A 1", b'A', 0.3)];
        assert_eq!(kept(&unequal), [0, 2, 4, 5], "the sum counts");
    }
}
