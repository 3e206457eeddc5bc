//! Columns that are computed from the file's columns: by the caller's formulas, and ready-made ones.

use crate::color::Srgba8;
use crate::data::{Block, Cell, Expression, Formula, Kind, NumberSource, Table, Values, neighbor_counts};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::formats::request::FrameRequest;
use crate::formats::wanted::{Field, Header, ValueRule, Wanted};
use crate::rows::column_plan::{ColorFrom, ColumnRequest, NamedAxes, RadiusFrom};
use crate::rows::depth;
use crate::rows::selections::expression_sources;
use crate::rows::vectors;

/// A column of the caller: its name and its formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComputedColumn {
    name: String,
    computed: Computed,
}

/// Ready-made lengths of vectors, and the vectors.
const LENGTHS: [(&str, &str); 3] = [("speed", "v"), ("velocity", "v"), ("force", "f")];

/// The ready-made column of the numbers of copies, of an assembly or of a periodic box.
pub(crate) const COPY: &str = "copy";

/// The ready-made column of radii, in files that have a column `diameter` in its place, as of LAMMPS.
pub(crate) const HALF_DIAMETER: &str = "radius";

/// The vectors of a ready-made length, with their usual columns; `None` for another name.
pub(crate) fn vector_of(name: &str) -> Option<&'static str> {
    let (_, vector) = LENGTHS.iter().find(|(length, _)| *length == name)?;
    Some(if *vector == "v" { "velocities (vx, vy, vz)" } else { "forces (fx, fy, fz)" })
}

/// The columns of a file, followed by the computed ones.
pub(crate) struct ComputedColumns {
    pub(super) own: usize,
    pub(super) computed: Vec<(String, Computed)>,
    /// Computed columns that other formulas name.
    named: Vec<String>,
    /// The options that name the last columns in place of a column of the file.
    requested: Vec<&'static str>,
}

/// Most steps of a formula, including the formulas that it names.
const MOST_STEPS: usize = 1000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Computed {
    Formula(Formula),
    /// The distance to the middle of all rows.
    Distance,
    /// The distance to the middle of a selection.
    DistanceTo(Expression),
    /// The number of neighbours within a distance, or in the first shell.
    Coordination(Option<f64>),
    /// How far a row lies below the surface of all.
    Depth,
    Frame,
    /// The number of the copy that a row belongs to: of all rows 1 until they are copied.
    Copy,
    /// How far a row has gone since a frame, which may be counted from the end.
    DisplacementSince(i64),
}

impl Computed {
    /// Parses `distance to SELECTION`, `coordination within R` and `displacement since FRAME`; `None` for any other text.
    fn of_words(text: &str) -> Option<Result<Self, String>> {
        let text = text.trim();
        if let Some(selection) = text.strip_prefix("distance to ") {
            let parsed = Expression::parse(selection);
            return Some(
                parsed.map(Self::DistanceTo).map_err(|message| format!("{:?}, {message}", shortened(selection))),
            );
        }
        if let Some(frame) = text.strip_prefix("displacement since ") {
            let rule =
                || format!("must be the number of a frame after `displacement since`, got {:?}", shortened(frame));
            return Some(frame.trim().parse().map(Self::DisplacementSince).map_err(|_| rule()));
        }
        let reach = text.strip_prefix("coordination within ")?;
        let number = reach.trim().parse().ok().filter(|reach: &f64| *reach > 0.0 && reach.is_finite());
        let rule = || format!("must be a positive distance after `coordination within`, got {:?}", shortened(reach));
        Some(number.map(|reach| Self::Coordination(Some(reach))).ok_or_else(rule))
    }
}

impl ComputedColumn {
    /// Parses `name = formula`.
    ///
    /// # Errors
    /// Says what the text must be; continues a message that begins with the flag or key.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((name, formula)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            let text = shortened(text);
            return Err(format!("must be a name, =, and a formula, such as 'speed = sqrt(vx^2 + vy^2)', got {text:?}"));
        };
        let computed = match Computed::of_words(formula) {
            Some(computed) => computed?,
            None => {
                let parsed = Formula::parse(formula);
                Computed::Formula(parsed.map_err(|message| format!("{:?}, {message}", shortened(formula.trim())))?)
            }
        };
        Ok(Self { name: name.trim().to_owned(), computed })
    }

    /// Parses the columns of an option.
    ///
    /// # Errors
    /// When a text is not a formula.
    pub(crate) fn parse_all(texts: &[String]) -> Result<Vec<Self>> {
        let parse = |text: &String| Self::parse(text).map_err(|message| Error::setting("compute", message));
        texts.iter().map(parse).collect()
    }
}

