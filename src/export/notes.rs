//! Differences between a model and its file.

/// A part of the model that was changed or left out in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A stable code, which pages may compare with.
    pub code: &'static str,
    /// The place, such as `/nodes/3`. Nodes have their indices in the original file, everything else has the model's
    /// indices.
    pub place: String,
    /// A description of what was found and what was done about it.
    pub message: String,
}

macro_rules! changes {
    ($($variant:ident $code:literal $message:literal;)*) => {
        /// Kinds of [`Note`].
        #[derive(Clone, Copy)]
        pub(super) enum Change {
            $($variant,)*
        }

        /// All codes that a [`Note`] can have.
        pub const NOTE_CODES: &[&str] = &[$($code),*];

        impl Change {
            fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$variant => ($code, $message),)*
                }
            }
        }
    };
}

changes! {
    NodeSplit "NODE_SPLIT" "its matrix shears, which one glTF node can't represent; it became two nested nodes";
    MatrixKeysBaked "MATRIX_KEYS_BAKED"
        "keys whose matrices shear were turned into rotations and scales of two nodes, with keys in between";
    SceneRootRaised "SCENE_ROOT_RAISED"
        "a root of the scene has a parent, which glTF forbids; its topmost ancestor was made a root";
    SceneJoinedBySkin "SCENE_JOINED_BY_SKIN"
        "the scene shows a skinned mesh but not its joints, which glTF forbids; their topmost ancestor was added";
    SkinRootAdded "SKIN_ROOT_ADDED"
        "the joints have no common ancestor, which glTF requires; a node was added above them";
    SkinJointRepeated "SKIN_JOINT_REPEATED"
        "a skin has a node several times, which glTF forbids; child nodes of it were added instead";
    ClipWithoutTracks "CLIP_WITHOUT_TRACKS" "glTF has no animations without channels; the clip was left out";
    PropertyTracksLeftOut "PROPERTY_TRACKS_LEFT_OUT"
        "animation of materials, lights, cameras and visibility isn't written";
    SpringsLeftOut "SPRINGS_LEFT_OUT" "springs aren't written";
    ColorsClamped "COLORS_CLAMPED" "vertex colours outside 0 to 1 were clamped, as glTF requires";
    MaterialClamped "MATERIAL_CLAMPED" "factors outside the range that glTF allows were clamped";
    ImageConverted "IMAGE_CONVERTED" "glTF allows PNG and JPEG; the image was converted to PNG";
    ImageMissing "IMAGE_MISSING" "the image is missing; materials were written without it";
    ImageUnreadable "IMAGE_UNREADABLE" "the image couldn't be converted to PNG; materials were written without it";
}

#[derive(Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    /// Adds a note. `about` is a name or count and may be empty. `array` and `index` are the place.
    pub(super) fn add(&mut self, change: Change, array: &str, index: usize, about: &str) {
        let (code, words) = change.words();
        let message = if about.is_empty() { words.to_owned() } else { [about, ": ", words].concat() };
        self.0.push(Note { code, place: format!("/{array}/{index}"), message });
    }

    pub(super) fn into_notes(self) -> Vec<Note> {
        self.0
    }
}
