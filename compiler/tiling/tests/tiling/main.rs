//! Tiles: what is counted, what is expected, what is chosen.

mod computed;
mod contender;
mod drt;
mod equations;
mod levels;
mod measure;
mod model;
mod nested;
mod order;
mod packed;
mod paper;
mod processors;
mod support;
