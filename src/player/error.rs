use crate::animation::{NotHumanoid, Party};
use crate::import::ImportError;
use crate::playback::ScriptError;
#[cfg(feature = "render")]
use crate::render::RenderError;
use std::fmt;

/// An error of a [`Player`](super::Player) call. The player is left unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlayerError {
    /// The call needs a model, and none is loaded.
    NoModel,
    /// The call needs a canvas, and none is attached.
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
    /// A list with one entry per character has the wrong length.
    CrowdList {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    NotFinite {
        what: &'static str,
    },
    OutOfRange {
        what: &'static str,
        expected: &'static str,
    },
    UnknownNode {
        asked: String,
    },
    UnknownLayer {
        asked: String,
        available: Vec<String>,
    },
    UnknownParameter {
        asked: String,
        available: Vec<String>,
    },
    UnknownMorph {
        asked: String,
        available: Vec<String>,
    },
    /// The node has fewer than two ancestors, so it can't be the end of a two-joint limb.
    NoLimb {
        node: String,
    },
    UnknownConstraint {
        asked: String,
        available: Vec<String>,
    },
    /// The constraint has no such node, or its nodes aren't below each other as it needs them.
    NoChain {
        node: String,
    },
    /// The model has no vertices to which bodies of a ragdoll can be fitted.
    NoBodies,
    TooManyLayers {
        most: usize,
    },
    UnknownActor {
        asked: u32,
    },
    /// An actor can't follow itself, directly or through others.
    ActorLoop,
    /// An actor of another player has no actors of its own.
    NestedActor,
    /// An outfit and its wearer have no joint in common.
    NoFittingJoints,
    /// A file with clips has none, or none that animates a node of the model.
    NoFittingClips {
        has_clips: bool,
    },
    /// Motion can be borrowed between humanoid bodies only. `missing` has the names of the roles without a node; it is
    /// empty if all were found, but the legs aren't below the torso.
    NotHumanoid {
        whose: &'static str,
        missing: Vec<&'static str>,
    },
    /// The JSON of a motion, a controller or clip notes is invalid.
    Script(ScriptError),
    Import(ImportError),
    #[cfg(feature = "render")]
    Render(RenderError),
}

impl PlayerError {
    /// Returns the error's code, which is stable across versions: pages compare it.
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
            Self::OutOfRange { .. } => "OUT_OF_RANGE",
            Self::UnknownNode { .. } => "UNKNOWN_NODE",
            Self::UnknownLayer { .. } => "UNKNOWN_LAYER",
            Self::UnknownParameter { .. } => "UNKNOWN_PARAMETER",
            Self::UnknownMorph { .. } => "UNKNOWN_MORPH",
            Self::NoLimb { .. } => "NO_LIMB",
            Self::UnknownConstraint { .. } => "UNKNOWN_CONSTRAINT",
            Self::NoChain { .. } => "NO_CHAIN",
            Self::NoBodies => "NO_BODIES",
            Self::TooManyLayers { .. } => "TOO_MANY_LAYERS",
            Self::UnknownActor { .. } => "UNKNOWN_ACTOR",
            Self::ActorLoop => "ACTOR_LOOP",
            Self::NestedActor => "NESTED_ACTOR",
            Self::NoFittingJoints => "NO_FITTING_JOINTS",
            Self::NoFittingClips { .. } => "NO_FITTING_CLIPS",
            Self::NotHumanoid { .. } => "NOT_HUMANOID",
            Self::Script(error) => error.code(),
            Self::Import(error) => error.code(),
            #[cfg(feature = "render")]
            Self::Render(error) => error.code(),
        }
    }

    /// Returns the place of the error in the file or in the JSON. It is empty for other errors.
    pub fn place(&self) -> &str {
        match self {
            Self::Import(error) => error.place(),
            Self::Script(error) => error.place(),
            _ => "",
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => f.write_str("no model is loaded; load one first"),
            Self::NoCanvas => {
                f.write_str("the player has no canvas to draw on; attach one, or wait until the GPU is back")
            }
            Self::UnknownClip { asked, available } => unknown(f, "clip", asked, available),
            Self::UnknownNode { asked } => {
                write!(f, "the model has no node \"{asked}\"; the player's nodes list all names")
            }
            Self::UnknownLayer { asked, available } => unknown(f, "layer", asked, available),
            Self::UnknownParameter { asked, available } => unknown(f, "parameter", asked, available),
            Self::UnknownMorph { asked, available } => unknown(f, "morph target", asked, available),
            Self::UnknownConstraint { asked, available } => unknown(f, "constraint", asked, available),
            Self::NoChain { node } => {
                write!(
                    f,
                    "no chain of joints leads to \"{node}\"; name nodes below each other, none of them sheared"
                )
            }
            Self::NoLimb { node } => {
                write!(
                    f,
                    "\"{node}\" can't reach anything: it has no two nodes above it; name the end of a limb"
                )
            }
            Self::NoBodies => {
                f.write_str("the model has no vertices that a ragdoll could be made of; load one with a mesh")
            }
            Self::TooManyLayers { most } => {
                write!(f, "a character has {most} layers at most; remove one that is no longer needed")
            }
            Self::UnknownActor { asked } => {
                write!(f, "there is no actor {asked}; use one that was added and not removed")
            }
            Self::ActorLoop => {
                f.write_str("an actor can't follow itself; detach the other one from it first")
            }
            Self::NestedActor => {
                f.write_str("an actor can't have actors of its own; add them to the player")
            }
            Self::NoFittingJoints => f.write_str(
                "no joint of the outfit has the name of a node of its wearer; choose one made for this skeleton",
            ),
            Self::NoFittingClips { has_clips } => f.write_str(match has_clips {
                true => {
                    "no clip of the file animates a node of the model; add clips made for the same skeleton"
                }
                false => "the file has no clips to add; choose one that has",
            }),
            Self::NotHumanoid { whose, missing } if missing.is_empty() => {
                write!(f, "{whose} has no legs below an upright torso; take a humanoid")
            }
            Self::NotHumanoid { whose, missing } => {
                write!(f, "{whose} has no nodes for {}; name the nodes that are these", missing.join(", "))
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
            Self::OutOfRange { what, expected } => {
                write!(f, "the {what} is out of range; give a number {expected}")
            }
            Self::Import(error) => error.fmt(f),
            Self::Script(error) => error.fmt(f),
            #[cfg(feature = "render")]
            Self::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayerError {}

impl From<NotHumanoid> for PlayerError {
    fn from(NotHumanoid { whose, missing }: NotHumanoid) -> Self {
        let whose = match whose {
            Party::Lender => "the file of the clips",
            Party::Borrower => "the model",
        };
        Self::NotHumanoid { whose, missing: missing.iter().map(|role| role.name()).collect() }
    }
}

impl From<ScriptError> for PlayerError {
    fn from(error: ScriptError) -> Self {
        Self::Script(error)
    }
}

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

fn unknown(f: &mut fmt::Formatter<'_>, noun: &str, asked: &str, available: &[String]) -> fmt::Result {
    write!(f, "there is no {noun} \"{asked}\"; ")?;
    match available {
        [] => write!(f, "there are none"),
        _ => write!(f, "there are {}", available.join(", ")),
    }
}

fn out_of_range(f: &mut fmt::Formatter<'_>, noun: &str, asked: usize, count: usize) -> fmt::Result {
    write!(f, "there is no {noun} {asked}; there are {count}, counted from 0")
}
