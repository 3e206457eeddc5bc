//! Trajectories in HDF5: H5MD, and the layouts of AMBER (NetCDF-4) and MDTraj.
//!
//! Source: de Buyl, Colberg, Höfling, "H5MD: A structured, efficient, and portable file format for molecular data",
//! version 1.1; "AMBER NetCDF Trajectory/Restart Convention", version 1.0; "MDTraj HDF5 Format", version 1.1. The crate
//! `hdf5-reader` reads the container; `hdf5-pure`, which also writes, is four times as long.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use glam::{DMat3, DVec3};
use hdf5_reader::error::Error as ContainerError;
use hdf5_reader::group::Group;
use hdf5_reader::{
    ByteOrder, Dataset, Datatype, H5Type, Hdf5File, OpenOptions, RangeRequestStorage, SliceInfo, SliceInfoElem,
};

use super::facts::FrameTime;
use super::frames;
use super::guard::guarded;
use super::held_atoms::{self, HeldAtoms};
use super::reading::{Read, Reading};
use super::scalar::{Endian, Scalar};
use super::unsupported;
use crate::data::{Cell, Kind};
use crate::did_you_mean;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::seekable_file::SeekableFile;

/// The longest list of attributes and links of an object, in bytes.
const LONGEST_HEADER: usize = 1 << 22;

/// The most bytes that a byte of a compressed frame expands to: more than deflate can reach.
const MOST_EXPANSION: u64 = 1100;

/// Bytes of a frame that even the shortest file may have.
const ANY_FRAME: u64 = 1 << 24;

/// Vectors of a particle: name in H5MD, name in the other layouts, and columns.
const VECTORS: [(&str, &str, [&str; 3]); 2] =
    [("velocity", "velocities", ["vx", "vy", "vz"]), ("force", "forces", ["fx", "fy", "fz"])];

/// Numbers of a particle in H5MD: name, column and type.
const NUMBERS: [(&str, &str, Kind); 3] =
    [("species", "type", Kind::Name), ("mass", "mass", Kind::F32), ("charge", "charge", Kind::F32)];

pub(super) const READER: Option<Read> = Some(read);

/// A number of any type.
#[derive(Clone, Copy)]
struct H5Number(f64);

impl H5Type for H5Number {
    fn hdf5_type() -> Datatype {
        Datatype::FloatingPoint { size: 8, byte_order: ByteOrder::LittleEndian }
    }

    fn from_bytes(bytes: &[u8], kind: &Datatype) -> Result<Self, ContainerError> {
        // class 1, floating-point numbers: 16 and 128 bits are not supported
        let (scalar, endian) = scalar(kind).ok_or(ContainerError::UnsupportedDatatypeClass(1))?;
        if bytes.len() < scalar.size() {
            return Err(ContainerError::InvalidData("a number is cut short".to_owned()));
        }
        Ok(Self(scalar.read(bytes, endian)))
    }

    fn element_size(kind: &Datatype) -> usize {
        scalar(kind).map_or(8, |(scalar, _)| scalar.size())
    }
}

fn scalar(kind: &Datatype) -> Option<(Scalar, Endian)> {
    let (scalar, order) = match kind {
        Datatype::Enum { base, .. } => return scalar(base),
        Datatype::FixedPoint { size, signed, byte_order } => {
            (Scalar::of(if *signed { "I" } else { "U" }, usize::from(*size)), byte_order)
        }
        Datatype::FloatingPoint { size, byte_order } => (Scalar::of("F", usize::from(*size)), byte_order),
        _ => return None,
    };
    Some((scalar?, if *order == ByteOrder::BigEndian { Endian::Big } else { Endian::Little }))
}

/// Values of each frame, or of all frames.
struct FrameValues {
    values: Dataset,
    has_frames: bool,
    /// Factor for all numbers.
    factor: f64,
}

impl FrameValues {
    fn new(values: Dataset, has_frames: bool) -> Self {
        let factor = unit_factor(&values) * attribute_number(&values, "scale_factor").unwrap_or(1.0);
        Self { values, has_frames, factor }
    }

