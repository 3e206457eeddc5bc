//! The frames of a film, each with the options that draw it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::format::FrameRate;
use super::grid::FilmGrid;
use crate::error::{Error, Result};
use crate::io::{FrameList, LegendChoice, LoadOptions};
use crate::source::memory_files::FileSystem;
use roundel_load::films::times::TimeColumn;
use roundel_load::films::view::{DataFrame, FilmFrames, FilmView, film_view};
use roundel_load::options::camera_keys::CameraKeys;
use roundel_load::read::{CountedFrames, camera_keys, count_frames, has_several_frames, is_table};

/// Default duration of a turn, in seconds.
const TURN_SECONDS: f64 = 6.0;

/// More frames than anybody watches.
const MOST_FRAMES: u64 = 10_000_000;

/// The frames and motion of a film, besides the options of its pictures.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FilmOptions {
    /// Frames of the trajectory. By default all of them; with a turn, the frame that `render` draws.
    pub frames: Option<FrameList>,
    /// The column of a table that says when its rows are shown; each time is a frame.
    pub time: Option<String>,
    /// How long a row stays, in the unit of that column. By default for one frame.
    pub time_window: Option<f64>,
    /// How long a row fades after that.
    pub time_fade: Option<f64>,
    /// Degrees by which the camera goes around to the right during the film.
    pub turntable: Option<f64>,
    /// Degrees by which the camera swings to both sides, there and back once during the film.
    pub rock: Option<f64>,
    /// When the camera moves.
    pub order: MotionOrder,
    /// Duration of the film in seconds; if the camera moves before or after the data plays, of that move.
    pub seconds: Option<f64>,
    /// Frames a second.
    pub rate: Option<FrameRate>,
    /// How the pictures of single frames are numbered.
    pub numbering: FrameNumbering,
}

/// How the pictures of single frames are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameNumbering {
    /// By their places in the film, from 0.
    #[default]
    Film,
    /// By the frames of the data that they show, counted through all files.
    Data,
}

/// When the camera of a film moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionOrder {
    /// While the data plays.
    #[default]
    Together,
    /// After the data has played, around its last frame.
    PlayThenTurn,
    /// Before the data plays, around its first frame.
    TurnThenPlay,
}

/// A film: its frames in order, and how each of them is drawn.
///
/// ```
/// use roundel::film::{Film, FilmOptions};
/// use roundel::io::LoadOptions;
///
/// let mut options = FilmOptions::default();
/// (options.turntable, options.seconds) = (Some(360.0), Some(2.0));
/// let film = Film::plan(&["docs/scenes/caffeine.xyz"], &LoadOptions::default(), &options, |_| Ok(()))?;
/// assert_eq!(film.len(), 50);
/// let (_, quarter) = film.frame(25).expect("half of the turn");
/// assert_eq!(quarter.azimuth, Some(180.0));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Film {
    /// The frames of all files, in order; each frame of the film shows one of them, or as many as it has parts.
    data: Vec<DataFrame>,
    /// Files that a frame shows side by side.
    parts: usize,
    grid: Option<FilmGrid>,
    /// Times of a table's rows; a frame shows the rows of its time.
    times: Option<TimeColumn>,
    /// The opacity of rows that are shown in full.
    alpha: f32,
    motion: Motion,
    options: LoadOptions,
    count: u64,
    /// Frames during which the data plays, and during which the camera moves.
    playing: Range<u64>,
    moving: Range<u64>,
    rate: FrameRate,
    numbering: FrameNumbering,
    notes: Vec<String>,
    has_alpha: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Motion {
    None,
    /// Degrees during the film.
    Turn(f64),
    /// Degrees to each side.
    Rock(f64),
    /// By the camera keys of a scene.
    Keys(CameraKeys),
}

