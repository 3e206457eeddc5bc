//! Formats that are recognized but not read, with advice on how to convert them.

/// Names a known unsupported format and says how to convert it; `None` if the format is unknown.
pub(super) fn advice(head: &[u8], extension: Option<&str>) -> Option<String> {
    if head.get(257..262) == Some(b"ustar") {
        return Some(
            "this format of archives is not supported; unpack it; gzip, zstd and bzip2 are read as they are".to_owned(),
        );
    }
    let by_mark = MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, kind)| kind);
    let named = |extensions: &[&str]| extension.is_some_and(|extension| extensions.contains(&extension));
    let by_name = || FAMILIES.iter().find(|(extensions, _)| named(extensions)).map(|(_, kind)| kind);
    by_mark.or_else(by_name).map(refusal)
}

/// Like [`advice`], for unsupported formats of text that would be mistaken for others.
pub(super) fn of_text(text: &str, extension: Option<&str>) -> Option<String> {
    let is_object = text.trim_start().starts_with('{');
    let named = |extensions: &[&str]| is_object && extensions.iter().any(|known| extension == Some(known));
    let has = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let is_map = ["\"Feature", "\"coordinates\"", "\"Topology\""].iter().any(|word| has(&["\"type\"", word]));
    let is_array = text.trim_start().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
    let is_dump = text.trim_start().starts_with("ITEM:");
    let known = [
        (is_object && text.contains("s_m_m2io_version"), MAESTRO),
        (text.starts_with("!BIOSYM archive"), BIOSYM),
        (is_object && is_map || named(&["geojson", "geojsonl", "geojsons"]), GEOJSON),
        (is_object && has_json_lines(text) || named(&["jsonl", "ndjson"]), JSON_LINES),
        (is_array, JSON_RECORDS),
        (text.starts_with("---") && has(&["timestep:", "keywords:"]), DUMP_YAML),
        (is_dump && text.contains("ITEM: NUMBER OF ENTRIES"), DUMP_LOCAL),
        (is_dump && text.contains("ITEM: GRID "), DUMP_GRID),
    ];
    known.into_iter().find(|(is, _)| *is).map(|(_, kind)| refusal(&kind))
}

/// Whether the first two lines are an object each.
fn has_json_lines(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_object = |line: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).is_ok();
    lines.next().is_some_and(is_object) && lines.next().is_some_and(|second| second.starts_with('{'))
}

/// The refusal of a dump of LAMMPS that has no atoms.
pub(super) fn dump_without_atoms(item: &str) -> String {
    refusal(if item.starts_with("GRID") { &DUMP_GRID } else { &DUMP_LOCAL })
}

pub(super) fn refusal((what, instead): &UnsupportedKind) -> String {
    format!("{what} is not supported; {instead}")
}

/// The name of a format, and advice for its users.
pub(super) type UnsupportedKind = (&'static str, &'static str);

const PICTURE: UnsupportedKind = ("a picture", "roundel compare reads those");
pub(super) const HDF5: UnsupportedKind = ("HDF5", "write its columns as .npz or .csv, with h5py or pandas");

const SPREADSHEET: UnsupportedKind = ("a spreadsheet", "save the sheet as .csv");
const MAESTRO: UnsupportedKind = ("a Maestro file", "convert it to .pdb, as with Schrödinger's structconvert");
const BIOSYM: UnsupportedKind = ("a BIOSYM archive of Materials Studio", "export the frames as .pdb or .xyz");

const GEOJSON: UnsupportedKind = (
    "GeoJSON",
    "export the points as .csv with longitude and latitude: ogr2ogr -f CSV points.csv FILE -lco GEOMETRY=AS_XY, and --x X --y Y",
);
const JSON_LINES: UnsupportedKind =
    ("a file of JSON lines", "convert it to .csv: in Python, pandas.read_json(FILE, lines=True).to_csv(\"rows.csv\")");
const JSON_RECORDS: UnsupportedKind =
    ("a JSON array of rows", "convert it to .csv: in Python, pandas.read_json(FILE).to_csv(\"rows.csv\")");
