//! Names, elements and residues of atoms for a trajectory, which has only positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::held_atoms;
use super::records::BadRow;
use super::request::{ColumnChoice, Contents};
use super::virtual_sites::SITE;
use super::wanted::{Field, Header, ValueRule, Want, Wanted};
use crate::data::{Block, Bond, FileBonds, Kind, Table, Values};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::source::columns::ColumnBuilder;

/// The atoms of a structure file, in its order, without positions.
#[derive(Debug)]
pub struct Topology {
    file: String,
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<ColumnBuilder>,
    pub(super) chains: Option<usize>,
    /// Whether each atom is drawn; `None` if all are.
    pub(super) drawn: Option<Vec<bool>>,
    atoms: u64,
    /// Bonds between drawn rows.
    pub(super) bonds: FileBonds,
}

impl Topology {
    /// The atoms of the content of a file.
    pub(super) fn of(file: String, contents: Contents) -> Self {
        let Contents { mut header, table, facts, .. } = contents;
        let atoms = table.rows() as u64;
        let mut columns: Vec<ColumnBuilder> = (0..header.fields.len()).map(|column| joined(&table, column)).collect();
        if let (Some(types), None) = (header.find("type"), header.find("mass"))
            && !facts.type_masses.is_empty()
        {
            let mass = |row: usize| {
                let kind = columns[types].number(row);
                let found = facts.type_masses.iter().find(|(known, _)| *known as f64 == kind);
                found.map_or(f32::NAN, |(_, mass)| single(*mass))
            };
            let masses = (0..table.rows()).map(mass).collect();
            header.fields.push(Field::new("mass", Kind::F32));
            columns.push(ColumnBuilder::F32(masses));
        }
        let element = header.find("element");
        let drawn = element.map(|element| {
            (0..table.rows()).map(|row| columns[element].name(row) != Some(SITE)).collect::<Vec<bool>>()
        });
        let drawn = drawn.filter(|drawn| drawn.contains(&false));
        let mut bonds = facts.bonds;
        if let Some(drawn) = &drawn {
            renumber(&mut bonds, drawn);
        }
        Self { file, fields: header.fields, columns, chains: header.chains, drawn, atoms, bonds }
    }

    /// The fields of a file, followed by those that the topology adds.
    pub(super) fn extended(&self, header: &Header) -> Header {
        let mut extended = header.clone();
        let is_new = |field: &&Field| header.find(&field.name).is_none() && !["x", "y", "z"].contains(&&*field.name);
        extended.fields.extend(self.fields.iter().filter(is_new).cloned());
        extended
    }

    /// The numbers that the file gives to its atoms, if it does.
    fn ids(&self) -> Option<Vec<i64>> {
        let field = self.fields.iter().position(|field| ID.contains(&&*field.name))?;
        match &self.columns[field] {
            ColumnBuilder::Integers(ids) => Some(ids.clone()),
            _ => None,
        }
    }

    /// Refuses a frame with another number of atoms.
    pub(super) fn check_atoms(&self, atoms: u64, file: &str) -> Result<()> {
        if atoms == self.atoms {
            return Ok(());
        }
        let message = format!("must have the atoms of {file}, {atoms}; {} has {}", self.file, self.atoms);
        Err(Error::setting("topology", message))
    }
}

/// Columns of numbers of atoms.
const ID: [&str; 2] = ["id", "serial"];

/// A topology whose columns and bonds are joined to the rows of a frame: by the numbers of atoms where both have them, or
/// else by their order.
pub(super) struct JoinedTopology {
    topology: Arc<Topology>,
    /// The fields of the file and of the topology.
    pub(super) header: Header,
    /// The wanted columns, in order.
    columns: Vec<JoinedColumn>,
    /// The column of the numbers of atoms among those that are read.
    ids: Option<usize>,
    /// Names of the categories of a column, known before rows are read.
    names: Option<(usize, Vec<String>)>,
}

enum JoinedColumn {
    /// A column of the file, by its place among those that are read.
    Own(usize),
    /// A column of the topology.
    Topology { column: usize, want: Want },
}