impl Film {
    /// Finds the frames, and in one pass over their data the camera, size, radius and range of colours that all of them
    /// share. `progress` receives the number of frames read so far; its error ends the pass.
    ///
    /// # Errors
    /// If a file cannot be read, there are no such frames, or an option does not apply to the picture.
    pub fn plan(
        inputs: &[impl AsRef<Path>],
        picture: &LoadOptions,
        options: &FilmOptions,
        mut progress: impl FnMut(u64) -> Result<()>,
    ) -> Result<Self> {
        check_inputs(inputs, picture)?;
        let motion = motion(inputs, picture, options)?;
        let mut counted = Vec::new();
        let times = times(inputs, picture, options)?;
        let data = match &times {
            Some(times) => {
                let frame = |number| DataFrame { path: inputs[0].as_ref().to_owned(), frame: None, number, part: 0 };
                (0..times.frames()).map(frame).collect()
            }
            None => data_frames(inputs, picture, options, &motion, &mut counted)?,
        };
        let parts = if picture.figure.panels().is_some() { inputs.len().max(1) } else { 1 };
        let shown = (data.len() / parts) as u64;
        let (count, rate) = length(options, &motion, shown)?;
        let moved = rate.frames_in(options.seconds.unwrap_or(motion.seconds()));
        let (playing, moving) = match options.order {
            MotionOrder::Together => (0..count, 0..count),
            MotionOrder::PlayThenTurn => (0..shown, shown..shown + moved),
            MotionOrder::TurnThenPlay => (moved..moved + shown, 0..moved),
        };
        options.order.check(&motion)?;
        let count = playing.end.max(moving.end);
        let none = CameraKeys::default();
        let keys = if let Motion::Keys(keys) = &motion { keys } else { &none };
        let sweep = motion.sweep();
        let numbering = options.numbering;
        let dropped = note_of_dropped_frames(inputs, picture, options, &motion)?;
        let picture = &LoadOptions { share_at_once: times.as_ref().map(TimeColumn::largest_share), ..picture.clone() };
        // the rows of a table are laid out once, for all frames
        let frames = if times.is_some() { &data[..1] } else { &data };
        let surveyed = FilmFrames { files: &FileSystem::Disk, frames };
        let (grid, view) = if picture.figure.panels().is_some() {
            let (grid, view) = FilmGrid::plan(surveyed, parts, picture, sweep, &mut progress)?;
            (Some(grid), view)
        } else {
            (None, film_view(surveyed, picture, sweep, keys, &mut progress)?)
        };
        let FilmView { options, mut notes, has_alpha, alpha } = view;
        notes.extend(dropped);
        let has_counts = times.is_some() && picture.figure.legend.is_some_and(LegendChoice::counts);
        notes.extend(times.as_ref().and_then(TimeColumn::note));
        notes.extend(has_counts.then(|| "the legend counts the rows of all frames together".to_owned()));
        counted.retain(|note| !notes.contains(note));
        notes.extend(counted);
        Ok(Self {
            data,
            parts,
            grid,
            times,
            alpha,
            motion,
            options,
            count,
            playing,
            moving,
            rate,
            numbering,
            notes,
            has_alpha,
        })
    }

    /// The number of frames.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Always false: a film has at least one frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Frames a second.
    #[must_use]
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// Notes about the data of the first frame, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The file of a frame, and the options with which [`load`](crate::io::load) makes its picture. `None` for films of
    /// panels, which several files and cameras make.
    #[must_use]
    pub fn frame(&self, index: u64) -> Option<(&Path, LoadOptions)> {
        let ([data], None) = (self.data_of(index)?, &self.grid) else { return None };
        Some((&data.path, LoadOptions { frame: data.frame, ..self.options(index)? }))
    }

    /// The options of a frame, besides the number of the frame in its file.
    pub(super) fn options(&self, index: u64) -> Option<LoadOptions> {
        let [data, ..] = self.data_of(index)? else { return None };
        let mut options = self.options.clone();
        if let Some(times) = &self.times {
            options.fade = times.opacities(data.number, self.alpha);
        }
        if let Some(turn) = self.turn(index) {
            options.azimuth = Some(turn);
            // a scene may have angles of its own, which its camera already includes
            options.elevation = options.elevation.or(Some(0.0));
            options.roll = options.roll.or(Some(0.0));
        }
        if let Motion::Keys(keys) = &self.motion {
            let [frames, seconds] = self.rate.fraction();
            let passed = self.moved(index) * seconds;
            keys.state(passed as f64 / frames as f64, &mut options);
        }
        Some(options)
    }

    /// The panels, if the film has several.
    pub(super) fn grid(&self) -> Option<&FilmGrid> {
        self.grid.as_ref()
    }

    /// Whether the camera moves.
    pub(super) fn moves(&self) -> bool {
        self.motion != Motion::None
    }

