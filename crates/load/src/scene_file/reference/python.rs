//! The keywords of the Python package: types and descriptions, and the names of colour maps.

use crate::color::ColorMap;
use crate::color::maps::MapUse;
use crate::options::figure::LegendChoice;
use crate::options::option_table::{LoadOption, OptionGroup};
use crate::options::option_values::OptionKind;
use crate::scene_file::reference::quoted;

/// Marks around the options of pictures, the options of data files, and the names of colour maps.
const PICTURE: [&str; 2] = [
    "    # options of pictures: made by crates/load/src/scene_file/reference/python.rs\n",
    "    # end of options of pictures\n",
];
const FILE: [&str; 2] = [
    "    # options of files: made by crates/load/src/scene_file/reference/python.rs\n",
    "    # end of options of files\n",
];
/// Marks around the tables of options and of colour maps in the package's page.
const OPTION_TABLE: [&str; 2] =
    ["<!-- options: made by crates/load/src/scene_file/reference/python.rs -->\n\n", "<!-- end of options -->"];
const MAP_TABLE: [&str; 2] =
    ["<!-- colour maps: made by crates/load/src/scene_file/reference/python.rs -->\n\n", "<!-- end of colour maps -->"];
const MAPS: [&str; 2] =
    ["# colour maps: made by crates/load/src/scene_file/reference/python.rs\n", "# end of colour maps\n"];

/// Options of other groups that are about the rows, frames and categories of files.
const OF_FILES: [&str; 10] = [
    "focus",
    "focus_margin",
    "same_view",
    "stamp",
    "legend_categories",
    "grid",
    "panel_title",
    "panel_by",
    "stereo",
    "label",
];

/// Options whose values the command line has in words of its own: their names here and in Python, their types, and their
/// descriptions.
const IN_PYTHON: [(&str, &str, &str, &str); 6] = [
    (
        "color_by",
        "colors",
        "Color",
        "Colour by element, chain, residue, index or a column, or in one colour such as #1f77b4",
    ),
    (
        "radius",
        "radii",
        "float | str | Mapping[str, float]",
        "Radius of each shape: a number, a column, or vdw for the van der Waals radii of atoms; or selections and their radii, as in \
         {'type 2': 0.8}",
    ),
    (
        "categories",
        "categories",
        "str | Sequence[str]",
        "Categories that take the first colours of the palette, in this order, so that several pictures agree, as in ['oak', 'ash']. \
         Others follow; numbers keep the colours of their places",
    ),
    (
        "contacts",
        "contacts",
        "Sequence[tuple[str, str] | tuple[str, str, float | str]]",
        "Dashed lines with distances between rows of two selections that are at most 4 apart, as in [('ligand', 'protein')], and more \
         than three bonds from each other; another distance may follow, as in [('ligand', 'protein', 3.5)], or 'hbonds' for hydrogen \
         bonds",
    ),
    (
        "legend_name",
        "legend_name",
        "Sequence[tuple[str, Any]]",
        "Entries of the legend and other names for them, as in [('A', 'Gαs')]",
    ),
    (
        "label",
        "label",
        "Sequence[tuple[str, Any]]",
        "Texts beside rows, with their columns in braces, as in [('ligand', '{resname} {resid}'), ('name CA and resid 113', \
         'Asp{resid}')]; once for each residue where all columns are those of residues; a leader line where it stands apart; beside \
         circles those of the largest first, as many as fit",
    ),
];

/// Flags that Python has under the names above, or in the rows below.
const NOT_IN_PYTHON: [&str; 3] = ["color", "radius_of", "opacity_by"];

/// Arguments that the table of options lacks.
const MORE: &str = "\
    | `opacity` | `float or str or Mapping[str, float]` | Opacity from 0 to 1 of all shapes, the name of a column, or selections and their opacities; the last that holds a row counts |\n\
    | `style` | `str or Mapping[str, str]` | `spacefill`, `ball-and-stick`, `sticks`, `points`, `trace` or `none`, or selections and their styles; the last that holds a row counts |\n\
    | `highlight` | `Mapping[str, Color]` | Selections and their colours; the last that holds a row counts |\n\
    | `gloss` | `float or tuple[float, float] or Mapping[str, Any]` | Strength of highlights from 0 to 1, a strength and a roughness, or selections and these |\n";

/// Characters in a line of names.
const LINE: usize = 110;

/// Files with generated parts: the marks around each, and its text.
pub(crate) fn parts() -> [(&'static str, [&'static str; 2], String); 5] {
    const OPTIONS: &str = "python/lib/roundel/_options.py";
    let of_file = |option: &&LoadOption| option.group == OptionGroup::Data || OF_FILES.contains(&option.name);
    let (file, picture): (Vec<_>, Vec<_>) = LoadOption::all().iter().partition(of_file);
    let fields = |options: Vec<&LoadOption>| options.into_iter().map(field).collect();
    [
        (OPTIONS, PICTURE, fields(picture)),
        (OPTIONS, FILE, fields(file)),
        ("python/lib/roundel/_colormap_names.py", MAPS, maps()),
        ("docs/python-guide.md", OPTION_TABLE, option_table() + "\n"),
        ("docs/python-guide.md", MAP_TABLE, map_table() + "\n"),
    ]
}

