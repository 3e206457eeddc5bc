//! Messages show the start of long input, whichever reader or option finds it.

use std::fs;
use std::path::Path;

use crate::files::{Folder, overrides};
use roundel::io::{LoadOption, LoadOptions, describe};

/// The longest message: some quotes, names of files and columns, and what is accepted.
const LONGEST: usize = 2000;

/// A word that no message should quote.
fn long() -> String {
    "x7".repeat(20_000)
}

/// The text files that tests keep, small ones.
fn text_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let kept = fs::read_dir(root.join("files/data")).expect("a folder").map(|entry| entry.expect("a file").path());
    let corpora = fs::read_dir(root.join("fuzz")).expect("a folder").map(|entry| entry.expect("a folder").path());
    let first = |folder: std::path::PathBuf| {
        let mut all: Vec<_> = fs::read_dir(folder).ok()?.map(|entry| entry.expect("a file").path()).collect();
        all.sort();
        all.into_iter().next()
    };
    let mut paths: Vec<_> = kept.chain(corpora.filter_map(first)).collect();
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).ok().filter(|text| text.len() < 20_000)?;
        Some((path.file_name()?.to_string_lossy().into_owned(), text))
    };
    paths.into_iter().filter_map(read).collect()
}

/// The text with its word of this index replaced, if it has so many.
fn with_word(text: &str, index: usize, word: &str) -> Option<String> {
    let found = text.split_whitespace().nth(index)?;
    let at = found.as_ptr() as usize - text.as_ptr() as usize;
    Some([&text[..at], word, &text[at + found.len()..]].concat())
}

/// What a file says: its notes, or the error.
fn said(path: &Path, options: &LoadOptions) -> Vec<String> {
    describe(path, options).map_or_else(|error| vec![error.to_string()], |description| description.notes)
}

#[test]
fn readers_quote_the_start_of_long_words() {
    let folder = Folder::new();
    let word = long();
    let mut loud = Vec::new();
    for (name, text) in text_files() {
        for index in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55] {
            let Some(changed) = with_word(&text, index, &word) else { break };
            let path = folder.file(&name, changed);
            loud.extend(said(&path, &LoadOptions::default()).into_iter().filter(|said| said.len() > LONGEST));
        }
    }
    let loud: Vec<_> = loud.iter().map(|said| (said.len(), &said[..LONGEST])).collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

#[test]
fn descriptions_of_categories_quote_the_start_of_long_words() {
    let rows: String = (0..30).map(|row| format!("{row},0,{}{row}\n", long())).collect();
    let folder = Folder::new();
    let table = folder.file("t.csv", format!("x,y,cat\n{rows}"));
    let options = overrides(|o| o.color_by = Some("cat".to_owned()));
    let described = describe(&table, &options).expect("a table").to_string();
    assert!(described.len() < 4 * LONGEST, "{} bytes", described.len());
}

#[test]
fn options_and_keys_quote_the_start_of_long_words() {
    let folder = Folder::new();
    let word = long();
    let table = folder.file("t.csv", "x,y,z,v,kind\n0,0,0,1,a\n1,0,2,2,b\n");
    let check = |what: &str, said: &str| assert!(said.len() < LONGEST, "{what}: {} bytes: {:.200}", said.len(), said);
    for option in LoadOption::all() {
        for text in [word.clone(), format!("{word}={word}"), format!("{word} > {word}"), format!("{word} {word}=1")] {
            let mut options = LoadOptions::default();
            match option.set(&mut options, &text) {
                // the command line shows the value beside the rule
                Err(rule) => {
                    check(option.name, &roundel::Error::Setting { name: option.name, message: rule }.to_string())
                }
                Ok(()) => said(&table, &options).iter().for_each(|said| check(option.name, said)),
            }
        }
    }
    for scene in [
        format!("{word} = 1\n"),
        format!("[{word}]\n"),
        format!("[camera]\n{word} = 1\n"),
        format!("[render]\nlook = \"{word}\"\n"),
        format!("[camera]\nwidth = \"{word}\"\n"),
        format!("[[spheres]]\nfile = \"{word}\"\n"),
        format!("[[spheres]]\nfile = \"t.csv\"\ncolor_by = \"{word}\"\n"),
        format!("[[spheres]]\nfile = \"t.csv\"\nonly = \"{word} {word}\"\n"),
        format!("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\ncolor = \"{word}\"\n"),
        format!("[[sphere]]\ncenter = {word}\n"),
    ] {
        let path = folder.file("scene.toml", &scene);
        said(&path, &LoadOptions::default()).iter().for_each(|said| check(&scene[..30], said));
    }
}
