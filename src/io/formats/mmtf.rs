//! Macromolecules in MMTF: a MessagePack map in which long lists are packed numbers.
//!
//! Source: A. R. Bradley et al., "MMTF – An efficient file format for the transmission, visualization, and analysis of
//! macromolecular structures", *PLoS Computational Biology*, 2017, and its specification, version 1.0.

use std::ops::Range;

use glam::{Mat3, Vec3};

use super::assembly_remarks::pose;
use super::elements::is_virtual_site;
use super::facts::{Assembly, AssemblyPart};
use super::held_atoms::{self, HeldAtoms};
use super::mmtf_arrays::{PackedList, texts_of};
use super::reading::Reading;
use super::virtual_sites::{self, SITE};
use crate::color::elements::Atomic;
use crate::data::{Alternate, Bond, BondOrder, Cell, FileBonds, Kind};
use crate::error::{Error, Result};
use crate::io::source::columns::ColumnBuilder;
use crate::io::source::input::Stream;
use crate::io::source::message_pack::{self, PackedValue};
use crate::io::source::seekable_file::SeekableFile;

#[rustfmt::skip]
const FIELDS: [(&str, Kind); 12] = [
    ("record", Kind::Name), ("serial", Kind::Integer), ("element", Kind::Name), ("name", Kind::Name),
    ("altloc", Kind::Name), ("resname", Kind::Name), ("chain", Kind::Name), ("label_chain", Kind::Name),
    ("resid", Kind::Integer), ("icode", Kind::Name), ("occupancy", Kind::F32), ("b_factor", Kind::F32),
];

/// Most bytes of memory per atom while the file is read.
const EACH: u64 = 160;

/// Whether a file is MMTF: a MessagePack map with keys that no other format has.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    matches!(bytes.first(), Some(0x80..=0x8f | 0xde | 0xdf))
        && ["mmtfVersion", "mmtfProducer", "groupTypeList", "xCoordList"]
            .iter()
            .any(|key| memchr::memmem::find(head, key.as_bytes()).is_some())
}

struct MmtfGroup {
    name: String,
    atoms: Vec<MmtfAtom>,
    bonds: Vec<([u32; 2], BondOrder)>,
}

struct MmtfAtom {
    name: String,
    element: &'static str,
    is_site: bool,
}

/// Maps the atoms of a model to rows; virtual sites that are left out have none.
struct ModelRows {
    rows: Vec<Option<u32>>,
    count: u32,
    keeps_sites: bool,
}

impl ModelRows {
    /// Adds an atom; returns its row, if it has one.
    fn push(&mut self, is_site: bool) -> Option<u32> {
        let row = (!is_site || self.keeps_sites).then_some(self.count);
        self.count += u32::from(row.is_some());
        self.rows.push(row);
        row
    }

    /// The row of an atom of the model.
    fn of(&self, atom: usize) -> Option<u32> {
        self.rows.get(atom).copied().flatten()
    }
}

struct MmtfFile {
    file: SeekableFile,
    root: PackedValue,
    atoms: usize,
}

impl MmtfFile {
    fn refuse(&self, message: impl Into<String>) -> Error {
        Error::input(&self.file.file, None, message)
    }

    /// The packed list of a key, decoded; `None` if the file has none.
    fn list<T>(&self, key: &str, decode: impl FnOnce(&PackedList) -> Result<T, String>) -> Result<Option<T>> {
        let PackedValue::Bytes(span) = self.root.get(key) else { return Ok(None) };
        let bytes = message_pack::load(&self.file, *span)?;
        let decoded = PackedList::new(&bytes).and_then(|packed| decode(&packed));
        decoded.map(Some).map_err(|message| self.refuse(format!("{key} {message}")))
    }

    /// Whole numbers of all atoms, groups or chains.
    fn integers(&self, key: &str, most: usize) -> Result<Option<Vec<i32>>> {
        self.list(key, |packed| packed.integers(most))
    }

    /// A required list with a value for each atom.
    fn coordinates(&self, key: &str) -> Result<Vec<f32>> {
        let found = self.list(key, |packed| packed.numbers(self.atoms))?.unwrap_or_default();
        if found.len() != self.atoms {
            return Err(self.refuse(format!(
                "{key} must have a number for each of {} atoms, got {}",
                self.atoms,
                found.len()
            )));
        }
        Ok(found)
    }

