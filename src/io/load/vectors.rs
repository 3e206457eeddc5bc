//! What files call vectors, and the three columns that hold one.

/// Names of the velocity and of the force: LAMMPS writes `vx` and `fx`, extended XYZ `velo` and `forces`, other programs whole words.
pub(super) const VELOCITY: &[&str] = &["v", "vel", "velo", "velocity", "velocities"];
pub(super) const FORCE: &[&str] = &["f", "force", "forces"];

/// Endings of the columns of a vector.
const COMPONENTS: [[&str; 3]; 4] = [["x", "y", "z"], ["_x", "_y", "_z"], ["1", "2", "3"], ["[1]", "[2]", "[3]"]];

/// The three columns of a vector, by its own name or by another name of the same quantity. `is_column` tells which columns exist.
pub(super) fn columns(vector: &str, is_column: impl Fn(&str) -> bool) -> Option<[String; 3]> {
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

/// What the vectors of these columns are called: by the beginning of their names, if they share one.
pub(super) fn name(columns: &str) -> String {
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
}
