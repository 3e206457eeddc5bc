//! Atoms and particles as readers hand them over, and their way to painted spheres.

use std::borrow::Cow;

use super::describe::Source;
use super::ledger::{ATOM, Ledger};
use super::lines::Lines;
use super::nearest;
use super::source::Format;
use crate::color::Srgba8;
use crate::color::elements::{Atomic, UNKNOWN_RADIUS};
use crate::color::maps::ColorMap;
use crate::error::{Error, Result};
use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};

/// One structure of arrays; what a format does not have stays empty.
pub(super) struct Atoms {
    /// What messages call the file.
    pub(super) file: String,
    pub(super) format: Format,
    pub(super) centers: Vec<[f32; 3]>,
    pub(super) elements: Vec<Atomic>,
    /// Per atom, an index into `chain_names`.
    pub(super) chains: Vec<u16>,
    /// In the order of their first atoms.
    pub(super) chain_names: Vec<String>,
    /// Per atom, the name of its residue.
    pub(super) residues: Vec<[u8; 3]>,
    /// Names of the columns of numbers that the file has beside the coordinates.
    pub(super) columns: Vec<String>,
    /// The numbers asked for by [`Wanted`].
    pub(super) color_values: Vec<f32>,
    pub(super) radius_values: Vec<f32>,
    /// What the file says of the atom that [`Wanted`] notes, name and value.
    pub(super) noted: Vec<(String, String)>,
    /// Models or frames in the file; 1 unless they were to be counted.
    pub(super) models: u64,
    /// The biological assemblies that the file says how to build.
    pub(super) assemblies: Vec<Assembly>,
}

/// How copies of a molecule's chains stand together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assembly {
    /// Usually one; the same operators may build several.
    pub(super) numbers: Vec<u32>,
    pub(super) parts: Vec<AssemblyPart>,
}

/// Chains, and where their copies stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AssemblyPart {
    /// All chains when empty.
    pub(super) chains: Vec<String>,
    pub(super) poses: Vec<Pose>,
}

/// Columns of numbers that a reader is to keep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted<'a> {
    /// The column that gives the colour.
    pub(super) color: Option<&'a str>,
    /// The column that gives the radius.
    pub(super) radius: Option<&'a str>,
    /// Whether to read on to the end and count models or frames.
    pub(super) count_models: bool,
    /// Which frame or model to read, from 0.
    pub(super) frame: u64,
    /// The atom of which all that the file says is kept, from 0.
    pub(super) note: Option<u64>,
}

/// A column that is wanted, and what for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) column: usize,
    purpose: Purpose,
}

#[derive(Clone, Copy, Debug)]
enum Purpose {
    Color,
    Radius,
}

impl Wanted<'_> {
    /// Finds the wanted columns among those that there are.
    pub(super) fn pick(&self, atoms: &Atoms) -> Result<Vec<Pick>> {
        let find = |name: &str, purpose| {
            let columns = atoms.columns.iter().map(String::as_str);
            let column = columns.clone().position(|column| column.eq_ignore_ascii_case(name));
            column.map(|column| Pick { column, purpose }).ok_or_else(|| {
                let others: &[&str] = match purpose {
                    Purpose::Color => &["element", "chain", "residue", "index", "constant"],
                    Purpose::Radius => &["vdw"],
                };
                let names = others.iter().copied().chain(columns);
                Error::input(
                    &atoms.file,
                    None,
                    format!("no column {name:?}{}", nearest::hint(name, names, "there are")),
                )
            })
        };
        let color = self.color.map(|name| find(name, Purpose::Color));
        let radius = self.radius.map(|name| find(name, Purpose::Radius));
        color.into_iter().chain(radius).collect()
    }
}

impl Atoms {
    pub(super) fn new(file: String, format: Format) -> Self {
        Self {
            file,
            format,
            centers: Vec::new(),
            elements: Vec::new(),
            chains: Vec::new(),
            chain_names: Vec::new(),
            residues: Vec::new(),
            columns: Vec::new(),
            color_values: Vec::new(),
            radius_values: Vec::new(),
            noted: Vec::new(),
            models: 1,
            assemblies: Vec::new(),
        }
    }

