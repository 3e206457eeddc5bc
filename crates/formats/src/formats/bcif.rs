//! Atoms in BinaryCIF: the categories of mmCIF, column by column in MessagePack. Only wanted columns are decoded.

use std::borrow::Cow;
use std::collections::BTreeSet;

use glam::DVec3;

use super::atom_site::{Alternative, AtomSite};
use super::bcif_encodings::{Decoded, decode};
use super::cif::{ANISOTROPIC, ATOMS, COMPONENT_BONDS, CONNECTIONS, KEPT, MOST_VALUES, finish};
use super::cif_bonds;
use super::macromolecule::{self, CifCategory};
use super::reading::Reading;
use super::virtual_sites::{self, VirtualSites};
use super::wanted::{Axes, ValueRule, Wanted};
use crate::color::elements::Atomic;
use crate::data::{Alternate, Kind};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::memory_quota::Quota;
use crate::source::columns::{ColumnBuilder, PartBuilder};
use crate::source::input::Stream;
use crate::source::message_pack::{self, ByteSpan, PackedValue};
use crate::source::number::{is_missing, number};
use crate::source::rows::is_in_range;
use crate::source::seekable_file::SeekableFile;

const ROWS: usize = 1 << 16;

/// Whether a file is BinaryCIF: a MessagePack map with data blocks.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(0x80..=0x8f | 0xde | 0xdf))
        && memchr::memmem::find(&bytes[..bytes.len().min(1024)], b"dataBlocks").is_some()
}

struct MaskedColumn {
    values: Decoded,
    /// Not 0 if the value is missing.
    mask: Option<Vec<i32>>,
}

struct Encoded<'a> {
    file: &'a SeekableFile,
    quota: Quota,
    name: &'a str,
    rows: usize,
    columns: &'a [PackedValue],
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let quota = stream.quota;
    let file = SeekableFile::new(stream)?;
    let root = message_pack::read(&file)?;
    let blocks = root.get("dataBlocks").list();
    let categories = |block: &PackedValue| block.get("categories").list().to_vec();
    let has_atoms = |category: &PackedValue| category.get("name").text() == Some("_atom_site");
    let with_atoms = blocks.iter().map(categories).find(|categories| categories.iter().any(has_atoms));
    let Some(categories) = with_atoms else {
        return Err(Error::input(&file.file, None, "no atoms: there is no _atom_site"));
    };
    let find = |name: &str| -> Result<Option<Encoded<'_>>> {
        let category = categories.iter().find(|category| category.get("name").text() == Some(name));
        category.map(|category| Encoded::new(&file, quota, category)).transpose()
    };
    let mut kept = Vec::new();
    for name in &KEPT[..ATOMS] {
        let category = find(name)?.map(|category| category.texts()).transpose()?;
        kept.push(category.unwrap_or_default());
    }
    let Some(atoms) = find(KEPT[ATOMS])? else {
        return Err(Error::input(&file.file, None, "no atoms: there is no _atom_site"));
    };
    read_atoms(&atoms, reading, &kept)?;
    reading.facts.cell = macromolecule::cell(&kept[0]);
    let texts = |place: usize| find(KEPT[place])?.map(|category| category.texts()).transpose();
    let [connections, components] = [texts(CONNECTIONS)?, texts(COMPONENT_BONDS)?].map(Option::unwrap_or_default);
    if reading.extent.displacements {
        reading.facts.displacements = macromolecule::displacements(&texts(ANISOTROPIC)?.unwrap_or_default());
    }
    reading.facts.bonds = cif_bonds::bonds(&connections, &components);
    let refuse = |message| Error::input(&file.file, None, message);
    reading.facts.assemblies = macromolecule::assemblies(&kept[3], &kept[4]).map_err(refuse)?;
    Ok(())
}

impl<'a> Encoded<'a> {
    fn new(file: &'a SeekableFile, quota: Quota, category: &'a PackedValue) -> Result<Self> {
        let name = category.get("name").text().unwrap_or_default();
        let columns = category.get("columns").list();
        let most = f64::from(i32::MAX);
        let rows = category.get("rowCount").number().filter(|rows| (0.0..=most).contains(rows) && rows.fract() == 0.0);
        let Some(rows) = rows else {
            return Err(Error::input(&file.file, None, format!("{name} must have a rowCount")));
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        let rows = rows as usize;
        Ok(Self { file, quota, name, rows, columns })
    }

    fn items(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.get("name").text().unwrap_or_default().to_owned()).collect()
    }