    /// The number in the name of a frame's own picture; see [`frame_path`](super::frame_path).
    #[must_use]
    pub fn number(&self, index: u64) -> u64 {
        match self.numbering {
            FrameNumbering::Film => index,
            FrameNumbering::Data => self.data_of(index).map_or(index, |data| data[0].number),
        }
    }

    /// The time of a frame, if a column has the times of rows.
    pub(super) fn stamp(&self, index: u64) -> Option<String> {
        Some(self.times.as_ref()?.stamp(self.data_of(index)?.first()?.number))
    }

    /// Whether pixels are transparent where nothing is.
    pub(crate) fn has_alpha(&self) -> bool {
        self.has_alpha
    }

    /// The data that a frame of the film shows: a frame of each part.
    pub(super) fn data_of(&self, index: u64) -> Option<&[DataFrame]> {
        if index >= self.count {
            return None;
        }
        let Range { start, end } = self.playing;
        let shown = self.data.len() / self.parts;
        let place = u128::from(index.saturating_sub(start)) * shown as u128 / u128::from(end - start);
        let first = usize::try_from(place).ok()?.min(shown - 1) * self.parts;
        self.data.get(first..first + self.parts)
    }

    /// The frames for which the camera has moved.
    fn moved(&self, index: u64) -> u64 {
        let Range { start, end } = self.moving;
        index.clamp(start, end) - start
    }

    /// The azimuth of a frame in degrees.
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
    fn turn(&self, index: u64) -> Option<f32> {
        let share = self.moved(index) as f64 / (self.moving.end - self.moving.start) as f64;
        let own = f64::from(self.options.azimuth.unwrap_or(0.0));
        match self.motion {
            Motion::None | Motion::Keys(_) => None,
            Motion::Turn(degrees) => Some((own + degrees * share) as f32),
            Motion::Rock(degrees) => {
                let (sine, _) = libm::sincos(std::f64::consts::TAU * share);
                Some((own + degrees * sine) as f32)
            }
        }
    }
}

impl MotionOrder {
    /// Refuses an order of a motion that there is not.
    fn check(self, motion: &Motion) -> Result<()> {
        let name = match self {
            Self::PlayThenTurn if *motion == Motion::None => "play_then_turn",
            Self::TurnThenPlay if *motion == Motion::None => "turn_then_play",
            _ => return Ok(()),
        };
        Err(Error::setting(name, "needs a motion, such as --turntable 360"))
    }
}

impl Motion {
    /// The least and the greatest angle of the camera in degrees, if it turns.
    fn sweep(&self) -> Option<[f64; 2]> {
        match self {
            Self::None | Self::Keys(_) => None,
            Self::Turn(degrees) => Some([degrees.min(0.0), degrees.max(0.0)]),
            Self::Rock(degrees) => Some([-degrees.abs(), degrees.abs()]),
        }
    }

    /// Default duration in seconds.
    fn seconds(&self) -> f64 {
        if let Self::Keys(keys) = self { keys.seconds() } else { TURN_SECONDS }
    }
}

/// The motion that the options or the scene ask for.
fn motion(inputs: &[impl AsRef<Path>], picture: &LoadOptions, options: &FilmOptions) -> Result<Motion> {
    let keys = match inputs {
        [input] => camera_keys(input.as_ref(), picture)?,
        _ => CameraKeys::default(),
    };
    let moved = options.turntable.map(|_| "turntable").or(options.rock.map(|_| "rock"));
    if keys.seconds() > 0.0 {
        return match moved {
            None => Ok(Motion::Keys(keys)),
            Some(name) => Err(Error::setting(name, "and the keys of the scene's camera both move it; give one")),
        };
    }
    let checked = |name, degrees: f64| {
        if degrees.is_finite() && degrees != 0.0 && degrees.abs() <= 1e6 {
            return Ok(degrees);
        }
        Err(Error::Setting { name, message: format!("must be an angle in degrees that is not 0, got {degrees}") })
    };
    match (options.turntable, options.rock) {
        (Some(_), Some(_)) => Err(Error::setting("rock", "and turntable both move the camera; give one")),
        (Some(degrees), None) => Ok(Motion::Turn(checked("turntable", degrees)?)),
        (None, Some(degrees)) => Ok(Motion::Rock(checked("rock", degrees)?)),
        (None, None) => Ok(Motion::None),
    }
}

