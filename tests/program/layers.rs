//! In each crate import cycles never leave a folder; no two types of roundel share a name, and no parameter is a tuple of
//! different things. Modules of the crate roundel import from lower layers only.
//!
//! `src/lib.rs` declares the modules in groups headed `// layer N: …`. This test reads those groups and the `use` lines
//! and `crate::…` paths of every file, tests inside files left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files by module path: `["trace", "bvh"]` is src/trace/bvh.rs, `["trace"]` is src/trace/mod.rs.
type Modules = BTreeMap<Vec<String>, PathBuf>;

/// For each file the files it imports from.
type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The sources of roundel and of the crates with its scenes, readers and renderer.
fn crates() -> Vec<PathBuf> {
    let folder = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("src");
    vec![source(), folder("scene"), folder("formats"), folder("load"), folder("render"), folder("vector")]
}

fn modules(source: PathBuf) -> Modules {
    let mut modules = Modules::new();
    let mut folders = vec![(source, Vec::new())];
    while let Some((folder, path)) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let file = entry.expect("an entry").path();
            let name = file.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
            let mut path: Vec<String> = path.clone();
            if file.is_dir() {
                path.push(name);
                folders.push((file, path));
            } else if file.extension().is_some_and(|extension| extension == "rs") && !["lib", "main"].contains(&&*name)
            {
                if name != "mod" {
                    path.push(name);
                }
                modules.insert(path, file);
            }
        }
    }
    modules
}

/// A file's code without comments and tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("readable");
    let text = text.split("\nmod tests").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a use tree such as `crate::{a::{b, c}, d as e}`.
fn expand(tree: &str, prefix: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        paths.push(format!("{prefix}{path}"));
        return;
    };
    let prefix = format!("{prefix}{}", &tree[..open]);
    let (mut depth, mut start) = (0, open + 1);
    for (at, letter) in tree.char_indices().skip(open + 1) {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                if !tree[start..at].trim().is_empty() {
                    expand(&tree[start..at], &prefix, paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Everything a file names by path: in `use` lines, and anywhere after `crate::` or `super::`.
fn paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for part in code.split(";") {
        let Some(at) = part.rfind("use ") else { continue };
        let before = part[..at].trim_end();
        let is_statement = before.is_empty() || before.ends_with(['\n', '}', '{', ']', ')']) || before.ends_with("pub");
        if is_statement {
            expand(&part[at + "use ".len()..], "", &mut paths);
        }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            // within a path such as `super::super::a`, or in a visibility such as `pub(in crate::a)`
            if code[..at].ends_with("::") || code[..at].ends_with("(in ") {
                continue;
            }
            let path = code[at..].chars().take_while(|letter| letter.is_alphanumeric() || "_:".contains(*letter));
            paths.push(path.collect());
        }
    }
    paths
}

/// The module that a path leads to, seen from `module`; `None` outside of the crate.
fn resolve<'a>(modules: &'a Modules, module: &[String], path: &str) -> Option<(&'a Vec<String>, &'a PathBuf)> {
    let mut parts: Vec<&str> = path.split("::").map(str::trim).filter(|part| !part.is_empty()).collect();
    let mut base = module.to_vec();
    match parts.first() {
        Some(&"crate") => base.clear(),
        Some(&"super") => {
            while parts.first() == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
            parts.insert(0, "");
        }
        Some(&"self") => {}
        // a child, named by its parent
        Some(first) => {
            let child = [module, &[(*first).to_owned()]].concat();
            return modules.get_key_value(&child);
        }
        None => return None,
    }
    for part in parts.into_iter().skip(1) {
        let deeper = [&base[..], &[part.to_owned()]].concat();
        if !modules.contains_key(&deeper) {
            break;
        }
        base = deeper;
    }
    modules.get_key_value(&base)
}

fn imports(modules: &Modules) -> Vec<(&Vec<String>, &Vec<String>)> {
    let mut imports = Vec::new();
    for (module, file) in modules {
        for path in paths(&code(file)) {
            if let Some((target, _)) = resolve(modules, module, &path)
                && target != module
            {
                imports.push((module, target));
            }
        }
    }
    imports
}

/// The layer of every module that `lib.rs` declares.
fn layers() -> BTreeMap<String, u32> {
    let text = fs::read_to_string(source().join("lib.rs")).expect("readable");
    let mut layers = BTreeMap::new();
    let mut layer = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("// layer ") {
            layer = rest.split(':').next().and_then(|number| number.parse().ok());
        }
        let module = line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
        if let (Some(module), Some(layer)) = (module, layer) {
            layers.insert(module.to_owned(), layer);
        }
    }
    layers
}

