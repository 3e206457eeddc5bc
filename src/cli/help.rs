//! Help in three sizes: `-h` is one screen, `--help` has every flag in chapters, `roundel help TOPIC` a page about a subject.

use std::ffi::OsString;

use clap::{Arg, Args, Command};
use roundel::{Error, Result};

use super::CommandOutcome;
use super::output::print;

/// Pages of docs/ that `roundel help` prints.
const TOPICS: [(&str, &str); 7] = [
    ("selections", include_str!("../../docs/selections.md")),
    ("colors", include_str!("../../docs/colors.md")),
    ("looks", include_str!("../../docs/looks.md")),
    ("formats", include_str!("../../docs/formats.md")),
    ("figures", include_str!("../../docs/figures.md")),
    ("films", include_str!("../../docs/films.md")),
    ("scene", include_str!("../../docs/scene.md")),
];

/// Flags that `-h` lists where a subcommand has them, those of most pictures, and what it says of each.
const COMMON: [(&str, &str); 26] = [
    ("output", "File to write"),
    ("width", "Width of the picture"),
    ("height", "Height of the picture"),
    ("background", "A CSS name, #rrggbb or transparent"),
    ("look", "illustrative, studio, glossy, flat, headlight"),
    ("view", "front, right, top, iso, …"),
    ("azimuth", "Move the eye to the right"),
    ("elevation", "Move the eye up"),
    ("zoom", "Enlarge everything"),
    ("focus", "Look at a part, cut away what hides it"),
    ("clip", "Cut open, as in 'x<12'"),
    ("x", "Column of x"),
    ("y", "Column of y"),
    ("r", "Column of sizes"),
    ("color_by", "element, chain, or any column"),
    ("colormap", "Colours of numbers, such as viridis"),
    ("only", "Draw a part, as in 'chain A and not water'"),
    ("highlight", "Draw a part in a colour of its own"),
    ("opacity", "From 0 to 1, of a part or of all"),
    ("style", "spacefill, ball-and-stick, sticks, trace, …"),
    ("frames", "Frames of the data, as in 0,5,-1 or 0..50:10"),
    ("turntable", "Turn the camera"),
    ("fps", "Frames a second"),
    ("json", "Print JSON"),
    ("legend", "Explain the colours"),
    ("grid", "Draw files or frames side by side"),
];

/// Subcommands that take pictures' flags: too many for one screen.
const LONG: [&str; 5] = ["render", "film", "export", "view", "info"];

/// Explain a command, or a subject
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel help selections   Print how rows are selected
  roundel help render       Print all flags of a command")]
pub(super) struct HelpArguments {
    /// Command, or one of selections, colors, looks, formats, figures, films and scene
    #[arg(value_name = "COMMAND|TOPIC")]
    subject: Vec<String>,
}

pub(super) fn run(arguments: &HelpArguments, mut definition: Command) -> Result<CommandOutcome> {
    if let [topic] = &arguments.subject[..]
        && let Some((_, page)) = TOPICS.iter().find(|(name, _)| name == topic)
    {
        print(page)?;
        return Ok(CommandOutcome::Done);
    }
    definition.build();
    let mut command = &mut definition;
    for name in &arguments.subject {
        let Some(found) = command.find_subcommand_mut(name) else {
            let topics = TOPICS.map(|(topic, _)| topic).join(", ");
            return Err(Error::setting("roundel help", format!("is for commands and for {topics}, got {name:?}")));
        };
        command = found;
    }
    print(&command.render_long_help().to_string())?;
    Ok(CommandOutcome::Done)
}

/// Prepares the help of commands with many flags: on one screen if the arguments ask for `-h`, else in chapters whose names
/// come first.
pub(super) fn with_sizes(definition: Command, arguments: &[OsString]) -> Command {
    let is_brief = arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "-h");
    definition.mut_subcommands(|command| match LONG.contains(&command.get_name()) {
        true if is_brief => brief(command),
        true => with_chapters(command),
        false => command,
    })
}

/// Hides all flags but the common ones, and says little of each.
fn brief(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = notes.split_once("Examples:\n").map_or("", |(_, examples)| examples);
    let examples: Vec<&str> = examples.lines().take(2).collect();
    let topics = TOPICS.map(|(topic, _)| topic).join("|");
    let end = format!("Examples:\n{}\n\nMore: roundel {name} --help; roundel help {topics}", examples.join("\n"));
    let brief = |argument: Arg| {
        let common = COMMON.iter().find(|(name, _)| argument.get_id() == name).map(|(_, help)| *help);
        let is_hidden = !argument.is_positional() && common.is_none();
        let takes_values = argument.get_action().takes_values();
        let argument = argument.help_heading(None).hide(is_hidden);
        let argument = if takes_values { argument.hide_possible_values(true) } else { argument };
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let first = help.split("; ").next().unwrap_or_default().to_owned();
        argument.help(common.map_or(first, str::to_owned))
    };
    // columns of two for the flags and their help need this much
    command.mut_args(brief).after_help(end).term_width(100)
}

/// Lists the headings of the flags below the first line.
fn with_chapters(command: Command) -> Command {
    let mut headings: Vec<&str> = Vec::new();
    for heading in command.get_arguments().filter_map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let chapters = headings.join(" · ");
    let about = format!("{about}\n\nChapters: Options · {chapters} · Examples. On one screen: -h");
    command.long_about(about)
}
