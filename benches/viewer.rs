//! The viewer's frame times: a synthetic drag without a window, timed from event to pixels, at 1280×720, and then the
//! mouse over the resting picture.
//!
//! `cargo bench --bench viewer` drags one and ten million spheres, `cargo bench --bench viewer -- 1e5 3e6` other
//! numbers. docs/performance.md has the results.

#![expect(clippy::disallowed_methods, reason = "a synthetic drag; no picture is compared")]

use std::time::{Duration, Instant};

use roundel::generate::{self, Pattern};
use roundel::glam::Vec3;
use roundel::spheres::{Background, Camera, Framing, Shading, SphereGroup, SphereScene, View};
use roundel::viewer::{Event, MouseButton, TimedEvent, Viewer};
use roundel::{RenderSettings, Scene, Srgba8};

/// A drag once around and up and down, back to its start, with the 60 moves per second of a common mouse.
fn drag() -> Vec<TimedEvent> {
    let position = |step: u16| {
        let turn = f32::from(step) / 240.0 * std::f32::consts::TAU;
        (640.0 + 500.0 * turn.sin(), 360.0 + 200.0 * (2.0 * turn).sin())
    };
    let event = |(event, step): (Event, u64)| TimedEvent::new(step * 1000 / 60, event);
    let (x, y) = position(0);
    let start = [Event::Move { x, y }, Event::Press(MouseButton::Left)];
    let moves = (1..=240).map(|step| {
        let (x, y) = position(step);
        Event::Move { x, y }
    });
    start.into_iter().chain(moves).chain([Event::Release(MouseButton::Left)]).zip(0..).map(event).collect()
}

fn main() -> roundel::Result<()> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of spheres such as 1e6")]
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .map(|count: f64| count as usize)
        .collect();
    let counts = if counts.is_empty() { vec![1_000_000, 10_000_000] } else { counts };
    let drag = drag();
    for count in counts {
        measure(count, &drag)?;
    }
    Ok(())
}

fn measure(count: usize, drag: &[TimedEvent]) -> roundel::Result<()> {
    let scene = uniform(count);
    let start = Instant::now();
    let mut viewer = Viewer::new(scene, &RenderSettings::default())?;
    viewer.draw()?;
    let first = start.elapsed();
    let mut frames = Vec::new();
    let mut qualities = Vec::new();
    for event in drag {
        let start = Instant::now();
        viewer.handle(event)?;
        // a press and a release draw nothing
        if viewer.draw()? {
            frames.push(start.elapsed());
            qualities.push(viewer.quality());
        }
    }
    frames.sort_unstable();
    let percentile = |percent: usize| frames[(frames.len() - 1) * percent / 100];
    let show = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    println!("{count} spheres, 1280x720, {} frames of a drag", frames.len());
    println!("  first picture {}", show(first));
    println!(
        "  frames: min {}, median {} ({:.0} per second), 90 % {}, 99 % {}, max {}",
        show(percentile(0)),
        show(percentile(50)),
        1.0 / percentile(50).as_secs_f64(),
        show(percentile(90)),
        show(percentile(99)),
        show(percentile(100)),
    );
    qualities.sort();
    for same in qualities.chunk_by(|a, b| a == b) {
        println!("  {} frames {}", same.len(), same[0]);
    }
    viewer.finish()?;
    // shapes under the mouse are looked up once the view rests
    std::thread::sleep(Duration::from_millis(100));
    let mut hovers = Vec::new();
    for (step, x) in (500..540).map(|x: u16| f32::from(x)).enumerate() {
        viewer.handle(&TimedEvent::new(10_000 + step as u64, Event::Move { x, y: 360.0 }))?;
        let start = Instant::now();
        viewer.draw()?;
        hovers.push(start.elapsed());
    }
    let first = hovers.remove(0);
    hovers.sort_unstable();
    println!("  hover: first {}, then median {}", show(first), show(hovers[hovers.len() / 2]));
    Ok(())
}

/// Spheres in a cube, seen from above its front; at rest they are drawn with 4 samples and 16 ambient-occlusion rays.
fn uniform(count: usize) -> Scene<'static> {
    let spheres = generate::spheres(Pattern::Uniform, count, 1);
    let groups = vec![SphereGroup::from(spheres)];
    let framing = Framing { toward_eye: Vec3::new(1.0, 0.7, 2.0), up: Vec3::Y, aspect: 16.0 / 9.0 };
    let camera = Camera::framing_perspective(&groups, &framing, 0.6);
    let view = View::new(camera, 1280, 720).with_background(Background::Solid(Srgba8::WHITE));
    let shading = Shading::default().with_samples(4).with_ao_rays(16);
    Scene::Spheres(SphereScene::from(view).with_groups(groups).with_shading(shading))
}
