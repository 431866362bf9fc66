//! The streams of a product and of the coordinates around it.

use super::super::network::Network;
use super::super::token::Token;
use std::collections::VecDeque;

/// Streams that are looked at, one for each loop and one of the values. A token of an outer one belongs to a
/// fiber of the next.
#[derive(Debug)]
pub(super) struct Tap {
    pub(super) nest: (usize, usize),
    crds: Vec<TappedStream>,
    value: TappedStream,
    /// The coordinates that the next value is at, as far as they have come.
    at: Vec<Option<u64>>,
    /// A fiber that ends at a loop, with the stop that ends it there.
    ending: Option<(usize, u64)>,
}

#[derive(Debug)]
struct TappedStream {
    queue: usize,
    tokens: VecDeque<Token>,
}

impl TappedStream {
    fn new(queue: usize) -> Self {
        Self { queue, tokens: VecDeque::new() }
    }

    fn front(&self) -> Option<Token> {
        self.tokens.front().copied()
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum TapEvent<'t> {
    Point(&'t [u64]),
    /// The loops inside of this tile are over.
    Round(&'t [u64]),
    End,
}

impl Tap {
    /// From the queues that the streams lead to, those of the loops from the outermost in.
    pub(super) fn new(nest: (usize, usize), crds: Vec<usize>, value: usize) -> Self {
        let at = vec![None; crds.len()];
        let crds = crds.into_iter().map(TappedStream::new).collect();
        Self { nest, crds, value: TappedStream::new(value), at, ending: None }
    }

    /// Takes what has come, and reports the events in it. The outermost loops, of that number, are over
    /// tiles.
    pub(super) fn take(&mut self, network: &mut Network, tiles: usize, tell: &mut dyn FnMut(TapEvent<'_>)) {
        for line in self.crds.iter_mut().chain([&mut self.value]) {
            network.drain(line.queue, &mut line.tokens);
        }
        while self.next(tiles, tell).is_some() {}
    }

    /// Goes on by a token; none if one has not come yet.
    fn next(&mut self, tiles: usize, tell: &mut dyn FnMut(TapEvent<'_>)) -> Option<()> {
        if let Some((depth, stop)) = self.ending {
            return self.end(depth, stop, tiles, tell);
        }
        match self.value.front()? {
            Token::Stop(stop) => self.ending = Some((self.crds.len().checked_sub(1)?, stop)),
            Token::Done => tell(TapEvent::End),
            token => {
                (0..self.crds.len()).try_for_each(|depth| self.enter(depth))?;
                if let Token::Data(_) = token {
                    let path: Vec<u64> = self.at.iter().map(|at| at.unwrap_or_default()).collect();
                    tell(TapEvent::Point(&path));
                }
                if let Some(innermost) = self.at.last_mut() {
                    *innermost = None;
                }
            }
        }
        self.value.tokens.pop_front();
        Some(())
    }

    /// The next coordinate of a loop, unless one is there.
    fn enter(&mut self, depth: usize) -> Option<()> {
        if self.at[depth].is_none() {
            let token = self.crds[depth].front()?;
            self.crds[depth].tokens.pop_front();
            self.at[depth] = Some(if let Token::Data(coordinate) = token { coordinate } else { u64::MAX });
        }
        Some(())
    }

    /// A fiber of a loop ends, and with it the coordinate around. The fiber of that ends too where the stop
    /// says so.
    fn end(
        &mut self,
        depth: usize,
        stop: u64,
        tiles: usize,
        tell: &mut dyn FnMut(TapEvent<'_>),
    ) -> Option<()> {
        self.crds[depth].front()?;
        let Some(outer) = depth.checked_sub(1) else {
            self.crds[depth].tokens.pop_front();
            self.ending = None;
            return Some(());
        };
        // Of a fiber in which there is nothing the coordinate has not been taken yet, if there is one.
        if self.at[outer].is_none() && !matches!(self.crds[outer].front()?, Token::Stop(_)) {
            self.enter(outer)?;
        }
        self.crds[depth].tokens.pop_front();
        if depth == tiles && self.at[..tiles].iter().all(Option::is_some) {
            let tile: Vec<u64> = self.at[..tiles].iter().flatten().copied().collect();
            tell(TapEvent::Round(&tile));
        }
        self.at[outer] = None;
        self.ending = stop.checked_sub(1).map(|stop| (outer, stop));
        Some(())
    }
}
