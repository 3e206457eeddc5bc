//! Flags that several subcommands share: those that name the picture, and those that only change how it is made.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use roundel::circles::ViewBox;
use roundel::io::Overrides;
use roundel::{Budget, Culling, RenderSettings, SimdLevel, Srgba8};

/// Flags that name the picture: each takes the place of what the scene says, or of a default for bare data.
#[derive(Clone, Debug, Args)]
pub(super) struct Picture {
    /// Columns of pixels
    #[arg(short = 'W', long, value_name = "PIXELS", help_heading = "Picture")]
    width: Option<u32>,
    /// Rows of pixels
    #[arg(short = 'H', long, value_name = "PIXELS", help_heading = "Picture")]
    height: Option<u32>,
    /// Colour below or behind everything: #rgb, #rrggbb or #rrggbbaa
    #[arg(long, value_name = "COLOR", value_parser = color, help_heading = "Picture")]
    background: Option<Srgba8>,
    /// Samples a pixel [spheres]
    #[arg(long, value_name = "N", help_heading = "Light")]
    samples: Option<u32>,
    /// Ambient-occlusion rays a sample, 0 for none [spheres]
    #[arg(long, value_name = "K", help_heading = "Light")]
    ao: Option<u32>,
    /// How far ambient-occlusion rays look, world units [spheres]
    #[arg(long, value_name = "LENGTH", help_heading = "Light")]
    ao_distance: Option<f32>,
    /// Directional lights cast shadows; --shadows=false if a scene's shall not [spheres]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(help_heading = "Light")]
    shadows: Option<bool>,
    /// Light from everywhere, 0 to 1 [spheres]
    #[arg(long, value_name = "SHARE", help_heading = "Light")]
    ambient: Option<f32>,
    /// Seed of every random number [spheres]
    #[arg(long, value_name = "SEED", help_heading = "Light")]
    seed: Option<u64>,
    /// Where the eye is, as x,y,z [spheres]
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = "Camera")]
    eye: Option<[f32; 3]>,
    /// The point in the picture's middle, as x,y,z [spheres]
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = "Camera")]
    target: Option<[f32; 3]>,
    /// The direction that is up in the picture, as x,y,z [spheres]
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = "Camera")]
    up: Option<[f32; 3]>,
    /// Angle between the picture's top and bottom edge [spheres]
    #[arg(long, value_name = "DEGREES", help_heading = "Camera")]
    fov: Option<f32>,
    /// Parallel rays, no perspective; --ortho=false if a scene's shall not be [spheres]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(help_heading = "Camera")]
    ortho: Option<bool>,
    /// World units from the picture's bottom to its top edge, with parallel rays [spheres]
    #[arg(long, value_name = "LENGTH", help_heading = "Camera")]
    ortho_height: Option<f32>,
    /// Draw a part of the picture: its middle and its height, in the pixels of the whole as it is without -W and -H [circles]
    #[arg(long, value_name = "X,Y,HEIGHT", value_parser = view_box, allow_hyphen_values = true, help_heading = "Camera")]
    view_box: Option<ViewBox>,
    /// Column of the first coordinate [tables]
    #[arg(short, long, value_name = "COLUMN", help_heading = "Bare data")]
    x: Option<String>,
    /// Column of the second coordinate [tables]
    #[arg(short, long, value_name = "COLUMN", help_heading = "Bare data")]
    y: Option<String>,
    /// Column of the radius [tables]
    #[arg(short, long, value_name = "COLUMN", help_heading = "Bare data")]
    r: Option<String>,
    /// Column of the colour [tables]
    #[arg(long, value_name = "COLUMN", help_heading = "Bare data")]
    color: Option<String>,
    /// element, chain, residue, index, constant, a column, or a colour such as #1f77b4
    #[arg(long, value_name = "WHAT", help_heading = "Bare data")]
    color_by: Option<String>,
    /// A number, vdw (van der Waals, for atoms) or a column
    #[arg(long, value_name = "RADIUS", help_heading = "Bare data")]
    radius: Option<String>,
    /// Build the biological assembly of this number [molecules]
    #[arg(long, value_name = "NUMBER", help_heading = "Bare data")]
    assembly: Option<u32>,
    /// Of several frames or models the one of this number, from 0 [atoms]
    #[arg(long, value_name = "NUMBER", help_heading = "Bare data")]
    frame: Option<u64>,
}

impl Picture {
    /// The flags as the library takes them.
    pub(super) fn overrides(&self, budget: Budget) -> Overrides {
        let flags = self.clone();
        Overrides {
            width: flags.width,
            height: flags.height,
            background: flags.background,
            samples: flags.samples,
            ao: flags.ao,
            ao_distance: flags.ao_distance,
            shadows: flags.shadows,
            ambient: flags.ambient,
            seed: flags.seed,
            ortho: flags.ortho,
            eye: flags.eye,
            target: flags.target,
            up: flags.up,
            fov: flags.fov,
            color_by: flags.color_by,
            radius: flags.radius,
            x: flags.x,
            y: flags.y,
            r: flags.r,
            color: flags.color,
            assembly: flags.assembly,
            frame: flags.frame,
            ortho_height: flags.ortho_height,
            view_box: flags.view_box,
            budget,
        }
    }
}

/// Flags that change time and memory, and no pixel.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Making (changes no pixel)")]
pub(super) struct Making {
    /// Worker threads; one per processor unless given
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Side of the square viewport tiles in pixels, 8 to 1024
    #[arg(long, value_name = "PIXELS")]
    tile: Option<u32>,
    /// Instruction set of the kernels
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = simd())]
    simd: SimdLevel,
    /// Let every tile look at every shape
    #[arg(long)]
    no_cull: bool,
}

impl Making {
    /// The flags as the library takes them.
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

/// The names of the levels, and back.
fn simd() -> impl TypedValueParser<Value = SimdLevel> {
    let names = SimdLevel::compiled().into_iter().map(SimdLevel::name);
    PossibleValuesParser::new(std::iter::once(SimdLevel::Auto.name()).chain(names))
        .map(|name| name.parse().expect("clap accepts only these names"))
}

fn threads(text: &str) -> Result<usize, String> {
    /// More than any machine has processors, and fewer than fill its memory with stacks.
    const MOST: usize = 4096;
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| format!("must be a whole number from 1 to {MOST}"))
}

fn color(text: &str) -> Result<Srgba8, String> {
    text.parse().map_err(|_| "must be #rgb, #rrggbb or #rrggbbaa".to_owned())
}

fn view_box(text: &str) -> Result<ViewBox, String> {
    let parts: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok([x, y, height]) => Ok(ViewBox { center: [*x, *y], height: *height }),
        _ => Err("must be three numbers with commas between, as in 640,480,120".to_owned()),
    }
}

fn vector(text: &str) -> Result<[f32; 3], String> {
    let parts: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    parts
        .ok()
        .and_then(|parts| <[f32; 3]>::try_from(parts).ok())
        .filter(|parts| parts.iter().all(|part| part.is_finite()))
        .ok_or_else(|| "must be three finite numbers with commas between, as in 1,2.5,-3".to_owned())
}
