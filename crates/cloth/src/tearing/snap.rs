use super::TearLimits;
use crate::{Net, NetSpring, Vec3};

/// Whether a spring of a net is longer than its limit allows, of whatever family.
pub fn exceeds(net: &Net, limits: &TearLimits, x: &[Vec3]) -> bool {
    net.springs().iter().any(|spring| is_too_long(spring, limits, x))
}

/// Takes those springs out: "we can simply remove this spring from the mass-spring network" \[Stuyck 2018, 4.5\]. How many these
/// are. Nothing else of the net changes: what other springs tie across the tear stays tied until they are too long themselves.
pub fn snap(net: &mut Net, limits: &TearLimits, x: &[Vec3]) -> usize {
    let before = net.springs().len();
    net.retain_springs(|spring| !is_too_long(spring, limits, x));
    before - net.springs().len()
}

fn is_too_long(&NetSpring { i, j, rest, .. }: &NetSpring, limits: &TearLimits, x: &[Vec3]) -> bool {
    (x[j] - x[i]).norm() > limits.of(i, j) * rest // |x| > (1 + tau) L
}
