//! Oddities of a file that loaded nevertheless.
use crate::refusal::{Place, shortened};

/// One kind of oddity, which didn't keep the file from loading. The page lists these beside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable code, which pages may compare with.
    pub code: &'static str,
    /// The first place of the oddity: a JSON pointer such as `/skins/0/joints/3`, `line 3 column 7` or `byte 20`.
    pub place: String,
    /// A description of what was found and what was done about it, with the count if it isn't 1.
    pub message: String,
    /// How often it occurs in the file.
    pub count: usize,
}

/// Oddities of a file, one [`Warning`] for each kind. Ignored extensions, elements and other names from a file
/// format's vocabulary are one kind per name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    pub warnings: Vec<Warning>,
}

/// Number of warnings from which a new name doesn't make a new kind, since a hostile file can contain any number of
/// names.
const MOST_KINDS: usize = 100;

// Rows under a `cfg` exist only where it holds: the core's download has no texts about formats that it can't read.
// Each kind is a constant of its own, so that code which pages fetch apart brings its texts.
macro_rules! warning_kinds {
    (
        $($variant:ident $($by_name:ident)? $code:literal $message:literal;)*
        $(#[cfg($condition:meta)] {
            $($gated:ident $($gated_by_name:ident)? $gated_code:literal $gated_message:literal;)*
        })?
    ) => {
        #[expect(non_upper_case_globals, reason = "kinds are named like the variants of an enum")]
        impl WarningKind {
            $(pub(super) const $variant: Self =
                Self(&Words::new($code, $message, &[$(stringify!($by_name))?]));)*
            $($(
                #[cfg($condition)]
                pub(super) const $gated: Self =
                    Self(&Words::new($gated_code, $gated_message, &[$(stringify!($gated_by_name))?]));
            )*)?
        }

        /// All codes that a [`Warning`] can have.
        pub const WARNING_CODES: &[&str] = &[
            $($code,)*
            $($(#[cfg($condition)] $gated_code,)*)?
        ];
    };
}

warning_kinds! {
    GlbTrailingBytes "GLB_TRAILING_BYTES" "bytes after the end of the container were ignored";
    GlbChunkUnaligned "GLB_CHUNK_UNALIGNED" "a chunk's length isn't a multiple of 4";
    GlbChunkMisplaced "GLB_CHUNK_MISPLACED"
        "a JSON or BIN chunk is repeated or out of order; only the first of its kind was read";
    ExtensionIgnored by_name "EXTENSION_IGNORED" "the extension isn't supported; the model may look different";
    AccessorUnaligned "ACCESSOR_UNALIGNED" "the data isn't aligned to its component size; it was read all the same";
    ByteStrideInvalid "BYTE_STRIDE_INVALID"
        "glTF allows a stride for vertex attributes alone, and multiples of 4 up to 252; it was used all the same";
    NumberFormatInvalid "NUMBER_FORMAT_INVALID"
        "glTF doesn't allow this number format here; it was read all the same";
    ValuesNotFinite "VALUES_NOT_FINITE" "numbers that are infinite or NaN were replaced by 0";
    SceneRootHasParent "SCENE_ROOT_HAS_PARENT" "a root of the scene is another node's child; it keeps that parent";
    NodeNameRepeated "NODE_NAME_REPEATED" "nodes have the name of an earlier node; the name finds the earlier one";
    RotationNotUnit "ROTATION_NOT_UNIT" "a rotation isn't of unit length; it was normalised";
    MatrixBesideParts "MATRIX_BESIDE_PARTS"
        "a node has a matrix and translation, rotation or scale; the matrix was used";
    MorphWeightsCountWrong "MORPH_WEIGHTS_COUNT_WRONG"
        "there are more or fewer morph weights than targets; the rest are 0";
    MorphTargetCountsDiffer "MORPH_TARGET_COUNTS_DIFFER"
        "the mesh's primitives have different numbers of morph targets; empty ones were added";
    MorphWithoutBase "MORPH_WITHOUT_BASE"
        "a morph target changes an attribute that the primitive lacks; it was ignored";
    PrimitiveWithoutPositions "PRIMITIVE_WITHOUT_POSITIONS" "a primitive without positions was skipped";
    PrimitiveIncomplete "PRIMITIVE_INCOMPLETE" "vertices that don't complete a line or triangle were ignored";
    PrimitiveRestart "PRIMITIVE_RESTART"
        "glTF has no primitive restart; the strip was split there, or the index was read as a vertex";
    NormalsNotUnit "NORMALS_NOT_UNIT" "normals aren't of unit length; they were normalised";
    TangentsInvalid "TANGENTS_INVALID" "tangents aren't of unit length or signed ±1; they were corrected";
    TangentsNotMade "TANGENTS_NOT_MADE" "tangents for the normal map can't be made without texture coordinates";
    AttributeSetGap "ATTRIBUTE_SET_GAP"
        "numbered attribute sets must follow each other; those after the gap were ignored";
    AttributeUnknown by_name "ATTRIBUTE_UNKNOWN" "glTF has no attribute of this name; it was ignored";
    JointsWithoutWeights "JOINTS_WITHOUT_WEIGHTS" "joints and weights must come in pairs; the unpaired set was ignored";
    JointWeightsNotNormalised "JOINT_WEIGHTS_NOT_NORMALISED"
        "joint weights that don't sum to 1 were normalised";
    JointWeightsZero "JOINT_WEIGHTS_ZERO"
        "vertices without joint weights got weight 1 for the joint of their first slot";
    UvSetMissing "UV_SET_MISSING" "the material needs texture coordinates that the primitive lacks; 0 was used";
    SkinOnUnskinnedMesh "SKIN_ON_UNSKINNED_MESH"
        "a node with a skin has primitives without joints and weights; the first joint or no skin was used";
    SkinMissing "SKIN_MISSING" "a mesh with joints and weights has no skin on this node; it is drawn rigid";
    SkinWithoutJoints "SKIN_WITHOUT_JOINTS" "a skin without joints was ignored";
    SkinWithoutMesh "SKIN_WITHOUT_MESH" "a node has a skin but no mesh; the skin was ignored";
    TrackTargetUnknown "TRACK_TARGET_UNKNOWN" "the animated property is unknown; its track was ignored";
    TrackRepeated "TRACK_REPEATED" "two tracks animate one property; the second was ignored";
    TrackOnMatrixNode "TRACK_ON_MATRIX_NODE"
        "an animated node has a matrix; the matrix was decomposed";
    TrackOnShearedNode "TRACK_ON_SHEARED_NODE"
        "a node whose matrix shears can't be animated; the track was ignored";
    TrackWithoutMorphs "TRACK_WITHOUT_MORPHS" "a track animates morph weights that the node lacks; it was ignored";
    KeyTimeNegative "KEY_TIME_NEGATIVE"
        "keys have times before 0, where clips begin; only the rest is played";
    InterpolationReplaced "INTERPOLATION_REPLACED"
        "keys have an unknown interpolation or lack their tangents; they are linear instead";
    KeyTimesRepeated "KEY_TIMES_REPEATED" "several keys have the same time; the last one was kept";
    KeyRotationsNotUnit "KEY_ROTATIONS_NOT_UNIT" "rotation keys aren't of unit length; they were normalised";
    TextureWithoutImage "TEXTURE_WITHOUT_IMAGE" "a texture without a usable image was ignored";
    TextureSetTooHigh "TEXTURE_SET_TOO_HIGH" "a texture uses a coordinate set above 7; it was ignored";
    MaterialValueOutOfRange "MATERIAL_VALUE_OUT_OF_RANGE" "a factor of the material was clamped to its range";
    SpringInvalid "SPRING_INVALID"
        "a spring, or a part of one, can't be used; it was left out";
    SpringValueOutOfRange "SPRING_VALUE_OUT_OF_RANGE"
        "a number of a spring is out of range; the nearest allowed number was used";
    CameraInvalid "CAMERA_INVALID" "the camera has no usable projection; a default was used";
    LightInvalid "LIGHT_INVALID" "a value of the light is out of range; a default was used";
    ClipNodeMissing by_name "CLIP_NODE_MISSING" "the model has no such node; its tracks were left out";
    ClipsBoundByShape "CLIPS_BOUND_BY_SHAPE"
        "most nodes have other names in the model; they were matched by the shape of the hierarchy";
    ClipsOtherSize "CLIPS_OTHER_SIZE"
        "the clips are for a skeleton of this size, compared with the model's; movements may be too large or small";
    ClipPropertiesLeftOut "CLIP_PROPERTIES_LEFT_OUT"
        "tracks of materials, visibility, cameras and lights stay with their own model; they were left out";
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))] {
        MatrixKeysShear "MATRIX_KEYS_SHEAR"
            "matrix keys that shear can't be decomposed; they are blended element by element";
        RestShearDropped "REST_SHEAR_DROPPED"
            "a node that shears at rest has keys without shear; the shear was left out";
        ReferenceIgnored "REFERENCE_IGNORED"
            "a reference leads to nothing that can be read; it was ignored";
        ElementIgnored by_name "ELEMENT_IGNORED" "this isn't supported; it was ignored";
        DecimalCommas "DECIMAL_COMMAS" "numbers have decimal commas; they were read as decimal points";
        UnitInvalid "UNIT_INVALID" "the unit of length isn't a positive number; metres were assumed";
        KeysBeforeZero "KEYS_BEFORE_ZERO" "keys have times before 0; the clip was moved to begin at its first key";
        ClipBoundsInvalid "CLIP_BOUNDS_INVALID"
            "the start or end of a clip isn't a valid time; the times of its keys were used";
        KeysUnsorted "KEYS_UNSORTED" "keys aren't in the order of their times; they were sorted";
        ObjectUnknown by_name "OBJECT_UNKNOWN" "objects of this kind aren't read; they were skipped";
        BraceUnmatched "BRACE_UNMATCHED" "a closing brace has no opening brace; it was ignored";
        NormalsUnusable "NORMALS_UNUSABLE" "the normals don't fit the mesh's faces; others were computed";
        VertexDataUnknown "VERTEX_DATA_UNKNOWN"
            "vertex elements have an unknown type; their normals, texture coordinates and colours were ignored";
        MaterialUnknown "MATERIAL_UNKNOWN" "the mesh names a material that doesn't exist; a default was used";
        BindMatricesComputed "BIND_MATRICES_COMPUTED"
            "joints have no offset matrix; the mesh was bound to their rest pose";
        VerticesUnweighted "VERTICES_UNWEIGHTED"
            "vertices without any joint weight follow the node that draws their mesh";
        JointUnknown "JOINT_UNKNOWN"
            "the mesh is bound to a joint that doesn't exist; the nearest joint got its vertices";
        TicksPerSecondMissing "TICKS_PER_SECOND_MISSING"
            "the file doesn't state its ticks per second; this number was assumed";
        TrackNodeUnknown "TRACK_NODE_UNKNOWN" "keys for a node that doesn't exist were ignored";
        KeyTypeUnknown by_name "KEY_TYPE_UNKNOWN" "keys of an unknown type were ignored";
        BindNotInvertible "BIND_NOT_INVERTIBLE"
            "joints have scale 0 at rest, so their bind pose is unknown";
        JointsMissing "JOINTS_MISSING"
            "the file has motion but no joints; joints without names were made from its first frame";
        PosesCountWrong "POSES_COUNT_WRONG"
            "the motion has more or fewer joints than the skeleton; it was ignored";
        FrameRateUnknown "FRAME_RATE_UNKNOWN" "a clip has no usable frame rate; 24 frames per second were assumed";
        LoopClosed "LOOP_CLOSED" "a looping clip doesn't end with its first frame; it was added";
    }
}