    /// An unpacked list of counts.
    fn counts(&self, key: &str) -> Vec<usize> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates, and sums are checked"
        )]
        let count = |value: &PackedValue| value.number().unwrap_or(0.0) as usize;
        self.root.get(key).list().iter().map(count).collect()
    }

    fn groups(&self) -> Vec<MmtfGroup> {
        self.root.get("groupList").list().iter().map(group).collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates; places are checked where they are used"
)]
fn group(value: &PackedValue) -> MmtfGroup {
    let texts = |key: &str| value.get(key).list().iter().map(|text| text.text().unwrap_or_default());
    let residue = value.get("groupName").text().unwrap_or_default();
    let atom = |(name, stated): (&str, &str)| {
        let is_site = is_virtual_site(stated.as_bytes(), name.as_bytes(), residue.as_bytes());
        let element = || Atomic::from_symbol(stated.as_bytes()).unwrap_or(Atomic::UNKNOWN).symbol();
        MmtfAtom { name: name.to_owned(), element: if is_site { SITE } else { element() }, is_site }
    };
    let atoms = texts("atomNameList").zip(texts("elementList")).map(atom);
    let orders = value.get("bondOrderList").list();
    let pairs = value.get("bondAtomList").list().chunks_exact(2).enumerate().map(|(index, ends)| {
        let end = |end: &PackedValue| end.number().unwrap_or(f64::MAX) as u32;
        let order = orders.get(index).and_then(PackedValue::number).unwrap_or(1.0);
        ([end(&ends[0]), end(&ends[1])], bond_order(order as i32))
    });
    MmtfGroup { name: residue.to_owned(), atoms: atoms.collect(), bonds: pairs.collect() }
}

fn bond_order(order: i32) -> BondOrder {
    match order {
        2 => BondOrder::Double,
        3 => BondOrder::Triple,
        _ => BondOrder::Single,
    }
}

struct MmtfLists {
    serials: Option<Vec<i32>>,
    alternates: Option<Vec<u8>>,
    occupancies: Option<Vec<f32>>,
    b_factors: Option<Vec<f32>>,
    residues: Vec<i32>,
    insertions: Option<Vec<u8>>,
}

impl MmtfLists {
    fn read(mmtf: &MmtfFile) -> Result<Self> {
        Ok(Self {
            serials: mmtf.integers("atomIdList", mmtf.atoms)?,
            alternates: mmtf.list("altLocList", |packed| packed.letters(mmtf.atoms))?,
            occupancies: mmtf.list("occupancyList", |packed| packed.numbers(mmtf.atoms))?,
            b_factors: mmtf.list("bFactorList", |packed| packed.numbers(mmtf.atoms))?,
            residues: mmtf.integers("groupIdList", mmtf.atoms)?.unwrap_or_default(),
            insertions: mmtf.list("insCodeList", |packed| packed.letters(mmtf.atoms))?,
        })
    }
}

struct MmtfTree {
    models: Vec<usize>,
    chains: Vec<usize>,
    types: Vec<i32>,
    groups: Vec<MmtfGroup>,
}

struct MmtfResidue<'a> {
    chain: usize,
    index: usize,
    first_atom: usize,
    group: &'a MmtfGroup,
}