impl ComputedColumns {
    /// The computed columns that can be named in a file, the caller's and the ready-made ones. Appends them to
    /// `extended`.
    pub(crate) fn new(
        file: &str,
        extended: &mut Header,
        computed: &[ComputedColumn],
        column_request: &ColumnRequest,
        has_copies: bool,
    ) -> Result<Self> {
        let header = extended.clone();
        let mut columns =
            Self { own: header.fields.len(), computed: Vec::new(), named: Vec::new(), requested: Vec::new() };
        let ready_made = ready_made(&header, column_request);
        let names: Vec<&str> = ready_made.iter().map(|(name, _)| *name).collect();
        columns.add_given(file, &header, extended, computed, &names)?;
        ready_made.into_iter().for_each(|(name, computed)| columns.push(extended, name, computed));
        columns.add_requested(&header, extended, column_request)?;
        if has_copies && header.has_positions {
            // formulas are computed before rows are copied, and do not know it
            columns.push_kind(extended, COPY, Computed::Copy, Kind::Integer);
        }
        Ok(columns)
    }

    /// Adds the caller's columns.
    fn add_given(
        &mut self,
        file: &str,
        header: &Header,
        extended: &mut Header,
        computed: &[ComputedColumn],
        ready_made: &[&str],
    ) -> Result<()> {
        for ComputedColumn { name, computed } in computed {
            if header.find(name).is_some() {
                let message = format!("must be a new name; {file} has a column {}", shortened(name));
                return Err(Error::setting("compute", message));
            }
            if header.has_positions && ["x", "y", "z", "index"].contains(&name.as_str()) {
                let what = if name == "index" { "the number of a row" } else { "a coordinate" };
                return Err(Error::setting("compute", format!("must be a new name; {name} is {what}")));
            }
            if extended.find(name).is_some() {
                let message = format!("must name each column once, got {} twice", shortened(name));
                return Err(Error::setting("compute", message));
            }
            let mut computed = computed.clone();
            if let Computed::Formula(formula) = &mut computed {
                let is_known = |word: &str| self.has(word) || ready_made.contains(&word);
                formula.settle(&|word| header.find(word).is_some() || is_known(word));
                *formula = self.inlined(header, formula)?;
                let is_known = |word: &str| self.has(word) || ready_made.contains(&word);
                if let Some(unknown) = formula.columns().find(|name| source(header, name).is_none() && !is_known(name))
                {
                    let hint = vectors::column_hint(unknown, header, header.names());
                    let message = format!("must name columns of {file}, got {:?}{hint}", shortened(unknown));
                    return Err(Error::setting("compute", message));
                }
            }
            self.push(extended, name, computed);
        }
        Ok(())
    }

    /// Adds vectors and formulas that colours and radii name in place of a column.
    fn add_requested(&mut self, header: &Header, extended: &mut Header, column_request: &ColumnRequest) -> Result<()> {
        let color = if let ColorFrom::Name { name, .. } = &column_request.color { Some(name) } else { None };
        let radius = match &column_request.radius {
            RadiusFrom::Quantity(name) | RadiusFrom::Scaled { column: name, .. } => Some(name),
            _ => None,
        };
        let color = color.map(|name| ("color_by", name));
        for (option, name) in color.into_iter().chain(radius.map(|name| ("radius", name))) {
            let is_color = name.parse::<Srgba8>().is_ok();
            if extended.find(name).is_some() || source(header, name).is_some() || is_color {
                continue;
            }
            if let Some(computed) = Computed::of_words(name) {
                let computed = computed.map_err(|message| Error::setting(option, message))?;
                self.push(extended, name, computed);
                self.requested.push(option);
                continue;
            }
            // a vector is known by its length, a formula by its text
            let formula = match length(header, name) {
                None => Formula::parse(name).ok().map(|formula| self.inlined(header, &formula)).transpose()?,
                length => length,
            };
            let is_known = |formula: &Formula| {
                formula.columns().all(|column| source(header, column).is_some() || self.has(column))
            };
            if let Some(formula) = formula.filter(|formula| is_known(formula) && !formula.is_constant()) {
                self.push(extended, name, Computed::Formula(formula));
                self.requested.push(option);
            }
        }
        Ok(())
    }