/// A kind of [`Warning`].
#[derive(Clone, Copy)]
pub(super) struct WarningKind(&'static Words);

struct Words {
    code: &'static str,
    message: &'static str,
    /// The name at the beginning of the message determines what is odd, and not only where it is.
    is_listed_by_name: bool,
}

impl Words {
    const fn new(code: &'static str, message: &'static str, flags: &[&str]) -> Self {
        Self { code, message, is_listed_by_name: !flags.is_empty() }
    }
}

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
impl WarningKind {
    pub(super) fn code(self) -> &'static str {
        self.0.code
    }
}

impl ImportReport {
    pub(super) fn warn(&mut self, kind: WarningKind, place: &Place<'_>) {
        self.push(kind, place, "");
    }

    /// Adds a warning whose message begins with the name of the thing it is about.
    pub(super) fn warn_named(&mut self, kind: WarningKind, place: &Place<'_>, name: &str) {
        self.push(kind, place, name);
    }

    /// Adds one warning for `count` of `of` elements, or none if `count` is 0.
    pub(super) fn warn_counted(&mut self, kind: WarningKind, place: &Place<'_>, count: usize, of: usize) {
        if count > 0 {
            self.push(kind, place, &format!("{count} of {of}"));
        }
    }

    /// Adds a warning for a place in a container, outside its JSON.
    pub(super) fn warn_at_byte(&mut self, kind: WarningKind, offset: usize) {
        self.warn_at(kind, Place::byte(offset), "");
    }

