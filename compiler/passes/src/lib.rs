//! The passes on ta and cin.