    /// Adds an atom; its coordinates must be finite as `f32`, too.
    pub(super) fn push<R>(&mut self, element: Atomic, center: [f64; 3], lines: &Lines<R>) -> Result<()> {
        lines.admit(self.centers.len())?;
        self.centers.push([single(center[0], lines)?, single(center[1], lines)?, single(center[2], lines)?]);
        self.elements.push(element);
        Ok(())
    }

    /// Which chains a part of an assembly has.
    fn kept(&self, part: &AssemblyPart) -> Vec<bool> {
        let has = |chain: &String| part.chains.is_empty() || part.chains.contains(chain);
        self.chain_names.iter().map(has).collect()
    }

    /// How many atoms a part of an assembly has.
    fn count_of(&self, part: &AssemblyPart) -> u64 {
        let kept = self.kept(part);
        self.chains.iter().filter(|&&chain| kept[usize::from(chain)]).count() as u64
    }

    /// Whether the last atom is the one to be noted.
    pub(super) fn notes(&self, wanted: &Wanted<'_>) -> bool {
        wanted.note.is_some_and(|note| note + 1 == self.centers.len() as u64)
    }

    /// Adds a picked column's number for the last atom.
    pub(super) fn push_value<R>(&mut self, pick: &Pick, value: f64, lines: &Lines<R>) -> Result<()> {
        let value = single(value, lines)?;
        match pick.purpose {
            Purpose::Color => self.color_values.push(value),
            Purpose::Radius if value < 0.0 => {
                let name = &self.columns[pick.column];
                return Err(lines.refuse(format!("{name} must not be negative where it is a radius, got {value}")));
            }
            Purpose::Radius => self.radius_values.push(value),
        }
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, what overflows is refused")]
fn single<R>(value: f64, lines: &Lines<R>) -> Result<f32> {
    let single = value as f32;
    let refuse = || lines.refuse(format!("a number must be between -3.4e38 and 3.4e38, got {value:e}"));
    if single.is_finite() { Ok(single) } else { Err(refuse()) }
}

/// What gives an atom its colour.
#[derive(Clone, Debug)]
pub(super) enum ColorBy {
    Element,
    Chain,
    Residue,
    Index(ColorMap),
    Constant(Srgba8),
    Column { name: String, map: ColorMap, range: Option<[f64; 2]> },
}

/// What gives an atom its radius.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RadiusBy {
    Vdw,
    Constant(f32),
    Column(String),
}

impl ColorBy {
    /// The column to keep.
    pub(super) fn column(&self) -> Option<&str> {
        if let Self::Column { name, .. } = self { Some(name) } else { None }
    }
}

impl RadiusBy {
    /// The column to keep.
    pub(super) fn column(&self) -> Option<&str> {
        if let Self::Column(name) = self { Some(name) } else { None }
    }
}

/// What a name of the scene format or the command line colours by; any other name is a column's.
pub(super) fn color_by(name: &str, map: ColorMap, constant: Srgba8) -> ColorBy {
    match name {
        "element" => ColorBy::Element,
        "chain" => ColorBy::Chain,
        "residue" => ColorBy::Residue,
        "index" => ColorBy::Index(map),
        "constant" => ColorBy::Constant(constant),
        column => ColorBy::Column { name: column.to_owned(), map, range: None },
    }
}

/// The atoms as spheres, in the file's order.
pub(super) fn spheres(atoms: &Atoms, color: &ColorBy, radius: &RadiusBy) -> Result<Vec<PaintedSphere>> {
    let missing = |what: &str| Err(Error::input(&atoms.file, None, format!("has no {what} to colour by")));
    if matches!(color, ColorBy::Chain) && atoms.chains.is_empty() {
        return missing("chains");
    }
    if matches!(color, ColorBy::Residue) && atoms.residues.is_empty() {
        return missing("residues");
    }
    let (least, most) = match color {
        ColorBy::Column { range: Some([least, most]), .. } => (*least, *most),
        _ => extremes(atoms.color_values.iter().map(|&value| f64::from(value))),
    };
    let count = atoms.centers.len();
    let color_of = |index: usize| match color {
        ColorBy::Element => atoms.elements[index].element().color,
        ColorBy::Chain => ColorMap::TAB10.category(usize::from(atoms.chains[index])),
        ColorBy::Residue => residue_color(&atoms.residues[index]),
        ColorBy::Index(map) => map.number(index as f64 / count.saturating_sub(1).max(1) as f64),
        ColorBy::Constant(color) => *color,
        ColorBy::Column { map, .. } => map.number(share(f64::from(atoms.color_values[index]), least, most)),
    };
    let radius_of = |index: usize| match radius {
        RadiusBy::Vdw => atoms.elements.get(index).map_or(UNKNOWN_RADIUS, |atomic| atomic.element().radius),
        RadiusBy::Constant(radius) => *radius,
        RadiusBy::Column(_) => atoms.radius_values[index],
    };
    let sphere = |(index, &center)| PaintedSphere { center, radius: radius_of(index), color: color_of(index) };
    Ok(atoms.centers.iter().enumerate().map(sphere).collect())
}

/// The assembly of that number, which must have atoms.
pub(super) fn assembly(atoms: &Atoms, number: u32) -> Result<&Assembly, String> {
    let Some(assembly) = atoms.assemblies.iter().find(|assembly| assembly.numbers.contains(&number)) else {
        let there: Vec<_> =
            atoms.assemblies.iter().flat_map(|assembly| &assembly.numbers).map(u32::to_string).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        return Err(format!("must be one that {} has ({there}), got {number}", atoms.file));
    };
    if assembly.parts.iter().all(|part| atoms.count_of(part) == 0) {
        return Err(format!("{number} of {} names no chain that has atoms", atoms.file));
    }
    Ok(assembly)
}

/// Refuses an assembly over the budget, before it is built; `subject` says which.
pub(super) fn check_copies(
    atoms: &Atoms,
    assembly: &Assembly,
    ledger: &Ledger,
    subject: impl Fn() -> String,
) -> Result<()> {
    let (mut spheres, mut memory) = (0_u64, 0_u64);
    for part in &assembly.parts {
        let (count, poses) = (atoms.count_of(part), part.poses.len() as u64);
        spheres = spheres.saturating_add(count.saturating_mul(poses));
        // each part has its atoms once, whatever the copies, beside what was read
        memory = memory.saturating_add(count * SPHERE).saturating_add(poses * size_of::<Pose>() as u64);
    }
    ledger.check(spheres, 0, || format!("{} has {spheres} spheres", subject()))?;
    let read = atoms.centers.len() as u64 * ATOM;
    ledger.check_memory(memory.saturating_add(read), || format!("{} has {spheres} spheres", subject()))
}

/// Bytes of a sphere in a group.
const SPHERE: u64 = size_of::<PaintedSphere>() as u64;

/// The spheres as often as the assembly says: chains that are copied together share a group.
pub(super) fn groups(atoms: &Atoms, spheres: &[PaintedSphere], assembly: &Assembly) -> Vec<SphereGroup<'static>> {
    let group = |part: &AssemblyPart| {
        let kept = atoms.kept(part);
        let all = spheres.iter().zip(&atoms.chains);
        let mut copies = Vec::with_capacity(usize::try_from(atoms.count_of(part)).expect("counted in memory"));
        copies.extend(all.filter(|(_, chain)| kept[usize::from(**chain)]).map(|(sphere, _)| *sphere));
        SphereGroup { spheres: Cow::Owned(copies), poses: Cow::Owned(part.poses.clone()) }
    };
    assembly.parts.iter().map(group).collect()
}

