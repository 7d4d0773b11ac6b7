use crate::import::ImportError;
#[cfg(feature = "render")]
use crate::render::RenderError;
use std::fmt;

/// Why the player refused. It stays as it was.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlayerError {
    /// Something that needs a model was asked before one was loaded.
    NoModel,
    /// Something that draws was asked before a canvas was attached, or after it was given back.
    NoCanvas,
    UnknownClip {
        asked: String,
        available: Vec<String>,
    },
    ClipOutOfRange {
        asked: usize,
        clip_count: usize,
    },
    SkinOutOfRange {
        asked: usize,
        skin_count: usize,
    },
    NodeOutOfRange {
        asked: usize,
        node_count: usize,
    },
    CharacterOutOfRange {
        asked: usize,
        character_count: usize,
    },
    CrowdSize {
        asked: usize,
        most: usize,
    },
    /// A list that must have one entry per character has another length.
    CrowdList {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    NotFinite {
        what: &'static str,
    },
    Import(ImportError),
    #[cfg(feature = "render")]
    Render(RenderError),
}

impl PlayerError {
    /// Stable: pages switch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoModel => "NO_MODEL",
            Self::NoCanvas => "NO_CANVAS",
            Self::UnknownClip { .. } | Self::ClipOutOfRange { .. } => "UNKNOWN_CLIP",
            Self::SkinOutOfRange { .. } => "UNKNOWN_SKIN",
            Self::NodeOutOfRange { .. } => "UNKNOWN_NODE",
            Self::CharacterOutOfRange { .. } => "UNKNOWN_CHARACTER",
            Self::CrowdSize { .. } => "CROWD_SIZE",
            Self::CrowdList { .. } => "CROWD_LIST",
            Self::NotFinite { .. } => "NOT_FINITE",
            Self::Import(error) => error.code(),
            #[cfg(feature = "render")]
            Self::Render(error) => error.code(),
        }
    }

    /// Where in the file, for errors of import; else empty.
    pub fn place(&self) -> &str {
        match self {
            Self::Import(error) => error.place(),
            _ => "",
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => f.write_str("no model is loaded; load one first"),
            Self::NoCanvas => f.write_str("there is no canvas to draw on; attach one first"),
            Self::UnknownClip { asked, available } if available.is_empty() => {
                write!(f, "the model has no clip \"{asked}\"; it has no clips at all")
            }
            Self::UnknownClip { asked, available } => {
                write!(f, "the model has no clip \"{asked}\"; it has {}", available.join(", "))
            }
            Self::ClipOutOfRange { asked, clip_count } => out_of_range(f, "clip", *asked, *clip_count),
            Self::SkinOutOfRange { asked, skin_count } => out_of_range(f, "skin", *asked, *skin_count),
            Self::NodeOutOfRange { asked, node_count } => out_of_range(f, "node", *asked, *node_count),
            Self::CharacterOutOfRange { asked, character_count } => {
                out_of_range(f, "character", *asked, *character_count)
            }
            Self::CrowdSize { asked, most } => {
                write!(f, "a crowd of {asked} can't be had; ask for 1 to {most}")
            }
            Self::CrowdList { what, found, expected } => {
                write!(f, "{what} has {found} entries; give {expected}, or leave it out")
            }
            Self::NotFinite { what } => write!(f, "the {what} is not a finite number; give one"),
            Self::Import(error) => error.fmt(f),
            #[cfg(feature = "render")]
            Self::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayerError {}

impl From<ImportError> for PlayerError {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

#[cfg(feature = "render")]
impl From<RenderError> for PlayerError {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}

fn out_of_range(f: &mut fmt::Formatter<'_>, noun: &str, asked: usize, count: usize) -> fmt::Result {
    write!(f, "there is no {noun} {asked}; there are {count}, counted from 0")
}

pub(super) fn finite(what: &'static str, number: f64) -> Result<f64, PlayerError> {
    if number.is_finite() { Ok(number) } else { Err(PlayerError::NotFinite { what }) }
}
