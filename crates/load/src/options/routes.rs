//! Where options apply: the row of an option names its routes, and refusing an option is one look-up.

use crate::error::{Error, Result};
use crate::options::figure::LegendChoice;
use crate::options::load_options::LoadOptions;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::option_table::LoadOption;

/// A way on which data becomes a picture; a picture may take several. Names are those of the file, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<'a> {
    /// Drawn as circles on a canvas.
    Circles(&'a str),
    /// Drawn as spheres in front of a camera.
    Spheres(&'a str),
    /// Rows of a table.
    Table(&'a str),
    /// Rows of an array, which may have frames.
    Array(&'a str),
    /// Rows that are atoms.
    Atoms(&'a str),
    /// A scene file.
    Scene(&'a str),
    /// Shapes by a rule, drawn as they are made.
    Pattern(&'a str),
    /// One picture, in contrast to panels.
    Single,
    /// Several files, or several frames of one, in one picture.
    Several,
    /// Side by side.
    Panels,
    /// A film.
    Film,
    /// Spheres of files or of a pattern, a block at a time.
    Stream,
    /// Circles of a pattern, a block at a time.
    CircleStream,
    /// Spheres and other shapes in the caller's memory.
    Memory,
    /// Circles in the caller's memory.
    CirclesInMemory,
}

/// A set of routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Routes(u16);

impl Routes {
    pub(crate) const ALL: Self = Self((1 << 15) - 1);
    pub(crate) const CIRCLES: Self = Self(1);
    pub(crate) const SPHERES: Self = Self(1 << 1);
    pub(crate) const TABLE: Self = Self(1 << 2);
    pub(crate) const ARRAY: Self = Self(1 << 3);
    pub(crate) const ATOMS: Self = Self(1 << 4);
    pub(crate) const SCENE: Self = Self(1 << 5);
    pub(crate) const PATTERN: Self = Self(1 << 6);
    pub(crate) const SINGLE: Self = Self(1 << 7);
    pub(crate) const SEVERAL: Self = Self(1 << 8);
    pub(crate) const PANELS: Self = Self(1 << 9);
    pub(crate) const FILM: Self = Self(1 << 10);
    pub(crate) const STREAM: Self = Self(1 << 11);
    pub(crate) const CIRCLE_STREAM: Self = Self(1 << 12);
    pub(crate) const MEMORY: Self = Self(1 << 13);
    pub(crate) const CIRCLES_IN_MEMORY: Self = Self(1 << 14);

    /// These routes and others.
    pub(crate) const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These routes without others.
    pub(crate) const fn but(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    fn has(self, route: Self) -> bool {
        self.0 & route.0 != 0
    }
}

/// Routes whose input says itself how its data is drawn.
const STATED: Routes = Routes::SCENE.and(Routes::PATTERN);

pub(crate) const IN_MEMORY: Routes = Routes::MEMORY.and(Routes::CIRCLES_IN_MEMORY);

/// Files whose rows the options choose and paint.
pub(crate) const ROWS: Routes = Routes::ALL.but(STATED).but(IN_MEMORY);

/// The same, read whole.
pub(crate) const LOADED_ROWS: Routes = ROWS.but(Routes::STREAM);

/// Whatever has a camera.
pub(crate) const SOLIDS: Routes = Routes::ALL.but(Routes::CIRCLES).but(Routes::CIRCLES_IN_MEMORY);

/// Rows drawn as spheres.
pub(crate) const SOLID_ROWS: Routes = ROWS.but(Routes::CIRCLES);

/// Rows drawn as spheres, read whole.
pub(crate) const LOADED_SOLID_ROWS: Routes = LOADED_ROWS.but(Routes::CIRCLES);

/// Rows drawn as circles, read whole.
pub(crate) const FLAT_ROWS: Routes = LOADED_ROWS.but(Routes::SPHERES).but(Routes::CIRCLE_STREAM);

/// Whatever has a canvas.
pub(crate) const FLAT: Routes =
    Routes::ALL.but(Routes::SPHERES).but(Routes::SEVERAL).but(Routes::STREAM).but(Routes::CIRCLE_STREAM).but(IN_MEMORY);

/// Pictures with marks around them.
pub(crate) const MARKED: Routes = Routes::ALL.but(Routes::CIRCLE_STREAM);

/// Pictures with marks that depend on all shapes.
pub(crate) const LOADED_MARKED: Routes = MARKED.but(Routes::STREAM);

/// Pictures with panels.
pub(crate) const PANELS: Routes = LOADED_MARKED.but(Routes::SINGLE).but(Routes::SEVERAL).but(IN_MEMORY);

impl Route<'_> {
    /// Refuses the first given option that does not apply.
    pub fn check(self, options: &LoadOptions) -> Result<()> {
        let misses = |routes: Routes| !routes.has(self.bit());
        let option = LoadOption::all().iter().find(|option| misses(option.routes) && option.is_set(options));
        let form = || FORMS.iter().find(|form| misses(form.routes) && (form.is_given)(options));
        let found = option.map(|option| (option.name, "")).or_else(|| form().map(|form| (form.name, form.which)));
        found.map_or(Ok(()), |(name, which)| Err(self.refusal(name, which)))
    }

    /// The error for an option, or some values of it, that do not apply.
    pub(crate) fn refusal(self, name: &'static str, which: &str) -> Error {
        let help =
            if self == Self::Panels && name == "stamp" { "; --panel-title '{time}' says it in each" } else { "" };
        Error::setting(name, format!("{which}{}{help}", self.message()))
    }

    fn bit(self) -> Routes {
        match self {
            Self::Circles(_) => Routes::CIRCLES,
            Self::Spheres(_) => Routes::SPHERES,
            Self::Table(_) => Routes::TABLE,
            Self::Array(_) => Routes::ARRAY,
            Self::Atoms(_) => Routes::ATOMS,
            Self::Scene(_) => Routes::SCENE,
            Self::Pattern(_) => Routes::PATTERN,
            Self::Single => Routes::SINGLE,
            Self::Several => Routes::SEVERAL,
            Self::Panels => Routes::PANELS,
            Self::Film => Routes::FILM,
            Self::Stream => Routes::STREAM,
            Self::CircleStream => Routes::CIRCLE_STREAM,
            Self::Memory => Routes::MEMORY,
            Self::CirclesInMemory => Routes::CIRCLES_IN_MEMORY,
        }
    }

    /// Why an option does not apply; goes on after its name.
    fn message(self) -> String {
        match self {
            Self::Circles(file) => format!("is for spheres; {file} is drawn as circles"),
            Self::Spheres(file) => format!("is for circles; {file} is drawn as spheres"),
            Self::Table(file) | Self::Array(file) => format!("is for molecules; {file} is a table"),
            Self::Atoms(file) => format!("is for tables; {file} holds atoms"),
            Self::Scene(file) => format!("is for bare data; {file} is a scene, whose tables have keys for it"),
            Self::Pattern(name) => format!("is for bare data; the pattern {name} says it itself"),
            Self::Single => "is for panels: --grid with several files, --frames or sides of --view".to_owned(),
            Self::Several => "is for one frame of one file, and this picture has several".to_owned(),
            Self::Panels => "is for one picture, not for the panels of a grid".to_owned(),
            Self::Film => {
                "is for pictures; the frames of a film have one size, and their panels are files or sides".to_owned()
            }
            Self::Stream => "is for shapes that are in memory; these are streamed".to_owned(),
            Self::CircleStream => "is for circles that are in memory; these are streamed".to_owned(),
            Self::Memory => "is for files; these shapes are in memory".to_owned(),
            Self::CirclesInMemory => "is for files; these circles are in memory, on a canvas of their own".to_owned(),
        }
    }
}

/// A value of an option that applies to fewer routes than the option, or an option that is not in the table.
struct Form {
    name: &'static str,
    /// Names the values that are refused; goes between the name of the option and the message.
    which: &'static str,
    is_given: fn(&LoadOptions) -> bool,
    routes: Routes,
}

const fn form(name: &'static str, which: &'static str, is_given: fn(&LoadOptions) -> bool, routes: Routes) -> Form {
    Form { name, which, is_given, routes }
}

/// Whether an opacity is for selected rows.
fn has_opacity_of_rows(options: &LoadOptions) -> bool {
    options.opacity.iter().any(|(rows, _)| rows.is_some())
}

fn has_legend(options: &LoadOptions) -> bool {
    options.figure.legend.is_some_and(|choice| choice != LegendChoice::Off)
}

fn has_other_style(options: &LoadOptions) -> bool {
    options.style.iter().any(|style| *style != (None, MoleculeStyle::Spacefill))
}

const FORMS: [Form; 10] = [
    form("view", "of several sides ", |options| !options.views.is_empty(), PANELS),
    form("view", "along an axis of data ", |options| options.look_along.is_some(), LOADED_SOLID_ROWS),
    form(
        "opacity",
        "",
        |options| !options.opacity.is_empty(),
        Routes::ALL.but(Routes::CIRCLE_STREAM).but(Routes::CIRCLES_IN_MEMORY),
    ),
    // a stream of translucent rows has a message of its own
    form("opacity", "of a selection ", has_opacity_of_rows, ROWS),
    form("style", "", |options| !options.style.is_empty(), SOLID_ROWS),
    form("style", "other than spacefill of all ", has_other_style, LOADED_SOLID_ROWS),
    form("gloss", "", |options| !options.gloss.is_empty(), LOADED_SOLID_ROWS),
    form("highlight", "", |options| !options.highlight.is_empty(), LOADED_ROWS),
    form("legend", "", has_legend, LOADED_MARKED),
    form("cell", "", |options| options.figure.cell == Some(true), LOADED_MARKED),
];
