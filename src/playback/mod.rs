//! playback