/// The times of the rows of a table, if a column has them.
fn times(inputs: &[impl AsRef<Path>], picture: &LoadOptions, options: &FilmOptions) -> Result<Option<TimeColumn>> {
    let (window, fade) = (options.time_window, options.time_fade);
    let Some(name) = &options.time else {
        let span = window.map(|_| "time_window").or(fade.map(|_| "time_fade"));
        return span.map_or(Ok(None), |span| Err(Error::setting(span, "needs --time, the column of times")));
    };
    if options.frames.is_some() || picture.frame.is_some() {
        return Err(Error::setting("time", "and frames both say what is shown when; give one"));
    }
    let [input] = inputs else {
        return Err(Error::setting("time", format!("is for one table, got {} files", inputs.len())));
    };
    if !is_table(input.as_ref(), picture)? {
        return Err(Error::setting("time", format!("is for tables, which {} is not", input.as_ref().display())));
    }
    let braces = ["{frame}", "{time}", "{step}"];
    let is_used = |brace: &&str| picture.figure.panel_title.iter().any(|title| title.contains(*brace));
    if let Some(brace) = braces.into_iter().find(is_used) {
        let message = format!("cannot have {brace} in films by --time: the title of the figure shows the time");
        return Err(Error::setting("panel_title", message));
    }
    TimeColumn::read(input.as_ref(), picture, name, window, fade).map(Some)
}

/// Refuses standard input and pipes: data is read once to find the camera, and again to be drawn.
fn check_inputs(inputs: &[impl AsRef<Path>], picture: &LoadOptions) -> Result<()> {
    let refuse = |name, found: &str| {
        Err(Error::setting(name, format!("must be files, as a film reads them more than once; got {found}")))
    };
    let inputs = inputs.iter().map(|input| ("input", input.as_ref()));
    for (name, path) in inputs.chain(picture.topology.iter().map(|path| ("topology", Path::new(path)))) {
        if path.as_os_str() == "-" {
            return refuse(name, "standard input");
        }
        // folders and missing files have messages of their own
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return refuse(name, &format!("{}, which is a pipe or a device", path.display()));
        }
    }
    Ok(())
}

/// Whether the film shows several frames of a file.
fn plays(picture: &LoadOptions, options: &FilmOptions, motion: &Motion) -> bool {
    options.frames.is_some()
        || options.time.is_some()
        || options.order != MotionOrder::Together
        || (matches!(motion, Motion::None | Motion::Keys(_)) && picture.frame.is_none())
}

/// A note that a film with a turn shows the first frame of a file alone, though no option says so.
fn note_of_dropped_frames(
    inputs: &[impl AsRef<Path>],
    picture: &LoadOptions,
    options: &FilmOptions,
    motion: &Motion,
) -> Result<Option<String>> {
    if plays(picture, options, motion) || picture.frame.is_some() {
        return Ok(None);
    }
    for path in inputs.iter().map(AsRef::as_ref) {
        if has_several_frames(path, picture)? {
            let path = path.display();
            return Ok(Some(format!(
                "{path} has several frames, of which the first is drawn while the camera turns; --frames all plays them meanwhile, \
                 --play-then-turn before, --turn-then-play after, --frame 0 asks for the first"
            )));
        }
    }
    Ok(None)
}

