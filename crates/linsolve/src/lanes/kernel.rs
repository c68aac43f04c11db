use super::{InstructionSet, Lanes, Number};

/// A loop that is worth compiling for each instruction set, on numbers of one precision.
pub trait Kernel<S = f64> {
    /// What it gives.
    type Output;

    /// Runs it on eight lanes at a time. Must be `#[inline(always)]`, as must be all that it calls in its loops: what is inlined
    /// is compiled for the instruction set of the caller, the rest for whatever every processor of the target has. A closure cannot
    /// be; where it is not inlined by chance, each of its operations is a call: loops take its place.
    fn run<E: Lanes<Number = S>>(self) -> Self::Output;
}

impl InstructionSet {
    /// Runs a kernel on this instruction set, [`InstructionSet::Plain`] as [`InstructionSet::Portable`].
    ///
    /// # Panics
    /// Where this machine does not have it.
    pub fn run<S: Number, K: Kernel<S>>(self, kernel: K) -> K::Output {
        assert!(self.is_supported(), "this machine does not run {self}");
        match self {
            InstructionSet::Plain | InstructionSet::Portable => kernel.run::<S::Portable>(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => x86::run_avx2(kernel),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => x86::run_avx512(kernel),
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => unreachable!("not supported on this target"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use super::{Kernel, Number};

    #[target_feature(enable = "avx2")]
    fn avx2<S: Number, K: Kernel<S>>(kernel: K) -> K::Output {
        kernel.run::<S::Avx2>()
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn avx512<S: Number, K: Kernel<S>>(kernel: K) -> K::Output {
        kernel.run::<S::Avx512>()
    }

    pub fn run_avx2<S: Number, K: Kernel<S>>(kernel: K) -> K::Output {
        // SAFETY: `InstructionSet::run` asserts that the processor has the instructions.
        unsafe { avx2(kernel) }
    }

    pub fn run_avx512<S: Number, K: Kernel<S>>(kernel: K) -> K::Output {
        // SAFETY: `InstructionSet::run` asserts that the processor has the instructions.
        unsafe { avx512(kernel) }
    }
}
