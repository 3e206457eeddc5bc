//! Spheres drawn block by block, never all in memory.

use std::ops::Range;

use rayon::prelude::*;

use crate::clock::Instant;
use crate::error::{Error, Resource, Result};
use crate::frame::Frame;
use crate::renderer::Renderer;
use crate::scene::spheres::{ClipPlane, PaintedSphere, SphereGroup, SphereScene};
use crate::scene::{FillSpheres, Rays, SphereExtents, SphereSink, in_chunks, is_cloud};
use crate::share::SceneShard;
use crate::statistics::StreamStatistics;
use crate::stream_chunks::{Cull, Culled};
use crate::trace::{self, NumberedSphere, SphereBlock, VisibilityBuffer};

/// tuned: "Larger than memory" in docs/performance.md. Spheres culled between two checks of the number of pending
/// spheres.
pub(super) const BATCH: u64 = 1 << 20;

/// tuned: "Larger than memory" in docs/performance.md. Pending spheres before the tiles are searched.
pub(super) const BLOCK: usize = 1 << 21;

/// The least spheres per block, however little memory is left.
const LEAST_BLOCK: usize = 1 << 14;

/// tuned: "Larger than memory" in docs/performance.md. As [`BLOCK`], for the first block; each following one is twice
/// as large.
pub(super) const FIRST_BLOCK: usize = 1 << 17;

/// Draws any number of spheres, which are added a block at a time and not kept.
///
/// Memory depends on the picture and not on the number of spheres: each sample keeps its nearest hit and the number of
/// the sphere. Blocks may have any order and any size. The picture equals the picture of all spheres in memory,
/// in the order of their numbers, byte for byte.
///
/// Made by [`Renderer::stream`].
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::generate::{self, Pattern};
/// use roundel::spheres::{Camera, SphereScene};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8, render};
///
/// let settings = RenderSettings::default();
/// let empty = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48);
/// let spheres = generate::spheres(Pattern::Uniform, 1000, 1);
///
/// let mut renderer = Renderer::new(&settings)?;
/// let mut stream = renderer.stream(&empty)?;
/// for block in spheres.chunks(300) {
///     stream.add(block)?;
/// }
/// let visible = stream.finish()?;
/// let mut frame = Frame::new(1, 1, Srgba8::WHITE)?;
/// renderer.render(&visible.scene.into(), &mut frame)?;
///
/// let whole = empty.with_spheres(spheres);
/// assert!(frame == render(&whole.into(), &settings)?);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct SphereStream<'a> {
    renderer: &'a Renderer,
    /// The scene without spheres.
    scene: SphereScene<'static>,
    planes: Vec<ClipPlane>,
    rays: Rays,
    buffer: VisibilityBuffer,
    /// Spheres that passed culling and have not been searched for in the tiles yet.
    pending: SphereBlock,
    /// The range of the pending spheres' numbers, including culled ones, or 0..0.
    numbers: Range<u64>,
    extents: SphereExtents,
    /// A bit for each plane that cuts or removes spheres.
    cutting: u64,
    /// Whether the look needs the extents.
    needs_extents: bool,
    /// The effect of the look that needs hidden spheres, unless all spheres are small.
    needs_hidden: Option<&'static str>,
    part: u32,
    block: usize,
    /// The number of the first tile that is drawn, and the stride to the next.
    share: [usize; 2],
    statistics: StreamStatistics,
    /// When the last spheres were added.
    idle_since: Instant,
}

/// The visible part of a scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VisibleScene {
    /// The visible spheres in the order of their numbers. [`Renderer::render`] draws the picture of the whole scene
    /// from them. With hard shadows it also needs the spheres that [`Renderer::stream_shadows`] finds.
    pub scene: SphereScene<'static>,
    /// The number of each sphere.
    pub numbers: Vec<u64>,
    /// Counts and times.
    pub statistics: StreamStatistics,
    /// A bit for each clip plane that cuts or removes spheres.
    #[doc(hidden)]
    pub cutting: u64,
}

