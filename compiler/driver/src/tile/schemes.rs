//! Which schemes are compared, by `--schemes`, and what comes of each: tiles, what they are expected to move,
//! and what they move. [`super::report`] shows it.

use super::report::{CHOSEN, Evaluated, GIVEN};
use crate::progress::Steps;
use comet_tiling::{
    Contender, Counting, Observed, OccupancyOutcome, PackedOutcome, PaperModel, Prediction, Scheme, Tiles,
    Traffic, compare, expect, measure,
};

/// The schemes that are compared, each once, in the order of reports. The one whose tiles are chosen is
/// always among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schemes(Vec<Contender>);

/// Those that are compared where nothing is said.
pub(crate) const DEFAULT: &str = "conservative,prescient,tailors,d2t2,exhaustive";

const ALL: &str = "all";

pub(crate) fn parse(text: &str) -> Result<Schemes, String> {
    let mut wanted = vec![Contender::Scheme(CHOSEN)];
    for name in text.split(',').map(str::trim) {
        match Contender::named(name) {
            Some(own) => wanted.push(own),
            None if name == ALL => wanted.extend(Contender::all()),
            None => {
                return Err(format!("found the scheme `{name}`, expected `{ALL}` or some of {}", names()));
            }
        }
    }
    Ok(Schemes(Contender::all().into_iter().filter(|own| wanted.contains(own)).collect()))
}

impl Schemes {
    /// With those that have tiles of about equal occupancy.
    pub(crate) fn with_occupancy(&self) -> Self {
        let is_wanted = |own: &Contender| self.0.contains(own) || *own == Contender::Occupancy;
        Self(Contender::all().into_iter().filter(is_wanted).collect())
    }
}

fn names() -> String {
    Contender::all().into_iter().map(Contender::name).collect::<Vec<_>>().join(", ")
}

pub(crate) struct SchemeRows {
    /// Of those that are predicted, and last the tiles that were given.
    pub(crate) evaluated: Vec<Evaluated>,
    /// Of those without tiles of one size.
    pub(crate) others: Vec<Other>,
    /// The names of those that nothing is known of without counting.
    pub(crate) left_out: Vec<&'static str>,
}

/// A scheme without tiles of one size.
pub(crate) struct Other {
    pub(crate) name: &'static str,
    pub(crate) outcome: OtherOutcome,
}

/// What came of it. Nothing is expected but of tiles of about equal occupancy.
pub(crate) enum OtherOutcome {
    Occupancy(OccupancyOutcome),
    Packed(PackedOutcome),
    /// Of tiles of several sizes.
    Dynamic(Traffic),
    Unsupported(String),
}

impl OtherOutcome {
    pub(crate) fn predicted(&self) -> Option<&Prediction> {
        match self {
            Self::Occupancy(own) => Some(&own.predicted),
            Self::Packed(_) | Self::Dynamic(_) | Self::Unsupported(_) => None,
        }
    }

    pub(crate) fn traffic(&self) -> Option<&Traffic> {
        match self {
            Self::Occupancy(own) => own.measured.as_ref(),
            Self::Packed(packed) => Some(&packed.measured),
            Self::Dynamic(traffic) => Some(traffic),
            Self::Unsupported(_) => None,
        }
    }
}

pub(crate) struct Evaluation<'a, 's> {
    pub(crate) observed: &'a Observed<'s>,
    pub(crate) counting: Counting,
    /// What samples are drawn by.
    pub(crate) seed: u64,
    /// What the paper's own equations say, if that is asked for.
    pub(crate) paper: Option<PaperModel<'s>>,
    /// The statement, for those who wait.
    pub(crate) text: &'a str,
}

impl Evaluation<'_, '_> {
    /// The tiles of all schemes, and those that are given.
    pub(crate) fn rows(&self, schemes: &Schemes, given: Option<Tiles>) -> SchemeRows {
        let is_known = |own: &Contender| self.counting == Counting::Done || own.is_predicted();
        let (known, left_out): (Vec<_>, Vec<_>) = schemes.0.iter().copied().partition(is_known);
        let steps = Steps::new(known.len() + usize::from(given.is_some()));
        let (mut evaluated, mut others) = (Vec::new(), Vec::new());
        for own in known {
            steps.begin(format!("`{}`: {}", self.text, own.name()));
            match own {
                Contender::Scheme(scheme) => evaluated.push(self.scheme(scheme)),
                _ => others.push(Other { name: own.name(), outcome: self.other(own, &evaluated) }),
            }
            steps.end();
        }
        evaluated.extend(given.map(|tiles| {
            steps.begin(format!("`{}`: {GIVEN}", self.text));
            self.given(tiles)
        }));
        SchemeRows { evaluated, others, left_out: left_out.into_iter().map(Contender::name).collect() }
    }

    fn scheme(&self, scheme: Scheme) -> Evaluated {
        let outcome = match self.counting {
            Counting::Done => compare(self.observed, scheme),
            Counting::LeftOut => expect(self.observed, scheme),
        };
        self.with_paper(outcome.into())
    }

    fn given(&self, tiles: Tiles) -> Evaluated {
        let observed = self.observed;
        let measured = || measure(observed.statement(), &tiles, observed.machine());
        self.with_paper(Evaluated {
            name: GIVEN,
            predicted: observed.predict(&tiles),
            interval: observed.interval(&tiles),
            measured: (self.counting == Counting::Done).then(measured),
            by_paper: None,
            tiles,
        })
    }

    fn with_paper(&self, mut own: Evaluated) -> Evaluated {
        own.by_paper = self.paper.as_ref().map(|model| model.predict(&own.tiles));
        own
    }

    /// Packed tiles are about the chosen ones, which come first.
    fn other(&self, contender: Contender, before: &[Evaluated]) -> OtherOutcome {
        match contender {
            Contender::Occupancy => {
                OtherOutcome::Occupancy(self.observed.occupancy(self.seed, self.counting))
            }
            Contender::Packed(small) => {
                let chosen = before.iter().find(|own| own.name == CHOSEN.name());
                let chosen = chosen.expect("the chosen tiles come before packed ones");
                OtherOutcome::Packed(small.counted(self.observed, &chosen.tiles))
            }
            _ => match self.observed.dynamic() {
                Ok(dynamic) => OtherOutcome::Dynamic(dynamic.traffic),
                Err(reason) => OtherOutcome::Unsupported(reason.to_string()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT, Schemes, parse};
    use comet_tiling::{Contender, Scheme};

    #[test]
    fn schemes_are_those_that_are_named() {
        let names = |text: &str| {
            let Schemes(all) = parse(text).unwrap();
            all.into_iter().map(Contender::name).collect::<Vec<_>>()
        };
        // The chosen tiles are always there, each scheme once, in the order of the table.
        assert_eq!(names("drt, tailors,drt"), ["tailors", "d2t2", "drt"]);
        assert_eq!(names("all").len(), Contender::all().len());
        assert_eq!(parse(DEFAULT), Ok(Schemes(Scheme::ALL.map(Contender::Scheme).to_vec())));
    }

    #[test]
    fn unknown_schemes_are_reported_with_the_known_ones() {
        let known = "conservative, prescient, tailors, d2t2, exhaustive, overbooked, independent, without-corrs, \
                     corrs-only, occupancy, packed, packed-small, drt";
        for name in ["", "best", "D2T2"] {
            let expected = format!("found the scheme `{name}`, expected `all` or some of {known}");
            assert_eq!(parse(&format!("drt,{name}")), Err(expected));
        }
    }
}
