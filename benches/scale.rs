//! Messages and times of many processes that draw a scene together, simulated on one machine.
//!
//! `cargo bench --bench scale` simulates 8, 64 and 1024 processes, one after the other; each draws its part of ten
//! million generated spheres; `cargo bench --bench scale -- 1e8 8` is for 10⁸ spheres and 8 processes. All
//! messages between them are made, counted and merged as by `mpirun roundel render`, and the picture is compared with
//! a single stream's. A process has one thread; times are processor time where the system states it (Linux),
//! otherwise wall time.
//!
//! docs/scale.md has the results and what follows from them.

use std::time::{Duration, Instant};

use roundel::generate::{self, Pattern};
use roundel::spheres::{Camera, Shading, ShadingPreset, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Result, SceneShard, SphereStream, Srgba8};

fn main() -> Result<()> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers such as 1e7")]
    let mut numbers = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .map(|number: f64| number as u64)
        .collect::<Vec<_>>();
    if numbers.is_empty() {
        numbers = vec![10_000_000, 8, 64, 1024];
    }
    let spheres = numbers.remove(0);
    let shading = Shading::preset(ShadingPreset::Headlight).with_samples(4);
    let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 1280, 1280).with_shading(shading);
    let settings = RenderSettings::default().with_threads(1);
    let simulation = Simulation { scene, spheres, renderer: Renderer::new(&settings)? };
    let start = Clock::start();
    let mut whole = simulation.renderer.stream(&simulation.scene)?;
    simulation.add(&mut whole, 0..spheres)?;
    let visible = whole.finish()?;
    let found = start.elapsed();
    let picture = draw(&visible.scene)?;
    println!(
        "{spheres} spheres, {} show, one process: {:.2} s to find them",
        visible.numbers.len(),
        found.as_secs_f64()
    );
    println!(
        "{:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "processes",
        "draw ms",
        "longest",
        "pack ms",
        "messages",
        "sent MB",
        "most MB",
        "got MB",
        "merge ms",
        "longest",
        "gather MB",
        "join ms"
    );
    for processes in numbers {
        let processes = usize::try_from(processes).expect("few processes");
        let (costs, merged) = simulation.run(processes)?;
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{processes:>9} {:>9.1} {:>9.1} {:>9.1} {:>8} {:>9.3} {:>9.3} {:>9.3} {:>9.1} {:>9.1} {:>9.2} {:>9.1}",
            ms(costs.draw.mean(processes)),
            ms(costs.draw.most),
            ms(costs.pack.mean(processes)),
            costs.messages,
            mega(costs.sent.sum / processes as u64),
            mega(costs.sent.most),
            mega(costs.received),
            ms(costs.merge.mean(processes)),
            ms(costs.merge.most),
            mega(costs.gathered),
            ms(costs.join),
        );
        assert!(merged == picture, "{processes} processes draw the bytes of one");
    }
    Ok(())
}

struct Simulation {
    scene: SphereScene<'static>,
    spheres: u64,
    renderer: Renderer,
}

/// Sum and greatest of the numbers of all processes.
#[derive(Default)]
struct Spread<T> {
    sum: T,
    most: T,
}

/// The work of the processes and the bytes that they send.
#[derive(Default)]
struct Costs {
    /// Streaming a part, and splitting its visible spheres by owner.
    draw: Spread<Duration>,
    /// Turning shares into bytes.
    pack: Spread<Duration>,
    /// Shares that hold spheres, and go to another process.
    messages: u64,
    /// Bytes that a process sends to others.
    sent: Spread<u64>,
    /// The most bytes that a process receives from others.
    received: u64,
    merge: Spread<Duration>,
    /// Bytes that the first process receives in the end.
    gathered: u64,
    /// Time for joining them.
    join: Duration,
}

impl<T: Copy + Ord + std::ops::AddAssign> Spread<T> {
    fn add(&mut self, value: T) {
        self.sum += value;
        self.most = self.most.max(value);
    }
}

impl Spread<Duration> {
    fn mean(&self, processes: usize) -> Duration {
        self.sum / u32::try_from(processes).expect("few processes")
    }
}

impl Simulation {
    /// Adds a range of the spheres.
    fn add(&self, stream: &mut SphereStream<'_>, numbers: std::ops::Range<u64>) -> Result<()> {
        stream.add_by_rule(numbers, |numbers, made| {
            generate::extend_spheres(Pattern::Uniform, numbers, self.spheres, 1, made);
        })
    }

    /// Costs and picture of this many processes.
    fn run(&self, processes: usize) -> Result<(Costs, Frame)> {
        let mut costs = Costs::default();
        let mut inboxes: Vec<Vec<Vec<u8>>> = (0..processes).map(|_| Vec::with_capacity(processes)).collect();
        for process in 0..processes as u64 {
            let start = Clock::start();
            let mut stream = self.renderer.stream(&self.scene)?;
            let end = |process: u64| self.spheres * process / processes as u64;
            self.add(&mut stream, end(process)..end(process + 1))?;
            let shares = stream.into_shares(processes);
            costs.draw.add(start.elapsed());
            let start = Clock::start();
            let messages: Vec<Vec<u8>> = shares.iter().map(SceneShard::to_bytes).collect();
            costs.pack.add(start.elapsed());
            let to_others = |to: u64| to != process;
            let of_others = || (0..).zip(&shares).zip(&messages).filter(|((to, _), _)| to_others(*to));
            costs.messages += of_others().filter(|((_, share), _)| !share.is_empty()).count() as u64;
            costs.sent.add(of_others().map(|(_, bytes)| bytes.len() as u64).sum());
            inboxes.iter_mut().zip(messages).for_each(|(inbox, bytes)| inbox.push(bytes));
        }
        let mut joined = Vec::new();
        for (process, inbox) in inboxes.iter().enumerate() {
            let from_others = inbox.iter().enumerate().filter(|(from, _)| *from != process);
            costs.received = costs.received.max(from_others.map(|(_, bytes)| bytes.len() as u64).sum());
            let start = Clock::start();
            let mut stream = self.renderer.stream_share(&self.scene, process, processes)?;
            for bytes in inbox {
                stream.add_share(&SceneShard::from_bytes(bytes)?)?;
            }
            let bytes = stream.into_share().to_bytes();
            costs.merge.add(start.elapsed());
            costs.gathered += if process == 0 { 0 } else { bytes.len() as u64 };
            joined.push(bytes);
        }
        let start = Clock::start();
        let shares: Vec<SceneShard> =
            joined.iter().map(|bytes| SceneShard::from_bytes(bytes)).collect::<Result<_>>()?;
        let visible = self.renderer.stream(&self.scene)?.finish_with(&shares)?;
        costs.join = start.elapsed();
        Ok((costs, draw(&visible.scene)?))
    }
}

/// Measures the processor time of this process, or else wall time.
struct Clock {
    wall: Instant,
    busy: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), busy: Self::busy() }
    }

    fn elapsed(&self) -> Duration {
        match (self.busy, Self::busy()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }

    /// Processor time of all threads of this process.
    fn busy() -> Option<Duration> {
        let tasks = std::fs::read_dir("/proc/self/task").ok()?;
        let of_task = |path: std::path::PathBuf| {
            let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
        };
        tasks.map(|task| of_task(task.ok()?.path())).sum()
    }
}

/// Renders the visible spheres.
fn draw(visible: &SphereScene<'static>) -> Result<Frame> {
    let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
    Renderer::new(&RenderSettings::default())?.render(&visible.clone().into(), &mut frame)?;
    Ok(frame)
}