    fn column(&self, item: usize) -> Result<MaskedColumn> {
        let column = &self.columns[item];
        let load = |span: ByteSpan| message_pack::load(self.file, span).map_err(|error| error.to_string());
        let (data, mask) = (column.get("data"), column.get("mask"));
        let decoded = decode(data, self.rows, &load).and_then(|values| {
            let mask = if *mask == PackedValue::Nil { None } else { Some(decode(mask, self.rows, &load)?) };
            let counts = [values.len(), mask.as_ref().map_or(self.rows, Decoded::len)];
            if let Some(count) = counts.into_iter().find(|&count| count != self.rows) {
                return Err(format!("must have {} values, got {count}", self.rows));
            }
            match mask {
                Some(Decoded::Integers(mask)) => Ok(MaskedColumn { values, mask: Some(mask) }),
                None => Ok(MaskedColumn { values, mask: None }),
                Some(_) => Err("must have a mask of whole numbers".to_owned()),
            }
        });
        let item = shortened(column.get("name").text().unwrap_or_default());
        if let Ok(MaskedColumn { values: Decoded::Texts(texts), .. }) = &decoded {
            // any number of rows may share a text
            let bytes = texts.bytes();
            self.quota.check_memory(bytes, || {
                format!("{}: {}.{item} has {bytes} bytes of text", self.file.file, self.name)
            })?;
        }
        decoded.map_err(|message| {
            let place = if let PackedValue::Bytes(span) = data.get("data") {
                format!("byte {}: ", span.start)
            } else {
                String::new()
            };
            Error::input(&self.file.file, None, format!("{place}{}.{item} {message}", self.name))
        })
    }

    /// All values of a small category as text.
    fn texts(&self) -> Result<CifCategory> {
        let items = self.items();
        if self.rows.saturating_mul(items.len()) > MOST_VALUES {
            return Err(Error::input(&self.file.file, None, format!("{} has more than 2^22 values", self.name)));
        }
        let columns = (0..items.len()).map(|item| self.column(item)).collect::<Result<Vec<_>>>()?;
        let text = |row| columns.iter().map(move |column| String::from_utf8_lossy(&column.text(row)).into_owned());
        Ok(CifCategory { values: (0..self.rows).flat_map(text).collect(), items })
    }
}

impl MaskedColumn {
    fn is_missing(&self, row: usize) -> bool {
        self.mask.as_ref().is_some_and(|mask| mask[row] != 0)
    }

    /// The value as text; empty if it is missing.
    fn text(&self, row: usize) -> Cow<'_, [u8]> {
        if self.is_missing(row) {
            return Cow::Borrowed(b"");
        }
        match &self.values {
            Decoded::Bytes(values) => values[row].to_string().into_bytes().into(),
            Decoded::Integers(values) => values[row].to_string().into_bytes().into(),
            Decoded::Singles(values) => values[row].to_string().into_bytes().into(),
            Decoded::Doubles(values) => values[row].to_string().into_bytes().into(),
            Decoded::Texts(texts) => texts.get(texts.codes[row]).into(),
        }
    }

    fn number(&self, row: usize) -> Option<f64> {
        if self.is_missing(row) {
            return None;
        }
        match &self.values {
            Decoded::Bytes(values) => Some(f64::from(values[row])),
            Decoded::Integers(values) => Some(f64::from(values[row])),
            Decoded::Singles(values) => Some(f64::from(values[row])),
            Decoded::Doubles(values) => Some(values[row]),
            Decoded::Texts(texts) => number(texts.get(texts.codes[row])),
        }
    }

    /// Adds the value of a row to a column; the error describes the accepted values.
    fn push(&self, row: usize, growing: &mut ColumnBuilder) -> Result<(), &'static str> {
        match (&self.values, growing) {
            (Decoded::Integers(_) | Decoded::Singles(_) | Decoded::Doubles(_), ColumnBuilder::F32(values)) => {
                values.push(self.number(row).map_or(f32::NAN, single));
            }
            (Decoded::Integers(_) | Decoded::Singles(_) | Decoded::Doubles(_), ColumnBuilder::F64(values)) => {
                values.push(self.number(row).unwrap_or(f64::NAN));
            }
            (Decoded::Integers(numbers), growing @ ColumnBuilder::Integers(_)) => {
                growing.push_integer((!self.is_missing(row)).then(|| i64::from(numbers[row])));
            }
            (_, ColumnBuilder::Names(names)) => {
                let text = self.text(row);
                names.push(if is_missing(&text) { b"" } else { &text });
            }
            (_, growing) => growing.push(&self.text(row))?,
        }
        Ok(())
    }
}