    /// Lengths of the axes of a frame.
    fn shape(&self) -> &[u64] {
        self.values.shape().get(usize::from(self.has_frames)..).unwrap_or_default()
    }

    fn frames(&self) -> u64 {
        if self.has_frames { self.values.shape().first().copied().unwrap_or_default() } else { 1 }
    }

    fn numbers(&self, frame: u64) -> Result<Vec<f64>, ContainerError> {
        let all = || SliceInfoElem::Slice { start: 0, end: u64::MAX, step: 1 };
        let first = self.has_frames.then_some(SliceInfoElem::Index(frame));
        let selections = first.into_iter().chain(self.shape().iter().map(|_| all())).collect();
        let found = self.values.read_slice::<H5Number>(&SliceInfo { selections })?;
        Ok(found.iter().map(|number| number.0 * self.factor).collect())
    }

    /// Whether these numbers of a frame are all the value that stands for numbers which were never written.
    fn are_unwritten(&self, numbers: &[f64]) -> bool {
        let fill = self.values.fill_value().and_then(|fill| fill.value.as_deref());
        let fill = fill.and_then(|bytes| H5Number::from_bytes(bytes, self.values.dtype()).ok());
        let fill = fill.map_or(0.0, |fill| fill.0) * self.factor;
        numbers.iter().all(|number| *number == fill || number.is_nan() && fill.is_nan())
    }

    /// A vector for each particle; with two axes, the third is 0.
    fn vectors(&self, frame: u64) -> Result<Vec<[f64; 3]>, ContainerError> {
        let axes = usize::try_from(self.shape()[1]).unwrap_or(usize::MAX);
        let numbers = self.numbers(frame)?;
        let vector = |numbers: &[f64]| [0, 1, 2].map(|axis| numbers.get(axis).copied().unwrap_or(0.0));
        Ok(numbers.chunks_exact(axes).map(vector).collect())
    }
}

fn attribute_number(values: &Dataset, name: &str) -> Option<f64> {
    values.attribute(name).ok()?.read_as_f64().ok().filter(|number| number.is_finite())
}

fn attribute_text(values: &Dataset, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| values.attribute(name).ok()?.read_string().ok())
}

/// The unit of lengths in ångström; 1 for other quantities and unknown units.
fn unit_factor(values: &Dataset) -> f64 {
    match attribute_text(values, &["unit", "units"]).as_deref() {
        Some("nm" | "nanometer" | "nanometers") => 10.0,
        Some("pm") => 0.01,
        _ => 1.0,
    }
}

