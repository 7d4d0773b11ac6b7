//! player