/// The atom that a sphere of [`groups`] shows, counted through groups, poses and spheres.
pub(super) fn atom_of(atoms: &Atoms, assembly: Option<u32>, index: u64) -> Option<u64> {
    let Some(number) = assembly else { return Some(index) };
    let assembly = atoms.assemblies.iter().find(|assembly| assembly.numbers.contains(&number))?;
    let mut start = 0;
    for part in &assembly.parts {
        let kept =
            |chain: &u16| part.chains.is_empty() || part.chains.contains(&atoms.chain_names[usize::from(*chain)]);
        let mut kept_atoms = (0_u64..).zip(&atoms.chains).filter(|(_, chain)| kept(chain)).map(|(atom, _)| atom);
        let count = kept_atoms.clone().count() as u64;
        let end = start + count * part.poses.len() as u64;
        if index < end {
            return kept_atoms.nth(usize::try_from((index - start) % count).ok()?);
        }
        start = end;
    }
    None
}

/// There are not so many frames or models.
pub(super) fn no_frame(wanted: u64, frames: u64, file: &str) -> Error {
    let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
    Error::Setting { name: "frame", message: format!("{wanted} is not in {file}, which has {frames}, from 0") }
}

/// Spheres that stand where they are.
pub(super) fn plain(spheres: Vec<PaintedSphere>) -> SphereGroup<'static> {
    SphereGroup { spheres: Cow::Owned(spheres), poses: Cow::Borrowed(&[Pose::IDENTITY]) }
}

