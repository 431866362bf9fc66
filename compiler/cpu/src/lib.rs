//! From loops to native code.
