//! Runs the text tests.
