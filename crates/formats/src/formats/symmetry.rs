//! Operators of space groups: from triplets (`x,y+1/2,-z`), from Hall symbols, and, by a list, from Hermann–Mauguin
//! symbols.

use glam::{DMat3, DVec3};

/// How crystals are drawn whose file lists the atoms of an asymmetric unit.
///
/// ```
/// # use roundel_formats as roundel;
/// use roundel::io::Symmetry;
///
/// assert_eq!("off".parse::<Symmetry>()?, Symmetry::Off);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// The operators of the space group fill the cell.
    #[default]
    Cell,
    /// The atoms are drawn as they are listed.
    Off,
}

impl Symmetry {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cell, Self::Off];

    /// The name in scenes and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Off => "off",
        }
    }
}

impl std::fmt::Display for Symmetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Symmetry {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == name).ok_or_else(|| {
            let message = format!("must be cell or off, got {:?}", crate::did_you_mean::shortened(name));
            crate::Error::setting("symmetry", message)
        })
    }
}

/// A rotation and a shift of fractional coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SymmetryOperator {
    pub(super) rotation: DMat3,
    pub(super) shift: DVec3,
}

/// The most operators of a group: real groups have up to 192, in unusual cells a few times as many.
pub(super) const MOST_OPERATORS: usize = 1 << 11;

/// Shifts of Hall symbols are whole multiples of 1 / `PARTS` of an edge.
const PARTS: f64 = 24.0;

/// Shifts that differ by less than this are equal: triplets may have rounded numbers (`x+0.333`).
const SAME_SHIFT: f64 = 0.01;

impl SymmetryOperator {
    const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, shift: DVec3::ZERO };

    fn new(rows: [[f64; 3]; 3], shift: [f64; 3]) -> Self {
        Self { rotation: DMat3::from_cols_array_2d(&rows).transpose(), shift: DVec3::from(shift) }
    }

    fn shift(shift: [f64; 3]) -> Self {
        Self { shift: DVec3::from(shift), ..Self::IDENTITY }
    }

    /// Transforms fractional coordinates.
    pub(super) fn apply(&self, place: DVec3) -> DVec3 {
        self.rotation * place + self.shift
    }

    /// Composes two operators: first `other`, then this one.
    pub(super) fn after(&self, other: &Self) -> Self {
        Self { rotation: self.rotation * other.rotation, shift: self.apply(other.shift) }
    }

    /// Whether both map every point to the same point, up to lattice translations.
    fn is_same(&self, other: &Self) -> bool {
        let difference = self.shift - other.shift;
        self.rotation.abs_diff_eq(other.rotation, 1e-6)
            && (difference - difference.round()).abs().max_element() < SAME_SHIFT
    }

    /// Whether it preserves lengths in a cell with these edges, to one part in ten.
    pub(super) fn keeps_lengths(&self, edges: &DMat3) -> bool {
        let metric = edges.transpose() * *edges;
        let turned = self.rotation.transpose() * metric * self.rotation;
        let scale = metric.x_axis.x.max(metric.y_axis.y).max(metric.z_axis.z);
        metric.abs_diff_eq(turned, 0.1 * scale)
    }

    /// Parses a triplet such as `x, y+1/2, -z`; further values, as in magnetic operators, are ignored.
    pub(super) fn parse(triplet: &str) -> Option<Self> {
        let parts: Vec<_> = triplet.split(',').collect();
        let [x, y, z] = [0, 1, 2].map(|axis| parts.get(axis).and_then(|part| linear(part)));
        let [x, y, z] = [x?, y?, z?];
        let rows = [x, y, z].map(|row| [row[0], row[1], row[2]]);
        let found = Self::new(rows, [x[3], y[3], z[3]]);
        (found.rotation.determinant().abs() > 1e-6).then_some(found)
    }
}

