use std::fmt;

/// Why something can't be drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RenderError {
    /// The browser has no such API, or refuses it (no driver, blocked, too many contexts).
    NoAdapter { reason: String },
    /// There is an adapter and it gives no device.
    NoDevice { reason: String },
    /// The canvas can't be drawn to by this device.
    NoSurface,
    /// The GPU went away; the model lives on and can be drawn by a new [`Gpu`](super::Gpu).
    DeviceLost,
    /// More than the device can hold in one piece.
    TooLarge { what: &'static str, needed: u64, limit: u64 },
    /// No such drawable, primitive or image.
    NoSuch { what: &'static str, index: usize },
    /// Pixels whose number doesn't match their width and height.
    WrongPixelCount { expected: usize, found: usize },
    /// A picture beside the canvas couldn't be drawn, mostly for a lack of memory.
    CaptureFailed,
    /// The driver refused a command, or gave no pixels back.
    Driver { reason: String },
}

impl RenderError {
    /// Stable: pages switch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoAdapter { .. } => "GPU_ADAPTER_MISSING",
            Self::NoDevice { .. } => "GPU_DEVICE_REFUSED",
            Self::NoSurface => "GPU_SURFACE_REFUSED",
            Self::DeviceLost => "GPU_LOST",
            Self::TooLarge { .. } => "GPU_LIMIT_EXCEEDED",
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
            Self::NoDevice { reason } => write!(out, "the GPU adapter gives no device: {reason}"),
            Self::NoSurface => write!(out, "the GPU can't draw to this canvas; use a fresh one"),
            Self::DeviceLost => write!(out, "the GPU was lost"),
            Self::TooLarge { what, needed, limit } => {
                write!(out, "{what} needs {needed}, this GPU allows {limit}; simplify the model")
            }
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
