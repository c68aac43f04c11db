use linsolve::BlockRows;

use super::NoStatics;
use crate::{Mat3, Vec3};

/// A moment that turns an edge about an axis, whatever its direction by then: its potential is -M phi.
///
/// phi is the angle of the edge as it is seen along the axis, counted on from turn to turn: edges stay within half a turn of where
/// [`Moment::follow`] was called last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The ends of the edge, which must be coupled.
    pub edge: [usize; 2],
    /// Two directions of length one that span the plane in which it turns, from the first to the second.
    pub plane: [Vec3; 2],
    /// M \[N m\].
    pub moment: f64,
    /// phi when it was followed last \[rad\].
    pub turned: f64,
}

impl Moment {
    /// On an edge, turning from the first direction to the second one, that lies along the first.
    pub fn new(edge: [usize; 2], plane: [Vec3; 2], moment: f64) -> Moment {
        Moment { edge, plane, moment, turned: 0.0 }
    }

    /// Counts on from where the edge is at `x`.
    pub fn follow(&mut self, x: &[Vec3]) {
        self.turned = self.angle(x);
    }

    /// The edge in the plane \[m\].
    fn seen(&self, x: &[Vec3]) -> [f64; 2] {
        let edge = x[self.edge[1]] - x[self.edge[0]];
        self.plane.map(|direction| direction.dot(&edge))
    }

    /// phi \[rad\].
    pub(super) fn angle(&self, x: &[Vec3]) -> f64 {
        let [along, across] = self.seen(x);
        let (sine, cosine) = libm::sincos(self.turned);
        self.turned + libm::atan2(cosine * across - sine * along, cosine * along + sine * across)
    }

    /// Force on each end \[N\].
    pub(super) fn pull(&self, x: &[Vec3]) -> f64 {
        let [along, across] = self.seen(x);
        self.moment.abs() / libm::hypot(along, across)
    }

    /// Adds its forces, and the derivatives of their opposites: with r the edge in the plane and n = (-r_2, r_1),
    /// dphi/dr = n/r², d²phi/dr² = -(r nᵀ + n rᵀ)/r⁴.
    pub(super) fn add(
        &self,
        share: f64,
        x: &[Vec3],
        pairs: &[(usize, usize)],
        stiffness: &mut BlockRows,
        force: &mut [Vec3],
    ) -> Result<(), NoStatics> {
        let [i, j] = self.edge;
        let ordered = (i.min(j), i.max(j));
        let place = pairs.iter().position(|&(a, b)| (a.min(b), a.max(b)) == ordered).ok_or(NoStatics::Apart(self.edge))?;
        let [along, across] = self.seen(x);
        let square = along * along + across * across;
        let r = along * self.plane[0] + across * self.plane[1];
        let n = along * self.plane[1] - across * self.plane[0];
        let moment = share * self.moment;
        force[j] += moment / square * n;
        force[i] -= moment / square * n;
        let turning: Mat3 = r * n.transpose();
        let curved = moment / (square * square) * (turning + turning.transpose()); // of -M phi
        stiffness.add_diagonal(i, &curved);
        stiffness.add_diagonal(j, &curved);
        stiffness.add_pair(place, &-curved); // symmetric, whatever the order of the pair
        Ok(())
    }
}
