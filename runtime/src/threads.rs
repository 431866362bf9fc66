//! Work in a few large pieces, one of which the calling thread does itself: it needs not go to sleep and wake
//! up again, which takes as long as a small conversion.

use crate::asynchronous::is_forked;
use crate::options;

/// Returns the number of threads that pay off for some elements, where `worth` of them are worth one.
pub(crate) fn worth(elements: usize, each: usize) -> usize {
    if is_forked() {
        return 1;
    }
    match elements / each {
        // Threads are started when they are asked for.
        0 | 1 => 1,
        worth => rayon::current_num_threads().min(options::threads()).min(worth),
    }
}

/// Does each piece; all but the last one on other threads.
pub(crate) fn for_each<T: Send>(pieces: impl IntoIterator<Item = T>, body: impl Fn(T) + Sync) {
    let mut pieces: Vec<T> = pieces.into_iter().collect();
    let Some(own) = pieces.pop() else { return };
    if pieces.is_empty() || is_forked() {
        // Threads are started when they are asked for.
        pieces.into_iter().for_each(&body);
        return body(own);
    }
    rayon::in_place_scope(|scope| {
        for piece in pieces {
            let body = &body;
            scope.spawn(move |_| body(piece));
        }
        body(own);
    });
}

/// Does the same with results, in the order of the chunks.
pub(crate) fn map<T: Send, R: Send>(
    pieces: impl IntoIterator<Item = T>,
    body: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let pieces: Vec<T> = pieces.into_iter().collect();
    let mut results: Vec<Option<R>> = pieces.iter().map(|_| None).collect();
    for_each(pieces.into_iter().zip(&mut results), |(piece, result)| *result = Some(body(piece)));
    results.into_iter().map(|result| result.expect("every piece has been done")).collect()
}