struct BcifAtoms<'a> {
    site: &'a AtomSite,
    /// Decoded columns, by the index of their item.
    columns: Vec<Option<MaskedColumn>>,
    wanted: Vec<u8>,
    models: BTreeSet<Vec<u8>>,
    /// The last row's model, and whether it is wanted.
    last: Option<(Vec<u8>, bool)>,
    structure: Option<(Vec<u8>, &'static str)>,
    virtual_sites: VirtualSites,
    /// Whether every stated element exists, so that no row is a virtual site.
    are_elements: bool,
}

fn read_atoms(encoded: &Encoded<'_>, reading: &mut Reading<'_>, kept: &[CifCategory]) -> Result<()> {
    let file = &encoded.file.file;
    let items = encoded.items();
    let is_text = |place: usize| {
        let encodings = encoded.columns[place].get("data").get("encoding").list();
        encodings.first().is_some_and(|first| first.get("kind").text() == Some("StringArray"))
    };
    let ranges = macromolecule::residue_ranges(&kept[1], &kept[2]);
    let site = AtomSite::new(&items, |place| !is_text(place), macromolecule::cell(&kept[0]), ranges)
        .map_err(|message| Error::input(file, None, message))?;
    if encoded.rows == 0 {
        return finish(file, reading, 1);
    }
    let wanted = reading.begin(site.header())?;
    reading.check_rows(encoded.rows as u64, || format!("{file}: _atom_site has {} rows", encoded.rows))?;
    let all = reading.wants_record().then_some(items.len());
    let mut columns: Vec<Option<MaskedColumn>> = (0..items.len()).map(|_| None).collect();
    for item in needed_items(&site, &wanted, all) {
        columns[item] = Some(encoded.column(item)?);
    }
    let stated = site.names[0].and_then(|place| columns[place].as_ref());
    let are_elements =
        stated.is_some_and(|stated| (0..encoded.rows).all(|row| Atomic::from_symbol(&stated.text(row)).is_some()));
    for &item in site.names[1..].iter().flatten().filter(|_| !are_elements) {
        if columns[item].is_none() {
            columns[item] = Some(encoded.column(item)?);
        }
    }
    let first_model = site.model.and_then(|place| columns[place].as_ref()).map(|column| column.text(0).into_owned());
    let wanted_model = site.wanted_model(&first_model.unwrap_or_default(), reading.extent.frame);
    let wanted_model = wanted_model.ok_or_else(|| reading.no_frame(1))?;
    let mut atoms = BcifAtoms {
        site: &site,
        columns,
        wanted: wanted_model,
        models: BTreeSet::new(),
        last: None,
        structure: None,
        virtual_sites: VirtualSites::new(reading),
        are_elements,
    };
    for start in (0..encoded.rows).step_by(ROWS) {
        let rows = start..encoded.rows.min(start + ROWS);
        let wanted = reading.wanted_of_next(rows.len() as u64);
        let mut builder = wanted.builder(0);
        for row in rows {
            atoms
                .push(row, &wanted, &mut builder)
                .map_err(|message| Error::input(file, None, format!("_atom_site, row {}: {message}", row + 1)))?;
        }
        reading.push(builder.finish())?;
    }
    reading.facts.notes.extend(virtual_sites::note(file, atoms.virtual_sites.count()));
    let models = atoms.models.len().max(1) as u64;
    finish(file, reading, models)
}

/// The indices of the items to decode; `all` is the number of items if a whole record is wanted.
fn needed_items(site: &AtomSite, wanted: &Wanted, all: Option<usize>) -> BTreeSet<usize> {
    let mut needed: BTreeSet<usize> = site.model.into_iter().chain(site.alternating()).collect();
    needed.extend(site.names[0]);
    match all {
        Some(items) => needed.extend(0..items),
        None => needed.extend(wanted.columns.iter().map(|want| site.fields[want.field].1)),
    }
    if wanted.axes != Axes::None {
        needed.extend(site.axes);
    }
    needed.extend(site.occupancy.filter(|_| site.alternating().next().is_some()));
    if needed.contains(&AtomSite::NO_ITEM) {
        needed.extend(site.residue.iter().flatten());
    }
    needed.remove(&AtomSite::NO_ITEM);
    needed
}

