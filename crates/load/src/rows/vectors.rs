//! Names of vectors and their lengths in files, and the three columns of a vector.

use crate::did_you_mean;
use crate::formats::wanted::Header;

/// Names of the velocity and of the force: LAMMPS writes `vx` and `fx`, extended XYZ `velo` and `forces`, other
/// programs whole words.
pub(crate) const VELOCITY: &[&str] = &["v", "vel", "velo", "velocity", "velocities"];
pub(crate) const FORCE: &[&str] = &["f", "force", "forces"];

const COMPONENTS: [[&str; 3]; 4] = [["x", "y", "z"], ["_x", "_y", "_z"], ["1", "2", "3"], ["[1]", "[2]", "[3]"]];

/// The three columns of a vector, by its own name or by another name of the same quantity. `is_column` tells which
/// columns exist.
pub(crate) fn columns(vector: &str, is_column: impl Fn(&str) -> bool) -> Option<[String; 3]> {
    let others = [VELOCITY, FORCE].into_iter().find(|names| names.contains(&vector)).unwrap_or_default();
    let of_name = |name: &str| {
        let named = |endings: &[&str; 3]| endings.map(|ending| format!("{name}{ending}"));
        COMPONENTS.iter().map(named).find(|names| names.iter().all(|name| is_column(name)))
    };
    if vector.is_empty() {
        return None;
    }
    of_name(vector).or_else(|| others.iter().find_map(|name| of_name(name)))
}

/// Words for lengths in names of other programs, such as "Velocity Magnitude".
const MAGNITUDES: [&str; 6] = ["magnitude", "mag", "norm", "length", "abs", "modulus"];

/// The ready-made column for a name that other programs use; `None` for any other name.
pub(crate) fn ready_made(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    match name.as_str() {
        "neighbors" | "neighbours" | "neighbor_count" | "coordination_number" | "cn" => return Some("coordination"),
        "model" | "model_number" | "snapshot" => return Some("frame"),
        "burial" | "buriedness" => return Some("depth"),
        _ => {}
    }
    let of_vector = |word: &str| {
        let is_in = |names: &[&str]| names.contains(&word);
        if is_in(VELOCITY) { Some("speed") } else { is_in(FORCE).then_some("force") }
    };
    let words: Vec<&str> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    match words[..] {
        // |v| and v
        [word] => of_vector(word).or_else(|| {
            let vector = |length: &&str| word.strip_suffix(*length).or_else(|| word.strip_prefix(*length));
            MAGNITUDES.iter().find_map(|length| of_vector(vector(length)?))
        }),
        [first, second] if MAGNITUDES.contains(&second) => of_vector(first),
        [first, second] if MAGNITUDES.contains(&first) => of_vector(second),
        [first, "of", second] if MAGNITUDES.contains(&first) => of_vector(second),
        _ => None,
    }
}

/// The end of a message about a name that is no column: the ready-made or the nearest column, and the columns of a
/// file.
pub(crate) fn column_hint<'a>(name: &str, header: &Header, columns: impl Iterator<Item = &'a str> + Clone) -> String {
    match ready_made(name).filter(|ready| header.find(ready).is_some()) {
        Some(ready) => format!("; did you mean {ready:?}? (columns: {})", did_you_mean::list(columns)),
        None => did_you_mean::column_hint(name, columns),
    }
}

/// The name of a vector: the shared prefix of its columns' names, if there is one.
pub(crate) fn name(columns: &str) -> String {
    let parts: Vec<&str> = columns.split(',').map(str::trim).collect();
    let shared = parts[1..].iter().fold(parts[0], |shared, part| {
        let length: usize =
            shared.chars().zip(part.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        &shared[..length]
    });
    let shared = shared.trim_end_matches(['_', '[', '.', ' ']);
    match shared {
        "" => parts.join(", "),
        name if VELOCITY.contains(&name) => "velocity".to_owned(),
        name if FORCE.contains(&name) => "force".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_several_names() {
        let dump = |name: &str| ["vx", "vy", "vz", "fx", "fy", "fz"].contains(&name);
        for name in ["f", "force", "forces"] {
            assert_eq!(columns(name, dump), Some(["fx", "fy", "fz"].map(str::to_owned)), "{name}");
        }
        for name in ["v", "vel", "velo", "velocity", "velocities"] {
            assert_eq!(columns(name, dump), Some(["vx", "vy", "vz"].map(str::to_owned)), "{name}");
        }
        let own = |name: &str| dump(name) || ["force_x", "force_y", "force_z"].contains(&name);
        assert_eq!(
            columns("force", own),
            Some(["force_x", "force_y", "force_z"].map(str::to_owned)),
            "its own name first"
        );
        assert_eq!(columns("", |_| true), None);
        assert_eq!(columns("dipole", dump), None);
    }

    #[test]
    fn names_are_what_columns_share() {
        for (columns, expected) in [
            ("vx,vy,vz", "velocity"),
            ("forces", "force"),
            ("mu_x, mu_y, mu_z", "mu"),
            ("c_d[1],c_d[2],c_d[3]", "c_d"),
            ("a,b,c", "a, b, c"),
        ] {
            assert_eq!(name(columns), expected, "{columns}");
        }
    }

    #[test]
    fn ready_made_columns_are_known_by_names_of_other_programs() {
        for name in [
            "velocity_magnitude",
            "Velocity Magnitude",
            "vmag",
            "v_mag",
            "|v|",
            "v",
            "velocity",
            "mag v",
            "norm of vel",
        ] {
            assert_eq!(ready_made(name), Some("speed"), "{name}");
        }
        assert_eq!(ready_made("force.magnitude"), Some("force"));
        assert_eq!(ready_made("coordination_number"), Some("coordination"));
        assert_eq!(ready_made("model"), Some("frame"));
        for name in ["vx", "magnitude", "mag", "q", "", "v_mag_x"] {
            assert_eq!(ready_made(name), None, "{name}");
        }
    }
}
