//! Flags by their meaning: the names that other programs have for what roundel's flags do.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Flags of other programs, and the tip for users who try them.
struct Meaning {
    names: &'static [&'static str],
    /// Names the flags that exist: a tip is for the subcommands that have all of them.
    tip: &'static str,
}

const MEANINGS: &[Meaning] = &[
    // which part of the data
    Meaning { names: &["chain", "chains"], tip: "--only 'chain A' draws one chain" },
    Meaning {
        names: &["residue", "residues", "resi", "resid", "resname"],
        tip: "--only 'resid 10:20' or --only 'resname HEM' draws residues",
    },
    Meaning { names: &["element", "elements", "atom", "atoms"], tip: "--only 'element C N' draws atoms of elements" },
    Meaning {
        names: &["select", "selection", "sele", "filter", "where", "query", "subset", "include", "show"],
        tip: "--only SELECTION draws a part, such as 'chain A and not water' or 'mass > 5'",
    },
    Meaning {
        names: &["ligand", "ligands", "protein", "hetero", "het", "backbone"],
        tip: "--only ligand draws a kind of atoms: protein, nucleic, polymer, ligand, water, ion or hydrogen",
    },
    Meaning { names: &["no-water", "nowater", "remove-water"], tip: "--hide water draws everything else" },
    Meaning { names: &["water", "waters", "solvent", "show-water"], tip: "--hide none draws water, too" },
    Meaning {
        names: &["no-hydrogen", "no-hydrogens", "noh", "hydrogens", "hydrogen"],
        tip: "--hide hydrogen draws everything else",
    },
    Meaning { names: &["exclude", "remove", "skip", "without", "drop"], tip: "--hide SELECTION leaves a part out" },
    Meaning { names: &["mark", "emphasize", "paint"], tip: "--highlight 'resid 10:20' gold colours a part" },
    Meaning {
        names: &["model", "snapshot", "timestep", "step", "frames"],
        tip: "--frame N draws one frame or model, counted from 0; -1 is the last",
    },
    Meaning {
        names: &[
            "fps",
            "framerate",
            "movie",
            "film",
            "video",
            "gif",
            "animate",
            "animation",
            "turntable",
            "trajectory",
        ],
        tip: "`roundel film` draws films; --frame N draws one frame of a trajectory, --azimuth DEGREES turns the camera",
    },
    Meaning {
        names: &["sticks", "stick", "ball-and-stick", "licorice", "lines", "representation", "rep", "spacefill", "cpk"],
        tip: "--style takes spacefill, ball-and-stick, sticks or points, of all or of a selection, as in --style ligand sticks",
    },
    Meaning {
        names: &["cartoon", "ribbon", "ribbons", "surface"],
        tip: "cartoons and surfaces are not drawn; --style ligand sticks shows a part, --color-by structure the fold",
    },
    Meaning {
        names: &["arrows", "arrow", "forces", "velocities", "vector", "quiver"],
        tip: "--vectors vx,vy,vz draws arrows, --vector-scale makes them longer",
    },
    Meaning {
        names: &["anisou", "ortep", "thermal-ellipsoids", "adp"],
        tip: "--ellipsoids 0.5 draws thermal ellipsoids",
    },
    Meaning { names: &["stick-radius", "bond-width"], tip: "--bond-radius sets that of sticks" },
    Meaning { names: &["biounit", "bioassembly", "biological-assembly"], tip: "--assembly 1 builds it" },
    Meaning { names: &["type", "input-format", "filetype"], tip: "--format names the format of a file" },
    Meaning { names: &["lon", "lat", "longitude", "latitude", "columns"], tip: "--x lon --y lat names columns" },
    // colours and sizes
    Meaning {
        names: &["colour", "colours", "colors", "colour-by", "color-scheme", "scheme", "fill-color", "hue"],
        tip: "--color-by takes element, chain, residue, index, a column or a colour",
    },
    Meaning { names: &["cmap", "color-map", "colour-map", "colourmap"], tip: "--colormap viridis names a ramp" },
    Meaning {
        names: &["vmin", "vmax", "clim", "range", "min", "max"],
        tip: "--color-range A,B sets the ends of the colours",
    },
    Meaning { names: &["log", "log-scale", "norm"], tip: "--color-scale log spreads the colours" },
    Meaning {
        names: &["radii", "point-size", "pointsize", "marker-size", "sphere-scale", "atom-size", "vdw"],
        tip: "--radius takes a number, a column or vdw",
    },
    Meaning {
        names: &["alpha"],
        tip: "--opacity sets that of spheres; a colour has its own, as in --color-by '#1f77b480'",
    },
    // the picture
    Meaning {
        names: &["size", "resolution", "res", "geometry", "dimensions", "pixels"],
        tip: "--width and --height set the size in pixels, and one alone keeps the shape; --dpi sets the resolution in print",
    },
    Meaning {
        names: &["bg", "bgcolor", "bg-color", "background-color", "background-colour", "back"],
        tip: "--background takes a colour",
    },
    Meaning { names: &["no-background", "transparent-background", "opaque"], tip: "--transparent draws on nothing" },
    Meaning {
        names: &[
            "antialias",
            "antialiasing",
            "anti-aliasing",
            "aa",
            "ssaa",
            "msaa",
            "quality",
            "supersample",
            "spp",
            "supersampling",
            "samples-per-pixel",
        ],
        tip: "--samples N smooths edges of spheres; edges of circles are always smooth",
    },
    Meaning { names: &["autocrop", "crop", "tight", "bbox"], tip: "--trim cuts the picture to what it shows" },
    Meaning {
        names: &["region", "window", "extent"],
        tip: "--view-box X,Y,HEIGHT draws a part of a picture of circles",
    },
    Meaning { names: &["out", "output-file", "outfile", "save", "dest", "png"], tip: "--output names the PNG" },
    Meaning { names: &["overwrite", "clobber", "yes"], tip: "--force overwrites any file" },
    // look and light
    Meaning {
        names: &["theme", "preset", "material", "shading", "shader", "mode"],
        tip: "--look takes illustrative, studio, glossy, flat or headlight",
    },
    Meaning {
        names: &["shiny", "shininess", "highlights", "metallic", "glossiness", "spec"],
        tip: "--specular and --roughness set highlights, --gloss SELECTION STRENGTH those of some",
    },
    Meaning {
        names: &["ambient-occlusion", "occlusion", "ssao", "ao-samples"],
        tip: "--ao smooth turns ambient occlusion on",
    },
    Meaning { names: &["shadow"], tip: "--shadows casts shadows" },
    Meaning {
        names: &["outline", "outlines", "silhouette", "silhouettes", "edges", "stroke"],
        tip: "--outline-width 2 draws outlines",
    },
    Meaning { names: &["depth-cue", "depth-cueing", "depthcue", "haze"], tip: "--fog 0.4 fades what is far" },
    Meaning {
        names: &["light", "lights", "lighting", "light-direction"],
        tip: "--look studio has lights, whose brightness --key and --fill set; a scene places lights with [[light]]",
    },
    // from where
    Meaning { names: &["orthographic", "orthoscopic", "parallel"], tip: "--ortho uses parallel rays" },
    Meaning { names: &["perspective", "projection"], tip: "--ortho and --ortho=false choose the projection" },
    Meaning {
        names: &["camera", "position", "camera-position", "cam", "from"],
        tip: "--eye X,Y,Z and --target X,Y,Z place the camera",
    },
    Meaning {
        names: &["look-at", "lookat", "centre"],
        tip: "--target X,Y,Z is in the middle, --focus SELECTION looks at rows",
    },
    Meaning { names: &["field-of-view", "fovy", "fov-y", "angle"], tip: "--fov DEGREES sets the angle of view" },
    Meaning {
        names: &["rotate", "rotation", "rot", "orient", "orientation", "turn", "spin", "yaw", "pitch", "tilt"],
        tip: "--azimuth, --elevation and --roll turn the camera; --view top looks from a side",
    },
    Meaning { names: &["side", "direction", "axis"], tip: "--view top looks from a side" },
    Meaning { names: &["magnification", "magnify", "enlarge"], tip: "--zoom 2 draws everything twice as large" },
    // marks
    Meaning { names: &["caption", "name", "heading"], tip: "--title TEXT writes above the picture" },
    Meaning { names: &["colorbar", "color-bar", "colourbar"], tip: "--legend says what the colours mean" },
    Meaning { names: &["scalebar", "ruler", "bar"], tip: "--scale-bar draws a bar of a known length" },
    Meaning { names: &["triad", "gizmo", "compass"], tip: "--axes draws the axes" },
    Meaning { names: &["no-cell", "no-box", "hide-cell", "hide-box"], tip: "--cell=false leaves the periodic box out" },
    Meaning { names: &["labels", "annotate", "text"], tip: "--label ligand '{resname} {resid}' writes beside atoms" },
    Meaning {
        names: &["make-whole", "join", "nojump", "unwrap-molecules"],
        tip: "--whole joins molecules that the boundary of the box breaks",
    },
    Meaning {
        names: &["recenter", "center-on", "centre-on", "autoimage"],
        tip: "--center protein moves it to the middle of the box",
    },
    Meaning {
        names: &["panels", "subplots", "tile-pictures", "montage"],
        tip: "--grid 2x3 draws several files or frames side by side",
    },
    Meaning { names: &["size-range", "radius-scale"], tip: "--radius-range 0.5,2 spreads radii over a range" },
    Meaning {
        names: &["thickness", "slab-thickness"],
        tip: "--slab 12 keeps a slab of that thickness around the focus or the middle",
    },
    Meaning {
        names: &["view-of", "camera-from", "like"],
        tip: "--same-view picture.json takes the camera of another picture",
    },
    Meaning {
        names: &["slice", "cut", "section", "clip-plane", "cutaway"],
        tip: "--clip 'x<0' cuts spheres by a plane, --only 'x > 0' leaves out whole rows",
    },
    Meaning {
        names: &["dof", "depth-of-field", "bokeh", "blur"],
        tip: "depth of field is not supported, because all rays come from one point: --fog 0.4 fades what is far",
    },
    Meaning {
        names: &["zaxis", "z-column", "xyz", "positions"],
        tip: "--x NAME --y NAME --z NAME name the columns of the coordinates; without --z the picture is a map",
    },
    Meaning { names: &["box", "unit-cell", "unitcell", "pbc", "periodic"], tip: "--cell draws the periodic box" },
    Meaning { names: &["ppi", "print-resolution"], tip: "--dpi 300 sets the resolution in print" },
    // the program
    Meaning { names: &["jobs", "cores", "cpus", "nthreads", "workers", "parallelism"], tip: "--threads N sets it" },
    Meaning { names: &["time", "timing", "benchmark", "profile", "verbose-stats"], tip: "--stats prints times" },
    Meaning { names: &["silent"], tip: "--quiet prints nothing but errors" },
    Meaning { names: &["memory", "max-memory", "mem"], tip: "--limit-memory sets how much may be taken" },
    // comparing
    Meaning { names: &["out", "output", "difference", "diff-image"], tip: "--diff PATH writes a difference image" },
    Meaning {
        names: &["fuzz", "metric", "delta", "epsilon", "max-diff"],
        tip: "--tolerance STEPS, --threshold DISTANCE or --flip MEAN says how much colours may differ",
    },
    Meaning {
        names: &["antialiasing", "anti-aliasing", "aa", "ignore-aa", "include-aa", "antialias"],
        tip: "--ignore-antialiasing leaves such pixels out",
    },
    Meaning { names: &["max-pixels", "max-diff-pixels", "count"], tip: "--pixels COUNT lets this many differ" },
    Meaning {
        names: &["ratio", "percent", "max-diff-ratio", "max-diff-pixel-ratio"],
        tip: "--share SHARE lets this share of the pixels differ",
    },
    Meaning { names: &["ignore", "exclude", "region"], tip: "--mask X,Y,W,H leaves a rectangle out" },
    Meaning { names: &["html"], tip: "--report HTML writes a page" },
    // where there is no --report
    Meaning { names: &["html", "web", "page", "interactive"], tip: "`roundel export` writes a page for browsers" },
    Meaning { names: &["xml"], tip: "--junit FILE writes results as XML" },
    Meaning { names: &["update", "accept", "approve"], tip: "`roundel golden bless DIR NAME` approves a picture" },
    // generating
    Meaning { names: &["number", "num", "n", "points", "shapes"], tip: "--count N says how many" },
];

