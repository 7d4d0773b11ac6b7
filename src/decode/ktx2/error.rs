//! Errors that make a KTX2 texture unusable.
use crate::refusal::{Place, refusals};

refusals! {
    /// The reason why a KTX2 texture can't be decoded: the problem, what was found, the place, and advice.
    Ktx2Error, Ktx2Problem
    NotKtx2 "NOT_KTX2"
        "this file is not a KTX2 texture", "Use a .ktx2 file.";
    Truncated "KTX2_TRUNCATED"
        "the texture ends early", "Download or save it again.";
    ValueInvalid "KTX2_VALUE_INVALID"
        "the texture's header has an invalid value", "Save it again.";
    KindUnsupported "KTX2_KIND_UNSUPPORTED"
        "the texture has an encoding that isn't supported", "Convert it to ETC1S or UASTC, for example with toktx.";
    DataInvalid "KTX2_DATA_INVALID"
        "the texture's compressed data is invalid", "Save it again.";
    TooLarge "KTX2_TOO_LARGE"
        "the texture needs more memory than is allowed, or has a side above 16384 pixels", "Save it smaller.";
    NoSuchImage "KTX2_NO_SUCH_IMAGE"
        "the texture has no such level, layer or face", "Ask for an image that it has.";
    TargetUnsuitable "KTX2_TARGET_UNSUITABLE"
        "the texture can't be written in this format", "Use another format.";
}

impl Ktx2Problem {
    /// Creates an error at an offset of the file.
    #[cold]
    #[inline(never)]
    pub(super) fn byte(self, offset: usize, found: &str) -> Ktx2Error {
        self.at(Place::byte(offset), found.into())
    }
}