const DUMP_YAML: UnsupportedKind = (
    "a LAMMPS dump in YAML (dump yaml)",
    "write it with dump custom, or convert it to .xyz, as with yaml.safe_load_all in Python",
);
const DUMP_LOCAL: UnsupportedKind = (
    "a LAMMPS dump of local values, such as bonds (dump local),",
    "it has no positions; draw the dump of the atoms, with --topology and the data file for its bonds",
);
const DUMP_GRID: UnsupportedKind = (
    "a LAMMPS dump of a grid (dump grid)",
    "it has no atoms; draw the dump of the atoms, or write the points of the grid as .csv",
);

/// First bytes.
#[rustfmt::skip]
const MARKS: [(&[u8], UnsupportedKind); 6] = [
    (b"\x89PNG\r\n\x1a\n", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"\xfd7zXZ\0", ("xz", "decompress the file, or compress it with gzip, zstd or bzip2")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", SPREADSHEET),
    (b"SQLite format 3\0", ("an SQLite database", "export the table as .csv")),
];

/// Extensions of file names.
#[rustfmt::skip]
const FAMILIES: [(&[&str], UnsupportedKind); 18] = [
    (&["mae", "maegz"], MAESTRO),
    (&["arc"], BIOSYM),
    (&["mmtf"], ("MMTF", "the Protein Data Bank stopped it in 2024; fetch the entry as BinaryCIF (.bcif)")),
    (&["nff"], ("NFF", "write its spheres as .csv with the columns x, y, z, radius and color")),
    (&["svg"], ("SVG", "write its circles as .csv with the columns x, y, radius and color, or as a scene; `roundel compare` reads pictures")),
    (&["cml", "cdx"], ("this format of molecules", "convert it to .pdb or .xyz, as with Open Babel")),
    (&["tng", "crd", "mdcrd"], ("this format of trajectories", "convert it to .xtc, .dcd or .xyz, as with MDAnalysis")),
    (&["top", "tpr", "itp"],
        ("this topology", "name a file with coordinates, such as .pdb or .gro, which --topology takes, too")),
    (&["cfg", "xsf", "cube", "fhi", "castep", "cell"],
        ("this format of crystals", "convert it to .xyz (extended) or .cif, as with ASE")),
    (&["h5", "h5md", "hdf5", "hdf", "h5ad"], HDF5),
    (&["xls", "xlsx", "ods", "numbers"], SPREADSHEET),
    (&["vtkhdf", "pvd", "xdmf", "pvtp", "pvtu"],
        ("this format of VTK", "save the points as legacy .vtk, .csv or .ply, as ParaView does")),
    (&["e57", "pts", "ptx"], ("this format of point clouds", "convert it to .ply or .csv, as CloudCompare does")),
    (&["stl", "obj", "gltf", "glb", "fbx", "off", "3ds", "dae"],
        ("a mesh", "only circles and spheres are drawn; export its vertices as .ply or .csv")),
    (&["geojson", "geojsonl", "geojsons"], GEOJSON),
    (&["jsonl", "ndjson"], JSON_LINES),
    (&["shp", "gpkg", "kml", "gpx"],
        ("this format of maps", "export the points as .csv with longitude and latitude")),
    (&["zip", "tar", "tgz", "7z", "rar", "xz", "lz4", "br"],
        ("this format of archives", "unpack it; gzip, zstd and bzip2 are read as they are")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_formats_get_advice() {
        let said = advice(b"?", Some("h5")).expect("known by its extension");
        assert_eq!(said, "HDF5 is not supported; write its columns as .npz or .csv, with h5py or pandas");
        assert!(advice(b"...", Some("tng")).is_some_and(|said| said.contains(".xtc")));
        for (text, what) in [
            ("{\n  s_m_m2io_version\n  :::\n  2.0.0\n}\n", "a Maestro file"),
            ("!BIOSYM archive 3\n", "a BIOSYM archive of Materials Studio"),
            ("[\n {\"x\": 1}, {\"x\": 2}]", "a JSON array of rows"),
            ("{\"type\":\"Topology\",\"objects\":{},\"arcs\":[]}", "GeoJSON"),
        ] {
            assert!(
                of_text(text, None).is_some_and(|said| said.starts_with(&format!("{what} is not supported; "))),
                "{text}"
            );
        }
        for text in ["[[sphere]]\nradius = 1\n", "[camera]\n", "3\n\nH 0 0 0\n", "x y z\n1 2 3\n4 5 6\n", "{}"] {
            assert_eq!(of_text(text, None), None, "{text}");
        }
        assert_eq!(advice(b"anything", Some("unheard")), None);
        assert_eq!(advice(b"anything", None), None);
    }
}
