//! Errors that make a picture unusable.
use crate::refusal::refusals;

refusals! {
    /// The reason why a picture can't be decoded: the problem, what was found, the place, and advice.
    PictureError, PictureProblem
    NotAPicture "NOT_A_PICTURE"
        "this file is not a picture that can be decoded", "Use a .png, .jpg, .tga, .bmp or .dds file.";
    PictureTruncated "PICTURE_TRUNCATED"
        "the picture ends early", "Download or save it again.";
    PictureKindUnsupported "PICTURE_KIND_UNSUPPORTED"
        "the picture has an encoding that isn't supported", "Save it as PNG.";
    PictureValueInvalid "PICTURE_VALUE_INVALID"
        "the picture's header has an invalid value", "Save it again.";
    PictureEmpty "PICTURE_EMPTY"
        "the picture has no pixels", "Save it again.";
    PictureTooLarge "PICTURE_TOO_LARGE"
        "the picture has more pixels than 8192 × 8192, or than its file can hold", "Save it smaller.";
}
