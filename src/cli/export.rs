//! `roundel export`: writes a page that shows a scene or data in a browser, with the bytes that `render` draws.

use std::io::Write;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use roundel::io::{
    Format, FrameSeries, LoadOption, LoadOptions, LoadedScene, MemoryFiles, OptionKind, OutputKind, scene_to_toml,
    write_file,
};
use roundel::spheres::Background;
use roundel::{Error, Frame, Renderer, Result, Scene, Srgba8};
use serde_json::{Map, Value, json};

use super::CommandOutcome;
use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::output::{Force, check_overwriting, print};
use super::progress::{Steps, Verbosity};

const PAGE: &str = include_str!("../../docs/web/page.html");
const WORKER: &str = include_str!("../../docs/web/worker.js");

/// The viewer's modules, each after its imports.
const SCRIPTS: [&str; 5] = [
    include_str!("../../docs/web/camera.js"),
    include_str!("../../docs/web/viewer.js"),
    include_str!("../../docs/web/player.js"),
    include_str!("../../docs/web/roundel.js"),
    include_str!("../../docs/web/page.js"),
];

/// The library as WebAssembly, compressed. `.ci/web.sh build` builds it from docs/web/wasm.
const WASM: &[u8] = include_bytes!("../../docs/web/roundel.wasm.gz");

/// Pages above this many bytes get a note: browsers read them, but slowly.
const LARGE_PAGE: usize = 64 << 20;

/// Write a page that shows a scene or data file in a browser
#[derive(Debug, Args)]
#[command(after_help = "\
The page is one file that needs no network: it holds the data, the viewer and a still picture, which is shown where scripts are \
off. Drag to orbit or pan, turn the wheel to zoom, point at a shape to see its row; at rest the picture has the bytes that \
`roundel render` draws. Frames of a trajectory play, with one camera and one range of colours. Other files are shown when they are \
dropped on the page.

Examples:
  roundel export molecule.pdb -o page.html     Write a page to send or publish
  roundel export places.csv --x lon --y lat    Write a map of points
  roundel export scene.toml                    Pack the files of a scene, too
  roundel export run.xtc --topology a.gro      Play a trajectory, with a slider

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct ExportArguments {
    /// Scene (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more); - for standard input
    #[arg(value_name = "SCENE|DATA")]
    input: PathBuf,
    /// Page to write; - for standard output [default: the input's name with .html, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    performance: PerformanceFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(arguments: &ExportArguments) -> Result<CommandOutcome> {
    let output = arguments.output.clone().unwrap_or_else(|| default_output(&arguments.input));
    check_ending(&output)?;
    let input = std::slice::from_ref(&arguments.input);
    check_overwriting("output", &output, input, OutputKind::Page, arguments.force.overwriting())?;
    let budget = arguments.limits.budget();
    let mut renderer = Renderer::new(&arguments.performance.settings(budget))?;
    let steps = Steps::new(if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal });

    let options = arguments.picture.options(budget);
    if options.same_view.is_some() {
        return Err(Error::setting("same_view", "is not for pages; --eye, --target, --up and --fov state a camera"));
    }

    steps.begin("reading");
    let packed = PackedFiles::read(&arguments.input, options)?;
    packed.notes().for_each(|note| steps.note(note));
    steps.begin("drawing");
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
    packed.loaded.draw(&mut renderer, &mut frame)?;
    steps.begin("writing");
    let page = page(&packed, &frame);
    if page.len() > LARGE_PAGE {
        steps.note(&format!("the page has {} MB, which browsers read slowly", page.len() >> 20));
    }
    write_file(&output, |file| file.write_all(page.as_bytes()))?;
    steps.finish();
    if !arguments.quiet && output != Path::new("-") {
        print(&format!("wrote {}: {} kB\n", output.display(), page.len().div_ceil(1000)))?;
    }
    Ok(CommandOutcome::Done)
}

/// Returns an error for the ending of another format.
fn check_ending(output: &Path) -> Result<()> {
    let is_page = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm");
    match output.extension() {
        Some(ending) if !is_page(ending) && !output.exists() => {
            let message = format!("must end in .html, the format that is written, got {}", output.display());
            Err(Error::setting("output", message))
        }
        _ => Ok(()),
    }
}

/// The input with all files that it names, and the loaded scene.
struct PackedFiles {
    /// The files by the names that they have in the page.
    files: MemoryFiles,
    name: PathBuf,
    options: LoadOptions,
    /// The still picture: of a trajectory the frame that is shown first, as the page shows it.
    loaded: LoadedScene<'static>,
    frames: Option<FrameSeries>,
}

