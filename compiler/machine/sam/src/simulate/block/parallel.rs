//! Parallelizers and serializers (sam.txt section 4.4).

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use crate::graph::{Carried, Serialize};

/// Deals the elements of each fiber out, the first one to the first output; stops go to all.
#[derive(Default)]
pub(super) struct Parallelizer {
    next: usize,
}

impl Behaviour for Parallelizer {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        match token {
            Token::Data(_) | Token::Empty => {
                io.put(self.next, token);
                self.next = (self.next + 1) % io.outputs.len();
                return Ok(Step::Moved);
            }
            Token::Stop(_) | Token::Done => io.put_all(token),
        }
        self.next = 0;
        Ok(Step::behind(token))
    }
}

pub(super) fn serializer(serialize: &Serialize) -> Box<dyn Behaviour> {
    let factor = serialize.factor;
    match serialize.carries {
        None => Box::new(DealtCoordinates { factor }),
        Some(Carried { depth, .. }) => Box::new(Serializer { factor, depth, from: None, is_open: false }),
    }
}

enum Next {
    /// The first of the coordinates that are there, and where.
    Coordinate(usize, Token),
    /// All are at this stop, or at their ends.
    End(Token),
}

/// Looks at the coordinates in front, of which one stream has them at each of the inputs. `None`: some have
/// not come.
fn next(io: &Io<'_>, inputs: impl Iterator<Item = usize>) -> Result<Option<Next>, SimulationFault> {
    let (mut first, mut ends) = (None, Vec::new());
    for (stream, input) in inputs.enumerate() {
        match io.front(input) {
            None => return Ok(None),
            Some(Token::Data(coordinate)) => {
                if first.is_none_or(|(_, other)| coordinate < other) {
                    first = Some((stream, coordinate));
                }
            }
            Some(Token::Empty) => {
                return Err(fault!("expected coordinates to serialize, found an empty token"));
            }
            Some(end) => ends.push(end),
        }
    }
    match (first, ends.first()) {
        (_, Some(end)) if ends.iter().any(|other| other != end) => Err(super::reduce::apart(&ends)),
        (Some((stream, coordinate)), _) => Ok(Some(Next::Coordinate(stream, Token::Data(coordinate)))),
        (None, Some(end)) => Ok(Some(Next::End(*end))),
        (None, None) => Ok(None),
    }
}

struct DealtCoordinates {
    factor: usize,
}

impl Behaviour for DealtCoordinates {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        match next(io, 0..self.factor)? {
            None => Ok(Step::Waits),
            Some(Next::Coordinate(stream, coordinate)) => {
                io.take(stream);
                io.put(0, coordinate);
                Ok(Step::Moved)
            }
            Some(Next::End(end)) => {
                io.take_all(0..self.factor);
                io.put(0, end);
                Ok(Step::behind(end))
            }
        }
    }
}

/// Puts what belongs to each coordinate, in the order of these.
struct Serializer {
    factor: usize,
    /// How many levels of fibers belong to a coordinate.
    depth: usize,
    from: Option<usize>,
    /// Whether what it has put last has no stop yet, since it is not known which.
    is_open: bool,
}

impl Serializer {
    fn guide(stream: usize) -> usize {
        2 * stream
    }

    fn carried(stream: usize) -> usize {
        2 * stream + 1
    }

    /// Goes on with the next coordinate, or ends with all streams.
    fn choose(&mut self, io: &mut Io<'_>) -> Stepped {
        match next(io, (0..self.factor).map(Self::guide))? {
            None => Ok(Step::Waits),
            Some(Next::Coordinate(stream, _)) if self.depth == 0 => self.pass_token(io, stream),
            Some(Next::Coordinate(stream, _)) => {
                io.take(Self::guide(stream));
                self.from = Some(stream);
                if std::mem::take(&mut self.is_open) {
                    io.put(0, Token::Stop(self.depth as u64 - 1));
                    return Ok(Step::Moved);
                }
                match self.pass(io, stream)? {
                    Step::Waits => Ok(Step::Moved),
                    step => Ok(step),
                }
            }
            Some(Next::End(end)) => self.end(io, end),
        }
    }

    fn pass_token(&mut self, io: &mut Io<'_>, stream: usize) -> Stepped {
        let Some(token) = io.front(Self::carried(stream)) else { return Ok(Step::Waits) };
        if let Token::Stop(_) | Token::Done = token {
            return Err(fault!("expected what belongs to a coordinate, found `{token}`"));
        }
        io.take(Self::guide(stream));
        io.take(Self::carried(stream));
        io.put(0, token);
        Ok(Step::Moved)
    }

    /// The next token that belongs to the coordinate. Its stop is put when it is known what follows; one that
    /// ends the fiber around as well stays in front until all streams are there.
    fn pass(&mut self, io: &mut Io<'_>, stream: usize) -> Stepped {
        let Some(token) = io.front(Self::carried(stream)) else { return Ok(Step::Waits) };
        let last = self.depth as u64 - 1;
        match token {
            Token::Stop(level) if level >= last => {
                if level == last {
                    io.take(Self::carried(stream));
                }
                self.from = None;
                self.is_open = true;
            }
            Token::Done => {
                return Err(fault!("a stream is over, and its last fiber has not ended"));
            }
            _ => {
                io.take(Self::carried(stream));
                io.put(0, token);
            }
        }
        Ok(Step::Moved)
    }

    fn end(&mut self, io: &mut Io<'_>, end: Token) -> Stepped {
        let expected = match end {
            Token::Stop(level) => Token::Stop(level.saturating_add(self.depth as u64)),
            _ => end,
        };
        for stream in 0..self.factor {
            match io.front(Self::carried(stream)) {
                None => return Ok(Step::Waits),
                Some(found) if found == expected => {}
                Some(found) => {
                    return Err(fault!(
                        "expected `{expected}` with the coordinates' `{end}`, found `{found}`"
                    ));
                }
            }
        }
        io.take_all(0..2 * self.factor);
        self.is_open = false;
        io.put(0, expected);
        Ok(Step::behind(end))
    }
}

impl Behaviour for Serializer {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        match self.from {
            Some(stream) => self.pass(io, stream),
            None => self.choose(io),
        }
    }
}