impl JoinedTopology {
    /// Splits the choice of columns: returns those of the file, and the rest.
    pub(super) fn split(
        topology: Arc<Topology>,
        header: &Header,
        extended: Header,
        choice: ColumnChoice,
    ) -> (ColumnChoice, Self) {
        let ColumnChoice { wanted, painter, names } = choice;
        let mut own = Wanted::only(wanted.axes);
        let mut columns = Vec::new();
        for want in wanted.columns {
            if want.field < header.fields.len() {
                columns.push(JoinedColumn::Own(own.column(want.field, want.kind, want.rule)));
            } else {
                let name = &extended.fields[want.field].name;
                let column =
                    topology.fields.iter().position(|field| field.name == *name).expect("a field of the topology");
                columns.push(JoinedColumn::Topology { column, want });
            }
        }
        let is_alone = columns.iter().all(|column| matches!(column, JoinedColumn::Own(_)));
        let id = ID.iter().find_map(|name| header.find(name)).filter(|_| topology.ids().is_some());
        let ids = id.map(|id| own.column(id, Kind::Integer, ValueRule::Lenient));
        let choice = ColumnChoice { wanted: own, painter: painter.filter(|_| is_alone), names: None };
        (choice, Self { topology, header: extended, columns, ids, names })
    }

    /// The row of the topology for each row of the frame; `None` for atoms that it lacks.
    pub(super) fn rows(&self, table: &Table<'_>, file: &str) -> Result<Vec<Option<usize>>> {
        let Topology { file: own_file, atoms, drawn, .. } = &*self.topology;
        if let (Some(column), Some(ids)) = (self.ids, self.topology.ids()) {
            let known: BTreeMap<i64, usize> = ids.into_iter().zip(0..).collect();
            #[expect(clippy::cast_possible_truncation, reason = "numbers of atoms are whole")]
            let rows: Vec<Option<usize>> = table.numbers(column).map(|id| known.get(&(id as i64)).copied()).collect();
            let known = rows.iter().flatten().count();
            // a part of the atoms, such as the solvent, may be missing
            if 2 * known < rows.len() {
                let found = if known == 0 { "none".to_owned() } else { format!("{known} of {}", rows.len()) };
                let message = format!("must have the atoms of {file}; {own_file} has {found} of their numbers");
                return Err(Error::setting("topology", message));
            }
            return Ok(rows);
        }
        let is_drawn = |row: &usize| drawn.as_ref().is_none_or(|drawn| drawn[*row]);
        let all = || 0..usize::try_from(*atoms).unwrap_or(usize::MAX);
        let count = table.rows();
        if count == all().len() {
            Ok(all().map(Some).collect())
        } else if count == all().filter(is_drawn).count() || count == 0 {
            Ok(all().filter(is_drawn).take(count).map(Some).collect())
        } else {
            let message = format!("must have the atoms of {file}, {count}; {own_file} has {atoms}");
            Err(Error::setting("topology", message))
        }
    }

    /// Adds the bonds of the topology between rows of the frame.
    pub(super) fn add_bonds(&self, bonds: &mut FileBonds, rows: &[Option<usize>]) {
        let topology = &self.topology;
        let numbers = topology.ids().unwrap_or_default();
        let of_number: BTreeMap<i64, usize> = numbers.into_iter().zip(0..).collect();
        let drawn: Vec<usize> = (0..usize::try_from(topology.atoms).unwrap_or(0))
            .filter(|row| topology.drawn.as_ref().is_none_or(|drawn| drawn[*row]))
            .collect();
        let mut places: BTreeMap<usize, u32> = BTreeMap::new();
        for (place, row) in (0..).zip(rows) {
            places.extend(row.map(|row| (row, place)));
        }
        let place = |row: Option<usize>| places.get(&row?).copied();
        let by_row = topology.bonds.rows.iter().filter_map(|bond| {
            let [first, second] = bond.atoms.map(|row| place(drawn.get(row as usize).copied()));
            Some(Bond::new(first?, second?, bond.order))
        });
        let by_number = topology.bonds.serials.iter().filter_map(|(atoms, order)| {
            let [first, second] = atoms.map(|atom| place(of_number.get(&atom).copied()));
            Some(Bond::new(first?, second?, *order))
        });
        bonds.rows.extend(by_row.chain(by_number).collect::<Vec<_>>());
        bonds.named.extend(topology.bonds.named.iter().cloned());
        bonds.residues.extend(topology.bonds.residues.iter().cloned());
        bonds.is_complete |= topology.bonds.is_complete;
    }