    /// A refusal of a computed column by the option that asks for it.
    fn refusal(&self, index: usize, error: Error) -> Error {
        let given = self.computed.len() - self.requested.len();
        match (error, index.checked_sub(given).map(|place| self.requested[place])) {
            (Error::Setting { name: "compute", message }, Some(option)) => Error::setting(option, message),
            (error, _) => error,
        }
    }

    /// Inlines the computed columns and the lengths of vectors that a formula names.
    fn inlined(&mut self, header: &Header, formula: &Formula) -> Result<Formula> {
        let is_own = |name: &str| source(header, name).is_some();
        let computed: Vec<String> = formula.columns().filter(|name| self.has(name)).map(str::to_owned).collect();
        self.named.extend(computed);
        let lengths = LENGTHS.map(|(name, vector)| (name, length(header, vector)));
        let named = |name: &str| {
            let ready_made = || lengths.iter().find(|(known, _)| *known == name)?.1.as_ref();
            if is_own(name) { None } else { self.formula(name).or_else(ready_made) }
        };
        formula.inlined(named, MOST_STEPS).ok_or_else(|| {
            let message = format!("must have at most {MOST_STEPS} steps in a formula with those that it names");
            Error::setting("compute", message)
        })
    }

    /// Whether a computed column has this name.
    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn get(&self, name: &str) -> Option<&Computed> {
        self.computed.iter().find(|(known, _)| known == name).map(|(_, computed)| computed)
    }

    /// The formula of a computed column.
    fn formula(&self, name: &str) -> Option<&Formula> {
        match self.computed.iter().find(|(known, _)| known == name)? {
            (_, Computed::Formula(formula)) => Some(formula),
            _ => None,
        }
    }

    fn push(&mut self, extended: &mut Header, name: &str, computed: Computed) {
        self.push_kind(extended, name, computed, Kind::F64);
    }

    fn push_kind(&mut self, extended: &mut Header, name: &str, computed: Computed, kind: Kind) {
        if extended.find(name).is_none() {
            extended.fields.push(Field { is_computed: true, ..Field::new(name, kind) });
            self.computed.push((name.to_owned(), computed));
        }
    }

    /// The column of distances to the middle of all rows, if a picture needs it.
    pub(crate) fn distances(&self, wanted: &Wanted) -> Option<usize> {
        wanted.columns.iter().position(|want| self.is(want.field, &Computed::Distance))
    }

    /// The columns with the numbers of copies, if a picture needs some.
    pub(crate) fn copies(&self, wanted: &Wanted) -> Vec<usize> {
        let columns = wanted.columns.iter().enumerate();
        columns.filter(|(_, want)| self.is(want.field, &Computed::Copy)).map(|(column, _)| column).collect()
    }

    /// Whether a field is this computed column.
    fn is(&self, field: usize, computed: &Computed) -> bool {
        field.checked_sub(self.own).is_some_and(|index| self.computed[index].1 == *computed)
    }

    /// The caller's columns that a picture does not need.
    pub(crate) fn unused(&self, computed: &[ComputedColumn], extended: &Header, wanted: &Wanted) -> Vec<String> {
        let is_unused = |name: &&String| {
            let field = extended.find(name);
            let is_axis = field.is_some_and(|field| wanted.axes.fields().contains(&field));
            !is_axis && !self.named.contains(name) && wanted.columns.iter().all(|want| Some(want.field) != field)
        };
        computed.iter().map(|column| &column.name).filter(is_unused).cloned().collect()
    }

    /// Whether a picture needs computed columns.
    pub(crate) fn are_wanted(&self, wanted: &Wanted) -> bool {
        self.computes_places(wanted) || wanted.columns.iter().any(|want| want.field >= self.own)
    }

