//! Comments of extended XYZ: keys, boxes, properties of atoms, and positions in the plane.

use crate::files::{Folder, centers, only_circles, overrides};
use roundel::Scene;
use roundel::io::{LoadOptions, describe, load};

const CUBE: &str = "Lattice=\"5 0 0 0 5 0 0 0 5\"";

fn described(folder: &Folder, text: &str) -> roundel::io::Description {
    describe(folder.file("m.xyz", text), &LoadOptions::default()).expect(text)
}

fn refusal(text: &str) -> String {
    load(Folder::new().file("m.xyz", text), &LoadOptions::default()).expect_err(text).to_string()
}

#[test]
fn keys_inside_of_properties_are_no_steps() {
    let frame = |step: i32| format!("1\n{CUBE} Properties=species:S:1:pos:R:3:id:I:1 step={step}\nAr 1 1 1 1\n");
    let folder = Folder::new();
    let times = described(&folder, &(frame(100) + &frame(200))).sources[0].times.clone();
    assert_eq!(times.iter().map(|time| time.step).collect::<Vec<_>>(), [Some(100), Some(200)]);
    let warm = described(&folder, "1\nNPT at T = 298 K\nAr 1 1 1\n");
    assert!(warm.sources[0].times.is_empty(), "{:?}", warm.sources[0].times);
}

#[test]
fn names_of_properties_may_have_two_colons() {
    let text = format!("2\n{CUBE} Properties=species:S:1:pos:R:3:mtt::energy:R:1\nSi 0 0 0 1.5\nSi 1 1 1 2.5\n");
    let folder = Folder::new();
    assert_eq!(described(&folder, &text).sources[0].columns, ["element", "mtt::energy"]);
    folder.spheres("m.xyz", &text, &overrides(|o| o.color_by = Some("mtt::energy".into())));
}

#[test]
fn broken_properties_are_refused() {
    let atoms = "Si 0 0 0 0.3\nSi 1 1 1 1.2\n";
    for (properties, message) in [
        ("species:S:1:pos:R:3:radius:R", "such as pos:R:3, got \"radius:R\""),
        ("species:S:1:pos:R:3:radius:X:1", "such as pos:R:3, got \"radius:X:1\""),
        ("species:S:1:radius:R:1", "Properties must have positions, pos:R:3 or pos:R:2 in the plane"),
        ("species:S:1:pos:R:3:forces:R:3", "Properties has 7 columns, but the first atom has 5"),
    ] {
        let found = refusal(&format!("2\nProperties={properties}\n{atoms}"));
        assert!(found.contains(":2: Properties") && found.contains(message), "{found}");
    }
}

#[test]
fn broken_lattices_are_noted() {
    let text = "1\nLattice=\"5 0 0 0 5 0 0 0.05.44\" Properties=species:S:1:pos:R:3 Time=0\nSi 0 0 0\n";
    let found = load(Folder::new().file("m.xyz", text), &LoadOptions::default()).expect("an atom");
    let note = found.notes.iter().find(|note| note.contains("m.xyz:2: Lattice must be 9 numbers, got \"0.05.44\""));
    assert!(note.is_some_and(|note| note.ends_with("no box is drawn")), "{:?}", found.notes);
}

#[test]
fn atoms_may_have_no_species() {
    let text = "2\nProperties=id:I:1:pos:R:3\n1 0 0 0\n2 3 4 5\n";
    let scene = Folder::new().spheres("m.xyz", text, &LoadOptions::default());
    assert_eq!(centers(&scene), [[0.0, 0.0, 0.0], [3.0, 4.0, 5.0]]);
}

#[test]
fn two_coordinates_are_a_plane() {
    let text = "3\nProperties=species:S:1:pos:R:2:radius:R:1\nA 0 0 0.5\nB 2 0 0.5\nA 1 2 1.0\n";
    let folder = Folder::new();
    let circles = |change: &dyn Fn(&mut LoadOptions)| match folder.scene("m.xyz", text, &overrides(change)) {
        Scene::Circles(scene) => only_circles(&scene).to_vec(),
        _ => panic!("must be circles"),
    };
    let [a, b, c] = circles(&|_| ())[..] else { panic!("three circles") };
    assert!(a.radius == b.radius && (c.radius / a.radius - 2.0).abs() < 1e-4, "{a:?} {c:?}");
    assert!((b.center[0] - a.center[0] - 4.0 * a.radius).abs() < 1e-3, "{a:?} {b:?}");
    assert!((a.center[1] - c.center[1] - 4.0 * a.radius).abs() < 1e-3, "{a:?} {c:?}");
    let [a, b, c] = circles(&|o| (o.color_by, o.palette) = (Some("element".into()), Some("tab10".into())))[..] else {
        panic!("three circles")
    };
    assert!(a.color == c.color && a.color != b.color, "by species");
}
