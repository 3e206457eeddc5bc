//! The ways of drawing that must make no difference: instruction set, threads, side of the tiles, culling.

use roundel::{Culling, RenderSettings, SimdLevel};

const THREADS: [usize; 3] = [1, 2, 7];

/// From the smallest to a whole small picture, one that divides nothing among them.
const TILES: [u32; 5] = [8, 16, 37, 64, 128];

fn way(simd: SimdLevel, threads: usize, tile: u32, culling: Culling) -> RenderSettings {
    RenderSettings::default().with_simd(simd).with_threads(threads).with_tile_size(tile).with_culling(culling)
}

/// As users draw, and every instruction set with every side of tiles, culling on and off; the threads take turns so that
/// they meet each of these too.
pub(super) fn many(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let mut ways = vec![RenderSettings::default()];
    for (row, &level) in levels.iter().enumerate() {
        for (column, &tile) in TILES.iter().enumerate() {
            let threads = |turn: usize| THREADS[turn % THREADS.len()];
            ways.push(way(level, threads(row + column), tile, Culling::On));
            ways.push(way(level, threads(row + column + 1), tile, Culling::Off));
        }
    }
    ways
}

/// As users draw, with culling and without, every instruction set, every number of threads and every side of tiles: for
/// pictures that take long.
pub(super) fn few(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let plain = RenderSettings::default();
    let mut ways = vec![plain, plain.with_culling(Culling::Off)];
    for &level in levels {
        ways.extend([way(level, 1, 37, Culling::On), way(level, 7, 128, Culling::On)]);
    }
    ways.extend([8, 16, 64].map(|tile| way(SimdLevel::Auto, 2, tile, Culling::On)));
    ways
}

/// Every instruction set with every number of threads, for pictures that show how many shapes the tiles keep.
#[cfg(feature = "viewer")]
pub(super) fn of_tiles_shown(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let threaded = |&level: &SimdLevel| THREADS.map(|threads| shown(way(level, threads, TILES[0], Culling::On)));
    levels.iter().flat_map(threaded).collect()
}

/// The way with tiles of the side that is shown.
#[cfg(feature = "viewer")]
pub(super) fn shown(way: RenderSettings) -> RenderSettings {
    way.with_tile_size(64)
}

/// Each instruction set but once; threads and tiles change with the turn, so that many frames together try them all.
pub(super) fn brief(levels: &[SimdLevel], turn: usize) -> Vec<RenderSettings> {
    let each = |(row, &level): (usize, &SimdLevel)| {
        let turn = turn + row;
        way(level, THREADS[turn % THREADS.len()], TILES[turn % TILES.len()], Culling::On)
    };
    levels.iter().enumerate().map(each).collect()
}

/// The flags of `roundel render` that draw so.
pub(super) fn told(settings: &RenderSettings) -> String {
    let count = |value: Option<usize>| value.map_or("default".to_owned(), |value| value.to_string());
    let tile = settings.tile_size.map_or("default".to_owned(), |tile| tile.to_string());
    let culling = if settings.culling == Culling::On { "" } else { " --no-cull" };
    format!("--simd {} --threads {} --tile {tile}{culling}", settings.simd.name(), count(settings.threads))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CULLING: [Culling; 2] = [Culling::On, Culling::Off];
    const LEVELS: [SimdLevel; 4] = [SimdLevel::Avx512, SimdLevel::Avx2, SimdLevel::Sse42, SimdLevel::Sse2];

    #[test]
    fn many_ways_bring_every_two_values_together() {
        let ways = many(&LEVELS);
        let meet = |test: &dyn Fn(&RenderSettings) -> bool| assert!(ways.iter().any(test), "{ways:?}");
        for tile in TILES {
            for level in LEVELS {
                meet(&|way| way.tile_size == Some(tile) && way.simd == level);
            }
            for threads in THREADS {
                meet(&|way| way.tile_size == Some(tile) && way.threads == Some(threads));
            }
            for culling in CULLING {
                meet(&|way| way.tile_size == Some(tile) && way.culling == culling);
            }
        }
        for threads in THREADS {
            for level in LEVELS {
                meet(&|way| way.threads == Some(threads) && way.simd == level);
            }
            for culling in CULLING {
                meet(&|way| way.threads == Some(threads) && way.culling == culling);
            }
        }
        for level in LEVELS {
            for culling in CULLING {
                meet(&|way| way.simd == level && way.culling == culling);
            }
        }
    }

    #[test]
    fn few_ways_try_every_value() {
        let ways = few(&LEVELS);
        let tried = |test: &dyn Fn(&RenderSettings) -> bool| assert!(ways.iter().any(test), "{ways:?}");
        LEVELS.iter().for_each(|&level| tried(&|way| way.simd == level));
        THREADS.iter().for_each(|&threads| tried(&|way| way.threads == Some(threads)));
        TILES.iter().for_each(|&tile| tried(&|way| way.tile_size == Some(tile)));
        CULLING.iter().for_each(|&culling| tried(&|way| way.culling == culling));
    }

    #[test]
    fn brief_ways_try_each_instruction_set_once_and_in_turn_all_else() {
        let turns: Vec<RenderSettings> = (0..15).flat_map(|turn| brief(&LEVELS, turn)).collect();
        assert_eq!(brief(&LEVELS, 3).iter().map(|way| way.simd).collect::<Vec<_>>(), LEVELS);
        for threads in THREADS {
            for tile in TILES {
                let tried = |way: &&RenderSettings| way.threads == Some(threads) && way.tile_size == Some(tile);
                assert_eq!(turns.iter().filter(tried).count(), LEVELS.len());
            }
        }
    }
}
