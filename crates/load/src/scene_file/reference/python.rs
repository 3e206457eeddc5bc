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
const OF_FILES: [&str; 9] =
    ["focus", "focus_margin", "same_view", "stamp", "legend_categories", "grid", "panel_title", "stereo", "label"];

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
        ("python/lib/roundel/_colors.py", MAPS, maps()),
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
        ("color_range", _) => "str | tuple[float, float]",
        ("contacts", _) => "Sequence[tuple[str, str] | tuple[str, str, float | str]]",
        ("hbonds", _) => return format!("bool | {names}"),
        ("colormap" | "palette", _) => "str | Colormap",
        (_, OptionKind::Switch) => "bool",
        (_, OptionKind::Whole | OptionKind::Integer) => "int",
        (_, OptionKind::Number) => "float",
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

/// The description of an option, with `False` as Python has it.
fn meaning_in_python(option: &LoadOption) -> String {
    meaning(option).replace("=false", "=False")
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
    for option in LoadOption::all() {
        let cell = |text: String| text.replace('|', "\\|");
        let (kind, help) = (cell(kind(option)), cell(meaning_in_python(option)));
        table += &format!("| `{}` | `{}` | {help} |\n", option.name, kind.replace("\\|", "or").replace("Literal", ""));
    }
    table
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
