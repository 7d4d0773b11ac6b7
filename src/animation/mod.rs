//! animation
