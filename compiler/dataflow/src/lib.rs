//! The dataflow back end: from loops to graphs of the Sparse Abstract Machine.
