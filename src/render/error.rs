use std::fmt;

/// An error of the renderer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RenderError {
    /// The browser lacks the API or refuses it, for instance because there is no driver or there are too many
    /// contexts.
    NoAdapter { reason: String },
    /// The adapter provides no device.
    NoDevice { reason: String },
    /// The device can't draw to the canvas.
    NoSurface,
    /// The device was lost. Models aren't affected and can be drawn by a new [`Gpu`](super::Gpu).
    DeviceLost,
    /// The size of a resource exceeds a limit of the device.
    TooLarge { what: &'static str, needed: u64, limit: u64 },
    /// The image's width or height is 0.
    EmptyImage,
    /// There is no such drawable, primitive or image.
    NoSuch { what: &'static str, index: usize },
    /// The number of bytes doesn't match the width and height of the image.
    WrongPixelCount { expected: usize, found: usize },
    /// An off-screen picture couldn't be drawn, usually because memory was short.
    CaptureFailed,
    /// The driver reported an error, or returned no pixels.
    Driver { reason: String },
}

impl RenderError {
    /// Returns the error's code, which is stable across versions: pages compare it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoAdapter { .. } => "GPU_ADAPTER_MISSING",
            Self::NoDevice { .. } => "GPU_DEVICE_REFUSED",
            Self::NoSurface => "GPU_SURFACE_REFUSED",
            Self::DeviceLost => "GPU_LOST",
            Self::TooLarge { .. } => "GPU_LIMIT_EXCEEDED",
            Self::EmptyImage => "GPU_IMAGE_EMPTY",
            Self::NoSuch { .. } => "GPU_NO_SUCH_PART",
            Self::WrongPixelCount { .. } => "GPU_WRONG_PIXEL_COUNT",
            Self::CaptureFailed => "SCREENSHOT_FAILED",
            Self::Driver { .. } => "GPU_DRIVER_ERROR",
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAdapter { reason } => {
                write!(out, "no GPU adapter; try another browser or enable hardware acceleration: {reason}")
            }
            Self::NoDevice { reason } => write!(out, "the GPU adapter provides no device: {reason}"),
            Self::NoSurface => write!(out, "the GPU can't draw to this canvas; use a fresh one"),
            Self::DeviceLost => write!(out, "the GPU was lost"),
            Self::TooLarge { what, needed, limit } => {
                write!(out, "{what} needs {needed}, this GPU allows {limit}; simplify the model")
            }
            Self::EmptyImage => write!(out, "the image has no pixels; use another image"),
            Self::NoSuch { what, index } => write!(out, "there is no {what} {index}"),
            Self::WrongPixelCount { expected, found } => {
                write!(out, "an image of this size has {expected} bytes, {found} were given")
            }
            Self::CaptureFailed => {
                write!(out, "the GPU couldn't draw the screenshot; try a smaller one, or again later")
            }
            Self::Driver { reason } => write!(out, "the GPU driver refused: {reason}"),
        }
    }
}

impl std::error::Error for RenderError {}
