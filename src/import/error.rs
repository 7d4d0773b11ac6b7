//! Errors that make a file unusable.
use crate::refusal::refusals;

refusals! {
    /// The reason why a file can't be shown: the problem, what was found, the place, and advice.
    ImportError, ImportProblem
    NotAModel "NOT_A_MODEL"
        "this file is not a model that can be read",
        "Export the model as .glb; .gltf, .x, .dae and .iqm can be read too.";
    GlbVersionUnsupported "GLB_VERSION_UNSUPPORTED"
        "the version of the binary container isn't 2", "Export as glTF 2.0.";
    GlbTruncated "GLB_TRUNCATED"
        "the file ends early", "Download or export it again.";
    GlbJsonMissing "GLB_JSON_MISSING"
        "the binary container doesn't begin with its JSON chunk", "Export it again.";
    JsonInvalid "JSON_INVALID"
        "the JSON can't be parsed", "Export it again, or correct that place.";
    VersionUnsupported "VERSION_UNSUPPORTED"
        "the file needs a glTF version other than 2.0 and 2.1", "Export as glTF 2.0.";
    ExtensionUnsupported "EXTENSION_UNSUPPORTED"
        "the file requires an extension that isn't supported", "Export it without that extension.";
    PropertyMissing "PROPERTY_MISSING"
        "a required property is missing", "Export it again, or add the property.";
    PropertyTypeWrong "PROPERTY_TYPE_WRONG"
        "a property has the wrong JSON type", "Export it again, or correct the property.";
    PropertyValueInvalid "PROPERTY_VALUE_INVALID"
        "a property has a value that glTF doesn't allow", "Export it again, or correct the property.";
    ReferenceOutOfRange "REFERENCE_OUT_OF_RANGE"
        "an index is out of range", "Export it again, or correct the index.";
    BufferMissing "BUFFER_MISSING"
        "the bytes of a buffer are missing", "Load the .bin files together with the .gltf, or use a .glb.";
    BufferTooShort "BUFFER_TOO_SHORT"
        "a buffer has fewer bytes than it declares", "Download or export it again.";
    DataUriInvalid "DATA_URI_INVALID"
        "a data URI can't be decoded", "Export it again.";
    BufferViewOutOfBounds "BUFFER_VIEW_OUT_OF_BOUNDS"
        "a buffer view reaches past its buffer", "Export it again.";
    ByteStrideTooSmall "BYTE_STRIDE_TOO_SMALL"
        "the elements of a buffer view overlap", "Export it again.";
    AccessorOutOfBounds "ACCESSOR_OUT_OF_BOUNDS"
        "an accessor reaches past its buffer view", "Export it again.";
    AccessorTypeWrong "ACCESSOR_TYPE_WRONG"
        "an accessor has a type that can't be used here", "Export it again.";
    ValueNotFinite "VALUE_NOT_FINITE"
        "a number is infinite or not a number", "Repair the model in the program it was made with.";
    SparseIndexInvalid "SPARSE_INDEX_INVALID"
        "the indices of a sparse accessor don't ascend within its count", "Export it again.";
    ModelTooLarge "MODEL_TOO_LARGE"
        "the file decodes to more memory than its size justifies", "Export it again with fewer elements.";
    NodeCycle "NODE_CYCLE"
        "a node is its own ancestor", "Repair the hierarchy and export it again.";
    NodeWithTwoParents "NODE_WITH_TWO_PARENTS"
        "a node is the child of two nodes", "Repair the hierarchy and export it again.";
    MatrixNotAffine "MATRIX_NOT_AFFINE"
        "the last row of a matrix isn't 0 0 0 1", "Export it again.";
    VertexCountsDiffer "VERTEX_COUNTS_DIFFER"
        "the attributes of a primitive or of instances have different counts", "Export it again.";
    VertexIndexOutOfRange "VERTEX_INDEX_OUT_OF_RANGE"
        "an index points past the vertices", "Export it again.";
    JointIndexOutOfRange "JOINT_INDEX_OUT_OF_RANGE"
        "a vertex refers to a joint that its skin doesn't have", "Export it again.";
    BindMatricesTooFew "BIND_MATRICES_TOO_FEW"
        "a skin has fewer inverse bind matrices than joints", "Export it again.";
    KeyTimesNotAscending "KEY_TIMES_NOT_ASCENDING"
        "the key times of an animation don't ascend", "Export it again.";
    KeyValuesCountWrong "KEY_VALUES_COUNT_WRONG"
        "an animation has more or fewer values than its keys need", "Export it again.";
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))] {
        FileTruncated "FILE_TRUNCATED"
            "the file ends early", "Download or export it again.";
        FormatVersionUnsupported "FORMAT_VERSION_UNSUPPORTED"
            "the file has a version that isn't supported", "Export it with another version of its format.";
        SyntaxInvalid "SYNTAX_INVALID"
            "the file can't be parsed", "Export it again, or correct that place.";
        CommaInNumbers "COMMA_IN_NUMBERS"
            "a number has a comma",
            "Set the exporter's language to one with decimal points, such as English, and export it again.";
        CompressedDataInvalid "COMPRESSED_DATA_INVALID"
            "compressed data is damaged", "Download or export the file again.";
        CompressedDataMissing "COMPRESSED_DATA_MISSING"
            "compressed data is missing, or lies beyond the end of its buffer",
            "Download the file again, and load it together with its other files.";
        CompressedDataUnsupported "COMPRESSED_DATA_UNSUPPORTED"
            "data is compressed in a way that isn't supported", "Compress the file with another version of the tool.";
        CompressionInvalid "COMPRESSION_INVALID"
            "the compressed data can't be unpacked", "Export it again, without compression.";
        NestedTooDeeply "NESTED_TOO_DEEPLY"
            "the file is nested too deeply", "Export it again with a flatter hierarchy.";
        ElementMissing "ELEMENT_MISSING"
            "a required element is missing", "Export it again.";
        CountWrong "COUNT_WRONG"
            "a count doesn't match the number of elements", "Export it again.";
        IndexOutOfRange "INDEX_OUT_OF_RANGE"
            "an index is out of range", "Export it again.";
        NameUnknown "NAME_UNKNOWN"
            "a name refers to nothing in the file", "Export it again, or correct the name.";
        EncodingUnsupported "ENCODING_UNSUPPORTED"
            "the text is in an encoding that can't be read here", "Save it in UTF-8.";
        PolygonWithHoles "POLYGON_WITH_HOLES"
            "a polygon has holes", "Triangulate the mesh and export it again.";
    }
    #[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))] {
        PartMissing "PART_MISSING"
            "the file needs a part of the importer that isn't there", "Fetch it, and import the file again.";
    }
}