    /// Adds a warning whose message begins with `about`: a name, or numbers such as `3 of 7`.
    pub(super) fn warn_at(&mut self, kind: WarningKind, place: impl Into<String>, about: &str) {
        self.add(kind, about, || place.into());
    }

    /// Appends each count to its message. This is the last step of an import.
    pub(super) fn finish(&mut self) {
        for Warning { message, count, .. } in self.warnings.iter_mut().filter(|warning| warning.count > 1) {
            *message += &[" (the first of ", &count.to_string(), ")"].concat();
        }
    }

    fn push(&mut self, kind: WarningKind, place: &Place<'_>, about: &str) {
        self.add(kind, about, || place.pointer());
    }

    fn add(&mut self, kind: WarningKind, about: &str, place: impl FnOnce() -> String) {
        let Words { code, message: words, is_listed_by_name } = *kind.0;
        // A name may be as long as the file.
        let about = shortened(about);
        let message = if about.is_empty() { words.to_owned() } else { [about, ": ", words].concat() };
        let by_name = is_listed_by_name && self.warnings.len() < MOST_KINDS;
        let same = |held: &&mut Warning| held.code == code && (!by_name || held.message == message);
        match self.warnings.iter_mut().find(same) {
            Some(held) => held.count += 1,
            None => self.warnings.push(Warning { code, place: place(), message, count: 1 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(report: &ImportReport) -> Vec<(&str, &str, usize)> {
        let warnings = report.warnings.iter();
        warnings.map(|warning| (&*warning.place, &*warning.message, warning.count)).collect()
    }

    #[test]
    fn warnings_of_one_kind_come_once_with_their_first_place_and_a_count() {
        let mut report = ImportReport::default();
        report.warn_counted(WarningKind::NormalsNotUnit, &Place::ROOT.field("a"), 3, 9);
        report.warn(WarningKind::GlbChunkUnaligned, &Place::ROOT);
        report.warn_counted(WarningKind::NormalsNotUnit, &Place::ROOT.field("b"), 1, 2);
        report.warn_counted(WarningKind::NormalsNotUnit, &Place::ROOT.field("c"), 0, 2);
        report.finish();
        let unaligned = WarningKind::GlbChunkUnaligned.0.message;
        let [first, second] = &said(&report)[..] else { panic!("{report:?}") };
        assert_eq!(
            *first,
            ("/a", &*format!("3 of 9: {} (the first of 2)", WarningKind::NormalsNotUnit.0.message), 2)
        );
        assert_eq!(*second, ("", unaligned, 1));
    }

    #[test]
    fn ignored_extensions_are_told_apart_by_name_as_long_as_there_are_few() {
        let mut report = ImportReport::default();
        for name in ["A_a", "B_b", "A_a"] {
            report.warn_named(WarningKind::ExtensionIgnored, &Place::ROOT, name);
        }
        assert_eq!(said(&report).iter().map(|said| said.2).collect::<Vec<_>>(), [2, 1]);
        for index in 0..10_000 {
            report.warn_named(WarningKind::ExtensionIgnored, &Place::ROOT, &format!("C_{index}"));
        }
        assert_eq!(report.warnings.len(), MOST_KINDS);
        assert_eq!(report.warnings.iter().map(|warning| warning.count).sum::<usize>(), 10_003);
    }
}
