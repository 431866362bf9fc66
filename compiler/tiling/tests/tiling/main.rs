//! Tiles: what is counted, what is expected, what is chosen.

mod computed;
mod drt;
mod equations;
mod measure;
mod model;
mod packed;
mod processors;
mod support;
