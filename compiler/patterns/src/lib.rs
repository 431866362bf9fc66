//! The back end of parallel patterns: from loops to Spatial applications (stardust.txt).

mod statement;