/// The factors of x, y and z in a sum such as `-x+y+1/3`, and the constant.
fn linear(text: &str) -> Option<[f64; 4]> {
    let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut sums = [0.0; 4];
    let mut at = 0;
    while at < bytes.len() {
        let sign = match bytes[at] {
            b'-' => -1.0,
            b'+' => 1.0,
            _ if at == 0 => 1.0,
            _ => return None,
        };
        at += usize::from(matches!(bytes[at], b'+' | b'-'));
        let (mut factor, mut axis, start) = (1.0, 3, at);
        while let Some(&byte) = bytes.get(at).filter(|byte| !matches!(byte, b'+' | b'-')) {
            let divides = byte == b'/';
            match byte {
                b'x' | b'X' => axis = 0,
                b'y' | b'Y' => axis = 1,
                b'z' | b'Z' => axis = 2,
                b'*' => {}
                b'/' | b'0'..=b'9' | b'.' => {
                    at += usize::from(divides);
                    let digits = bytes[at..].iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.')).count();
                    let number: f64 = std::str::from_utf8(&bytes[at..at + digits]).ok()?.parse().ok()?;
                    factor = if divides { factor / number } else { factor * number };
                    at += digits;
                    continue;
                }
                _ => return None,
            }
            at += 1;
        }
        if at == start || !f64::is_finite(factor) {
            return None;
        }
        sums[axis] += sign * factor;
    }
    (!bytes.is_empty()).then_some(sums)
}

/// The group that these operators generate, modulo lattice translations; `None` if it is too large.
fn group(generators: &[SymmetryOperator]) -> Option<Vec<SymmetryOperator>> {
    let mut operators = vec![SymmetryOperator::IDENTITY];
    let mut next = 0;
    while next < operators.len() {
        for generator in generators {
            let mut found = generator.after(&operators[next]);
            found.shift -= (found.shift + 1e-6).floor();
            if operators.iter().all(|known| !known.is_same(&found)) {
                operators.push(found);
            }
            if operators.len() > MOST_OPERATORS / 2 {
                return None;
            }
        }
        next += 1;
    }
    Some(operators)
}

/// A rotation about an axis: `plane` acts on the next two axes in cyclic order, `along` on the axis.
fn about(axis: usize, plane: [[f64; 2]; 2], along: f64) -> SymmetryOperator {
    let mut rows = [[0.0; 3]; 3];
    for (i, row) in plane.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            rows[(axis + 1 + i) % 3][(axis + 1 + j) % 3] = *value;
        }
    }
    rows[axis][axis] = along;
    SymmetryOperator::new(rows, [0.0; 3])
}

/// The operators of a Hall symbol, such as `-P 2ybc` or `F 4d 2 3 (0 0 1)`; `None` if it is not one.
///
/// Source: S. R. Hall, "Space-group notation with an explicit origin", *Acta Cryst.* A37, 1981; tables from
/// *International Tables for Crystallography* B, 2010, section A1.4.2.
pub(super) fn hall(symbol: &str) -> Option<Vec<SymmetryOperator>> {
    let (symbol, basis) = match symbol.split_once('(') {
        Some((symbol, basis)) => (symbol, Some(basis.trim_end().strip_suffix(')')?)),
        None => (symbol, None),
    };
    let mut words = symbol.split(|c: char| c == '_' || c.is_whitespace()).filter(|word| !word.is_empty());
    let lattice = words.next()?;
    let mut generators = Vec::new();
    let lattice = match lattice.strip_prefix('-') {
        Some(lattice) => {
            generators.push(SymmetryOperator { rotation: -DMat3::IDENTITY, shift: DVec3::ZERO });
            lattice
        }
        None => lattice,
    };
    generators.extend(centres(lattice)?.iter().map(|shift| SymmetryOperator::shift(*shift)));
    // order and axis of the last rotation
    let mut last: Option<(u8, usize)> = None;
    for (place, word) in words.enumerate() {
        let (generator, order, axis) = rotation(word, place, last)?;
        generators.push(generator);
        last = Some((order, axis));
    }
    let change = match basis {
        Some(basis) => change_of_basis(basis, &mut generators)?,
        None => SymmetryOperator::IDENTITY,
    };
    let rotation = change.rotation.inverse();
    let back = SymmetryOperator { rotation, shift: -(rotation * change.shift) };
    let moved: Vec<_> = generators.iter().map(|generator| change.after(&generator.after(&back))).collect();
    let mut operators = group(&moved)?;
    for operator in &mut operators {
        operator.shift = (operator.shift * PARTS).round() / PARTS;
    }
    Some(operators)
}

