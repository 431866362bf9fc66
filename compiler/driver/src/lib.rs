//! Sessions, stages and the command line.