impl PackedFiles {
    fn read(input: &Path, options: LoadOptions) -> Result<Self> {
        let (found, loaded) = MemoryFiles::copy_of(input, &options)?;
        let folder = common_folder(found.names());
        let short = |path: &Path| match found.name_of(path).unwrap_or(path) {
            name if name == Path::new("-") => PathBuf::from("data"),
            name => name.strip_prefix(&folder).unwrap_or(name).to_owned(),
        };
        let files = found
            .names()
            .fold(MemoryFiles::new(), |files, path| files.with(short(path), found.get(path).unwrap_or_default()))
            .for_basic_builds();
        let (name, mut short_options) = (short(input), options.clone());
        short_options.topology = options.topology.as_ref().map(|path| short(path.as_ref()).display().to_string());
        // a scene may name its files by absolute paths, which then are their names
        let is_found = files.names().count() == 1 || files.load(&name, &short_options).is_ok();
        let (files, name, options) = if is_found {
            (files, name, short_options)
        } else {
            let name = found.name_of(input).unwrap_or(input).to_owned();
            (found, name, options)
        };
        match rare_format(&files, &name, &options)? {
            None => Self { files, name, options, loaded, frames: None }.with_frames(),
            Some(format) => Self::of_shapes(format, &name, loaded, &options),
        }
    }

    /// Finds the frames that the page plays, and the still picture that it begins with.
    fn with_frames(mut self) -> Result<Self> {
        let bytes = self.files.get(&self.name).map_or(0, <[u8]>::len);
        if bytes > FrameSeries::LARGEST_OF_PAGES {
            return Ok(self);
        }
        self.frames = self.files.frames(&self.name, &self.options)?;
        if let Some(frames) = &self.frames {
            self.loaded = self.files.load(&self.name, &frames.options(frames.first()))?;
        }
        Ok(self)
    }

    fn notes(&self) -> impl Iterator<Item = &String> {
        self.frames.as_ref().map_or(&self.loaded.notes[..], FrameSeries::notes).iter()
    }

    /// Packs the shapes of a file in a format that pages do not read, such as the frame of a trajectory, as a scene
    /// file. The rows of the file, and marks other than the title, are lost.
    fn of_shapes(format: Format, name: &Path, mut loaded: LoadedScene<'static>, options: &LoadOptions) -> Result<Self> {
        let text = scene_to_toml(&loaded.scene).map_err(|error| {
            let message = format!(
                "{format} is not read by pages, and its shapes are no scene file: {error} (--outline-width 0 draws no outlines \
                 between parts); atoms as PDB or XYZ and tables as CSV are read"
            );
            Error::Input { file: name.display().to_string(), line: None, message }
        })?;
        let name = PathBuf::from(name.file_name().unwrap_or("data".as_ref())).with_extension("toml");
        let files = MemoryFiles::new().with(&name, text.into_bytes());
        let mut own = LoadOptions { budget: options.budget, ..LoadOptions::default() };
        own.figure.title.clone_from(&options.figure.title);
        let notes = std::mem::take(&mut loaded.notes);
        loaded = files.load(&name, &own)?;
        loaded.notes.extend(notes);
        loaded.notes.push(format!("pages do not read {format}: the page holds its shapes, without rows and legend"));
        Ok(Self { files, name, options: own, loaded, frames: None })
    }
}

