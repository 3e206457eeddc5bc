//! `-h` fits on a screen, `--help` has chapters, and `roundel help` explains subjects.
#![cfg(feature = "cli")]

use std::process::Command;

fn printed(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_roundel")).args(arguments).output().expect("roundel starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn short_help_fits_on_a_screen_and_says_where_the_rest_is() {
    let (_, all, _) = printed(&["-h"]);
    assert!(all.lines().count() <= 40, "{all}");
    for command in ["render", "film", "export", "info"] {
        let (status, help, _) = printed(&[command, "-h"]);
        assert_eq!(status, Some(0));
        assert!(help.lines().count() <= 40, "{command} -h has {} lines:\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        assert!(
            help.contains(&format!("roundel {command} --help")) && help.contains("roundel help selections|colors"),
            "{help}"
        );
    }
}

#[test]
fn long_help_begins_with_its_chapters() {
    let (_, help, _) = printed(&["render", "--help"]);
    let (head, flags) = help.split_once("Usage:").expect("the usage");
    for chapter in ["Picture", "Camera", "Data files", "Figure", "Limits"] {
        assert!(head.contains(chapter), "{head}");
        assert!(flags.contains(&format!("\n{chapter}")), "no chapter {chapter}");
    }
}

#[test]
fn subjects_and_commands_are_explained_by_name() {
    for topic in ["selections", "colors", "looks", "formats", "figures", "films", "scene"] {
        let page = std::fs::read_to_string(format!("{}/docs/{topic}.md", env!("CARGO_MANIFEST_DIR"))).expect("a page");
        assert_eq!(printed(&["help", topic]), (Some(0), page, String::new()));
    }
    assert!(printed(&["help", "golden", "check"]).1.contains("Usage: roundel golden check"));
    assert!(printed(&["help"]).1.contains("Usage: roundel"));
    let (status, _, message) = printed(&["help", "tables"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("selections, colors") && message.contains("\"tables\""), "{message}");
}