    /// The wanted columns of the rows.
    pub(super) fn table(&self, table: Table<'static>, rows: &[Option<usize>]) -> Result<Table<'static>> {
        let kind = |column: &JoinedColumn| match column {
            JoinedColumn::Own(own) => (table.columns[*own].name.clone(), table.columns[*own].kind),
            JoinedColumn::Topology { column, want } => (self.topology.fields[*column].name.clone(), want.kind),
        };
        let mut joined = Table::new(self.columns.iter().map(kind));
        if let Some((column, names)) = &self.names {
            for name in names {
                joined.columns[*column].names.intern(name);
            }
        }
        let mut start = 0;
        for Block { positions, values } in table.blocks {
            let end = start + positions.rows();
            let (mut all, mut names) = (Vec::new(), Vec::new());
            for column in &self.columns {
                match column {
                    JoinedColumn::Own(own) => {
                        all.push(values[*own].clone());
                        names.push(table.columns[*own].names.iter().map(Into::into).collect());
                    }
                    JoinedColumn::Topology { column, want } => {
                        let (values, own_names) = self.column(*column, want, &rows[start..end])?.finish();
                        all.push(values);
                        names.push(own_names);
                    }
                }
            }
            let pushed = joined.push(Block { positions, values: all }, &names);
            pushed.map_err(|column| {
                let name = &joined.columns[column].name;
                Error::setting("topology", format!("has more than 2^20 categories in {}", shortened(name)))
            })?;
            start = end;
        }
        Ok(joined)
    }

    /// A column of the topology for some rows.
    fn column(&self, column: usize, want: &Want, rows: &[Option<usize>]) -> Result<ColumnBuilder> {
        let name = &self.topology.fields[column].name;
        let refuse = |bad: BadRow| bad.error(&self.topology.file, "atom", 0);
        let whole = usize::try_from(self.topology.atoms).unwrap_or(0);
        let all = held_atoms::converted(&self.topology.columns[column], name, want, whole).map_err(refuse)?;
        let mut own = ColumnBuilder::new(want.kind);
        for row in rows {
            match (&all, &mut own, row) {
                (ColumnBuilder::F32(all), ColumnBuilder::F32(own), Some(row)) => own.push(all[*row]),
                (ColumnBuilder::F64(all), ColumnBuilder::F64(own), Some(row)) => own.push(all[*row]),
                (ColumnBuilder::Integers(all), ColumnBuilder::Integers(own), Some(row)) => own.push(all[*row]),
                (ColumnBuilder::Colors(all), ColumnBuilder::Colors(own), Some(row)) => own.push(all[*row]),
                (ColumnBuilder::Names(_), own, Some(row)) => {
                    own.push(all.name(*row).unwrap_or_default().as_bytes()).unwrap_or_default();
                }
                (_, ColumnBuilder::Colors(own), None) => own.push(crate::color::Srgba8::BLACK),
                (_, own, _) => own.push(b"").unwrap_or_default(),
            }
        }
        Ok(own)
    }
}

/// Renumbers the atoms of bonds to the drawn rows, and drops bonds of other rows.
fn renumber(bonds: &mut FileBonds, drawn: &[bool]) {
    let mut next = 0;
    let place = |&is_drawn: &bool| {
        next += u32::from(is_drawn);
        is_drawn.then(|| next - 1)
    };
    let places: Vec<Option<u32>> = drawn.iter().map(place).collect();
    let place = |row: u32| places.get(row as usize).copied().flatten();
    bonds.rows.retain_mut(|bond| match bond.atoms.map(place) {
        [Some(first), Some(second)] => {
            bond.atoms = [first, second];
            true
        }
        _ => false,
    });
}

fn joined(table: &Table<'_>, column: usize) -> ColumnBuilder {
    let mut joined = ColumnBuilder::new(table.columns[column].kind);
    let names: Vec<&str> = table.columns[column].names.iter().collect();
    for values in table.values(column) {
        match (&mut joined, values) {
            (ColumnBuilder::F32(all), Values::F32(values)) => all.extend_from_slice(values),
            (ColumnBuilder::F64(all), Values::F64(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Integers(all), Values::Integers(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Colors(all), Values::Colors(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Names(all), Values::Names(codes)) => {
                codes.iter().for_each(|&code| all.push(names[code as usize].as_bytes()));
            }
            _ => unreachable!("the blocks of a table have the types of its columns"),
        }
    }
    joined
}