    /// The columns of the file that a picture and the formulas need.
    pub(crate) fn of_file(&self, file: &str, header: &Header, wanted: &Wanted) -> Result<Wanted> {
        let refuse = |message: &str| Err(Error::setting("compute", message));
        let own = wanted.columns.iter().filter(|want| want.field < self.own);
        let mut all = Wanted { axes: wanted.axes, columns: own.copied().collect() };
        self.add_places(file, header, wanted, &mut all)?;
        for want in wanted.columns.iter().filter(|want| want.field >= self.own) {
            if matches!(want.kind, Kind::Name | Kind::Color) && !self.is(want.field, &Computed::Copy) {
                return refuse("makes numbers, and no names or colours");
            }
            let index = want.field - self.own;
            let added = self.add_needed(file, header, &self.computed[index].1, &mut all);
            added.map_err(|error| self.refusal(index, error))?;
        }
        Ok(all)
    }

    /// Adds the columns of the file that a computed column needs.
    pub(super) fn add_needed(&self, file: &str, header: &Header, computed: &Computed, all: &mut Wanted) -> Result<()> {
        match computed {
            Computed::Formula(formula) => {
                for name in formula.columns() {
                    match (header.find(name), self.get(name)) {
                        (Some(field), _) => {
                            all.column(field, Kind::F64, ValueRule::Any);
                        }
                        // formulas are inlined, so that these need no others
                        (None, Some(other)) if !matches!(other, Computed::Formula(_)) => {
                            self.add_needed(file, header, other, all)?;
                        }
                        _ => {}
                    }
                }
            }
            Computed::DistanceTo(of) => {
                let sources = expression_sources(file, header, &settled(of, header), all);
                sources.map_err(|rule| Error::setting("compute", rule))?;
            }
            Computed::Distance
            | Computed::Coordination(_)
            | Computed::Depth
            | Computed::Frame
            | Computed::Copy
            | Computed::DisplacementSince(_) => {}
        }
        Ok(())
    }

    /// Appends the computed columns that wanted formulas name and that are no formulas; returns their names and places.
    fn with_inputs(
        &self,
        file: &str,
        header: &Header,
        wanted: &Wanted,
        of_file: &Wanted,
        mut table: Table<'static>,
        frame: &TrajectoryFrame<'_>,
    ) -> Result<(Table<'static>, Vec<(String, usize)>)> {
        let mut inputs: Vec<(String, usize)> = Vec::new();
        for want in &wanted.columns {
            let computed = want.field.checked_sub(self.own).map(|index| &self.computed[index].1);
            let Some(Computed::Formula(formula)) = computed else { continue };
            for name in formula.columns() {
                let Some(input) = self.get(name).filter(|_| header.find(name).is_none()) else { continue };
                if inputs.iter().any(|(known, _)| known == name) || matches!(input, Computed::Formula(_)) {
                    continue;
                }
                let numbers =
                    input.numbers(name, file, header, of_file, &FrameRows { table: &table, inputs: &[], frame })?;
                inputs.push((name.to_owned(), table.columns.len()));
                let added = Table::new(std::iter::once((name.to_owned(), Kind::F64)));
                table.columns.extend(added.columns);
                let mut start = 0;
                for block in &mut table.blocks {
                    let end = start + block.rows();
                    block.values.push(Values::F64(numbers[start..end].to_vec().into()));
                    start = end;
                }
            }
        }
        Ok((table, inputs))
    }