/// The datasets of a trajectory.
struct TrajectoryLayout {
    position: FrameValues,
    vectors: Vec<([&'static str; 3], FrameValues)>,
    numbers: Vec<(&'static str, Kind, FrameValues)>,
    /// The lengths of the box's edges, or their vectors.
    edges: Option<FrameValues>,
    /// The angles between edges; right angles if absent.
    angles: Option<FrameValues>,
    step: Option<Dataset>,
    time: Option<Dataset>,
    /// Groups of particles that are ignored.
    other_groups: Vec<String>,
    group: String,
}

/// `None` for an object that does not exist.
fn existing<T>(found: Result<T, ContainerError>) -> Result<Option<T>, ContainerError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(ContainerError::DatasetNotFound(_) | ContainerError::GroupNotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// An element of H5MD: a dataset for all frames, or a group with a value for each frame.
fn element(particles: &Group, name: &str) -> Result<Option<FrameValues>, ContainerError> {
    if let Some(element) = existing(particles.group(name))? {
        return Ok(existing(element.dataset("value"))?.map(|values| FrameValues::new(values, true)));
    }
    Ok(existing(particles.dataset(name))?.map(|values| FrameValues::new(values, false)))
}

/// The layout of H5MD, from the first group of particles with positions.
fn of_particles(root: &Group) -> Result<Option<TrajectoryLayout>, ContainerError> {
    let Some(all) = existing(root.group("particles"))? else { return Ok(None) };
    let (mut names, _) = all.member_names()?;
    names.sort_unstable();
    let mut found: Option<TrajectoryLayout> = None;
    for name in names {
        let particles = all.group(&name)?;
        let Some(position) = element(&particles, "position")? else { continue };
        if let Some(found) = &mut found {
            found.other_groups.push(name);
            continue;
        }
        let (mut vectors, mut numbers) = (Vec::new(), Vec::new());
        for (name, _, columns) in VECTORS {
            vectors.extend(element(&particles, name)?.map(|values| (columns, values)));
        }
        for (name, column, kind) in NUMBERS {
            numbers.extend(element(&particles, name)?.map(|values| (column, kind, values)));
        }
        let edges = existing(particles.group("box"))?.map(|cell| element(&cell, "edges")).transpose()?.flatten();
        let times = existing(particles.group("position"))?;
        let of_time = |name| times.as_ref().map_or(Ok(None), |times| existing(times.dataset(name)));
        found = Some(TrajectoryLayout {
            position,
            vectors,
            numbers,
            edges,
            angles: None,
            step: of_time("step")?,
            time: of_time("time")?,
            other_groups: Vec::new(),
            group: name,
        });
    }
    Ok(found)
}

/// The layout of AMBER and MDTraj.
fn of_coordinates(root: &Group) -> Result<Option<TrajectoryLayout>, ContainerError> {
    let Some(values) = existing(root.dataset("coordinates"))? else { return Ok(None) };
    // a restart has one frame
    let has_frames = values.shape().len() == 3;
    let values_of =
        |name: &str| existing(root.dataset(name)).map(|found| found.map(|values| FrameValues::new(values, has_frames)));
    let mut vectors = Vec::new();
    for (_, name, columns) in VECTORS {
        vectors.extend(values_of(name)?.map(|values| (columns, values)));
    }
    Ok(Some(TrajectoryLayout {
        position: FrameValues::new(values, has_frames),
        vectors,
        numbers: Vec::new(),
        edges: values_of("cell_lengths")?,
        angles: values_of("cell_angles")?,
        step: None,
        time: existing(root.dataset("time"))?,
        other_groups: Vec::new(),
        group: String::new(),
    }))
}

impl TrajectoryLayout {
    fn cell(&self, frame: u64) -> Result<Option<Cell>, ContainerError> {
        let numbers = |values: &FrameValues| -> Result<Vec<f64>, ContainerError> {
            let is_there = frame < values.frames() || !values.has_frames;
            let is_short = values.shape().iter().product::<u64>() <= 9;
            if is_there && is_short { values.numbers(frame) } else { Ok(Vec::new()) }
        };
        let Some(edges) = &self.edges else { return Ok(None) };
        let edges = numbers(edges)?;
        if let Some(angles) = &self.angles {
            let shape = (<[f64; 3]>::try_from(edges), <[f64; 3]>::try_from(numbers(angles)?));
            let (Ok(lengths), Ok(angles)) = shape else { return Ok(None) };
            return Ok(Cell::from_lengths_and_angles(lengths, angles));
        }
        Ok(match *edges {
            // a two-dimensional box has no height
            [x, y] => Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::new(x, y, 1.0))),
            [x, y, z] => Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::new(x, y, z))),
            [ax, ay, az, bx, by, bz, cx, cy, cz] => {
                let edges = [[ax, ay, az], [bx, by, bz], [cx, cy, cz]].map(DVec3::from_array);
                Cell::new(DVec3::ZERO, DMat3::from_cols(edges[0], edges[1], edges[2]))
            }
            _ => None,
        })
    }

    /// The step or time of a frame, from a list or from an interval.
    fn number_of(values: Option<&Dataset>, frame: u64) -> Result<Option<f64>, ContainerError> {
        let Some(values) = values else { return Ok(None) };
        if values.shape().is_empty() {
            let interval = FrameValues { values: values.clone(), has_frames: false, factor: 1.0 }.numbers(0)?;
            let offset = attribute_number(values, "offset").unwrap_or(0.0);
            return Ok(interval.first().map(|interval| offset + interval * frame as f64));
        }
        if values.shape().len() != 1 || frame >= values.shape()[0] {
            return Ok(None);
        }
        let time = FrameValues { values: values.clone(), has_frames: true, factor: 1.0 };
        Ok(time.numbers(frame)?.first().copied().filter(|number| number.is_finite()))
    }