impl MmtfTree {
    /// Calls `take` for each residue of a model. Returns the model's range of atoms.
    fn each_residue(
        &self,
        mmtf: &MmtfFile,
        wanted: usize,
        mut take: impl FnMut(&MmtfResidue<'_>) -> Result<()>,
    ) -> Result<Range<usize>> {
        let (mut range, mut index, mut chain) = (0..0, 0, 0);
        for (model, &chains) in self.models.iter().enumerate().take(wanted + 1) {
            range = range.end..range.end;
            for _ in 0..chains {
                let count = self.chains.get(chain);
                let count = *count.ok_or_else(|| mmtf.refuse("groupsPerChain must have a number for each chain"))?;
                for _ in 0..count {
                    let group = self.types.get(index).and_then(|&kind| self.groups.get(usize::try_from(kind).ok()?));
                    let group = group
                        .ok_or_else(|| mmtf.refuse(format!("groupTypeList must name a group for residue {index}")))?;
                    let first_atom = range.end;
                    range.end += group.atoms.len();
                    if range.end > mmtf.atoms {
                        let atoms = mmtf.atoms;
                        return Err(
                            mmtf.refuse(format!("groups have more than the {atoms} atoms that the file promises"))
                        );
                    }
                    if model == wanted {
                        take(&MmtfResidue { chain, index, first_atom, group })?;
                    }
                    index += 1;
                }
                chain += 1;
            }
        }
        Ok(range)
    }
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let file = SeekableFile::new(stream)?;
    let root = message_pack::read(&file)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let atoms = root.get("numAtoms").number().unwrap_or(0.0) as u64;
    if atoms == 0 || atoms > u64::from(u32::MAX) {
        let message = format!("numAtoms must be the number of atoms, 1 or more, got {atoms}");
        return Err(Error::input(&file.file, None, message));
    }
    reading.check_held(atoms, EACH, || format!("{}: the file promises {atoms} atoms", file.file))?;
    let mmtf = MmtfFile { file, root, atoms: usize::try_from(atoms).expect("32 bits fit an address space") };
    let models = mmtf.counts("chainsPerModel");
    let model_count = models.len().max(1) as u64;
    if reading.extent.frame >= model_count {
        return Err(reading.no_frame(model_count));
    }
    let wanted = usize::try_from(reading.extent.frame).expect("less than a length");
    let types = mmtf.integers("groupTypeList", mmtf.atoms)?.unwrap_or_default();
    let tree = MmtfTree { models, chains: mmtf.counts("groupsPerChain"), types, groups: mmtf.groups() };
    let lists = MmtfLists::read(&mmtf)?;
    let [x, y, z] = [mmtf.coordinates("xCoordList")?, mmtf.coordinates("yCoordList")?, mmtf.coordinates("zCoordList")?];
    let labels = mmtf.list("chainIdList", |packed| texts_of(packed, mmtf.atoms))?.unwrap_or_default();
    let names = mmtf.list("chainNameList", |packed| texts_of(packed, mmtf.atoms))?.unwrap_or_else(|| labels.clone());
    let polymers = polymers(&mmtf.root, labels.len());
    let mut held = HeldAtoms::with_columns(&FIELDS);
    let mut bonds = Vec::new();
    let mut rows = ModelRows { rows: Vec::new(), count: 0, keeps_sites: reading.keeps_virtual_sites };
    let atoms = tree.each_residue(&mmtf, wanted, |residue| {
        let label = labels.get(residue.chain).map_or("", String::as_str);
        let chain = MmtfChain {
            record: if polymers.get(residue.chain) == Some(&false) { "HETATM" } else { "ATOM" },
            name: names.get(residue.chain).map_or(label, String::as_str),
            label,
        };
        let first_row = rows.rows.len();
        put_residue(&mut held, &lists, &chain, residue, &mut rows).map_err(|message| mmtf.refuse(message))?;
        let group = residue.group;
        let row = |end: u32| {
            let end = usize::try_from(end).ok().filter(|&end| end < group.atoms.len())?;
            rows.of(first_row + end)
        };
        let bond = |&([one, two], order): &([u32; 2], BondOrder)| Some(Bond::new(row(one)?, row(two)?, order));
        bonds.extend(group.bonds.iter().filter_map(bond));
        Ok(())
    })?;
    let drawn = atoms.clone().zip(&rows.rows).filter(|(_, row)| row.is_some());
    held.positions = drawn.map(|(at, _)| [x[at], y[at], z[at]].map(f64::from)).collect();
    if held.positions.is_empty() {
        return Err(mmtf.refuse("the model has no atoms"));
    }
    bonds.extend(far_bonds(&mmtf, atoms, &rows)?);
    reading.facts.notes.extend(virtual_sites::note(&mmtf.file.file, rows.rows.len() as u64 - u64::from(rows.count)));
    let announced = held_atoms::begin(reading, held.positions.len() as u64, &FIELDS, &mmtf.file.file)?;
    held.cell = cell(&mmtf.root);
    announced.finish(reading, held)?;
    reading.facts.bonds = FileBonds { is_complete: !bonds.is_empty(), rows: bonds, ..FileBonds::default() };
    reading.facts.assemblies = assemblies(&mmtf.root, &labels);
    reading.note_frames(model_count);
    Ok(())
}

struct MmtfChain<'a> {
    record: &'static str,
    name: &'a str,
    label: &'a str,
}

