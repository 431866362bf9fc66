//! Tiles: what is counted, what is expected, what is chosen.

mod cache;
mod drt;
mod equations;
mod levels;
mod measure;
mod model;
mod nested;
mod packed;
mod support;
