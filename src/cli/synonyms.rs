//! Flags by their meaning: the names that other programs have for what roundel's flags do.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Flags of other programs, and the tip for users who try them: the flags it names exist, and it is for the subcommands
/// that have all of them.
#[rustfmt::skip]
const MEANINGS: &[(&str, &str)] = &[
    // which part of the data
    ("chain chains", "--only 'chain A' draws one chain"),
    ("residue residues resi resid resname", "--only 'resid 10:20' or --only 'resname HEM' draws residues"),
    ("element elements atom atoms", "--only 'element C N' draws atoms of elements"),
    ("show show-as", "--only SELECTION draws a part, --style ligand sticks says how; cartoons and surfaces are not drawn"),
    ("select selection sele filter where query subset include",
        "--only SELECTION draws a part, such as 'chain A and not water' or 'mass > 5'"),
    ("ligand ligands protein hetero het backbone",
        "--only ligand draws a kind of atoms: protein, nucleic, polymer, ligand, water, ion or hydrogen"),
    ("no-water nowater remove-water", "--hide water draws everything else"),
    ("water waters solvent show-water", "--hide none draws water, too"),
    ("no-hydrogen no-hydrogens noh hydrogens hydrogen", "--hide hydrogen draws everything else"),
    ("exclude remove skip without drop", "--hide SELECTION leaves a part out"),
    ("mark emphasize paint", "--highlight 'resid 10:20' gold colours a part"),
    ("model snapshot timestep step frames", "--frame N draws one frame or model, counted from 0; -1 is the last"),
    ("fps framerate movie film video gif animate animation turntable trajectory",
        "`roundel film` draws films; --frame N draws one frame of a trajectory, --azimuth DEGREES turns the camera"),
    ("sticks stick ball-and-stick licorice lines representation rep spacefill cpk",
        "--style takes spacefill, ball-and-stick, sticks or points, of all or of a selection, as in --style ligand sticks"),
    ("cartoon ribbon ribbons surface",
        "cartoons and surfaces are not drawn; --style ligand sticks shows a part, --color-by structure the fold"),
    ("arrows arrow forces velocities vector quiver",
        "--vectors vx,vy,vz draws arrows, --vector-scale makes them longer"),
    ("anisou ortep thermal-ellipsoids adp", "--ellipsoids 0.5 draws thermal ellipsoids"),
    ("stick-radius bond-width", "--bond-radius sets that of sticks"),
    ("biounit bioassembly biological-assembly", "--assembly 1 builds it"),
    ("type input-format filetype", "--format names the format of a file"),
    ("lon lat longitude latitude columns", "--x lon --y lat names columns"),
    // colours and sizes
    ("c colour colours colors colour-by color-scheme scheme fill-color hue",
        "--color-by takes element, chain, residue, index, a column or a colour"),
    ("cmap color-map colour-map colourmap", "--colormap viridis names a ramp"),
    ("vmin vmax clim range min max", "--color-range A,B sets the ends of the colours"),
    ("log log-scale norm", "--color-scale log spreads the colours"),
    ("density heatmap hexbin kde agg aggregate histogram",
        "a translucent colour adds up where points lie close, as in --color-by '#1f77b420'; roundel.density in Python counts points"),
    ("s radii point-size pointsize marker-size sphere-scale atom-size vdw", "--radius takes a number, a column or vdw"),
    ("alpha", "--opacity sets that of spheres; a colour has its own, as in --color-by '#1f77b480'"),
    // the picture
    ("size resolution res geometry dimensions pixels",
        "--width and --height set the size in pixels, and one alone keeps the shape; --dpi sets the resolution in print"),
    ("bg bgcolor bg-color background-color background-colour back", "--background takes a colour"),
    ("no-background transparent-background opaque", "--transparent draws on nothing"),
    ("antialias antialiasing anti-aliasing aa ssaa msaa quality supersample spp supersampling samples-per-pixel",
        "--samples N smooths edges of spheres; edges of circles are always smooth"),
    ("autocrop crop tight bbox", "--trim cuts the picture to what it shows"),
    ("xlim ylim zlim xrange yrange zrange", "--only 'x > 0 and x < 5' draws the rows of a range"),
    ("using usecols", "--x NAME and --y NAME name the columns of the coordinates"),
    ("xlabel ylabel xticks yticks ticks", "axes of plots are drawn by roundel.mpl in Python; --scale-bar says how long things are"),
    ("sep delimiter delim header skiprows", "separators and a first row of names are recognized; --x and --y name columns"),
    ("region window extent", "--view-box X,Y,HEIGHT draws a part of a picture of circles"),
    ("out output-file outfile save dest png", "--output names the PNG"),
    ("overwrite clobber yes", "--force overwrites any file"),
    // look and light
    ("theme preset material shading shader mode", "--look takes illustrative, studio, glossy, flat or headlight"),
    ("shiny shininess highlights metallic glossiness spec",
        "--specular and --roughness set highlights, --gloss SELECTION STRENGTH those of some"),
    ("ambient-occlusion occlusion ssao ao-samples", "--ao smooth turns ambient occlusion on"),
    ("shadow", "--shadows casts shadows"),
    ("ray raytrace raytracing ray-trace", "all pictures are exact; --look studio and --shadows add light, --samples N smooths edges"),
    ("outline outlines silhouette silhouettes edges stroke", "--outline-width 2 draws outlines"),
    ("depth-cue depth-cueing depthcue haze", "--fog 0.4 fades what is far"),
    ("light lights lighting light-direction",
        "--look studio has lights, whose brightness --key and --fill set; a scene places lights with [[light]]"),
    // from where
    ("orthographic orthoscopic parallel", "--ortho uses parallel rays"),
    ("perspective projection", "--ortho and --ortho=false choose the projection"),
    ("camera position camera-position cam from", "--eye X,Y,Z and --target X,Y,Z place the camera"),
    ("look-at lookat centre", "--target X,Y,Z is in the middle, --focus SELECTION looks at rows"),
    ("field-of-view fovy fov-y angle", "--fov DEGREES sets the angle of view"),
    ("rotate rotation rot orient orientation turn spin yaw pitch tilt",
        "--azimuth, --elevation and --roll turn the camera; --view top looks from a side"),
    ("side direction axis", "--view top looks from a side"),
    ("magnification magnify enlarge", "--zoom 2 draws everything twice as large"),
    // marks
    ("caption name heading", "--title TEXT writes above the picture"),
    ("colorbar color-bar colourbar", "--legend says what the colours mean"),
    ("scalebar ruler bar", "--scale-bar draws a bar of a known length"),
    ("triad gizmo compass", "--axes draws the axes"),
    ("no-cell no-box hide-cell hide-box", "--cell=false leaves the periodic box out"),
    ("labels annotate text", "--label ligand '{resname} {resid}' writes beside atoms"),
    ("make-whole join nojump unwrap-molecules", "--whole joins molecules that the boundary of the box breaks"),
    ("recenter center-on centre-on autoimage", "--center protein moves it to the middle of the box"),
    ("panels subplots tile-pictures montage", "--grid 2x3 draws several files or frames side by side"),
    ("size-range radius-scale", "--radius-range 0.5,2 spreads radii over a range"),
    ("thickness slab-thickness", "--slab 12 keeps a slab of that thickness around the focus or the middle"),
    ("view-of camera-from like", "--same-view picture.json takes the camera of another picture"),
    ("slice cut section clip-plane cutaway",
        "--clip 'x<0' cuts spheres by a plane, --only 'x > 0' leaves out whole rows"),
    ("dof depth-of-field bokeh blur",
        "depth of field is not supported, because all rays come from one point: --fog 0.4 fades what is far"),
    ("zaxis z-column xyz positions",
        "--x NAME --y NAME --z NAME name the columns of the coordinates; without --z the picture is a map"),
    ("box unit-cell unitcell pbc periodic", "--cell draws the periodic box"),
    ("ppi print-resolution", "--dpi 300 sets the resolution in print"),
    // the program
    ("jobs cores cpus nthreads workers parallelism", "--threads N sets it"),
    ("time timing benchmark profile verbose-stats", "--stats prints times"),
    ("silent", "--quiet prints nothing but errors"),
    ("memory max-memory mem", "--limit-memory sets how much may be taken"),
    // comparing
    ("out output difference diff-image", "--diff PATH writes a difference image"),
    ("fuzz metric delta epsilon max-diff",
        "--tolerance STEPS, --threshold DISTANCE or --flip MEAN says how much colours may differ"),
    ("antialiasing anti-aliasing aa ignore-aa include-aa antialias", "--ignore-antialiasing leaves such pixels out"),
    ("max-pixels max-diff-pixels count", "--pixels COUNT lets this many differ"),
    ("ratio percent max-diff-ratio max-diff-pixel-ratio", "--share SHARE lets this share of the pixels differ"),
    ("ignore exclude region", "--mask X,Y,W,H leaves a rectangle out"),
    ("html", "--report HTML writes a page"),
    // where there is no --report
    ("html web page interactive", "`roundel export` writes a page for browsers"),
    ("xml", "--junit FILE writes results as XML"),
    ("update accept approve", "`roundel golden bless DIR NAME` approves a picture"),
    // generating
    ("number num n points shapes", "--count N says how many"),
];

