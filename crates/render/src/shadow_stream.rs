//! Second pass of a stream: finds the hidden spheres that cast shadows on the visible ones.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use crate::clock::Instant;
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::renderer::Renderer;
use crate::scene::spheres::PaintedSphere;
use crate::scene::{FillSpheres, SphereExtents, SphereSink, in_chunks};
use crate::share::SceneShard;
use crate::statistics::StreamStatistics;
use crate::stream::{BATCH, FIRST_BLOCK, VisibleScene};
use crate::trace::{NumberedSphere, PreparedSpheres, ShadowRays, StructureCache};

/// Finds the spheres that cast shadows on the visible part of a [`SphereStream`](crate::stream::SphereStream). The same
/// spheres are added again, in any order.
///
/// Memory depends on the picture: at most one blocking sphere per shadow ray is kept.
///
/// Made by [`Renderer::stream_shadows`].
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::generate::{self, Pattern};
/// use roundel::spheres::{Camera, DirectionalLight, Shading, SphereScene};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8, render};
///
/// let settings = RenderSettings::default();
/// let empty = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48)
///     .with_light(DirectionalLight::new([-1.0, -2.0, -1.0]))
///     .with_shading(Shading::default().with_shadows());
/// let spheres = generate::spheres(Pattern::Uniform, 1000, 1);
///
/// let mut renderer = Renderer::new(&settings)?;
/// let mut stream = renderer.stream(&empty)?;
/// stream.add(&spheres)?;
/// let mut visible = stream.finish()?;
/// if let Some(mut shadows) = renderer.stream_shadows(&visible)? {
///     shadows.add(&spheres);
///     let (casters, _) = shadows.finish();
///     visible = visible.with_casters(&[casters]);
/// }
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// renderer.render(&visible.scene.into(), &mut frame)?;
///
/// assert!(frame == render(&empty.with_spheres(spheres).into(), &settings)?);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct ShadowStream<'a> {
    renderer: &'a Renderer,
    rays: ShadowRays,
    /// Spheres that may block rays.
    pending: Vec<NumberedSphere>,
    casters: Vec<NumberedSphere>,
    /// One past the number of the last sphere.
    end: u64,
    block: usize,
    statistics: StreamStatistics,
    /// When the last spheres were added.
    idle_since: Instant,
}

impl Renderer {
    /// Begins the second pass over the spheres of a stream, which finds the shadow casters. `None` if no visible
    /// surface faces a shadow-casting light: then the visible part suffices.
    ///
    /// # Errors
    /// If the picture exceeds the budget.
    pub fn stream_shadows(&self, visible: &VisibleScene) -> Result<Option<ShadowStream<'_>>> {
        let scene = &visible.scene;
        if !scene.casts_hard_shadows() {
            return Ok(None);
        }
        let block = self.stream_block(scene)?;
        let mut frame = Frame::new(scene.view.width, scene.view.height, Srgba8::TRANSPARENT)?;
        let mut tiles = frame.tiles_mut(self.sphere_tile);
        let cancelled = AtomicBool::new(false);
        let mut rays = self.pool.install(|| {
            let stage = PreparedSpheres::new(
                scene,
                self.preparation([0, scene.view.height], &cancelled),
                &mut StructureCache::default(),
            )?;
            Ok(stage.shadow_rays(&mut tiles))
        })?;
        // visible spheres are kept anyway, and they block most of the blocked rays
        let shown = scene.groups.iter().flat_map(|group| group.spheres.iter());
        let shown: Vec<_> = shown.map(|sphere| NumberedSphere { sphere, part: 0, number: 0 }).collect();
        self.pool.install(|| rays.block(&shown));
        Ok((!rays.is_empty()).then(|| ShadowStream {
            renderer: self,
            rays,
            pending: Vec::new(),
            casters: Vec::new(),
            end: 0,
            block,
            statistics: StreamStatistics::default(),
            idle_since: Instant::now(),
        }))
    }
}

impl ShadowStream<'_> {
    /// Sets the least number of spheres per test; this changes no pixel.
    #[must_use]
    pub fn with_block(self, spheres: usize) -> Self {
        Self { block: spheres.max(1), ..self }
    }

    /// Adds spheres, numbered after those added before.
    pub fn add(&mut self, spheres: &[PaintedSphere]) {
        self.add_at(self.end, spheres);
    }

    /// Adds spheres with the numbers of the first pass, consecutive from `first` on.
    pub fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) {
        let index = |number: u64| usize::try_from(number - first).expect("the spheres are in memory");
        self.add_chunks(first..first + spheres.len() as u64, |range, _, rays, kept| {
            rays.cull(&spheres[index(range.start)..index(range.end)], range.start, kept);
        });
    }

    /// Adds generated spheres; see [`SphereStream::add_by_rule`](crate::stream::SphereStream::add_by_rule).
    pub fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync) {
        self.add_chunks(numbers, |range, buffer, rays, kept| {
            fill(range.clone(), buffer);
            rays.cull(buffer, range.start, kept);
        });
    }

    /// Adds a range of spheres, which `of_chunk` generates and culls.
    fn add_chunks(
        &mut self,
        numbers: Range<u64>,
        of_chunk: impl Fn(Range<u64>, &mut Vec<PaintedSphere>, &ShadowRays, &mut Vec<NumberedSphere>) + Sync,
    ) {
        self.statistics.read += self.idle_since.elapsed();
        let mut next = numbers.start;
        while next < numbers.end && !self.rays.is_empty() {
            let end = numbers.end.min(next + BATCH.min(self.block as u64));
            let start = Instant::now();
            let rays = &self.rays;
            let of_chunk = |range: Range<u64>, buffer: &mut Vec<PaintedSphere>| {
                let mut kept = Vec::new();
                of_chunk(range, buffer, rays, &mut kept);
                kept
            };
            let culled = self.renderer.pool.install(|| in_chunks(next..end, of_chunk));
            culled.iter().for_each(|kept| self.pending.extend_from_slice(kept));
            self.statistics.shapes += end - next;
            self.statistics.cull += start.elapsed();
            next = end;
            // small blocks at first: rays that they block need no further tests
            let enough = FIRST_BLOCK << self.statistics.blocks.min(16);
            if self.pending.len() >= self.block.min(enough) {
                self.flush();
            }
        }
        self.end = numbers.end;
        self.idle_since = Instant::now();
    }

    /// Tests the pending spheres against the remaining rays.
    fn flush(&mut self) {
        let Self { renderer, rays, pending, casters, statistics, .. } = self;
        let start = Instant::now();
        let blocking = renderer.pool.install(|| rays.block(pending));
        casters.extend(blocking.into_iter().map(|position| pending[position as usize]));
        statistics.tested += pending.len() as u64;
        statistics.blocks += 1;
        pending.clear();
        statistics.find += start.elapsed();
    }

    /// Returns the spheres that cast shadows, for [`VisibleScene::with_casters`], and statistics, in which
    /// [`StreamStatistics::reaching`] is 0. If several streams have a part of the scene each, the results of all are
    /// needed.
    #[must_use]
    pub fn finish(mut self) -> (SceneShard, StreamStatistics) {
        self.flush();
        let mut spheres = self.casters;
        spheres.sort_unstable_by_key(|named| named.number);
        let statistics = StreamStatistics { casters: spheres.len() as u64, ..self.statistics };
        (SceneShard { spheres, extents: SphereExtents::NONE, cutting: 0 }, statistics)
    }
}

impl SphereSink for ShadowStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres);
        Ok(())
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        self.add_by_rule(numbers, fill);
        Ok(())
    }
}