impl Renderer {
    /// Begins a picture of spheres that are added a block at a time.
    ///
    /// Uses the view, lights, shading and clip planes of `scene`, not its groups.
    ///
    /// Ambient occlusion and soft shadows need hidden spheres, which a stream does not keep. Looks with these effects
    /// are accepted only if all spheres are so small that they are shaded as one surface
    /// ([`Shading::splat_radius`](crate::spheres::Shading::splat_radius)). Hard shadows take a second pass over the
    /// spheres ([`Renderer::stream_shadows`]). The budget's limit on shapes does not apply.
    ///
    /// # Errors
    /// If the look needs hidden spheres, if the scene has a depth range (which depends on all spheres) or other shapes,
    /// or if the picture exceeds the budget.
    pub fn stream(&self, scene: &SphereScene<'_>) -> Result<SphereStream<'_>> {
        self.stream_tiles(scene, [0, 1])
    }

    /// Begins share `share` of `count`, from 0, of a picture: every `count`th of its tiles, numbered row by row. It
    /// merges the same share of other streams ([`SphereStream::add_share`], [`SphereStream::into_share`]) in the memory
    /// of this share alone.
    ///
    /// # Errors
    /// As [`Renderer::stream`].
    ///
    /// # Panics
    /// If `share` is not less than `count`.
    pub fn stream_share(&self, scene: &SphereScene<'_>, share: usize, count: usize) -> Result<SphereStream<'_>> {
        assert!(share < count, "shares are counted from 0");
        self.stream_tiles(scene, [share, count])
    }

    /// Begins a picture of tile `share[0]` and every `share[1]`th tile after it.
    fn stream_tiles(&self, scene: &SphereScene<'_>, share: [usize; 2]) -> Result<SphereStream<'_>> {
        let SphereScene { view, shading, depth_range, .. } = scene;
        if !scene.shapes.is_empty() {
            let message = "has cylinders, ellipsoids or cones, and a streamed scene can have spheres alone".to_owned();
            return Err(Error::setting("scene", message));
        }
        if depth_range.is_some() {
            return Err(Error::setting(
                "slab",
                "depends on all spheres; a streamed scene can have clip planes instead",
            ));
        }
        let needs_hidden = needs_hidden(scene);
        if let Some(what) = needs_hidden
            && (shading.splat_radius <= 0.0 || shading.splat_radius.is_nan())
        {
            return Err(refuse_hidden(what));
        }
        let block = self.stream_block(scene)?;
        let planes = scene.planes_before(view);
        let empty = SphereScene::from(*view).with_lights(scene.lights.iter().copied()).with_shading(*shading);
        let mut empty = planes.iter().fold(empty, |scene, plane| scene.with_clip_plane(*plane));
        empty.extents.clone_from(&scene.extents);
        let buffer = self
            .pool
            .install(|| VisibilityBuffer::new(self.level, &empty, &planes, self.sphere_tile, self.culling, share));
        Ok(SphereStream {
            renderer: self,
            rays: empty.rays(),
            scene: empty,
            planes,
            buffer,
            pending: SphereBlock::new(),
            numbers: 0..0,
            extents: SphereExtents::NONE,
            cutting: 0,
            needs_extents: shading.fog > 0.0 || shading.splat_radius > 0.0 || scene.extents.is_some(),
            needs_hidden,
            part: 0,
            block,
            share,
            statistics: StreamStatistics::default(),
            idle_since: Instant::now(),
        })
    }

    /// The spheres per block of a stream: fewer if the budget leaves little memory for them.
    ///
    /// # Errors
    /// If the picture exceeds the budget.
    pub(super) fn stream_block(&self, scene: &SphereScene<'_>) -> Result<usize> {
        let SphereScene { view, shading, .. } = scene;
        let (width, height) = (view.width, view.height);
        Frame::count(width, height)?;
        self.budget.check_picture("", (width, height))?;
        let beside = 2 * u64::from(trace::border(scene));
        let pixels = (u64::from(width) + beside) * (u64::from(height) + beside);
        // shadow rays are found after the samples have been freed
        let lights = scene.lights.len().max(1) as u64;
        let of_shadows = if scene.casts_hard_shadows() { lights * trace::SHADOW_RAY } else { 0 };
        let of_sample = trace::SAMPLE.max(of_shadows);
        let memory = pixels.saturating_mul(u64::from(shading.samples.max(1))).saturating_mul(of_sample);
        // small blocks if little memory is left for them
        let room = self.budget.memory.saturating_sub(memory) / pending_bytes(1);
        let block = usize::try_from(room).unwrap_or(BLOCK).clamp(LEAST_BLOCK, BLOCK);
        let takes = memory.saturating_add(pending_bytes(block));
        self.budget.check(Resource::Memory, takes, || {
            let takes = Resource::Memory.amount(takes);
            format!("drawing a stream of spheres on {width}x{height} pixels takes {takes}")
        })?;
        Ok(block)
    }
}

/// Bytes of a block of pending spheres, of a block that is being culled, and of their lists.
fn pending_bytes(block: usize) -> u64 {
    4 * (block * size_of::<NumberedSphere>()) as u64
}

/// The effects of a look that need hidden spheres.
fn needs_hidden(scene: &SphereScene<'_>) -> Option<&'static str> {
    match (scene.shading.ambient_occlusion.is_on(), scene.casts_soft_shadows()) {
        (true, true) => Some("ambient occlusion and soft shadows"),
        (true, false) => Some("ambient occlusion"),
        (false, true) => Some("soft shadows"),
        (false, false) => None,
    }
}

fn refuse_hidden(what: &str) -> Error {
    let message = format!(
        "forgets hidden spheres, which {what} need; ao off, and key_angle 0 (hard shadows) or shadows false, need none, nor do spheres of \
         less than about a pixel and a half in the looks studio and illustrative"
    );
    Error::setting("stream", message)
}

impl SphereStream<'_> {
    /// Sets the least number of spheres per search of the tiles; this changes no pixel.
    #[must_use]
    pub fn with_block(self, spheres: usize) -> Self {
        Self { block: spheres.max(1), ..self }
    }

    /// Counts and times so far.
    #[must_use]
    pub fn statistics(&self) -> StreamStatistics {
        self.statistics
    }

    /// Begins another part: outlines separate the spheres added from now on from those added before.
    pub fn begin_part(&mut self) {
        self.part += 1;
    }

    /// Adds spheres, numbered after those added before.
    ///
    /// # Errors
    /// If a sphere is translucent, or too large for a look that needs hidden spheres.
    pub fn add(&mut self, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(self.numbers.end, spheres)
    }

    /// Adds spheres with consecutive numbers from `first` on. Numbers must be unique.
    ///
    /// # Errors
    /// As [`SphereStream::add`].
    pub fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        let index = |number: u64| usize::try_from(number - first).expect("the spheres are in memory");
        self.add_chunks(first..first + spheres.len() as u64, |range, _, cull| {
            cull.run(&spheres[index(range.start)..index(range.end)], range.start)
        })
    }

    /// Adds generated spheres: `fill` appends the spheres of a range of numbers, or fewer, to an empty vector. It is
    /// called from all threads, in no particular order.
    ///
    /// # Errors
    /// As [`SphereStream::add`].
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
    /// use roundel::{RenderSettings, Renderer, Srgba8};
    ///
    /// let renderer = Renderer::new(&RenderSettings::default())?;
    /// let empty = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48);
    /// let mut stream = renderer.stream(&empty)?;
    /// // a row that leads away from the eye: the first hides all others
    /// let sphere = |number: u64| PaintedSphere::new([0.0, 0.0, -(number as f32)], 0.5, Srgba8::BLACK);
    /// stream.add_by_rule(0..1_000_000, |numbers, spheres| spheres.extend(numbers.map(sphere)))?;
    /// assert_eq!(stream.finish()?.numbers, [0]);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn add_by_rule(
        &mut self,
        numbers: Range<u64>,
        fill: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync,
    ) -> Result<()> {
        self.add_chunks(numbers, |range, buffer, cull| {
            fill(range.clone(), buffer);
            cull.run(buffer, range.start)
        })
    }

    /// Adds a range of spheres, which `of_chunk` generates and culls.
    fn add_chunks(
        &mut self,
        numbers: Range<u64>,
        of_chunk: impl Fn(Range<u64>, &mut Vec<PaintedSphere>, &Cull<'_>) -> Culled + Sync,
    ) -> Result<()> {
        self.statistics.read += self.idle_since.elapsed();
        if numbers.start != self.numbers.end {
            self.flush();
            self.numbers = numbers.start..numbers.start;
        }
        let mut next = numbers.start;
        while next < numbers.end {
            let end = numbers.end.min(next + BATCH.min(self.block as u64));
            let start = Instant::now();
            let cull = Cull {
                buffer: &self.buffer,
                planes: &self.planes,
                rays: &self.rays,
                part: self.part,
                needs_extents: self.needs_extents,
            };
            let of_chunk = |range: Range<u64>, buffer: &mut Vec<PaintedSphere>| of_chunk(range, buffer, &cull);
            let culled = self.renderer.pool.install(|| in_chunks(next..end, of_chunk));
            for Culled { kept, shapes, alpha, reaching, extents, cutting } in culled {
                check_opacity(alpha)?;
                self.pending.extend(&kept);
                self.statistics.shapes += shapes;
                self.statistics.reaching += reaching;
                self.extents = self.extents.join(extents);
                self.cutting |= cutting;
            }
            self.statistics.cull += start.elapsed();
            self.numbers.end = end;
            next = end;
            self.check()?;
            // small blocks at first: their hits hide most of the rest
            let enough = FIRST_BLOCK << self.statistics.blocks.min(16);
            if self.pending.len() >= self.block.min(enough) {
                self.flush();
            }
        }
        self.idle_since = Instant::now();
        Ok(())
    }

    /// Returns an error if the look needs hidden spheres and the spheres so far are not small.
    fn check(&self) -> Result<()> {
        let SphereScene { view, shading, .. } = &self.scene;
        match self.needs_hidden {
            Some(what) if self.extents.radii().is_some() && !is_cloud(&self.extents, shading, view) => {
                Err(refuse_hidden(what))
            }
            _ => Ok(()),
        }
    }

    /// Searches for the pending spheres in the tiles.
    fn flush(&mut self) {
        let Self { renderer, buffer, pending, statistics, .. } = self;
        self.numbers.start = self.numbers.end;
        if pending.len() == 0 {
            return;
        }
        let start = Instant::now();
        renderer.pool.install(|| buffer.add(pending));
        statistics.tested += pending.len() as u64;
        statistics.blocks += 1;
        pending.clear();
        statistics.find += start.elapsed();
    }

    /// Merges another stream for the same picture: each stream may have a part of the scene, on its own thread or
    /// machine.
    ///
    /// # Errors
    /// If the other stream is for another picture, and as [`SphereStream::add`].
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::generate::{self, Pattern};
    /// use roundel::spheres::{Camera, SphereScene};
    /// use roundel::{RenderSettings, Renderer};
    ///
    /// let spheres = generate::spheres(Pattern::Uniform, 1000, 1);
    /// let renderer = Renderer::new(&RenderSettings::default())?;
    /// let empty = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48);
    /// let [mut first, mut second, mut whole] = [(); 3].map(|()| renderer.stream(&empty).expect("a small picture"));
    /// first.add(&spheres[..500])?;
    /// second.add_at(500, &spheres[500..])?;
    /// first.merge(second)?;
    /// whole.add(&spheres)?;
    /// assert_eq!(first.finish()?.scene, whole.finish()?.scene);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn merge(&mut self, mut other: SphereStream<'_>) -> Result<()> {
        if self.scene != other.scene || self.share != other.share {
            return Err(Error::setting("stream", "must be for the same picture as the one that it is merged with"));
        }
        self.flush();
        other.flush();
        self.renderer.pool.install(|| self.buffer.merge(&other.buffer))?;
        self.numbers = self.numbers.end.max(other.numbers.end)..self.numbers.end.max(other.numbers.end);
        self.extents = self.extents.join(other.extents);
        self.cutting |= other.cutting;
        self.statistics = self.statistics + other.statistics;
        self.check()
    }

    /// Returns the visible spheres.
    ///
    /// # Errors
    /// If there are more visible spheres than indices.
    pub fn finish(mut self) -> Result<VisibleScene> {
        self.flush();
        let named = self.renderer.pool.install(|| self.buffer.spheres_of(0, 1));
        self.visible_part(named)
    }

    /// Divides the visible spheres into `count` shares, at least one. Tiles are numbered row by row; tile t is in share
    /// t mod `count`.
    ///
    /// # Panics
    /// If `count` is 0, or this stream is a share itself.
    #[must_use]
    pub fn into_shares(mut self, count: usize) -> Vec<SceneShard> {
        assert!(count > 0, "there is at least one share");
        assert!(self.share == [0, 1], "a share is not shared again");
        self.flush();
        let Self { renderer, buffer, extents, cutting, .. } = &self;
        let share =
            |first| SceneShard { spheres: buffer.spheres_of(first, count), extents: *extents, cutting: *cutting };
        renderer.pool.install(|| (0..count).into_par_iter().with_max_len(1).map(share).collect())
    }

    /// Returns the visible spheres of all tiles of this stream; see [`Renderer::stream_share`].
    #[must_use]
    pub fn into_share(mut self) -> SceneShard {
        self.flush();
        let spheres = self.renderer.pool.install(|| self.buffer.spheres_of(0, 1));
        SceneShard { spheres, extents: self.extents, cutting: self.cutting }
    }

    /// Adds a share of a stream for the same picture. Shares of several streams are added in ascending order of their
    /// numbers; the numbers of different streams must not interleave.
    ///
    /// # Errors
    /// As [`SphereStream::add`].
    pub fn add_share(&mut self, share: &SceneShard) -> Result<()> {
        self.extents = self.extents.join(share.extents);
        self.cutting |= share.cutting;
        let [Some(first), Some(last)] = [share.spheres.first(), share.spheres.last()] else { return self.check() };
        // shares in order are searched together, from front to back
        let is_in_order = first.number >= self.numbers.end.max(self.buffer.end());
        if !is_in_order {
            self.flush();
        }
        self.pending.extend(&share.spheres);
        self.numbers.end = self.numbers.end.max(last.number + 1);
        if !is_in_order || self.pending.len() >= self.block {
            self.flush();
        }
        self.check()
    }

    /// Returns the visible spheres of several streams with different tiles. Spheres of this stream itself are ignored.
    ///
    /// # Errors
    /// As [`SphereStream::finish`].
    pub fn finish_with(mut self, shares: &[SceneShard]) -> Result<VisibleScene> {
        self.extents = shares.iter().fold(SphereExtents::NONE, |all, share| all.join(share.extents));
        self.cutting = shares.iter().fold(0, |all, share| all | share.cutting);
        self.statistics = StreamStatistics::default();
        self.check()?;
        self.visible_part(shares.iter().flat_map(|share| share.spheres.iter().copied()))
    }

    /// The visible part of the scene: these spheres.
    fn visible_part(self, named: impl IntoIterator<Item = NumberedSphere>) -> Result<VisibleScene> {
        let (spheres, numbers) = group(named);
        let mut scene = self.scene.with_spheres(spheres);
        scene.extents = self.needs_extents.then(|| Box::new(self.extents));
        let statistics = StreamStatistics { visible: numbers.len() as u64, ..self.statistics };
        Ok(VisibleScene { scene, numbers, statistics, cutting: self.cutting })
    }
}

impl VisibleScene {
    /// The same scene with the hidden spheres that cast shadows, as found by
    /// [`ShadowStream`](crate::shadow_stream::ShadowStream)s.
    #[must_use]
    pub fn with_casters(mut self, casters: &[SceneShard]) -> Self {
        let shown = self.scene.groups.iter().flat_map(|group| {
            let part = |index: usize| group.parts.get(index).copied().unwrap_or(0);
            group.spheres.iter().enumerate().map(move |(index, sphere)| (sphere, part(index)))
        });
        let named = shown.zip(&self.numbers).map(|((sphere, part), &number)| NumberedSphere { sphere, part, number });
        let (spheres, numbers) = group(named.chain(casters.iter().flat_map(|share| share.spheres.iter().copied())));
        self.scene.groups = vec![spheres];
        self.statistics.casters = (numbers.len() - self.numbers.len()) as u64;
        Self { numbers, ..self }
    }
}

/// The spheres as a group, sorted by number and without duplicates, and their numbers.
fn group(named: impl IntoIterator<Item = NumberedSphere>) -> (SphereGroup<'static>, Vec<u64>) {
    let mut named: Vec<NumberedSphere> = named.into_iter().collect();
    named.sort_unstable_by_key(|named| named.number);
    named.dedup_by_key(|named| named.number);
    let spheres: Vec<PaintedSphere> = named.iter().map(|named| named.sphere).collect();
    let parts: Vec<u32> = named.iter().map(|named| named.part).collect();
    let parts = if parts.iter().all(|&part| part == 0) { Vec::new() } else { parts };
    (SphereGroup::from(spheres).with_parts(parts), named.iter().map(|named| named.number).collect())
}

/// Returns an error for spheres that are not opaque, because a stream keeps only the nearest sphere of each sample.
/// `shared` holds the bits that all alphas share.
fn check_opacity(shared: u8) -> Result<()> {
    if shared == u8::MAX {
        return Ok(());
    }
    let message = "must be 1 for all spheres of a stream, which keeps what is nearest alone; in memory, spheres may be \
                   translucent";
    Err(Error::setting("opacity", message))
}

impl SphereSink for SphereStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres)
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        self.add_by_rule(numbers, fill)
    }
}