/// Adds the values of a residue's atoms.
fn put_residue(
    held: &mut HeldAtoms,
    lists: &MmtfLists,
    chain: &MmtfChain<'_>,
    residue: &MmtfResidue<'_>,
    rows: &mut ModelRows,
) -> Result<(), String> {
    let &MmtfResidue { index, first_atom, group, .. } = residue;
    let resid = lists.residues.get(index).copied().unwrap_or(0);
    let insertion = lists.insertions.as_ref().and_then(|codes| codes.get(index)).copied().unwrap_or(0);
    let insertion: &[u8] = if insertion == 0 { b"" } else { &[insertion] };
    for (at, MmtfAtom { name, element, is_site }) in (first_atom..).zip(&group.atoms) {
        let Some(row) = rows.push(*is_site) else { continue };
        let serial =
            lists.serials.as_ref().and_then(|serials| serials.get(at).copied()).map_or(at as i64 + 1, i64::from);
        let alternate = lists.alternates.as_ref().and_then(|places| places.get(at)).copied().unwrap_or(0);
        let number = |list: &Option<Vec<f32>>, missing: f32| {
            list.as_ref().and_then(|list| list.get(at).copied()).unwrap_or(missing)
        };
        let occupancy = number(&lists.occupancies, 1.0);
        let texts: [&[u8]; 12] = [
            chain.record.as_bytes(),
            b"",
            element.as_bytes(),
            name.as_bytes(),
            if alternate == 0 { b"" } else { std::slice::from_ref(&alternate) },
            group.name.as_bytes(),
            chain.name.as_bytes(),
            chain.label.as_bytes(),
            b"",
            insertion,
            b"",
            b"",
        ];
        for (column, text) in held.columns.iter_mut().zip(texts) {
            if let Some(column @ ColumnBuilder::Names(_)) = column {
                column.push(text).map_err(|accepted| format!("a name must be {accepted}"))?;
            }
        }
        let numbers = [
            (1, serial as f64),
            (8, f64::from(resid)),
            (10, f64::from(occupancy)),
            (11, f64::from(number(&lists.b_factors, f32::NAN))),
        ];
        for (column, value) in numbers {
            #[expect(clippy::cast_possible_truncation, reason = "made of smaller numbers above")]
            match &mut held.columns[column] {
                Some(ColumnBuilder::Integers(values)) => values.push(value as i64),
                Some(ColumnBuilder::F32(values)) => values.push(value as f32),
                _ => {}
            }
        }
        if alternate != 0 {
            let key = format!("{} {resid} {insertion:?}", chain.label);
            held.alternates.push(Alternate {
                row: row as usize,
                residue: key.into_bytes().into(),
                place: alternate,
                occupancy,
            });
        }
    }
    Ok(())
}

/// The bonds between residues, for atoms in a range.
fn far_bonds(mmtf: &MmtfFile, range: Range<usize>, rows: &ModelRows) -> Result<Vec<Bond>> {
    let most = mmtf.atoms.saturating_mul(8);
    let ends = mmtf.integers("bondAtomList", most)?.unwrap_or_default();
    let orders = mmtf.integers("bondOrderList", most)?.unwrap_or_default();
    let row = |atom: i32| {
        let atom = usize::try_from(atom).ok().filter(|atom| range.contains(atom))?;
        rows.of(atom - range.start)
    };
    let bond = |(index, ends): (usize, &[i32])| {
        let order = orders.get(index).copied().unwrap_or(1);
        Some(Bond::new(row(ends[0])?, row(ends[1])?, bond_order(order)))
    };
    Ok(ends.chunks_exact(2).enumerate().filter_map(bond).collect())
}

fn numbers(value: &PackedValue) -> Vec<f64> {
    value.list().iter().filter_map(PackedValue::number).collect()
}

fn cell(root: &PackedValue) -> Option<Cell> {
    let &[a, b, c, alpha, beta, gamma] = numbers(root.get("unitCell")).as_slice() else { return None };
    // a cell of one ångström means none
    (a * b * c > 1.001).then(|| Cell::from_lengths_and_angles([a, b, c], [alpha, beta, gamma])).flatten()
}

/// Whether each chain is a polymer.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn polymers(root: &PackedValue, chains: usize) -> Vec<bool> {
    let mut polymers = vec![true; chains];
    for entity in root.get("entityList").list() {
        let is_polymer = entity.get("type").text() == Some("polymer");
        for chain in numbers(entity.get("chainIndexList")) {
            if let Some(of_chain) = polymers.get_mut(chain as usize) {
                *of_chain = is_polymer;
            }
        }
    }
    polymers
}

/// The assemblies whose names are numbers.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates; matrices are rounded to f32"
)]
fn assemblies(root: &PackedValue, labels: &[String]) -> Vec<Assembly> {
    let part = |parts: &mut Vec<AssemblyPart>, transform: &PackedValue| {
        let chains = numbers(transform.get("chainIndexList")).into_iter();
        let chains: Vec<String> = chains.filter_map(|chain| labels.get(chain as usize).cloned()).collect();
        let matrix: Vec<f32> = numbers(transform.get("matrix")).into_iter().map(|value| value as f32).collect();
        // row by row
        let rows: [f32; 16] = matrix.try_into().ok()?;
        let column = |column: usize| Vec3::new(rows[column], rows[4 + column], rows[8 + column]);
        let pose = pose(Mat3::from_cols(column(0), column(1), column(2)), column(3))?;
        match parts.last_mut() {
            // an empty list would mean all chains
            _ if chains.is_empty() => return None,
            Some(last) if last.chains == chains => last.poses.push(pose),
            _ => parts.push(AssemblyPart { chains, poses: vec![pose] }),
        }
        Some(())
    };
    let assembly = |assembly: &PackedValue| {
        let number = assembly.get("name").text()?.parse().ok()?;
        let mut parts = Vec::new();
        assembly.get("transformList").list().iter().try_for_each(|transform| part(&mut parts, transform))?;
        Some(Assembly { numbers: vec![number], parts })
    };
    root.get("bioAssemblyList").list().iter().filter_map(assembly).collect()
}