/// The centring vectors of a lattice in fractions of the edges, without its corners.
fn centres(lattice: &str) -> Option<&'static [[f64; 3]]> {
    const THIRD: f64 = 1.0 / 3.0;
    const HALF: f64 = 0.5;
    Some(match lattice.to_ascii_uppercase().as_str() {
        "P" => &[],
        "A" => &[[0.0, HALF, HALF]],
        "B" => &[[HALF, 0.0, HALF]],
        "C" => &[[HALF, HALF, 0.0]],
        "I" => &[[HALF, HALF, HALF]],
        "R" => &[[2.0 * THIRD, THIRD, THIRD]],
        "S" => &[[THIRD, THIRD, 2.0 * THIRD]],
        "T" => &[[THIRD, 2.0 * THIRD, THIRD]],
        "H" => &[[2.0 * THIRD, THIRD, 0.0]],
        "F" => &[[0.0, HALF, HALF], [HALF, 0.0, HALF]],
        _ => return None,
    })
}

/// The change of basis in the brackets of a Hall symbol: an operator, or a shift in twelfths of the edges.
fn change_of_basis(basis: &str, generators: &mut Vec<SymmetryOperator>) -> Option<SymmetryOperator> {
    if !basis.contains(',') {
        let parts: Option<Vec<f64>> = basis.split_whitespace().map(|part| part.parse().ok()).collect();
        let [x, y, z] = parts?.try_into().ok()?;
        return Some(SymmetryOperator { shift: DVec3::new(x, y, z) / 12.0, ..SymmetryOperator::IDENTITY });
    }
    // edges of the old cell may be centring vectors of the new one
    let edges = [DVec3::X, DVec3::Y, DVec3::Z];
    generators.extend(edges.map(|edge| SymmetryOperator { shift: edge, ..SymmetryOperator::IDENTITY }));
    SymmetryOperator::parse(basis)
}

/// The operator of a word of a Hall symbol, such as `-2"bc` or `61`, with its order and its axis.
fn rotation(word: &str, place: usize, last: Option<(u8, usize)>) -> Option<(SymmetryOperator, u8, usize)> {
    let (word, is_improper) = word.strip_prefix('-').map_or((word, false), |word| (word, true));
    let (&order, mut rest) = word.as_bytes().split_first()?;
    let order = order.wrapping_sub(b'0');
    // the axis, or the mark of a diagonal axis
    let mut axis = match (place, order, last) {
        (0, ..) => b'z',
        (1, 2, Some((2 | 4, _))) => b'x',
        (1, 2, Some((3 | 6, _))) => b'\'',
        (2, 3, _) => b'*',
        _ => b'z',
    };
    let mut shift = DVec3::ZERO;
    if let Some((&named @ (b'x' | b'y' | b'z' | b'\'' | b'"' | b'*'), more)) = rest.split_first() {
        (axis, rest) = (named, more);
    }
    let before = last.map_or(2, |(_, axis)| axis);
    let number = match axis {
        b'x' => 0,
        b'y' => 1,
        b'z' => 2,
        _ => before,
    };
    let mut operator = match (order, axis) {
        (1, _) => SymmetryOperator::IDENTITY,
        (2, b'\'') => about(number, [[0.0, -1.0], [-1.0, 0.0]], -1.0),
        (2, b'"') => about(number, [[0.0, 1.0], [1.0, 0.0]], -1.0),
        (3, b'*') => SymmetryOperator::new([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0.0; 3]),
        (2, b'x' | b'y' | b'z') => about(number, [[-1.0, 0.0], [0.0, -1.0]], 1.0),
        (3, b'x' | b'y' | b'z') => about(number, [[0.0, -1.0], [1.0, -1.0]], 1.0),
        (4, b'x' | b'y' | b'z') => about(number, [[0.0, -1.0], [1.0, 0.0]], 1.0),
        (6, b'x' | b'y' | b'z') => about(number, [[1.0, -1.0], [1.0, 0.0]], 1.0),
        _ => return None,
    };
    for letter in rest {
        shift += match letter {
            b'a' => DVec3::new(0.5, 0.0, 0.0),
            b'b' => DVec3::new(0.0, 0.5, 0.0),
            b'c' => DVec3::new(0.0, 0.0, 0.5),
            b'n' => DVec3::splat(0.5),
            b'u' => DVec3::new(0.25, 0.0, 0.0),
            b'v' => DVec3::new(0.0, 0.25, 0.0),
            b'w' => DVec3::new(0.0, 0.0, 0.25),
            b'd' => DVec3::splat(0.25),
            digit @ b'1'..=b'5' if digit - b'0' < order => {
                let mut along = DVec3::ZERO;
                along[number] = f64::from(digit - b'0') / f64::from(order);
                along
            }
            _ => return None,
        };
    }
    if is_improper {
        operator.rotation = -operator.rotation;
    }
    operator.shift = shift;
    Some((operator, order, number))
}

