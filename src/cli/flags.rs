//! Flags that several subcommands share: options of the picture, and options that affect only time and memory.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use roundel::io::{ContactRule, LoadOption, LoadOptions, MoleculeStyle, OptionGroup, OptionKind};
use roundel::{Budget, Culling, RenderSettings, SimdLevel, Srgba8};

use super::numbers::{parsed, whole_u32};

/// Flags that determine the picture: each overrides the scene, or the default for data.
///
/// One per [`LoadOption`], and `--transparent`, `--no-orient` and the flags in [`PAIRS`].
#[derive(Clone, Debug, Default)]
pub(super) struct PictureFlags(LoadOptions);

/// The selection of everything.
const ALL: &str = "all";

/// A flag that takes a selection and a value, any number of times.
struct PairFlag {
    name: &'static str,
    values: [&'static str; 2],
    help: &'static str,
}

const PAIRS: [PairFlag; 4] = [
    PairFlag {
        name: "opacity",
        values: ["[SELECTION]", "VALUE"],
        help: "Opacity of spheres or circles, from 0 to 1: of all, or of a selection; may be given several times, and the last one that selects a shape counts [default: opaque; circles of tables that overlap are as transparent as they need to be to show]",
    },
    PairFlag {
        name: "style",
        values: ["[SELECTION]", "STYLE"],
        help: "Style of atoms, of all or of a selection: spacefill, ball-and-stick (small molecules), sticks, points, trace (tubes along chains) or none (arrows alone); may be given several times, and the last one that selects an atom counts, as in --style points --style ligand sticks",
    },
    PairFlag {
        name: "gloss",
        values: ["[SELECTION]", "STRENGTH[,ROUGHNESS]"],
        help: "Highlights of all spheres, or of a selection: their strength from 0 to 1, as of --specular, and perhaps their roughness, as in --gloss ligand 0.8,0.2; may be given several times, and the last one that selects a sphere counts",
    },
    PairFlag {
        name: "highlight",
        values: ["SELECTION", "COLOR[=LABEL]"],
        help: "Draw these rows in a colour of their own, and call them so in the legend, as in --highlight 'resname RET' 'gold=retinal'; may be given several times",
    },
];

impl PairFlag {
    /// Whether the selection is optional: a value alone is for all rows.
    fn may_lack_selection(&self) -> bool {
        self.values[0].starts_with('[')
    }

    fn flag(&self) -> Arg {
        let takes_number = matches!(self.name, "opacity" | "gloss");
        let flag = Arg::new(self.name).long(self.name).help(self.help).value_names(self.values);
        flag.num_args(2).action(ArgAction::Append).allow_hyphen_values(takes_number)
    }
}

/// The arguments, normalized for clap: `--opacity`, `--style` and `--gloss` with a value alone get a selection of
/// everything, so that the number of their values is fixed; `--radius` with a selection and a number becomes
/// `--radius-of`; the rule of `--contacts` becomes a part of its second selection.
pub(super) fn with_selections(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let given: Vec<OsString> = arguments.collect();
    let mut arguments = given.into_iter().peekable();
    let mut all = Vec::new();
    while let Some(argument) = arguments.next() {
        let text = argument.to_str();
        if text == Some("--radius") {
            let first = arguments.next();
            let is_number = |of: Option<&OsString>| {
                of.and_then(|text| text.to_str()).is_some_and(|text| text.parse::<f32>().is_ok())
            };
            let is_pair = !is_number(first.as_ref()) && is_number(arguments.peek());
            all.push(if is_pair { "--radius-of".into() } else { argument });
            all.extend(first);
            continue;
        }
        if text == Some("--contacts") {
            all.push(argument);
            all.extend(arguments.next());
            let Some(mut with) = arguments.next() else { continue };
            if let Some(rule) = arguments.next_if(|text| text.to_str().is_some_and(ContactRule::is_named)) {
                with.push(LoadOption::PAIR_SEPARATOR.to_string());
                with.push(rule);
            }
            all.push(with);
            continue;
        }
        let (name, value) = match text.and_then(|text| text.strip_prefix("--")) {
            Some(text) => {
                text.split_once('=').map_or((text, None), |(name, value)| (name, Some(OsString::from(value))))
            }
            None => ("", None),
        };
        let Some(pair) = PAIRS.iter().find(|pair| pair.name == name && pair.may_lack_selection()) else {
            let is_last = text == Some("--");
            all.push(argument);
            if is_last {
                all.extend(arguments.by_ref());
            }
            continue;
        };
        let next = value.clone().or_else(|| arguments.peek().cloned());
        let is_value = next.as_ref().and_then(|next| next.to_str()).is_some_and(|next| match name {
            "style" => MoleculeStyle::is_named(next),
            "gloss" => next.split(',').all(|number| number.trim().parse::<f32>().is_ok()),
            _ => next.parse::<f32>().is_ok(),
        });
        // before another flag or the end, a text is a wrong value and no selection
        let after = arguments.clone().nth(usize::from(value.is_none()));
        let is_value = is_value || next.is_some() && after.as_ref().is_none_or(is_flag);
        all.push(format!("--{}", pair.name).into());
        all.extend(is_value.then(|| ALL.into()));
        all.extend(value);
    }
    all
}

/// Whether an argument is a flag and not a negative number.
fn is_flag(argument: &OsString) -> bool {
    let text = argument.to_str().unwrap_or_default();
    text.len() > 1 && text.starts_with('-') && text.parse::<f32>().is_err()
}

impl PictureFlags {
    pub(super) fn options(&self, budget: Budget) -> LoadOptions {
        LoadOptions { budget, ..self.0.clone() }
    }

