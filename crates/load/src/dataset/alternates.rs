//! Atoms with alternate locations: one of these is drawn.

use crate::data::Alternate;

/// The rows to keep: of a residue's alternate locations, the most frequent one; of equals, the first. Of the groups of a
/// disordered assembly likewise.
pub(crate) fn kept(rows: usize, alternates: &[Alternate]) -> Vec<bool> {
    let mut kept = vec![true; rows];
    let (mut disordered, residues): (Vec<&Alternate>, Vec<&Alternate>) =
        alternates.iter().partition(|alternate| alternate.is_disordered());
    disordered.sort_by(|a, b| a.residue.cmp(&b.residue));
    let assemblies = disordered.chunk_by(|a, b| a.residue == b.residue);
    for together in residues.chunk_by(|a, b| a.residue == b.residue).chain(assemblies) {
        let most = most_frequent(together);
        for alternate in together.iter().filter(|alternate| most.is_some_and(|place| place != alternate.place)) {
            kept[alternate.row] = false;
        }
    }
    kept
}

/// The symmetry image of each row; empty if no group overlaps its own images.
pub(crate) fn images(rows: usize, alternates: &[Alternate]) -> Vec<u32> {
    if alternates.iter().all(|alternate| alternate.image == 0) {
        return Vec::new();
    }
    let mut images = vec![0; rows];
    alternates.iter().for_each(|alternate| images[alternate.row] = alternate.image);
    images
}

/// The location with the greatest mean occupancy.
fn most_frequent(alternates: &[&Alternate]) -> Option<u8> {
    /// Means that differ by less are equal.
    const ROUNDING: f64 = 1e-6;
    // locations in the order of their first atoms, their summed occupancies and their atoms
    let mut places: Vec<(u8, f64, f64)> = Vec::new();
    for alternate in alternates {
        let occupancy = f64::from(alternate.occupancy);
        match places.iter_mut().find(|(place, ..)| *place == alternate.place) {
            Some((_, sum, atoms)) => (*sum, *atoms) = (*sum + occupancy, *atoms + 1.0),
            None => places.push((alternate.place, occupancy, 1.0)),
        }
    }
    let means = places.into_iter().map(|(place, sum, atoms)| (place, sum / atoms));
    means.reduce(|best, next| if next.1 > best.1 + ROUNDING { next } else { best }).map(|(place, _)| place)
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
            image: 0,
        };
        let kept = |alternates: &[Alternate]| {
            let kept = super::kept(6, alternates);
            (0..6).filter(|&row| kept[row]).collect::<Vec<_>>()
        };
        assert_eq!(kept(&[]), [0, 1, 2, 3, 4, 5]);
        let equal = [row(1, "A 1", b'B', 0.5), row(2, "A 1", b'A', 0.5), row(4, "A 2", b'A', 0.5)];
        assert_eq!(kept(&equal), [0, 1, 3, 4, 5], "the first of equals, and each residue has its own");
        let unequal = [row(1, "A 1", b'A', 0.3), row(2, "A 1", b'B', 0.7), row(3, "A 1", b'A', 0.3)];
        assert_eq!(kept(&unequal), [0, 2, 4, 5], "the mean counts, not the number of atoms");
        let many = [row(1, "A 1", b'A', 0.4), row(2, "A 1", b'A', 0.4), row(3, "A 1", b'B', 0.6)];
        assert_eq!(kept(&many), [0, 3, 4, 5]);
        let apart = [row(1, "\0A", 1, 0.6), row(2, "\0B", 1, 0.5), row(3, "\0A", 2, 0.4), row(4, "\0B", 2, 0.5)];
        assert_eq!(kept(&apart), [0, 1, 2, 5], "atoms of an assembly need not stand together");
    }
}