    /// Completes a table of the columns of [`ComputedColumns::of_file`] to the wanted columns, in their order.
    pub(crate) fn complete(
        &self,
        file: &str,
        header: &Header,
        wanted: &Wanted,
        table: Table<'static>,
        frame: &TrajectoryFrame<'_>,
    ) -> Result<Table<'static>> {
        let of_file = self.of_file(file, header, wanted)?;
        let (mut table, inputs) = self.with_inputs(file, header, wanted, &of_file, table, frame)?;
        if self.computes_places(wanted) {
            table = self.placed(file, header, wanted, &of_file, table, frame)?;
        }
        let mut columns: Vec<Option<Vec<f64>>> = Vec::new();
        for want in &wanted.columns {
            let Some(index) = want.field.checked_sub(self.own) else {
                columns.push(None);
                continue;
            };
            let (name, computed) = &self.computed[index];
            let rows = FrameRows { table: &table, inputs: &inputs, frame };
            let numbers = computed.numbers(name, file, header, &of_file, &rows);
            let numbers = numbers.map_err(|error| self.refusal(index, error))?;
            if let Some((row, bad)) = (1_u64..).zip(&numbers).find(|(_, value)| !want.rule.accepts(**value)) {
                let accepted = want.rule.accepted(*bad);
                let message = format!("{} must be {accepted}, got {bad} in row {row}", shortened(name));
                return Err(Error::input(file, None, message));
            }
            columns.push(Some(numbers));
        }
        Ok(self.joined(wanted, table, &columns))
    }

    /// A table of the wanted columns, computed or else taken from `table` in order.
    fn joined(&self, wanted: &Wanted, table: Table<'static>, columns: &[Option<Vec<f64>>]) -> Table<'static> {
        let mut whole = Table::new(wanted.columns.iter().map(|want| (String::new(), want.kind)));
        let mut of_file = table.columns.into_iter();
        for ((column, numbers), want) in whole.columns.iter_mut().zip(columns).zip(&wanted.columns) {
            match numbers {
                None => *column = of_file.next().expect("the file has the other columns"),
                Some(_) => column.name.clone_from(&self.computed[want.field - self.own].0),
            }
        }
        let mut start = 0;
        for Block { positions, values } in table.blocks {
            let end = start + positions.rows();
            let mut of_file = values.into_iter();
            let values = columns.iter().zip(&wanted.columns).map(|(numbers, want)| match (numbers, want.kind) {
                (None, _) => of_file.next().expect("the file has the other columns"),
                (Some(numbers), Kind::F32) => {
                    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, as columns are")]
                    let numbers: Vec<f32> = numbers[start..end].iter().map(|&number| number as f32).collect();
                    Values::F32(numbers.into())
                }
                // copies are counted later
                (Some(numbers), Kind::Integer) => Values::Integers(vec![1; numbers[start..end].len()].into()),
                (Some(numbers), Kind::Name) => Values::Names(vec![0; numbers[start..end].len()].into()),
                (Some(numbers), _) => Values::F64(numbers[start..end].to_vec().into()),
            });
            whole.blocks.push(Block { positions, values: values.collect() });
            start = end;
        }
        whole
    }
}

/// The rows of a frame, and the places of the computed columns that formulas name.
pub(super) struct FrameRows<'a> {
    pub(super) table: &'a Table<'a>,
    pub(super) inputs: &'a [(String, usize)],
    pub(super) frame: &'a TrajectoryFrame<'a>,
}

/// A frame of a trajectory: its periodic box, if it has one, its number, and the way of its rows since another frame.
pub(crate) struct TrajectoryFrame<'a> {
    pub(crate) cell: Option<&'a Cell>,
    pub(crate) number: u64,
    pub(crate) since: &'a dyn Fn(FrameRequest) -> Result<Vec<f64>>,
}

