//! Reading files into scenes, from the page cache.
//!
//! Run with `cargo bench --bench read`; `cargo bench --bench read -- csv` for one format. The files are made on the
//! first run, in `target/read`: ten million spheres of `roundel generate uniform` as CSV (541 MB), XYZ (561 MB),
//! NumPy's array and raw numbers (160 MB each), a million atoms as PDB and mmCIF, and in chains with a million bonds
//! (`sticks` without them, `bonds` with them).
//! `benches/peers/read.py` times other programs on the same files; `benches/peers/read.py make` makes the array a table
//! in Parquet and in Arrow's format. Those three are read with `--features heavy-formats`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use roundel::Scene;
use roundel::circles::Layer;
use roundel::generate::Pattern;
use roundel::io::{BondRule, LoadOptions, MoleculeStyle, read_scene};

/// Rows of tables and of particles.
const ROWS: &str = "1e7";

/// Atoms of molecules.
const ATOMS: u32 = 1_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/read")
}

/// A file, made on first use.
fn file(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let path = folder().join(name);
    if !path.exists() {
        fs::create_dir_all(folder()).expect("a folder under target");
        make(&path);
    }
    path
}

fn generate(path: &Path) {
    let arguments = ["roundel", "generate", "uniform", "-n", ROWS, "-o"].map(OsString::from);
    assert_eq!(roundel::cli::run([&arguments[..], &[path.into()]].concat()), 0);
}

/// The same spheres as rows of four numbers of 32 bits, after some first bytes.
fn write_numbers(path: &Path, first: &[u8]) {
    let count = 10_000_000;
    let mut file = BufWriter::new(fs::File::create(path).expect("created"));
    file.write_all(first).expect("written");
    for index in 0..count {
        let sphere = Pattern::Uniform.sphere(index, count, 1);
        let [x, y, z] = sphere.center;
        file.write_all([x, y, z, sphere.radius].map(f32::to_le_bytes).as_flattened()).expect("written");
    }
    file.flush().expect("written");
}

fn write_npy(path: &Path) {
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (10000000, 4), }");
    write_numbers(path, &[b"\x93NUMPY\x01\0\x76\0", header.as_bytes()].concat());
}

/// An atom of a protein-like structure: chains of ten thousand residues of eight atoms.
fn atom(index: u32) -> (&'static str, &'static str, char, u32, [f64; 3]) {
    const ATOMS: [(&str, &str); 8] =
        [("N", "N"), ("CA", "C"), ("C", "C"), ("O", "O"), ("CB", "C"), ("CG", "C"), ("OD1", "O"), ("ND2", "N")];
    let (name, element) = ATOMS[index as usize % ATOMS.len()];
    let chain = char::from(b'A' + u8::try_from(index / 80_000 % 26).expect("below 26"));
    let place = [1, 7, 13].map(|factor| f64::from(index.wrapping_mul(factor * 2_654_435_761) >> 8) / 65_536.0 - 100.0);
    (name, element, chain, index / 8 % 9_999 + 1, place)
}

fn write_pdb(path: &Path) {
    let mut text = String::new();
    for index in 0..ATOMS {
        let (name, element, chain, residue, [x, y, z]) = atom(index);
        let serial = index % 99_999 + 1;
        writeln!(
            text,
            "ATOM  {serial:>5}  {name:<3} ASN {chain}{residue:>4}    {x:>8.3}{y:>8.3}{z:>8.3}  1.00 20.00          {element:>2}  "
        )
        .expect("memory");
    }
    text.push_str("END\n");
    fs::write(path, text).expect("written");
}

fn write_cif(path: &Path) {
    let mut text = "data_BENCH\nloop_\n".to_owned();
    for item in [
        "group_PDB",
        "id",
        "type_symbol",
        "label_atom_id",
        "label_alt_id",
        "label_comp_id",
        "label_asym_id",
        "label_entity_id",
        "label_seq_id",
        "pdbx_PDB_ins_code",
        "Cartn_x",
        "Cartn_y",
        "Cartn_z",
        "occupancy",
        "B_iso_or_equiv",
        "pdbx_formal_charge",
        "auth_seq_id",
        "auth_comp_id",
        "auth_asym_id",
        "auth_atom_id",
        "pdbx_PDB_model_num",
    ] {
        writeln!(text, "_atom_site.{item}").expect("memory");
    }
    for index in 0..ATOMS {
        let (name, element, chain, residue, [x, y, z]) = atom(index);
        let serial = index + 1;
        writeln!(
            text,
            "ATOM {serial:<7} {element} {name:<3} . ASN {chain} 1 {residue:<4} ? {x:<8.3} {y:<8.3} {z:<8.3} 1.00 20.00 ? {residue:<4} ASN \
             {chain} {name:<3} 1"
        )
        .expect("memory");
    }
    text.push_str("#\n");
    fs::write(path, text).expect("written");
}

