//! Memory of large arrays that are gone, for those that come: the system clears each page that it hands out,
//! which takes longer than writing a result there.

use super::MmapMut;
use parking_lot::Mutex;

/// So many bytes are kept at most, of the mappings that have been given last.
const MOST: usize = 256 << 20;

static KEPT: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// Takes a mapping of at least that many bytes, and at most twice as many, with anything in them.
pub(super) fn take(bytes: usize) -> Option<MmapMut> {
    let mut kept = KEPT.lock();
    let fitting = kept.iter().enumerate().filter(|(_, map)| (bytes..=2 * bytes).contains(&map.len()));
    let (place, _) = fitting.min_by_key(|(_, map)| map.len())?;
    Some(kept.remove(place))
}

/// Returns everything that is kept to the system.
pub(super) fn clear() {
    let kept = std::mem::take(&mut *KEPT.lock());
    drop(kept);
}

/// Keeps a mapping; the oldest go.
pub(super) fn give(map: MmapMut) {
    // Tests measure what arrays take.
    if cfg!(test) || map.len() > MOST {
        return;
    }
    let mut gone = Vec::new();
    let mut kept = KEPT.lock();
    kept.push(map);
    while kept.iter().map(|map| map.len()).sum::<usize>() > MOST {
        gone.push(kept.remove(0));
    }
    drop(kept);
    drop(gone);
}
