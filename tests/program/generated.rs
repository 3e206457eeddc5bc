//! `roundel generate`, and generated shapes that `render` draws without a file.
#![cfg(feature = "cli")]

use std::fs;

use super::cli::{folder, refused, refuses, succeeds};
use roundel::io::read_png;

#[test]
fn generate_refuses_existing_files_and_unknown_extensions() {
    let folder = folder();
    succeeds(folder.path(), &["generate", "lattice", "-n", "8", "-o", "a.csv"]);
    let again = ["generate", "lattice", "-n", "27", "-o", "a.csv"];
    refused(folder.path(), &again, &["--output a.csv exists; --force overwrites it"]);
    succeeds(folder.path(), &["generate", "lattice", "-n", "27", "-o", "a.csv", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("a.csv")).expect("written").lines().count(), 28);
    refuses(
        &["generate", "lattice", "-n", "8", "-o", "a.pdb"],
        &["--output must end in .csv, .xyz or .npy, got a.pdb"],
    );
    refuses(
        &["generate", "lattice", "-n", "8", "-o", "a.xyz", "--circles"],
        &["--output must end in .csv for circles"],
    );
    for count in ["0", "-1", "1.5", "1e30", "many", "1e12"] {
        refuses(&["generate", "lattice", "-n", count, "-o", "a.csv"], &[count]);
    }
}

#[test]
fn generated_files_hold_the_librarys_shapes_and_draw() {
    let folder = folder();
    let (csv, _) = succeeds(folder.path(), &["generate", "gaussian", "-n", "40_000", "--seed", "3", "-o", "-"]);
    let spheres = roundel::generate::spheres(roundel::generate::Pattern::Gaussian, 40_000, 3);
    assert_eq!(csv.lines().count(), 40_001);
    for (line, sphere) in csv.lines().skip(1).zip(&spheres) {
        let mut parts = line.split(',');
        let mut number = || parts.next().expect("a field").parse::<f32>().expect("a number");
        assert_eq!(([number(), number(), number()], number()), (sphere.center, sphere.radius));
        assert_eq!(parts.next(), Some(sphere.color.to_string().as_str()));
    }
    succeeds(folder.path(), &["generate", "sunflower", "-n", "1e3", "--circles", "-o", "flat.csv"]);
    succeeds(folder.path(), &["generate", "sphereflake", "-n", "91", "-o", "flake.xyz"]);
    for (file, shapes) in [("flat.csv", "1000 shapes"), ("flake.xyz", "91 shapes")] {
        let (stdout, _) = succeeds(folder.path(), &["render", file, "-W", "40", "-H", "30"]);
        assert!(stdout.contains(shapes), "{stdout}");
    }
}

#[test]
fn generated_shapes_need_no_file() {
    let folder = folder();
    let write = |name: &str, scene: &str| fs::write(folder.path().join(name), scene).expect("written");
    let generate = "[[generate]]\nkind = \"uniform\"\ncount = 500\nseed = 9\n";
    write("space.toml", &format!("[camera]\nwidth = 40\nheight = 30\n{generate}"));
    write(
        "plane.toml",
        &format!("[canvas]\nwidth = 40\nheight = 30\nview = {{ center = [0, 0], height = 2 }}\n{generate}"),
    );
    for scene in ["space.toml", "plane.toml"] {
        let (stdout, _) = succeeds(folder.path(), &["render", scene]);
        assert!(stdout.contains("500 shapes"), "{stdout}");
    }
    // the same shapes from a file
    succeeds(folder.path(), &["generate", "uniform", "-n", "500", "--seed", "9", "-o", "made.csv"]);
    let by_file = "[camera]\nwidth = 40\nheight = 30\n[[spheres]]\nfile = \"made.csv\"\ncolor_by = \"color\"\n";
    write("by_file.toml", by_file);
    succeeds(folder.path(), &["render", "by_file.toml"]);
    let [made, by_file] = ["space.png", "by_file.png"].map(|name| read_png(folder.path().join(name)).expect("a PNG"));
    assert_eq!(made, by_file);
    write("bad.toml", &generate.replace("uniform", "unifrom"));
    refused(folder.path(), &["render", "bad.toml"], &["bad.toml:2", "did you mean \"uniform\"?"]);
}