impl Computed {
    /// The numbers of all rows; `of_file` are the columns of their table.
    pub(super) fn numbers(
        &self,
        name: &str,
        file: &str,
        header: &Header,
        of_file: &Wanted,
        rows: &FrameRows<'_>,
    ) -> Result<Vec<f64>> {
        let FrameRows { table, inputs, frame: &TrajectoryFrame { cell, number, since } } = *rows;
        Ok(match self {
            Self::Formula(formula) => {
                let place =
                    |field| of_file.columns.iter().position(|want| want.field == field && want.kind == Kind::F64);
                formula.evaluate(table, &|name: &str| match (source(header, name), header.find(name)) {
                    (_, Some(field)) => NumberSource::Column(place(field).expect("columns of formulas are read")),
                    (Some(source), None) => source,
                    (None, None) => {
                        let input = inputs.iter().find(|(known, _)| known == name);
                        input.map_or(NumberSource::Index, |(_, column)| NumberSource::Column(*column))
                    }
                })
            }
            Self::Distance => distances(table, None),
            Self::DistanceTo(of) => {
                let of = settled(of, header);
                let refuse = |message| Error::setting("compute", message);
                // `of_file` has added these columns already
                let sources = expression_sources(file, header, &of, &mut of_file.clone()).map_err(refuse)?;
                let known = |name: &str| sources.iter().find(|(known, _)| known == name);
                let rows = of.evaluate(table, &|name: &str| known(name).map_or(NumberSource::Index, |known| known.1));
                if !rows.contains(&true) {
                    let message = format!("must select a row of {file} in {:?}; none is selected", shortened(name));
                    return Err(refuse(message));
                }
                distances(table, Some(&rows))
            }
            Self::Coordination(reach) => {
                let places: Vec<[f64; 3]> = table.space().collect();
                neighbor_counts(&places, cell, *reach).into_iter().map(f64::from).collect()
            }
            Self::Depth => depth::below_surface(&table.space().collect::<Vec<_>>()),
            Self::Frame => vec![number as f64; table.rows()],
            Self::Copy => vec![1.0; table.rows()],
            Self::DisplacementSince(frame) => {
                let numbers = since(FrameRequest::of(*frame))?;
                if numbers.len() != table.rows() {
                    let message = format!("displacements of {file} are for frames whose rows all have positions");
                    return Err(Error::setting("compute", message));
                }
                numbers
            }
        })
    }
}

/// The ready-made columns of a file.
fn ready_made(header: &Header, column_request: &ColumnRequest) -> Vec<(&'static str, Computed)> {
    let mut columns = Vec::new();
    for (name, vector) in LENGTHS {
        columns.extend(length(header, vector).map(|length| (name, Computed::Formula(length))));
    }
    let is_solid = matches!(column_request.axes, Some(NamedAxes::Space(_)));
    if header.has_positions || is_solid || ["x", "y", "z"].iter().all(|axis| header.find(axis).is_some()) {
        columns.push(("distance", Computed::Distance));
        columns.push(("coordination", Computed::Coordination(None)));
        columns.push(("depth", Computed::Depth));
        let halved = Formula::parse("diameter / 2").ok().filter(|_| source(header, "diameter").is_some());
        columns.extend(halved.map(|halved| (HALF_DIAMETER, Computed::Formula(halved))));
    }
    if header.has_positions {
        columns.push(("frame", Computed::Frame));
    }
    columns
}

/// The source of the numbers of a column, a coordinate or the index.
fn source(header: &Header, name: &str) -> Option<NumberSource> {
    if let Some(field) = header.find(name) {
        let is_number = !matches!(header.fields[field].kind, Kind::Name | Kind::Color);
        return is_number.then_some(NumberSource::Column(field));
    }
    match name {
        "index" => Some(NumberSource::Index),
        _ if header.has_positions => ["x", "y", "z"].iter().position(|axis| *axis == name).map(NumberSource::Axis),
        _ => None,
    }
}

fn length(header: &Header, vector: &str) -> Option<Formula> {
    let is_number = |name: &str| matches!(source(header, name), Some(NumberSource::Column(_)));
    let [x, y, z] = vectors::columns(vector, is_number)?;
    Formula::parse(&format!("sqrt(\"{x}\"^2 + \"{y}\"^2 + \"{z}\"^2)")).ok()
}

/// A selection in which words that could be columns or formulas are settled.
fn settled(of: &Expression, header: &Header) -> Expression {
    let mut of = of.clone();
    of.settle(&|name| header.find(name).is_some());
    of
}

/// Distances to the middle of all rows, or of some.
fn distances(table: &Table<'_>, of: Option<&[bool]>) -> Vec<f64> {
    let (mut sum, mut count) = ([0.0_f64; 3], 0.0_f64);
    let is_of = |row: usize| of.is_none_or(|of| of[row]);
    for (_, place) in table.space().enumerate().filter(|(row, _)| is_of(*row)) {
        (0..3).for_each(|axis| sum[axis] += place[axis]);
        count += 1.0;
    }
    let middle = sum.map(|sum| sum / count.max(1.0));
    let distance = |place: [f64; 3]| {
        let squares = [0, 1, 2].map(|axis| (place[axis] - middle[axis]) * (place[axis] - middle[axis]));
        squares.iter().sum::<f64>().sqrt()
    };
    table.space().map(distance).collect()
}