/// What the file holds, for `info`.
pub(super) fn describe(atoms: &Atoms) -> Source {
    let mut source = Source::new(atoms.file.clone(), atoms.format, atoms.centers.len());
    let mut counts = [0_u64; 256];
    atoms.elements.iter().for_each(|element| counts[usize::from(element.0)] += 1);
    let present = (0..=255_u8).filter(|&number| counts[usize::from(number)] > 0);
    let symbol = |number| Atomic(number).element().symbol.to_owned();
    source.elements = present.map(|number| (symbol(number), counts[usize::from(number)])).collect();
    source.elements.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    source.columns.clone_from(&atoms.columns);
    source.chains.clone_from(&atoms.chain_names);
    source.models = atoms.models;
    let copies = |assembly: &Assembly| assembly.parts.iter().map(|part| part.poses.len() as u64).sum();
    let each =
        |assembly: &Assembly| assembly.numbers.iter().map(|&number| (number, copies(assembly))).collect::<Vec<_>>();
    source.assemblies = atoms.assemblies.iter().flat_map(each).collect();
    source
}

/// The least and the greatest number; 0 and 0 when there is none.
pub(super) fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.map(|value| (value, value)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
}

/// Where between least (0) and greatest (1) a value lies; in the middle when they are the same.
pub(super) fn share(value: f64, least: f64, most: f64) -> f64 {
    if most > least { ((value - least) / (most - least)).clamp(0.0, 1.0) } else { 0.5 }
}

/// Jmol's colours of amino acids ("amino") and nucleotides ("shapely").
fn residue_color(name: &[u8; 3]) -> Srgba8 {
    let base = name.trim_ascii();
    let base = base.strip_prefix(b"D").filter(|base| base.len() == 1).unwrap_or(base);
    Srgba8::hex(match base {
        b"ASP" | b"GLU" => 0xe6_0a_0a,
        b"CYS" | b"MET" => 0xe6_e6_00,
        b"LYS" | b"ARG" => 0x14_5a_ff,
        b"SER" | b"THR" => 0xfa_96_00,
        b"PHE" | b"TYR" => 0x32_32_aa,
        b"ASN" | b"GLN" => 0x00_dc_dc,
        b"GLY" => 0xeb_eb_eb,
        b"LEU" | b"VAL" | b"ILE" => 0x0f_82_0f,
        b"ALA" => 0xc8_c8_c8,
        b"TRP" => 0xb4_5a_b4,
        b"HIS" => 0x82_82_d2,
        b"PRO" => 0xdc_96_82,
        b"A" => 0xa0_a0_ff,
        b"C" => 0xff_8c_4b,
        b"G" => 0xff_70_70,
        b"T" => 0xa0_ff_a0,
        b"U" => 0xff_80_80,
        _ => 0xbe_a0_6e,
    })
}