/// An option as a field of a `TypedDict`, with its description.
fn field(option: &LoadOption) -> String {
    let shapes = match option.group {
        OptionGroup::Shading | OptionGroup::Camera if !OF_FILES.contains(&option.name) => " (spheres)",
        _ => "",
    };
    let help = meaning_in_python(option);
    let quote = if help.contains(['"', '\\']) { "r\"\"\"" } else { "\"\"\"" };
    format!("    {}: {} | None\n    {quote}{help}{shapes}.\"\"\"\n", option.name, kind(option))
}

fn kind(option: &LoadOption) -> String {
    let names = format!("Literal[{}]", quoted(&option.names(), ", "));
    let names_or_text = format!("{names} | str");
    let legend = format!("bool | Literal[{}]", quoted(&LegendChoice::WORDS, ", "));
    let kind = match (option.name, option.kind()) {
        ("trim", _) => "bool | int",
        ("radius", _) => "float | str",
        ("slab", _) => "Vector | float",
        ("ao", _) => "Literal[\"smooth\", \"off\"] | int",
        ("contacts", _) => "Sequence[tuple[str, str] | tuple[str, str, float | str]]",
        ("hbonds", _) => return format!("bool | {names}"),
        ("colormap", _) => "str | Colormap",
        ("palette", _) => "Palette",
        (_, OptionKind::Switch) => "bool",
        (_, OptionKind::Whole | OptionKind::Integer) => "int",
        (_, OptionKind::Number) => "float",
        (_, OptionKind::Range) => "str | tuple[float, float]",
        (_, OptionKind::Numbers(_) | OptionKind::ViewBox) => "Vector",
        (_, OptionKind::Counts) => "Sequence[int]",
        (_, OptionKind::Color) => "Color",
        (_, OptionKind::Plane | OptionKind::Texts) => "str | Sequence[str]",
        (_, OptionKind::Pair) => "Sequence[tuple[str, Any]]",
        (_, OptionKind::Legend) => &legend,
        (_, OptionKind::ScaleBar) => "bool | float",
        (_, OptionKind::Name) => &names,
        _ if option.names().is_empty() => "str",
        _ => &names_or_text,
    };
    kind.to_owned()
}

/// The description of an option, in the words of Python.
fn meaning_in_python(option: &LoadOption) -> String {
    match IN_PYTHON.iter().find(|(name, ..)| *name == option.name) {
        Some((.., help)) => (*help).to_owned(),
        None => meaning(option)
            .replace("=false", "=False")
            .replace("; may be given several times", "; or a list of such")
            .replace("; -o FILE.npy writes the numbers", ""),
    }
}

/// The description of an option. Formats are not listed: which there are depends on the features of the build.
pub(crate) fn meaning(option: &LoadOption) -> String {
    let help = keywords(&option.help);
    match (option.name, help.split_once(": ")) {
        ("format", Some((meaning, _))) => meaning.to_owned(),
        _ => help,
    }
}

/// A description with flags as keywords: `--ao-distance` is `ao_distance`.
fn keywords(help: &str) -> String {
    let mut parts = help.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_flag = |letter: char| letter == '-' || letter.is_ascii_lowercase();
        let end = part.find(|letter| !is_of_flag(letter)).unwrap_or(part.len());
        text += &part[..end].replace('-', "_");
        text += &part[end..];
    }
    text
}

fn option_table() -> String {
    let mut table = "| option | value | meaning |\n|---|---|---|\n".to_owned();
    for option in LoadOption::all().iter().filter(|option| !NOT_IN_PYTHON.contains(&option.name)) {
        let own = IN_PYTHON.iter().find(|(name, ..)| *name == option.name);
        let (name, kind) =
            own.map_or_else(|| (option.name, kind(option)), |(_, name, kind, _)| (*name, (*kind).to_owned()));
        let (kind, help) =
            (kind.replace('|', "or").replace("Literal", ""), meaning_in_python(option).replace('|', "\\|"));
        table += &format!("| `{name}` | `{kind}` | {help} |\n");
    }
    table + MORE
}

fn map_table() -> String {
    let is_of_elements = |name: &str| name.parse().is_ok_and(ColorMap::has_elements);
    let names = |use_of_map, of_elements| {
        let names = ColorMap::names_for(use_of_map).filter(|name| is_of_elements(name) == of_elements);
        names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
    };
    format!(
        "| for | names |\n|---|---|\n| values (`colormap`) | {} |\n| categories (`palette`) | {} |\n\
         | elements of atoms (`palette`) | {} |\n",
        names(MapUse::Values, false),
        names(MapUse::Categories, false),
        names(MapUse::Categories, true)
    )
}

fn maps() -> String {
    let ramps = ColorMap::names_for(MapUse::Values).flat_map(|name| [name.to_owned(), format!("{name}_r")]);
    let all = ramps.chain(ColorMap::names_for(MapUse::Categories).map(str::to_owned));
    let mut lines = vec![String::new()];
    for name in all {
        let name = format!("\"{name}\", ");
        match lines.last_mut() {
            Some(line) if line.len() + name.len() <= LINE => *line += &name,
            _ => lines.push(name),
        }
    }
    let lines: String = lines.iter().map(|line| format!("    {}\n", line.trim_end())).collect();
    format!("ColormapName = Literal[\n{lines}]\n")
}

#[test]
fn flags_in_descriptions_become_keywords() {
    let text = "Use parallel rays; --ortho=false uses perspective, and --scale-bar=20 a length of 3.5-4";
    assert_eq!(keywords(text), "Use parallel rays; ortho=false uses perspective, and scale_bar=20 a length of 3.5-4");
}