    /// The same flags without the frame that is drawn.
    pub(super) fn without_frame(&self) -> Self {
        Self(LoadOptions { frame: None, ..self.0.clone() })
    }
}

fn heading(group: OptionGroup) -> &'static str {
    match group {
        OptionGroup::Shading => "Shading (spheres only)",
        OptionGroup::Camera => "Camera (spheres only)",
        OptionGroup::Data => "Data files",
        OptionGroup::Figure => "Figure",
        _ => "Picture",
    }
}

fn flag(option: &'static LoadOption) -> Arg {
    let flag = Arg::new(option.name)
        .long(option.name.replace('_', "-"))
        .help(&*option.help)
        .value_name(option.value)
        .help_heading(heading(option.group));
    let flag = match option.name {
        "width" => flag.short('W'),
        "height" => flag.short('H'),
        "x" | "y" | "z" | "r" => flag.short(option.name.chars().next()),
        "view" => flag.conflicts_with("eye"),
        "palette" => flag.conflicts_with("colormap"),
        _ => flag,
    };
    let flag = match option.kind() {
        OptionKind::Plane => flag.action(ArgAction::Append).allow_hyphen_values(true),
        OptionKind::Texts => flag.action(ArgAction::Append),
        OptionKind::Pair => {
            let names = option.value.split(' ').collect::<Vec<_>>();
            // the second is checked with the first
            return flag.num_args(2).action(ArgAction::Append).allow_negative_numbers(true).value_names(names);
        }
        OptionKind::Integer | OptionKind::Number | OptionKind::Numbers(_) | OptionKind::Range | OptionKind::ViewBox => {
            flag.allow_hyphen_values(true)
        }
        _ => flag,
    };
    let flag = match option.alone() {
        Some(value) => flag.num_args(0..=1).require_equals(true).default_missing_value(value),
        None => flag,
    };
    let names = option.names();
    if names.is_empty() {
        return flag.value_parser(|text: &str| option.set(&mut LoadOptions::default(), text).map(|()| text.to_owned()));
    }
    // the help of looks has the names in a sentence
    let has_names_in_help = option.name == "look" || option.kind() == OptionKind::Switch;
    flag.value_parser(PossibleValuesParser::new(names)).hide_possible_values(has_names_in_help)
}

