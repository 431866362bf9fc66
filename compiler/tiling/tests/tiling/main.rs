//! Tiles: what is counted, what is expected, what is chosen.

mod cache;
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
mod support;