/// The frames of all files that the film shows: one file after another, or side by side in panels. `notes` gets notes on
/// frames that are left out.
fn data_frames(
    inputs: &[impl AsRef<Path>],
    picture: &LoadOptions,
    options: &FilmOptions,
    motion: &Motion,
    notes: &mut Vec<String>,
) -> Result<Vec<DataFrame>> {
    if let (Some(_), Some(frame)) = (&options.frames, picture.frame) {
        let message = format!("and frames both say which frames are drawn; give one, got {frame}");
        return Err(Error::setting("frame", message));
    }
    let has_panels = picture.figure.panels().is_some();
    if !plays(picture, options, motion) {
        let frame = |(number, input)| {
            let (number, part) = if has_panels { (0, number) } else { (number, 0) };
            DataFrame { path: PathBuf::from(input), frame: picture.frame, number: number as u64, part }
        };
        return Ok(inputs.iter().map(AsRef::as_ref).enumerate().map(frame).collect());
    }
    let mut files = Vec::new();
    for input in inputs {
        let path = input.as_ref();
        let CountedFrames { frames: count, notes: own } = count_frames(&FileSystem::Disk, path, picture)?;
        notes.extend(own);
        let number = |frame| i64::try_from(frame).ok().filter(|_| count > 1);
        let frame = |frame| DataFrame { path: path.to_owned(), frame: number(frame), number: frame, part: 0 };
        files.push((0..count).map(frame).collect::<Vec<_>>());
    }
    let chosen = |frames: &[DataFrame]| -> Result<Vec<DataFrame>> {
        let wanted = options.frames.clone().unwrap_or_else(FrameList::all).of(frames.len() as u64, MOST_FRAMES)?;
        Ok(wanted.into_iter().filter_map(|index| frames.get(usize::try_from(index).ok()?).cloned()).collect())
    };
    let (frames, count) = if has_panels {
        let files = files.iter().map(|frames| chosen(frames)).collect::<Result<Vec<_>>>()?;
        notes.extend(note_of_shorter(&files));
        let longest = files.iter().map(Vec::len).max().unwrap_or_default();
        (side_by_side(&files, longest), longest)
    } else {
        let numbered = (0..).zip(files.into_iter().flatten()).map(|(number, frame)| DataFrame { number, ..frame });
        let frames = chosen(&numbered.collect::<Vec<_>>())?;
        let count = frames.len();
        (frames, count)
    };
    if count == 1 && options.frames.is_none() && *motion == Motion::None && options.seconds.is_none() {
        let [input, ..] = inputs else { return Ok(frames) };
        return Err(nothing_moves(input.as_ref(), picture)?);
    }
    Ok(frames)
}

/// The frames of files that play side by side: first the first frames of all files, then the second ones. A file that has
/// ended holds its last frame.
fn side_by_side(files: &[Vec<DataFrame>], longest: usize) -> Vec<DataFrame> {
    let at = |index: usize| {
        files.iter().enumerate().filter_map(move |(part, frames)| {
            let frame = frames.get(index).or(frames.last())?;
            Some(DataFrame { number: index as u64, part, ..frame.clone() })
        })
    };
    (0..longest).flat_map(at).collect()
}

/// The note that files have fewer frames than others beside them.
fn note_of_shorter(files: &[Vec<DataFrame>]) -> Option<String> {
    let longest = files.iter().map(Vec::len).max()?;
    let shorter = files.iter().filter(|frames| frames.len() < longest).filter_map(|frames| {
        let path = frames.last()?.path.display();
        let count = frames.len();
        Some(format!("{path} has {count} of {longest} frames and holds its last one"))
    });
    shorter.reduce(|one, other| format!("{one}; {other}"))
}

/// The error for a film in which neither the data nor the camera moves.
fn nothing_moves(path: &Path, picture: &LoadOptions) -> Result<Error> {
    let message = match is_table(path, picture)? {
        true => format!(
            "is missing, and {} is a table, which is one frame; --time COLUMN shows its rows one time after the other, \
             --turntable 360 turns around spheres, and tables of single frames follow each other if all are given",
            path.display()
        ),
        false => "is missing, and the data has one frame; --turntable 360 turns around spheres, circles need frames"
            .to_owned(),
    };
    Ok(Error::setting("turntable", message))
}

/// The number of frames, and how fast they follow each other.
fn length(options: &FilmOptions, motion: &Motion, data: u64) -> Result<(u64, FrameRate)> {
    if let Some(seconds) = options.seconds.filter(|seconds| !(*seconds > 0.0 && *seconds <= 1e6)) {
        return Err(Error::setting("seconds", format!("must be above 0 and at most 1000000, got {seconds}")));
    }
    let rate = options.rate.unwrap_or(FrameRate::DEFAULT);
    let (count, rate) = match (options.seconds, options.rate) {
        (None, _) if matches!(motion, Motion::Keys(_)) => (rate.frames_in(motion.seconds()), rate),
        // every frame once
        (None, _) if *motion == Motion::None || data > 1 => (data, rate),
        (None, _) => (rate.frames_in(motion.seconds()), rate),
        (Some(seconds), None) if *motion == Motion::None && data > 1 => (data, FrameRate::new(data as f64 / seconds)?),
        (Some(seconds), _) => (rate.frames_in(seconds), rate),
    };
    if count > MOST_FRAMES {
        return Err(Error::setting("seconds", format!("must give at most {MOST_FRAMES} frames, got {count}")));
    }
    Ok((count, rate))
}
