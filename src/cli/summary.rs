//! `roundel golden summary`: what failing tests and checks left, for a comment on a pull request, a program or a CI system.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use roundel::golden::{Pending, pending, tested};
use roundel::io::{FileBelow, OutputKind, check_output_folder};
use roundel::{Error, Result};
use roundel_golden::inner::quoted;
use serde_json::{Value, json};

use super::CommandOutcome;
use super::golden::default_output;
use super::junit;
use super::output::{Force, print, printable};

/// The most pictures that a comment shows.
const SHOWN: usize = 6;

/// The most lines of a comment's table: comments on GitHub have at most 65,536 letters.
const LISTED: usize = 40;

/// The longest command that a comment names, in bytes.
const LONGEST_COMMAND: usize = 2000;

#[derive(Debug, Args)]
pub(super) struct SummaryArguments {
    /// Output folder of a test run or of a check [default: the variable ROUNDEL_OUTPUT, or target/golden]
    folder: Option<PathBuf>,
    /// The form of the summary
    #[arg(long, value_enum, default_value_t = SummaryFormat::Markdown)]
    format: SummaryFormat,
    /// Markdown: write before, after and difference of the worst six as PNGs into this folder, and show them
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Markdown: link to a report that is kept at this address
    #[arg(long, value_name = "URL")]
    link: Option<String>,
    /// Markdown: say that a reply of this word and names approves pictures
    #[arg(long, value_name = "WORD")]
    reply: Option<String>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SummaryFormat {
    /// A comment for GitHub, GitLab, Gitea and others
    Markdown,
    /// Everything, as one JSON object
    Json,
    /// Test results in XML
    Junit,
}

/// The results in a folder of output.
struct RunResults {
    /// Paths of failures' files below the folder, and of goldens that were compared; empty if no list was left.
    tested: BTreeSet<String>,
    /// The goldens that fail, by name.
    failing: Vec<Pending>,
}

pub(super) fn run(arguments: &SummaryArguments) -> Result<CommandOutcome> {
    let SummaryArguments { folder, format, .. } = arguments;
    let folder = folder.clone().unwrap_or_else(default_output);
    if !folder.is_dir() {
        let message =
            format!("must be a folder in which a test run or a check left its output, got {}", folder.display());
        return Err(Error::setting("summary", message));
    }
    let (failing, lists) = (pending(&folder)?, tested(&folder)?);
    let path =
        |package: &str, name: &str| if package.is_empty() { name.to_owned() } else { format!("{package}/{name}") };
    let of_list = lists.iter().flat_map(|list| list.goldens.iter().map(|(name, _)| path(&list.package, name)));
    let summary = RunResults { tested: of_list.collect(), failing };
    let text = match format {
        SummaryFormat::Markdown => summary.markdown(arguments)?,
        SummaryFormat::Json => format!("{:#}\n", summary.json()),
        SummaryFormat::Junit => summary.junit(),
    };
    print(&text)?;
    Ok(CommandOutcome::Done)
}

impl RunResults {
    fn count(&self, status: &str) -> usize {
        self.failing.iter().filter(|one| one.status == status).count()
    }

    /// How many goldens were compared and agree; `None` if no list was left.
    fn same(&self) -> Option<usize> {
        let failing: BTreeSet<&str> = self.failing.iter().map(|one| &*one.name).collect();
        let agree = self.tested.iter().filter(|name| !failing.contains(&***name)).count();
        (!self.tested.is_empty()).then_some(agree)
    }

    fn json(&self) -> Value {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let pictures = self.failing.iter().map(|one| {
            json!({
                "name": one.name, "status": one.status, "summary": one.summary, "share": one.share, "earlier": one.is_earlier,
                "golden": path(&near(&one.golden)), "actual": path(&one.actual),
                "difference": one.difference.as_deref().map(path), "approve": one.approve,
            })
        });
        json!({
            "same": self.same(), "changed": self.count("changed"), "new": self.count("new"), "missing": self.count("missing"),
            "pictures": pictures.collect::<Vec<Value>>(),
        })
    }

    fn junit(&self) -> String {
        let failing = self.failing.iter().map(|one| (one.name.clone(), Some(one.summary.clone())));
        let names: BTreeSet<&str> = self.failing.iter().map(|one| &*one.name).collect();
        let same = self.tested.iter().filter(|name| !names.contains(&***name)).map(|name| (name.clone(), None));
        let mut cases: Vec<(String, Option<String>)> = failing.chain(same).collect();
        cases.sort();
        junit::document("roundel golden", &cases)
    }

    fn markdown(&self, arguments: &SummaryArguments) -> Result<String> {
        let mut text = format!("### {}\n", self.title());
        if self.failing.is_empty() {
            return Ok(text);
        }
        let mut worst: Vec<&Pending> = self.failing.iter().collect();
        worst.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
        // writing into a string cannot fail
        let mut push = |line: String| text += &line;
        push("\n| picture | | how it differs |\n|---|---|---|\n".to_owned());
        for one in worst.iter().take(LISTED) {
            let earlier = if one.is_earlier { ", of an earlier run" } else { "" };
            push(format!("| {} | {}{earlier} | {} |\n", code(&one.name), plain(&one.status), plain(&one.summary)));
        }
        if let Some(more) = worst.len().checked_sub(LISTED).filter(|more| *more > 0) {
            push(format!("\n… and {more} more.\n"));
        }
        if let Some(folder) = &arguments.pictures {
            push(pictures(&worst, folder, arguments.force)?);
        }
        if let Some(link) = &arguments.link {
            push(format!("\n[Report with all pictures](<{}>)\n", link.replace(['<', '>', '\n', '\r'], "")));
        }
        push(self.approval(&worst, arguments.reply.as_deref()));
        Ok(text)
    }