impl BcifAtoms<'_> {
    fn column(&self, place: Option<usize>) -> Option<&MaskedColumn> {
        self.columns.get(place?)?.as_ref()
    }

    fn text(&self, place: Option<usize>, row: usize) -> Cow<'_, [u8]> {
        self.column(place).map_or(Cow::Borrowed(b""), |column| column.text(row))
    }

    /// Whether a row belongs to the wanted model.
    fn is_wanted(&mut self, row: usize) -> bool {
        if self.site.model.is_none() {
            return true;
        }
        let model = self.text(self.site.model, row).into_owned();
        if let Some((last, is_wanted)) = &self.last
            && *last == model
        {
            return *is_wanted;
        }
        let is_wanted = model == self.wanted;
        self.models.insert(model.clone());
        self.last = Some((model, is_wanted));
        is_wanted
    }

    /// Adds an atom if it belongs to the wanted model.
    fn push(&mut self, row: usize, wanted: &Wanted, builder: &mut PartBuilder) -> Result<(), String> {
        if !self.is_wanted(row) {
            return Ok(());
        }
        let site = self.site;
        let has_gap = |&axis: &usize| self.column(Some(axis)).is_some_and(|column| column.is_missing(row));
        if site.axes.iter().any(has_gap) {
            builder.unplaced += 1;
            return Ok(());
        }
        let mut kept = None;
        if !self.are_elements {
            let names = site.names.map(|place| self.text(place, row));
            let [stated, name, residue] = names.each_ref().map(|text| if is_missing(text) { &b""[..] } else { text });
            if self.virtual_sites.leave_out(stated, name, residue) {
                return Ok(());
            }
            kept = self.virtual_sites.kept(stated, name, residue);
        }
        if let Some(Alternative { together: residue, place, .. }) = site.alternative(&|item| self.text(Some(item), row))
        {
            #[expect(clippy::cast_possible_truncation, reason = "a share")]
            let occupancy = self.column(site.occupancy).and_then(|column| column.number(row)).unwrap_or(1.0) as f32;
            builder.alternates.push(Alternate { row: builder.rows(), residue, place, occupancy, image: 0 });
        }
        let mut structure = self.structure.take();
        for (growing, want) in builder.columns.iter_mut().zip(&wanted.columns) {
            let (field, place) = &site.fields[want.field];
            let pushed = if *place == AtomSite::NO_ITEM {
                let residue = site.residue.map(|place| self.text(place, row));
                let [chain, number, code] = &residue;
                growing.push(site.structure([chain, number, code], &mut structure).as_bytes())
            } else if field.name == "element" && want.kind == Kind::Name {
                growing.push(kept.unwrap_or_else(|| (site.symbol)(&self.text(Some(*place), row))).as_bytes())
            } else {
                let pushed = self.column(Some(*place)).map_or(Ok(()), |column| column.push(row, growing));
                // for a summary, an unreadable value counts as missing
                if pushed.is_err() && want.rule == ValueRule::Lenient { growing.push(b"") } else { pushed }
            };
            pushed.map_err(|accepted| {
                let found = String::from_utf8_lossy(&self.text(Some(*place), row)).into_owned();
                format!("{} must be {accepted}, got {:?}", shortened(&field.name), shortened(&found))
            })?;
        }
        self.structure = structure;
        builder.place(|| self.place(row))
    }

    fn place(&self, row: usize) -> Result<[f64; 3], String> {
        let mut place = [0.0; 3];
        for (axis, value) in place.iter_mut().enumerate() {
            let found = self.column(Some(self.site.axes[axis])).and_then(|column| column.number(row));
            let name = ["x", "y", "z"][axis];
            *value =
                found.filter(|value| value.is_finite()).ok_or_else(|| format!("{name} must be a finite number"))?;
        }
        if let Some(way) = self.site.way {
            place = way.transform_point3(DVec3::from(place)).to_array();
        }
        if place.iter().all(|value| is_in_range(*value)) {
            Ok(place)
        } else {
            Err(format!("the position must be between -3.4e38 and 3.4e38, got {place:?}"))
        }
    }
}