fn flags(tip: &str) -> impl Iterator<Item = &str> {
    let end = |rest: &str| rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    tip.split("--").skip(1).map(move |rest| &rest[..end(rest)])
}

/// The tip for a flag that a subcommand does not have; `None` if nothing is known of it.
fn tip(flag: &str, subcommand: &Command) -> Option<&'static str> {
    let name = flag.trim_start_matches('-').replace('_', "-").to_lowercase();
    let has = |long: &str| subcommand.get_arguments().any(|argument| argument.get_long() == Some(long));
    let fits =
        |(names, tip): &&(&str, &'static str)| names.split(' ').any(|known| known == name) && flags(tip).all(has);
    MEANINGS.iter().find(fits).map(|&(_, tip)| tip)
}

/// Replaces clap's tip for an unknown flag by one that knows the flag's meaning.
pub(super) fn add_tip(error: &mut Error, definition: &Command, arguments: impl Iterator<Item = OsString>) {
    let mut subcommand = definition;
    for argument in arguments.skip(1) {
        subcommand = subcommand.find_subcommand(&argument).unwrap_or(subcommand);
    }
    if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
        add_tip_on_value(error, subcommand);
        return;
    }
    if error.kind() == ErrorKind::InvalidSubcommand {
        add_tip_on_file(error);
        return;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else { return };
    // a usage line made of the nearest spelling says nothing about the flag that is meant
    error.remove(ContextKind::Usage);
    let flag = flag.split('=').next().unwrap_or_default();
    let Some(tip) = tip(flag, subcommand) else {
        remove_unlike(error, ContextKind::SuggestedArg, ContextKind::InvalidArg);
        return;
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
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

/// Puts a tip on a file in the place of a subcommand.
fn add_tip_on_file(error: &mut Error) {
    let Some(ContextValue::String(file)) = error.get(ContextKind::InvalidSubcommand) else { return };
    if Path::new(file).is_file() {
        let tip = format!("`roundel render {file}` draws it, `roundel view {file}` shows it in a window");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Puts a tip on a number in the place of a model of transparency, and on both sides of a picture in the place of one.
fn add_tip_on_value(error: &mut Error, subcommand: &Command) {
    remove_unlike(error, ContextKind::SuggestedValue, ContextKind::InvalidValue);
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && error.get(ContextKind::SuggestedValue).is_none()
        && let Some(tip) = tip(value, subcommand).filter(|tip| tip.contains("not drawn"))
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_transparency = text(ContextKind::InvalidArg).is_some_and(|flag| flag.starts_with("--transparency"));
    let is_side =
        text(ContextKind::InvalidArg).is_some_and(|flag| flag.starts_with("--width") || flag.starts_with("--height"));
    let is_whole = |side: &&str| side.parse::<u32>().is_ok();
    let sides =
        text(ContextKind::InvalidValue).filter(|_| is_side).and_then(|value| value.split_once(['x', 'X', ',', '*']));
    if let Some((width, height)) = sides.filter(|(width, height)| [width, height].into_iter().all(is_whole)) {
        let tip = format!("--width {width} --height {height} says both sides");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return;
    }
    let is_number =
        text(ContextKind::InvalidValue).is_some_and(|value| value.trim_end_matches('%').parse::<f32>().is_ok());
    if is_transparency && is_number {
        error.remove(ContextKind::SuggestedValue);
        let tip =
            "--opacity 0.5 lets half of the light through; --transparency says how translucent spheres are composed";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Flags whose value, which may be left out, follows `=`.
#[rustfmt::skip]
const WITH_EQUALS: [&str; 12] = [
    "--ellipsoid-rings", "--legend", "--scale-bar", "--axes", "--cell", "--trim", "--shadows", "--ortho", "--wrap", "--whole", "--unwrap",
    "--stats",
];

/// Flags whose value follows a selection, if there is one.
const AFTER_SELECTION: [&str; 4] = ["--opacity", "--radius", "--style", "--gloss"];

/// How to write a flag and its value, if an input that is no file is the value of the flag before it, or its selection.
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
        for &(names, text) in MEANINGS {
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