/// Carbon chains of a hundred atoms, beside each other.
fn write_chains(path: &Path) {
    let mut text = format!("{ATOMS}\nchains\n");
    for index in 0..ATOMS {
        let [x, y, z] = [index % 100, index / 100 % 100, index / 10_000].map(f64::from);
        writeln!(text, "C {:.3} {:.3} {:.3}", 1.5 * x, 5.0 * y, 5.0 * z).expect("memory");
    }
    fs::write(path, text).expect("written");
}

/// A file made by another program; left out if it is missing.
#[cfg(feature = "heavy-formats")]
fn found(path: &Path) {
    println!("{} is missing: python3 benches/peers/read.py make", path.display());
}

/// Makes a missing file.
type Make = fn(&Path);

fn read(criterion: &mut Criterion) {
    let files: &[(&str, &str, Make)] = &[
        ("csv", "uniform.csv", generate),
        ("xyz", "uniform.xyz", generate),
        ("pdb", "million.pdb", write_pdb),
        ("cif", "million.cif", write_cif),
        ("sticks", "chains.xyz", write_chains),
        ("bonds", "chains.xyz", write_chains),
        ("npy", "uniform.npy", write_npy),
        ("raw", "uniform.f32", |path| write_numbers(path, &[])),
        #[cfg(feature = "heavy-formats")]
        ("parquet", "uniform.parquet", found),
        #[cfg(feature = "heavy-formats")]
        ("arrow", "uniform.arrow", found),
    ];
    // large files are made and read only if needed
    let is_named = |name: &str| std::env::args().skip(1).any(|word| word.contains(name));
    let names_none = !files.iter().any(|(name, ..)| is_named(name));
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    for &(name, path, make) in files.iter().filter(|(name, ..)| names_none || is_named(name)) {
        let path = file(path, make);
        if !path.exists() {
            continue;
        }
        let raw = (name == "raw").then(|| "x,y,z,radius:f32le".parse().expect("columns"));
        let bonds = match name {
            "sticks" => Some(BondRule::None),
            "bonds" => Some(BondRule::Distance),
            _ => None,
        };
        let style = bonds.map(|_| (None, MoleculeStyle::Sticks)).into_iter().collect();
        let options = LoadOptions { raw, bonds, style, ..LoadOptions::default() };
        let shapes = |scene: &Scene<'_>| match scene {
            Scene::Spheres(scene) => {
                let bonds = scene.shapes.cylinders.iter().map(|group| group.shapes.len()).sum::<usize>();
                scene.groups.iter().map(|group| group.spheres.len()).sum::<usize>() + bonds
            }
            Scene::Circles(scene) => scene.layers.iter().map(Layer::len).sum(),
        };
        // warms the page cache and checks that the file holds the intended scene
        let scene = read_scene(&path, &options).expect("a good file");
        let size = fs::metadata(&path).expect("a file").len() as f64 / 1e6;
        println!("{name}: {} shapes, {size:.0} MB", shapes(&scene));
        drop(scene);
        // excludes freeing the scene
        let read = |iterations| {
            let read_once = |_| {
                let start = Instant::now();
                let scene = black_box(read_scene(&path, &options).expect("a good file"));
                let time = start.elapsed();
                drop(scene);
                time
            };
            (0..iterations).map(read_once).sum()
        };
        group.bench_function(name, |bencher| bencher.iter_custom(read));
        // the goal for binary rows is half the speed of `cat`
        if cfg!(unix) && ["npy", "raw"].contains(&name) {
            let cat = || Command::new("cat").arg(&path).stdout(Stdio::null()).status().expect("cat starts");
            group.bench_function(format!("cat of {name}"), |bencher| bencher.iter(cat));
        }
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