#[test]
fn modules_import_from_lower_layers_only() {
    let (modules, layers) = (modules(source()), layers());
    assert!(layers.len() > 4, "{layers:?}");
    let mut wrong = BTreeSet::new();
    for (module, target) in imports(&modules) {
        let (Some(own), Some(other)) = (module.first(), target.first()) else { continue };
        if own == other || own == "cli" {
            continue;
        }
        let (Some(own_layer), Some(other_layer)) = (layers.get(own), layers.get(other)) else {
            panic!("lib.rs gives no layer to {own} or {other}");
        };
        if other_layer >= own_layer {
            wrong.insert(format!("{} (layer {own_layer}) imports {other} (layer {other_layer})", module.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_circle_of_imports_leaves_a_folder() {
    let mut graph = Imports::new();
    for modules in crates().into_iter().map(modules) {
        for (module, target) in imports(&modules) {
            graph.entry(modules[module].clone()).or_default().insert(modules[target].clone());
        }
    }
    for (file, targets) in &graph {
        for target in targets.iter().filter(|target| target.parent() != file.parent()) {
            assert!(
                !reaches(&graph, target, file),
                "{} imports {}, which imports it, directly or not",
                file.display(),
                target.display()
            );
        }
    }
}

/// Whether a file imports another, directly or through others.
fn reaches(graph: &Imports, from: &Path, to: &Path) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(file) = open.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            open.extend(graph.get(file).into_iter().flatten().map(PathBuf::as_path));
        }
    }
    false
}

/// The name of the type that a line declares, at any depth; aliases of traits and implementations are no types of their
/// own.
fn declared(line: &str) -> Option<&str> {
    let unindented = line.trim_start();
    let item = match unindented.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => unindented.strip_prefix("pub ").unwrap_or(unindented),
    };
    let (keyword, rest) = item.split_once(' ')?;
    let is_type = ["struct", "enum", "trait"].contains(&keyword) || keyword == "type" && unindented.len() == line.len();
    is_type.then(|| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()).flatten()
}

#[test]
fn no_name_stands_for_two_types() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in crates().into_iter().flat_map(|source| modules(source).into_values()) {
        for name in code(&file).lines().filter_map(declared) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 500, "{} types", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "each of these needs the name of what it holds: {places:#?}");
}

#[test]
fn declarations_of_types_are_found() {
    assert_eq!(declared("    pub(in crate::io) struct Header<'a> {"), Some("Header"));
    assert_eq!(declared("type Rows = Vec<u8>;"), Some("Rows"));
    assert_eq!(declared("    type Rows = Vec<u8>;"), None, "an alias of an implementation");
    assert_eq!(declared("    let enumerated = 1;"), None);
}

/// The parameters of each function with more than one, `self` left out.
fn parameters(code: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for function in code.split("fn ").skip(1) {
        // the parameters begin after the generics, whose bounds may contain parentheses
        let (mut depth, mut angles, mut start) = (0, 0, None);
        let (mut list, mut before) = (Vec::new(), ' ');
        for (at, letter) in function.char_indices() {
            match letter {
                '<' => angles += 1,
                '>' if before != '-' && before != '=' => angles -= 1,
                '(' | '[' | '{' => {
                    depth += 1;
                    if start.is_none() && angles == 0 {
                        start = Some((at + 1, depth));
                    }
                }
                ',' if angles == 0 && start.is_some_and(|(_, inside)| depth == inside) => {
                    list.extend(start.map(|(from, _)| function[from..at].trim()));
                    start = Some((at + 1, depth));
                }
                ')' | ']' | '}' => {
                    depth -= 1;
                    if let Some((from, inside)) = start
                        && depth < inside
                    {
                        list.push(function[from..at].trim());
                        break;
                    }
                }
                _ => {}
            }
            before = letter;
        }
        list.retain(|parameter| !parameter.is_empty() && !parameter.ends_with("self"));
        if list.len() > 1 {
            found.push(list);
        }
    }
    found
}

/// Whether a parameter destructures a tuple of different types: several parameters disguised as one.
fn hides_parameters(parameter: &str) -> bool {
    let Some((_, types)) = parameter.split_once("): (").filter(|_| parameter.starts_with('(')) else { return false };
    let types: BTreeSet<&str> = types.trim_end_matches(')').split(", ").collect();
    types.len() > 1
}

#[test]
fn no_parameter_is_a_tuple_of_different_things() {
    let (mut functions, mut places) = (0, Vec::new());
    for file in crates().into_iter().flat_map(|source| modules(source).into_values()) {
        for list in parameters(&code(&file)) {
            functions += 1;
            let hiding = list.into_iter().filter(|parameter| hides_parameters(parameter));
            places.extend(hiding.map(|parameter| format!("{}: {parameter}", file.display())));
        }
    }
    assert!(functions > 2000, "{functions} functions");
    assert!(places.is_empty(), "each of these needs a struct with names, or parameters of their own: {places:#?}");
}

#[test]
fn parameters_are_found() {
    let code = "fn f<F: Fn(u8) -> u8>(&self, (a, b): (u8, &str), c: [u8; 2]) -> (u8, u8) { g((a, c)) }\nfn h(a: u8) {}";
    assert_eq!(parameters(code), [["(a, b): (u8, &str)", "c: [u8; 2]"]]);
    assert!(hides_parameters("(a, b): (u8, &str)"));
    assert!(!hides_parameters("(width, height): (u32, u32)"), "a size");
}

#[test]
fn use_trees_are_read_whole() {
    let code = "use crate::a::{b, c::{d, e as f}};\npub(crate) use super::g;\nfn h() { crate::i::j(); }";
    let mut found = paths(code);
    found.sort();
    found.dedup();
    for path in ["crate::a::b", "crate::a::c::d", "crate::a::c::e", "super::g", "crate::i::j"] {
        assert!(found.iter().any(|found| found == path), "{path} in {found:?}");
    }
    assert_eq!(paths("fn h() { super::super::a(); }"), ["super::super::a"]);
    assert!(paths("pub(in crate::a) fn h() {}").is_empty(), "a visibility imports nothing");
}