impl Args for PictureFlags {
    fn augment_args(command: Command) -> Command {
        let switch = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name.replace('_', "-")).help(help).action(ArgAction::SetTrue)
        };
        LoadOption::all().iter().fold(command, |command, option| {
            let command = command.arg(flag(option));
            match option.name {
                "background" => command.arg(
                    switch("transparent", "Draw on nothing; short for --background transparent")
                        .conflicts_with("background")
                        .help_heading(heading(option.group)),
                ),
                "view" => command.arg(
                    switch("no_orient", "Look from the front, whatever the shape of the data; short for --view front")
                        .conflicts_with_all(["view", "eye"])
                        .help_heading(heading(option.group)),
                ),
                "hide" => PAIRS
                    .iter()
                    .fold(command, |command, pair| command.arg(pair.flag().help_heading(heading(option.group)))),
                _ => command,
            }
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PictureFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let refuse = |message: String| clap::Error::raw(ErrorKind::ValueValidation, message);
        let mut options = LoadOptions::default();
        for option in LoadOption::all() {
            let texts: Vec<&String> = matches.get_many::<String>(option.name).into_iter().flatten().collect();
            for texts in texts.chunks(if option.kind() == OptionKind::Pair { 2 } else { 1 }) {
                let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
                let name = option.name.replace('_', "-");
                let set = option.set(&mut options, &texts.join(&LoadOption::PAIR_SEPARATOR.to_string()));
                set.map_err(|rule| {
                    refuse(format!(
                        "--{name} {rule}, got {:?}\n",
                        texts.join(" ").replace(LoadOption::PAIR_SEPARATOR, " ")
                    ))
                })?;
            }
        }
        for (short, name, value) in [("transparent", "background", "transparent"), ("no_orient", "view", "front")] {
            if let (true, Some(option)) = (matches.get_flag(short), LoadOption::named(name)) {
                option.set(&mut options, value).map_err(refuse)?;
            }
        }
        for [selection, value] in pairs(matches, "highlight") {
            let (name, label) = value.split_once('=').unwrap_or((value, ""));
            let color = parsed::<Srgba8>(name).map_err(|rule| {
                let rule = rule.split(", got ").next().unwrap_or_default();
                let order = match parsed::<Srgba8>(selection) {
                    Ok(_) => format!("; the selection comes first, as in --highlight '{value}' {selection}"),
                    Err(_) => String::new(),
                };
                refuse(format!("the colour of --highlight {rule}, got {value:?}{order}\n"))
            })?;
            options.highlight.push((selection.to_owned(), color));
            options.highlight_labels.push(label.to_owned());
        }
        let part = |selection: &str| (selection != ALL).then(|| selection.to_owned());
        for [selection, value] in pairs(matches, "opacity") {
            // if the number is missing, the text after the flag has become the selection
            let got = if value.starts_with('-') { selection } else { value };
            let rule =
                |_| refuse(format!("--opacity must be a number from 0 to 1, perhaps after a selection, got {got:?}\n"));
            options.opacity.push((part(selection), value.parse().map_err(rule)?));
        }
        for [selection, value] in pairs(matches, "style") {
            let style = parsed(value).map_err(|rule| refuse(format!("--style {rule}\n")))?;
            options.style.push((part(selection), style));
        }
        for [selection, value] in pairs(matches, "gloss") {
            let gloss = parsed(value).map_err(|rule| refuse(format!("--gloss {rule}\n")))?;
            options.gloss.push((part(selection), gloss));
        }
        Ok(Self(options))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the selections and values of a flag that takes two texts.
fn pairs<'a>(matches: &'a ArgMatches, name: &str) -> Vec<[&'a str; 2]> {
    let texts: Vec<&String> = matches.get_many(name).into_iter().flatten().collect();
    texts.chunks_exact(2).map(|pair| [pair[0].as_str(), pair[1].as_str()]).collect()
}

/// Flags that change time and memory, and no pixel.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Performance (changes no pixel)")]
pub(super) struct PerformanceFlags {
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<usize>,
    /// Side of the square tiles that are drawn one by one, 8 to 1024
    #[arg(long, value_name = "PIXELS", value_parser = whole_u32)]
    tile: Option<u32>,
    /// Instruction set
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = simd())]
    simd: SimdLevel,
    /// Test every shape against every tile
    #[arg(long)]
    no_cull: bool,
}

impl PerformanceFlags {
    pub(super) fn settings(self, budget: Budget) -> RenderSettings {
        let culling = if self.no_cull { Culling::Off } else { Culling::On };
        RenderSettings::default()
            .with_threads(self.threads)
            .with_tile_size(self.tile)
            .with_simd(self.simd)
            .with_culling(culling)
            .with_budget(budget)
    }
}

/// Accepts `auto` and the levels that the build has.
pub(super) fn simd() -> impl TypedValueParser<Value = SimdLevel> {
    let names = SimdLevel::compiled().into_iter().map(SimdLevel::name);
    PossibleValuesParser::new(std::iter::once(SimdLevel::Auto.name()).chain(names))
        .map(|name| name.parse().expect("every accepted name is a level's"))
}

fn threads(text: &str) -> Result<usize, String> {
    /// More than any machine has processors; the stacks of many more would fill its memory.
    const MAX: usize = 4096;
    let count = text.parse().ok().filter(|count| (1..=MAX).contains(count));
    count.ok_or_else(|| format!("must be a whole number from 1 to {MAX}"))
}