    fn time(&self, frame: u64) -> Result<FrameTime, ContainerError> {
        #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
        let step = Self::number_of(self.step.as_ref(), frame)?.map(|step| step as i64);
        Ok(FrameTime { step, time: Self::number_of(self.time.as_ref(), frame)? })
    }
}

struct OpenLayout {
    layout: TrajectoryLayout,
    file: String,
    bytes: u64,
    /// Bytes that the container promises.
    promised_bytes: u64,
}

impl OpenLayout {
    fn open(stream: Stream) -> Result<Self> {
        let most = usize::try_from(stream.quota.room(1)).unwrap_or(usize::MAX);
        let file = SeekableFile::new(stream)?;
        let bytes = file.length()?;
        let name = file.file.clone();
        let range = move |at: u64, count: usize| {
            let mut reader = file.reader();
            let mut bytes = Vec::new();
            let read = reader.seek(SeekFrom::Start(at)).and_then(|_| reader.take(count as u64).read_to_end(&mut bytes));
            read.map(|_| bytes).map_err(|source| ContainerError::InvalidData(source.to_string()))
        };
        let storage = Arc::new(RangeRequestStorage::new(bytes, range));
        let options = OpenOptions::default()
            .with_max_read_bytes(most)
            .with_max_chunk_bytes(most)
            .with_max_object_header_bytes(LONGEST_HEADER);
        let (layout, promised_bytes) = decoded(&name, || {
            let container = Hdf5File::from_storage_with_options(storage, options)?;
            let root = container.root_group()?;
            let layout = match of_particles(&root)? {
                None => of_coordinates(&root)?,
                found => found,
            };
            Ok((layout, container.superblock().eof_address))
        })?;
        let other = unsupported::refusal(&unsupported::HDF5);
        let other = format!("has neither particles (H5MD) nor coordinates (AMBER, MDTraj); other {other}");
        let layout = layout.ok_or_else(|| Error::input(&name, None, other))?;
        Ok(Self { layout, file: name, bytes, promised_bytes })
    }

    /// The number of frames that are written whole: a simulation that runs or was killed may have made room for others,
    /// in which all particles are in one place, and the end of a shortened file cuts off the last ones.
    fn whole_frames(&self, atoms: u64) -> u64 {
        let TrajectoryLayout { position, step, time, .. } = &self.layout;
        let promised = position.frames();
        let is_one_short =
            |list: &Dataset| matches!(*list.shape(), [frames] if frames.checked_add(1) == Some(promised));
        let last = promised - u64::from([step, time].into_iter().flatten().any(is_one_short));
        let is_short = self.bytes < self.promised_bytes;
        let is_whole = |frame: u64| match decoded(&self.file, || position.numbers(frame)) {
            Ok(numbers) => atoms == 1 || !position.are_unwritten(&numbers),
            // the reader of the frame reports other errors
            Err(_) => !is_short,
        };
        let (mut whole, mut cut) = (0, last);
        while whole < cut {
            // the last frame first, then by halves
            let frame = if cut == last { cut - 1 } else { whole.midpoint(cut) };
            if is_whole(frame) { whole = frame + 1 } else { cut = frame }
        }
        whole
    }

    fn refuse(&self, message: impl Into<String>) -> Error {
        Error::input(&self.file, None, message.into())
    }

    fn atoms(&self) -> Result<u64> {
        let position = &self.layout.position;
        let &[atoms, 2 | 3] = position.shape() else {
            let message =
                format!("positions must be 3 numbers for each particle, got shape {:?}", position.values.shape());
            return Err(self.refuse(message));
        };
        if atoms == 0 {
            return Err(self.refuse("must have particles, 1 or more, got 0"));
        }
        // chunks that are not stored decode to the fill value
        if atoms > self.bytes.saturating_mul(MOST_EXPANSION).saturating_add(ANY_FRAME) / 12 {
            return Err(self.refuse(format!("{atoms} particles are promised, more than {} bytes can hold", self.bytes)));
        }
        Ok(atoms)
    }

