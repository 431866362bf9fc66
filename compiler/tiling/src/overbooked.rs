//! Tiles of which some do not fit: those of a shape that the search finds, as long as Tailors has them.

use crate::cube::overbooked;
use crate::observed::Observed;
use crate::schemes::Scheme;
use crate::statement::Tiles;

/// The share of the tiles of an operand that may not fit.
pub(crate) const OVERBOOKED: f64 = 0.1;

/// Buffers that are so many times as large, one after the other.
const STEP: f64 = std::f64::consts::SQRT_2;

/// How many of them are tried at most.
const MOST: i32 = 24;

/// Of the tiles that are chosen for larger and larger buffers, and of those of Tailors, the ones of which the
/// least traffic is expected with the own buffer, if at most a tenth of the tiles of any operand does not fit
/// it. What does not fit comes again with every use.
pub(crate) fn choose(observed: &Observed<'_>) -> Tiles {
    let (statement, own) = (observed.statement, &observed.memory);
    let for_buffers = |step: i32| observed.with_memory(own.clone().times(STEP.powi(step))).sure();
    let mut tried = vec![observed.sure(), Scheme::Tailors.choose(observed)];
    for step in 1..=MOST {
        let tiles = for_buffers(step);
        if overbooked(statement, &tiles, &own.clone().divided()) > OVERBOOKED {
            break;
        }
        if !tried.contains(&tiles) {
            tried.push(tiles);
        }
    }
    let expected = tried.into_iter().map(|tiles| (observed.predict(&tiles).total(), tiles));
    let best = expected.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.expect("the chosen tiles are among them").1
}