/// The list of settings: group number, Hermann–Mauguin symbol and Hall symbol.
fn settings() -> impl Iterator<Item = (u16, &'static str, &'static str)> {
    let lines = include_str!("space_groups.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split(';');
        Some((words.next()?.parse().ok()?, words.next()?, words.next()?))
    })
}

/// The Hall symbol for a Hermann–Mauguin symbol as programs write it: with or without blanks, short for monoclinic
/// groups (`P21/c`), old for cubic groups (`Fm3m`), with the origin or axes after a colon or as the last letter.
///
/// For groups with axes `H` and `R` the cell decides if the symbol does not: `is_rhombohedral` says whether its edges
/// have equal lengths and its angles are equal.
pub(super) fn hall_of(symbol: &str, is_rhombohedral: bool) -> Option<&'static str> {
    let squeezed = |text: &str| -> String {
        let kept = text.chars().filter(|c| !c.is_whitespace() && !"_(){}'\"".contains(*c));
        kept.map(|c| c.to_ascii_lowercase()).collect()
    };
    let squeezed_symbol = squeezed(symbol);
    let (plain, mut setting) = match squeezed_symbol.split_once(':') {
        Some((plain, setting)) => (plain, setting.to_owned()),
        None => (squeezed_symbol.as_str(), String::new()),
    };
    let mut plain = plain.to_owned();
    if setting.is_empty() {
        let last = plain.pop()?;
        match last {
            // origins in the notation of the database of inorganic structures
            's' => setting.push('1'),
            'z' => setting.push('2'),
            'h' | 'r' if plain.starts_with('r') && plain.len() > 1 => setting.push(last),
            _ => plain.push(last),
        }
    }
    if plain.starts_with('h') && plain.len() > 1 {
        // an old name of rhombohedral groups in hexagonal axes
        plain.replace_range(..1, "r");
        setting = "h".to_owned();
    }
    if setting.is_empty() && plain.starts_with('r') && is_rhombohedral {
        setting = "r".to_owned();
    }
    let split = |known: &'static str| known.split_once(':').map_or((known, ""), |(plain, setting)| (plain, setting));
    let is_setting = |known: &str| setting.is_empty() || known.is_empty() || known.eq_ignore_ascii_case(&setting);
    let find = |key: &dyn Fn(u16, &str) -> Option<String>| {
        settings().find(|(number, known, _)| {
            let (known, known_setting) = split(known);
            is_setting(known_setting) && key(*number, known).is_some_and(|key| key == plain)
        })
    };
    let full = |_, known: &str| Some(squeezed(known));
    // drop the 1s, which mean no symmetry along an edge
    let short = |number: u16, known: &str| {
        let letters = known.split(' ').filter(|word| *word != "1").collect::<String>();
        (3..=15).contains(&number).then(|| squeezed(&letters))
    };
    let old = |number: u16, known: &str| (number >= 195).then(|| squeezed(known).replace('-', ""));
    let found = find(&full).or_else(|| find(&short)).or_else(|| find(&old));
    found.map(|(_, _, hall)| hall)
}

