/// Bytes of a matrix that stays in a cache from one product to the next. Beyond, the processor's own prefetching leaves half of the
/// bandwidth to be had; within, asking costs up to a third.
pub const CACHED: usize = 16 << 20;

/// Asks memory for bytes before they are used, which changes nothing but times. There need be none.
///
/// They come as far as the second cache: few lines can be on their way to the first, and a product that waits for these reaches
/// half of the bandwidth.
#[inline(always)]
pub fn prefetch(start: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    for line in 0..bytes.div_ceil(LINE) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: every processor of the target has it; it gives nothing back and faults nowhere.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(start.cast::<i8>().wrapping_add(line * LINE)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, bytes);
}

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;
