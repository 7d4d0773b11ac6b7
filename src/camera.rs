//! Orbit camera and framing.