    /// A column of numbers, or of the names that numbers stand for.
    fn column(&self, name: &str, kind: Kind, values: &FrameValues, frame: u64) -> Result<ColumnBuilder> {
        let numbers = decoded(&self.file, || values.numbers(frame))?;
        if kind != Kind::Name {
            return Ok(ColumnBuilder::F32(numbers.into_iter().map(single).collect()));
        }
        let members = match values.values.dtype() {
            Datatype::Enum { base, members } => members
                .iter()
                .filter_map(|member| Some((H5Number::from_bytes(&member.value, base).ok()?.0, &*member.name)))
                .collect(),
            _ => Vec::new(),
        };
        let mut column = ColumnBuilder::new(Kind::Name);
        for number in numbers {
            let member = members.iter().find(|(known, _)| *known == number);
            let text = member.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned());
            column.push(text.as_bytes()).map_err(|accepted| self.refuse(format!("{name} must be {accepted}")))?;
        }
        Ok(column)
    }
}

/// Runs a decoder; errors and panics become messages.
fn decoded<T>(file: &str, decode: impl FnOnce() -> Result<T, ContainerError>) -> Result<T> {
    let found = guarded(|| Ok(decode()));
    let message = match found {
        Ok(Ok(found)) => return Ok(found),
        // floating-point numbers
        Ok(Err(ContainerError::UnsupportedDatatypeClass(1))) => {
            "this HDF5 is not read: it has floating-point numbers of neither 32 nor 64 bits; numpy's astype('f4') converts them"
                .to_owned()
        }
        Ok(Err(error)) => {
            let said = error.to_string();
            let said = did_you_mean::shortened(&said);
            if said.starts_with("unsupported") {
                format!("this HDF5 is not read: {said}")
            } else {
                format!("the file is damaged: {said}")
            }
        }
        Err(message) => message,
    };
    Err(Error::input(file, None, message))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let open = OpenLayout::open(stream)?;
    let OpenLayout { layout, file, .. } = &open;
    let promised = layout.position.frames();
    let atoms = open.atoms()?;
    let frames = reading.whole_frames(promised, open.whole_frames(atoms))?;
    let frame = reading.extent.frame;
    // values with another number of frames belong to other steps
    let fits = |values: &FrameValues| !values.has_frames || [frames, promised].contains(&values.frames());
    let vectors = || {
        let shape = layout.position.shape();
        layout.vectors.iter().filter(move |(_, values)| values.shape() == shape && fits(values))
    };
    let numbers = || layout.numbers.iter().filter(|(.., values)| *values.shape() == [atoms] && fits(values));
    let fields: Vec<(&str, Kind)> = vectors()
        .flat_map(|(columns, _)| columns.map(|column| (column, Kind::F32)))
        .chain(numbers().map(|(column, kind, _)| (*column, *kind)))
        .collect();
    let announced = held_atoms::begin(reading, atoms, &fields, file)?;
    let positions = decoded(file, || layout.position.vectors(frame))?;
    if frames == 0 {
        return Err(reading.none_written(promised));
    }
    let mut held = HeldAtoms { positions, cell: decoded(file, || layout.cell(frame))?, ..HeldAtoms::default() };
    for (_, values) in vectors() {
        held.push_vectors(&announced, reading, || decoded(file, || values.vectors(frame)))?;
    }
    for (column, kind, values) in numbers() {
        let is_wanted = announced.wants(reading, held.columns.len());
        held.columns.push(if is_wanted { Some(open.column(column, *kind, values, frame)?) } else { None });
    }
    announced.finish(reading, held)?;
    if !layout.other_groups.is_empty() {
        let others = did_you_mean::list(layout.other_groups.iter().map(String::as_str));
        reading.facts.notes.push(format!("{file}: of several groups particles/{} is read, not {others}", layout.group));
    }
    let unit = layout.time.as_ref().and_then(|time| attribute_text(time, &["unit", "units"]));
    reading.facts.times.unit = match unit.as_deref() {
        Some("ps" | "picosecond" | "picoseconds") => "ps",
        Some("fs" | "femtosecond" | "femtoseconds") => "fs",
        Some("ns" | "nanosecond" | "nanoseconds") => "ns",
        _ => "",
    };
    frames::note_all(reading, frames, |frame| decoded(file, || layout.time(frame)))
}