/// The flags that a tip names, without their hyphens.
fn flags(tip: &str) -> impl Iterator<Item = &str> {
    let end = |rest: &str| rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    tip.split("--").skip(1).map(move |rest| &rest[..end(rest)])
}

/// The tip for a flag that a subcommand does not have; `None` if nothing is known of it.
fn tip(flag: &str, subcommand: &Command) -> Option<&'static str> {
    let name = flag.trim_start_matches('-').replace('_', "-").to_lowercase();
    let has = |long: &str| subcommand.get_arguments().any(|argument| argument.get_long() == Some(long));
    let fits = |meaning: &&Meaning| meaning.names.contains(&&*name) && flags(meaning.tip).all(has);
    MEANINGS.iter().find(fits).map(|meaning| meaning.tip)
}

/// Replaces clap's tip for an unknown flag by one that knows the flag's meaning.
pub(super) fn add_tip(error: &mut Error, definition: &Command, arguments: impl Iterator<Item = OsString>) {
    let mut subcommand = definition;
    for argument in arguments.skip(1) {
        subcommand = subcommand.find_subcommand(&argument).unwrap_or(subcommand);
    }
    if error.kind() == ErrorKind::InvalidValue {
        add_tip_on_value(error);
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
        let is_alike = |suggested: &ContextValue| match suggested {
            ContextValue::String(suggested) => {
                strsim::jaro_winkler(flag.trim_start_matches('-'), suggested.trim_start_matches('-')) > 0.85
            }
            _ => true,
        };
        if !error.get(ContextKind::SuggestedArg).is_some_and(is_alike) {
            error.remove(ContextKind::SuggestedArg);
        }
        return;
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Puts a tip on a number in the place of a model of transparency.
fn add_tip_on_value(error: &mut Error) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_transparency = text(ContextKind::InvalidArg).is_some_and(|flag| flag.starts_with("--transparency"));
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
const WITH_EQUALS: [&str; 11] = [
    "--legend",
    "--scale-bar",
    "--axes",
    "--cell",
    "--trim",
    "--shadows",
    "--ortho",
    "--wrap",
    "--whole",
    "--unwrap",
    "--stats",
];

/// How to write a flag and its value, if an input that is no file is the value of the flag before it.
pub(super) fn detached_value(input: &Path, arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let arguments: Vec<OsString> = arguments.collect();
    let before = arguments.windows(2).find(|pair| pair[1] == *input.as_os_str()).map(|pair| &pair[0])?;
    let flag = WITH_EQUALS.iter().find(|flag| before == **flag)?;
    (!input.exists()).then(|| format!("a value of {flag} follows an equals sign, as in {flag}={}", input.display()))
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
        for meaning in MEANINGS {
            for name in meaning.names {
                let lacks =
                    |command: &&&Command| command.get_arguments().all(|argument| argument.get_long() != Some(*name));
                let found = all.iter().filter(lacks).any(|command| tip(name, command) == Some(meaning.tip));
                assert!(found, "--{name}: {:?} is never said", meaning.tip);
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
