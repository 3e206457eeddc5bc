//! The options of the package for browsers: types and descriptions.

use crate::options::figure::LegendChoice;
use crate::options::option_table::LoadOption;
use crate::options::option_values::OptionKind;
use crate::scene_file::reference::python::meaning;
use crate::scene_file::reference::quoted;

/// Marks around the options.
const MARKS: [&str; 2] =
    ["    // options: made by crates/load/src/scene_file/reference/javascript.rs\n", "    // end of options\n"];

/// The file with a generated part, the marks around it, and its text.
pub(crate) fn part() -> (&'static str, [&'static str; 2], String) {
    ("docs/web/roundel.d.ts", MARKS, LoadOption::all().iter().map(field).collect())
}

fn field(option: &LoadOption) -> String {
    let help = meaning(option).replace("*/", "* /");
    let kind = kind(option);
    format!("    /** {help}. */\n    {}?: {kind} | null;\n", option.name)
}

/// The type of an option's value, as `docs/web/wasm/src/options.rs` reads it.
fn kind(option: &LoadOption) -> String {
    let names = quoted(&option.names(), " | ");
    let legend = format!("boolean | \"on\" | \"off\" | {}", quoted(&LegendChoice::WORDS, " | "));
    let kind = match (option.name, option.kind()) {
        ("trim", _) => "boolean | number",
        ("ao", _) => "\"smooth\" | \"off\" | number",
        ("slab", _) => "number[] | number | string",
        (_, OptionKind::Switch) => "boolean",
        (_, OptionKind::Whole | OptionKind::Integer | OptionKind::Number) => "number",
        (_, OptionKind::Range | OptionKind::Numbers(_) | OptionKind::ViewBox | OptionKind::Counts) => {
            "number[] | string"
        }
        (_, OptionKind::Plane | OptionKind::Texts) => "string | string[]",
        (_, OptionKind::Pair) => "[string, string | number] | [string, string | number][]",
        (_, OptionKind::Legend) => &legend,
        (_, OptionKind::ScaleBar) => "boolean | number | \"on\" | \"off\"",
        (_, OptionKind::Name) => &names,
        (_, OptionKind::Color) => "string",
        // columns are known by their numbers, too
        (_, OptionKind::Text | OptionKind::Word) => "string | number",
    };
    kind.to_owned()
}
