//! From a checked program to the ta dialect.
