//! Files in memory give the same scenes as files on disk, and nothing else is read.

use std::fs;
use std::path::Path;

use roundel::io::{LoadOptions, MemoryFiles, describe, load, read_record};

/// The files of a folder, by their paths in it.
fn folder(path: &Path) -> MemoryFiles {
    let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_file()).fold(MemoryFiles::new(), |files, path| {
        files.with(path.file_name().expect("a name"), fs::read(&path).expect("a file"))
    })
}

#[test]
fn scenes_in_memory_equal_scenes_on_disk() {
    let options = LoadOptions::default();
    for folder_name in
        ["golden/raster", "golden/trace", "docs/scenes", "tests/fuzz/xyz", "tests/fuzz/pdb", "tests/fuzz/npz"]
    {
        let files = folder(Path::new(folder_name));
        for name in files.names().filter(|name| name.extension().is_some_and(|ending| ending != "png")) {
            let path = Path::new(folder_name).join(name);
            // a scene may name files of other folders
            let (on_disk, in_memory) = (load(&path, &options), files.load(name, &options));
            match (on_disk, in_memory) {
                (Ok(on_disk), Ok(in_memory)) => {
                    assert_eq!(on_disk.scene, in_memory.scene, "{}", path.display());
                    assert_eq!(on_disk.figure, in_memory.figure, "{}", path.display());
                }
                (Err(_), Err(_)) => {}
                (on_disk, in_memory) => {
                    let error = in_memory.err().map(|error| error.to_string()).unwrap_or_default();
                    assert!(on_disk.is_ok() && error.contains("no such file in memory"), "{}: {error}", path.display());
                }
            }
        }
    }
}

#[test]
fn records_and_descriptions_in_memory_equal_those_on_disk() {
    let options = LoadOptions::default();
    let files = folder(Path::new("docs/scenes"));
    for name in ["places.csv", "caffeine.xyz", "opsin.pdb.gz"] {
        let path = Path::new("docs/scenes").join(name);
        let record = files.read_record(name, &options, 7).expect("a row");
        assert!(!record.is_empty());
        assert_eq!(record, read_record(&path, &options, 7).expect("a row"));
        let text = files.describe(name, &options).expect("described").to_string();
        assert_eq!(text, describe(&path, &options).expect("described").to_string().replace("docs/scenes/", ""));
    }
}

#[test]
fn file_that_is_not_in_memory_is_refused_even_if_it_is_on_disk() {
    let files = MemoryFiles::new().with("a.toml", "[[spheres]]\nfile = \"Cargo.toml\"\n");
    let message = files.load("a.toml", &LoadOptions::default()).expect_err("not in memory").to_string();
    assert!(message.starts_with("a.toml:2: spheres[0].file: cannot read Cargo.toml"), "{message}");
    assert!(message.contains("no such file in memory, where there is a.toml"), "{message}");
    let message = MemoryFiles::new().load("-", &LoadOptions::default()).expect_err("no standard input").to_string();
    assert!(message.contains("there is none"), "{message}");
}

#[test]
fn frames_in_memory_are_those_on_disk_in_any_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.xyz");
    let frame = |frame: usize| format!("{}\n\n{}", frame + 1, format!("Ar {frame} 0 0\n").repeat(frame + 1));
    let run: String = (0..6).map(frame).collect();
    fs::write(&path, &run).expect("written");
    let files = MemoryFiles::new().with("run.xyz", run);
    for frame in [4, 1, 5, -1, 0, 4] {
        let options = LoadOptions { frame: Some(frame), ..LoadOptions::default() };
        let [on_disk, in_memory] = [load(&path, &options), files.load("run.xyz", &options)];
        assert_eq!(on_disk.expect("a frame").scene, in_memory.expect("a frame").scene, "{frame}");
    }
    let beyond = LoadOptions { frame: Some(6), ..LoadOptions::default() };
    assert!(files.load("run.xyz", &beyond).is_err());
    assert_eq!(files.frames("run.xyz", &LoadOptions::default()).expect("read").map(|frames| frames.len()), Some(6));
}
