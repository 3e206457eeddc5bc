//! Tips for flags of other programs: the flags of roundel that do the same.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Flags of other programs, and a tip for each.
fn meanings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("synonyms.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": "))
}

fn flags(tip: &str) -> impl Iterator<Item = &str> {
    let end = |rest: &str| rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    tip.split("--").skip(1).map(move |rest| &rest[..end(rest)])
}

/// The tip for a flag that a subcommand lacks; `None` for an unknown one.
fn tip(flag: &str, subcommand: &Command) -> Option<&'static str> {
    let name = flag.trim_start_matches('-').replace('_', "-").to_lowercase();
    let has = |long: &str| subcommand.get_arguments().any(|argument| argument.get_long() == Some(long));
    let fits = |(names, tip): &(&str, &str)| names.split(' ').any(|known| known == name) && flags(tip).all(has);
    meanings().find(fits).map(|(_, tip)| tip)
}

/// Replaces clap's tip for an unknown flag by one that knows the flag's meaning.
pub(super) fn add_tip(error: &mut Error, definition: &Command, arguments: impl Iterator<Item = OsString>) {
    let mut subcommand = definition;
    for argument in arguments.skip(1) {
        subcommand = subcommand.find_subcommand(&argument).unwrap_or(subcommand);
    }
    match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => add_tip_on_value(error, subcommand),
        ErrorKind::InvalidSubcommand => add_tip_on_file(error),
        ErrorKind::UnknownArgument => add_tip_on_flag(error, subcommand),
        _ => {}
    }
}

fn suggest(error: &mut Error, tip: impl Into<StyledStr>) {
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

fn add_tip_on_flag(error: &mut Error, subcommand: &Command) {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else { return };
    // a usage line made of the nearest spelling says nothing about the flag that is meant
    error.remove(ContextKind::Usage);
    let flag = flag.split('=').next().unwrap_or_default();
    if let Some(tip) = tip(flag, subcommand) {
        error.remove(ContextKind::SuggestedArg);
        suggest(error, tip);
    } else if let Some(tip) = tip_on_case(flag, subcommand) {
        error.remove(ContextKind::SuggestedArg);
        suggest(error, tip);
    } else {
        remove_unlike(error, ContextKind::SuggestedArg, ContextKind::InvalidArg);
    }
}

/// The tip for a letter that is a flag in the other case.
fn tip_on_case(flag: &str, subcommand: &Command) -> Option<String> {
    let mut letters = flag.strip_prefix('-')?.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    let other = if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    let argument = subcommand.get_arguments().find(|argument| argument.get_short() == Some(other))?;
    Some(format!("-{other} is --{}", argument.get_long()?))
}

/// Removes clap's suggestion if it is not like the text that was given.
fn remove_unlike(error: &mut Error, suggestion: ContextKind, given: ContextKind) {
    let Some(ContextValue::String(given)) = error.get(given) else { return };
    let given = given.split('=').next().unwrap_or_default().trim_start_matches('-');
    let is_alike = |suggested: &ContextValue| match suggested {
        ContextValue::String(suggested) => strsim::jaro_winkler(given, suggested.trim_start_matches('-')) > 0.85,
        _ => true,
    };
    if !error.get(suggestion).is_some_and(is_alike) {
        error.remove(suggestion);
    }
}

/// Adds a tip where a file stands in the place of a subcommand.
fn add_tip_on_file(error: &mut Error) {
    let Some(ContextValue::String(file)) = error.get(ContextKind::InvalidSubcommand) else { return };
    if Path::new(file).is_file() {
        let tip = format!("`roundel render {file}` draws it, `roundel view {file}` shows it in a window");
        suggest(error, tip);
    }
}

/// Adds a tip where a number stands in the place of a model of transparency, and where both sides of a picture stand in
/// the place of one.
fn add_tip_on_value(error: &mut Error, subcommand: &Command) {
    remove_unlike(error, ContextKind::SuggestedValue, ContextKind::InvalidValue);
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && error.get(ContextKind::SuggestedValue).is_none()
        && let Some(tip) = tip(value, subcommand).filter(|tip| tip.contains("not drawn"))
    {
        suggest(error, tip);
        return;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (Some(flag), Some(value)) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue)) else { return };
    let is_whole = |side: &str| side.parse::<u32>().is_ok();
    if flag.starts_with("--width") || flag.starts_with("--height") {
        let sides = value.split_once(['x', 'X', ',', '*']);
        if let Some((width, height)) = sides.filter(|(width, height)| is_whole(width) && is_whole(height)) {
            let tip = format!("--width {width} --height {height} says both sides");
            suggest(error, tip);
        }
    } else if flag.starts_with("--transparency") && value.trim_end_matches('%').parse::<f32>().is_ok() {
        error.remove(ContextKind::SuggestedValue);
        suggest(
            error,
            "--opacity 0.5 lets half of the light through; --transparency says how translucent spheres are composed",
        );
    }
}