fn common_folder<'a>(mut paths: impl Iterator<Item = &'a Path>) -> PathBuf {
    let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    let first = paths.next().map(folder).unwrap_or_default();
    paths.map(folder).fold(first, |common, folder| {
        common.components().zip(folder.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
    })
}

/// The first format among the files that the build for browsers lacks.
fn rare_format(memory: &MemoryFiles, name: &Path, options: &LoadOptions) -> Result<Option<Format>> {
    let found = memory.describe(name, options)?;
    // files of names alone are read by pages, and are not described
    let topology = options.topology.as_ref().and_then(|name| memory.describe(name, &LoadOptions::default()).ok());
    let topology = topology.map(|found| found.format);
    let mut formats = found.sources.iter().map(|source| source.format).chain([found.format]).chain(topology);
    Ok(formats.find(|format| !format.is_basic()))
}

fn page(packed: &PackedFiles, still: &Frame) -> String {
    let PackedFiles { name, files, options, loaded, .. } = packed;
    let title = options.figure.title.clone().unwrap_or_else(|| name.display().to_string());
    let background = background(&loaded.scene);
    let ink = if luma(background) > 128 { "#222" } else { "#ddd" };
    let (mut scripts, mut list) = (String::new(), Vec::new());
    // the input first
    let names = std::iter::once(&**name).chain(files.names().filter(|other| other != name));
    for (index, name) in names.enumerate() {
        let bytes = files.get(name).unwrap_or_default();
        let zipped = gzip(bytes);
        let is_packed = zipped.len() < bytes.len();
        let text = STANDARD.encode(if is_packed { &zipped[..] } else { bytes });
        scripts += &format!("<script type=\"text/plain\" id=\"file-{index}\">{text}</script>\n");
        list.push(json!({ "name": name.to_string_lossy(), "id": format!("file-{index}"), "isPacked": is_packed }));
    }
    let page = json!({ "title": options.figure.title, "options": options_of(options), "files": list });
    let (width, height) = (still.width(), still.height());
    let parts = [
        ("title", escaped(&title)),
        ("alt", escaped(&format!("{title}: a picture of {width} by {height} pixels"))),
        ("background", background.to_string()),
        ("ink", ink.to_owned()),
        ("still", STANDARD.encode(still.encode_png())),
        ("wasm", STANDARD.encode(WASM)),
        ("worker", WORKER.to_owned()),
        ("files", scripts),
        // `<` could end the element
        ("page", page.to_string().replace('<', "\\u003c")),
        ("script", SCRIPTS.iter().map(|module| inlined(module)).collect()),
    ];
    filled(PAGE, &parts)
}

/// Fills the places `{{name}}` of a template. Texts that are filled in are not searched.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = template.split("{{");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("the template closes what it opens");
        let part = parts.iter().find(|(known, _)| *known == name);
        text += &part.expect("the template names what there is").1;
        text += rest;
    }
    text
}

/// A module as a part of one script: without the words `export`, and without imports, as the imported modules precede
/// it.
fn inlined(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes all bytes")
}

/// The options by name, as JavaScript's `load` takes them.
fn options_of(options: &LoadOptions) -> Value {
    let mut values = Map::new();
    for option in LoadOption::all() {
        let texts = option.texts(options);
        let value = match (option.kind(), &texts[..]) {
            (_, []) => continue,
            (OptionKind::Plane | OptionKind::Texts, _) => json!(texts),
            (OptionKind::Pair, _) => {
                let pairs = texts
                    .iter()
                    .filter_map(|text| text.split_once(LoadOption::PAIR_SEPARATOR).or(text.rsplit_once('=')));
                pairs.map(|(rows, value)| json!([rows, value])).collect()
            }
            (_, [text, ..]) => json!(text),
        };
        values.insert(option.name.to_owned(), value);
    }
    let labels = options.highlight_labels.iter().map(String::as_str).chain(std::iter::repeat(""));
    let highlights = options.highlight.iter().zip(labels).map(|((rows, color), label)| match label {
        "" => json!([rows, color.to_string()]),
        _ => json!([rows, format!("{color}={label}")]),
    });
    let pairs = [
        ("highlight", highlights.collect::<Vec<_>>()),
        ("opacity", options.opacity.iter().map(|(rows, opacity)| json!([rows, opacity])).collect()),
        ("style", options.style.iter().map(|(rows, style)| json!([rows, style.to_string()])).collect()),
        ("gloss", options.gloss.iter().map(|(rows, gloss)| json!([rows, gloss.to_string()])).collect()),
    ];
    values.extend(
        pairs.into_iter().filter(|(_, pairs)| !pairs.is_empty()).map(|(name, pairs)| (name.to_owned(), pairs.into())),
    );
    values.into()
}

/// The colour of the page: the picture's background, or white behind a transparent one.
fn background(scene: &Scene<'_>) -> Srgba8 {
    let color = match scene {
        Scene::Circles(scene) => scene.canvas.background,
        Scene::Spheres(scene) => match scene.view.background {
            Background::Solid(color) => color,
            Background::Gradient { bottom, .. } => bottom,
        },
    };
    if color.a < 255 { Srgba8::WHITE } else { color }
}

/// The brightness of a colour, 0 to 255.
fn luma(Srgba8 { r, g, b, .. }: Srgba8) -> u32 {
    (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000
}

/// Returns the input's name with `.html` for its ending, in the current folder.
fn default_output(input: &Path) -> PathBuf {
    match input.file_name() {
        Some(name) if input != Path::new("-") => Path::new(name).with_extension("html"),
        _ => "roundel.html".into(),
    }
}