/// The Hall symbol of the standard setting of a group.
pub(super) fn hall_of_number(number: u16, is_rhombohedral: bool) -> Option<&'static str> {
    let mut of_number = settings().filter(|(known, ..)| *known == number);
    let rhombohedral = |(_, known, _): &(u16, &str, &str)| known.ends_with(":R");
    let first = of_number.next()?;
    let found = if is_rhombohedral { of_number.find(rhombohedral).unwrap_or(first) } else { first };
    Some(found.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_are_read_as_programs_write_them() {
        let half_turn = SymmetryOperator::parse("-x, y+1/2, -z+1/2").expect("a triplet");
        for text in ["-x,1/2+y,1/2-z", " - X , Y + 0.5 , - Z + 0.5", "-x,+y+1/2,-z+2/4,+1"] {
            assert_eq!(SymmetryOperator::parse(text), Some(half_turn), "{text}");
        }
        let turned = SymmetryOperator::parse("y,-x-y,z+1/3").expect("a triplet");
        assert_eq!(turned.apply(DVec3::new(0.1, 0.2, 0.0)), DVec3::new(0.2, -0.1 - 0.2, 1.0 / 3.0));
        assert_eq!(SymmetryOperator::parse("1/2*x-1/2*y,x,z").map(|found| found.rotation.y_axis.x), Some(-0.5));
        for text in ["", "x,y", "x,y,w", "x,x,z", "x,y,z+", "x,y,z/0", "xy,,"] {
            assert_eq!(SymmetryOperator::parse(text), None, "{text}");
        }
    }

    #[test]
    fn hall_symbols_make_groups_of_the_right_order() {
        for (symbol, order) in [
            ("P 1", 1),
            ("-P 2ybc", 4),
            ("P 2ac 2ab", 4),
            ("-R 3 2\"", 36),
            ("P 61 2 (0 0 5)", 12),
            ("-F 4vw 2vw 3", 192),
            ("-I 4bd 2c 3", 96),
            ("P 3*", 3),
            ("-C 2y (x,y,-z)", 8),
            // a cell twice as large has a centred lattice
            ("-P 1 (1/2*x+1/2*y,1/2*x-1/2*y,z)", 4),
            ("P 1 (x+y,x-y,z)", 1),
        ] {
            assert_eq!(hall(symbol).map(|group| group.len()), Some(order), "{symbol}");
        }
        for symbol in ["", "Q 2", "P 5", "P 2q", "P 2 (1 2)", "P 2 (x,y", "P 24"] {
            assert_eq!(hall(symbol), None, "{symbol}");
        }
    }

    #[test]
    fn every_group_of_the_list_has_operators() {
        let mut numbers: Vec<u16> = settings().map(|(number, ..)| number).collect();
        for (_, symbol, hall_symbol) in settings() {
            let order = hall(hall_symbol).expect(hall_symbol).len();
            assert!(192 % order == 0 || order == 36 || order == 18 || order == 9, "{symbol} has {order} operators");
        }
        numbers.dedup();
        assert_eq!(numbers.iter().filter(|&&number| number <= 230).max(), Some(&230));
        assert!((1..=230).all(|number| hall_of_number(number, false).is_some()));
    }

    #[test]
    fn symbols_are_found_as_programs_write_them() {
        for (symbol, expected) in [
            ("P 1 21/c 1", "-P 2ybc"),
            ("P21/c", "-P 2ybc"),
            ("P2(1)/c", "-P 2ybc"),
            ("P 2_1/c", "-P 2ybc"),
            ("Fm-3m", "-F 4 2 3"),
            ("F m 3 m", "-F 4 2 3"),
            ("P n m a", "-P 2ac 2n"),
            ("R -3 m", "-R 3 2\""),
            ("R -3 m :H", "-R 3 2\""),
            ("R -3 m :R", "-P 3* 2"),
            ("R-3mR", "-P 3* 2"),
            ("F d -3 m :2", "-F 4vw 2vw 3"),
            ("F d -3 m Z", "-F 4vw 2vw 3"),
            ("Fd-3mS", "F 4d 2 3 -1d"),
        ] {
            assert_eq!(hall_of(symbol, false), Some(expected), "{symbol}");
        }
        assert_eq!(hall_of("R -3 m", true), Some("-P 3* 2"));
        assert_eq!([hall_of("P 99", false), hall_of("", false), hall_of("?", false)], [None; 3]);
    }
}