/// Flags whose value, which may be left out, follows `=`.
#[rustfmt::skip]
const WITH_EQUALS: [&str; 14] = [
    "--ellipsoid-rings", "--legend", "--scale-bar", "--axes", "--cell", "--trim", "--shadows", "--ortho", "--wrap", "--whole", "--unwrap",
    "--stats", "--hbonds", "--vector-text",
];

/// Flags whose value follows a selection, if there is one.
const AFTER_SELECTION: [&str; 4] = ["--opacity", "--radius", "--style", "--gloss"];

/// A hint on how to write a flag, if an input that is no file is really the value or the selection of the flag before
/// it.
pub(super) fn detached_value(input: &Path, arguments: impl Iterator<Item = OsString>) -> Option<String> {
    if input.exists() {
        return None;
    }
    let arguments: Vec<OsString> = arguments.collect();
    let place = arguments.iter().position(|argument| argument == input.as_os_str())?;
    let before = |count: usize| arguments.get(place.checked_sub(count)?);
    let is_before = |count: usize, flag: &&&str| before(count).is_some_and(|before| before == **flag);
    if let Some(flag) = WITH_EQUALS.iter().find(|flag| is_before(1, flag)) {
        return Some(format!("a value of {flag} follows an equals sign, as in {flag}={}", input.display()));
    }
    let flag = AFTER_SELECTION.iter().find(|flag| is_before(2, flag))?;
    let value = before(1)?.to_string_lossy();
    Some(format!("{flag} takes the selection first, as in {flag} '{}' {value}", input.display()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn subcommands(command: &Command) -> Vec<&Command> {
        let inner = command.get_subcommands().flat_map(subcommands);
        std::iter::once(command).chain(inner).collect()
    }

    #[test]
    fn every_tip_names_flags_of_a_subcommand_that_lacks_the_name() {
        let definition = super::super::Cli::command();
        let all = subcommands(&definition);
        for (names, text) in meanings() {
            for name in names.split(' ') {
                let lacks =
                    |command: &&&Command| command.get_arguments().all(|argument| argument.get_long() != Some(name));
                let found = all.iter().filter(lacks).any(|command| tip(name, command) == Some(text));
                assert!(found, "--{name}: {text:?} is never said");
            }
        }
    }

    #[test]
    fn flags_with_an_equals_sign_are_those_that_may_stand_alone() {
        let definition = super::super::Cli::command();
        let render = definition.find_subcommand("render").expect("a subcommand");
        let alone = render.get_arguments().filter(|argument| argument.is_require_equals_set());
        let mut alone: Vec<_> =
            alone.map(|argument| format!("--{}", argument.get_long().unwrap_or_default())).collect();
        let mut known = WITH_EQUALS.to_vec();
        alone.sort_unstable();
        known.sort_unstable();
        assert_eq!(alone, known);
    }

    #[test]
    fn flags_of_a_tip_are_found() {
        assert_eq!(flags("--x lon --y lat").collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(flags("--ortho and --ortho=false").collect::<Vec<_>>(), ["ortho", "ortho"]);
        assert_eq!(flags("a `roundel golden bless`").count(), 0);
    }
}
