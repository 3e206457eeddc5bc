//! A folder for a test's files, with helpers that read them.
#![allow(dead_code, reason = "each test that shares this uses a part of it")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use roundel::circles::{CircleScene, Layer, PaintedCircle};
use roundel::io::{DataSource, LoadOptions, LoadedScene, describe, read_scene};
use roundel::spheres::{PaintedSphere, Pose, SphereScene};
use roundel::{Error, Frame, RenderSettings, Renderer, Scene, Srgba8};
use tempfile::TempDir;

/// Two chains, two models, two assemblies, an atom with alternates, and one without an element column.
pub(crate) const PDB: &str = "\
HEADER    MADE FOR THIS TEST
REMARK 350 BIOMOLECULE: 1
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A,
REMARK 350                    AND CHAINS: B
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
REMARK 350   BIOMT1   2  0.000000 -1.000000  0.000000       10.00000
REMARK 350   BIOMT2   2  1.000000  0.000000  0.000000       20.00000
REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000       30.00000
REMARK 350 BIOMOLECULE: 2
REMARK 350 APPLY THE FOLLOWING TO CHAINS: B
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        5.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
MODEL        1
ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00 10.00           N
ATOM      2  CA AALA A   1       2.000   2.000   3.000  0.50 20.00           C
ATOM      3  CA BALA A   1       2.500   2.000   3.000  0.50 20.00           C
HETATM*****  O   LIG B 999      -1.000  -2.000  -3.000  1.00 30.00
ENDMDL
MODEL        2
ATOM      1  N   ALA A   1       9.000   9.000   9.000  1.00 10.00           N
ENDMDL
END
";

/// Two frames; the first has a symbol, an atomic number and a line with more columns.
pub(crate) const XYZ: &str = "3\nwater\nO 0 0 0.5\nH 1 2 3 0.25\n1 -1e1 .5 6 0.5 9\n2\nsecond\nC 0 0 0\nC 1 1 1\n";

/// All files of a folder, hidden ones too.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// The output of a program.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The defaults, changed.
pub(crate) fn overrides(change: impl FnOnce(&mut LoadOptions)) -> LoadOptions {
    let mut overrides = LoadOptions::default();
    change(&mut overrides);
    overrides
}

/// A small file of the fuzzers' corpora.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz").join(name)).expect(name)
}

/// A small file that is kept for one test.
pub(crate) fn small(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/data").join(name)
}

/// An array of NumPy: a header, which is padded to 128 bytes at least, and numbers.
pub(crate) fn npy(descr: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let quote = if descr.starts_with('[') { "" } else { "'" };
    let header = format!("{{'descr': {quote}{descr}{quote}, 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    [b"\x93NUMPY\x01\0".as_slice(), &length, header.as_bytes(), numbers].concat()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A folder of its own for a test's files.
pub(crate) struct Folder(pub TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    /// Writes a file and names it.
    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, contents).expect("the temporary folder is writable");
        path
    }

    /// A message with the folder's name taken out.
    pub(crate) fn message(&self, error: &Error) -> String {
        error.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }

    /// The message about a file that is refused.
    pub(crate) fn refusal_with(&self, name: &str, contents: impl AsRef<[u8]>, overrides: &LoadOptions) -> String {
        let path = self.file(name, contents);
        match read_scene(&path, overrides) {
            Ok(scene) => panic!("{name} was read: {scene:?}"),
            Err(error) => self.message(&error),
        }
    }

    pub(crate) fn refusal(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        self.refusal_with(name, contents, &LoadOptions::default())
    }

    pub(crate) fn scene(&self, name: &str, contents: impl AsRef<[u8]>, overrides: &LoadOptions) -> Scene<'static> {
        let path = self.file(name, contents);
        read_scene(&path, overrides).unwrap_or_else(|error| panic!("{}", self.message(&error)))
    }

    pub(crate) fn circles(
        &self,
        name: &str,
        contents: impl AsRef<[u8]>,
        overrides: &LoadOptions,
    ) -> CircleScene<'static> {
        match self.scene(name, contents, overrides) {
            Scene::Circles(scene) => scene,
            Scene::Spheres(scene) => panic!("spheres: {scene:?}"),
        }
    }

    pub(crate) fn spheres(
        &self,
        name: &str,
        contents: impl AsRef<[u8]>,
        overrides: &LoadOptions,
    ) -> SphereScene<'static> {
        match self.scene(name, contents, overrides) {
            Scene::Spheres(scene) => scene,
            Scene::Circles(scene) => panic!("circles: {scene:?}"),
        }
    }

    /// The description of a single file of data.
    pub(crate) fn source(&self, name: &str, contents: impl AsRef<[u8]>) -> DataSource {
        describe(self.file(name, contents), &LoadOptions::default()).expect(name).sources.remove(0)
    }
}

/// The circles of a scene that has one layer of them.
pub(crate) fn only_circles(scene: &CircleScene<'_>) -> Vec<PaintedCircle> {
    match &scene.layers[..] {
        // axes have a grid below the circles
        [Layer::Circles(circles)] | [Layer::Segments(_), Layer::Circles(circles)] => circles.to_vec(),
        layers => panic!("{layers:?}"),
    }
}

/// The spheres of a scene that has one group of them, in place.
pub(crate) fn only_spheres(scene: &SphereScene<'_>) -> Vec<PaintedSphere> {
    match &scene.groups[..] {
        [group] if *group.poses == [Pose::IDENTITY] => group.spheres.to_vec(),
        groups => panic!("{groups:?}"),
    }
}

pub(crate) fn centers(scene: &SphereScene<'_>) -> Vec<[f32; 3]> {
    only_spheres(scene).iter().map(|sphere| sphere.center).collect()
}

/// The scene of a file of spheres.
pub(crate) fn spheres(path: &Path, options: &LoadOptions) -> SphereScene<'static> {
    match read_scene(path, options).expect("readable") {
        Scene::Spheres(scene) => scene,
        Scene::Circles(_) => panic!("circles"),
    }
}

/// The picture with its figure.
pub(crate) fn drawn(loaded: &LoadedScene<'_>) -> Frame {
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("threads");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    loaded.draw(&mut renderer, &mut frame).expect("drawn");
    frame
}

/// A colour as files write it.
pub(crate) fn color(text: &str) -> Srgba8 {
    text.parse().expect("a colour")
}

/// A file that others made; `None`, and a word about it, on a machine without it.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("left out: {} is not there", path.display());
    None
}