    fn title(&self) -> String {
        let failing = self.failing.len();
        match self.same() {
            None if failing == 0 => "No pictures were compared".to_owned(),
            None => format!("{failing} {} not agree", if failing == 1 { "picture does" } else { "pictures do" }),
            Some(same) if failing == 0 => format!("{same} of {same} pictures agree"),
            Some(same) => {
                let named = [("changed", "changed"), ("new", "new"), ("missing", "no longer drawn")];
                let counts = named.map(|(status, word)| (self.count(status), word));
                let counts =
                    counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
                format!("{same} of {} pictures agree: {}", same + failing, counts.collect::<Vec<String>>().join(", "))
            }
        }
    }

    /// How to approve.
    fn approval(&self, worst: &[&Pending], reply: Option<&str>) -> String {
        let can: Vec<&Pending> = worst.iter().copied().filter(|one| one.actual.is_file()).collect();
        let mut text = String::new();
        if let (Some(word), false) = (reply, can.is_empty()) {
            let names: String = can.iter().map(|one| format!(" {}", quoted(&one.name))).collect();
            let names = if names.len() > LONGEST_COMMAND { " all".to_owned() } else { names };
            text += &format!("\nIf the new pictures are right, reply with\n\n{}\n", fenced(&format!("{word}{names}")));
        }
        let commands: BTreeSet<&str> =
            can.iter().map(|one| &*one.approve).filter(|command| !command.is_empty()).collect();
        let commands: String = commands.iter().take(SHOWN).map(|command| format!("{command}\n")).collect();
        if !commands.is_empty() && commands.len() <= LONGEST_COMMAND {
            let lead =
                if reply.is_some() { "or approve by name:" } else { "If the new pictures are right, approve by name:" };
            text += &format!("\n{lead}\n\n{}\n", fenced(commands.trim_end()));
        }
        text
    }
}

/// Writes the pictures of the first few failures, and shows them.
fn pictures(worst: &[&Pending], folder: &Path, force: Force) -> Result<String> {
    check_output_folder(folder)?;
    let mut text = String::new();
    for (number, one) in (1..).zip(worst.iter().take(SHOWN)) {
        let read = |path: &Path| match std::fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Io { action: "read", path: path.to_owned(), source }),
        };
        let difference = one.difference.as_deref().map_or(Ok(None), read)?;
        let shown = [("before", one.expected()?), ("after", read(&one.actual)?), ("difference", difference)];
        let mut cells = Vec::new();
        for (role, bytes) in shown {
            let Some(bytes) = bytes else {
                cells.push("none".to_owned());
                continue;
            };
            let name = format!("{number}-{role}.png");
            let file = FileBelow::new(folder, &name, OutputKind::Picture).with_overwriting(force.overwriting());
            file.write(|to| to.write_all(&bytes))?;
            cells.push(format!("![{role}](<{}>)", folder.join(&name).display()));
        }
        let name = code(&one.name);
        let _ =
            write!(text, "\n<details><summary>{name}</summary>\n\n| before | after | difference |\n|---|---|---|\n");
        let _ = write!(text, "| {} |\n\n</details>\n", cells.join(" | "));
    }
    Ok(text)
}

/// A path relative to the working folder, if it is inside.
fn near(path: &Path) -> PathBuf {
    let here = env::current_dir().ok();
    here.and_then(|here| Some(path.strip_prefix(here).ok()?.to_owned())).unwrap_or_else(|| path.to_owned())
}

/// Text as code that no reader of Markdown or HTML takes for anything else.
fn code(text: &str) -> String {
    let shown = printable(text).replace('\n', "\\n").replace('\t', "\\t");
    let letter = |letter: char| match letter {
        letter if letter.is_ascii_punctuation() && !"/-,".contains(letter) => format!("&#{};", u32::from(letter)),
        letter => letter.to_string(),
    };
    format!("<code>{}</code>", shown.chars().map(letter).collect::<String>())
}

/// Text that is plain if nothing in it has a meaning in Markdown, and code otherwise.
fn plain(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " ,%".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { code(text) }
}

/// A block of code, between fences that are longer than any in it.
fn fenced(text: &str) -> String {
    let text = printable(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_nothing_in_markdown() {
        assert_eq!(code("charts/bar-2"), "<code>charts/bar-2</code>");
        let text = code("a|b`c<img src=x>\n# *d* @everyone #1 \u{202e}");
        assert_eq!(
            text,
            "<code>a&#124;b&#96;c&#60;img src&#61;x&#62;&#92;n&#35; &#42;d&#42; &#64;everyone &#35;1 &#92;u202e</code>"
        );
        assert_eq!(plain("17 of 16000 pixels differ, by up to 224"), "17 of 16000 pixels differ, by up to 224");
        assert_eq!(plain("see http://x"), "<code>see http&#58;//x</code>");
        assert_eq!(fenced("a ```` b"), "`````\na ```` b\n`````");
        assert_eq!(fenced("a"), "```\na\n```");
    }
}
