//! The shadow of a draped cloth under a light from above.

use std::f64::consts::TAU;

use cloth::triangles::TriangleMesh;
use kit::prelude::*;

/// Directions in which the shadow is measured, from the axis on.
const RAYS: usize = 3600;

/// By how much its radius swings about the mean for a fold to count \[-\].
const FOLD: f64 = 0.02;

/// How far the shadow of a cloth reaches in each direction from the axis x = y = 0 \[m\].
pub struct Shadow(Vec<f64>);

impl Shadow {
    /// Of triangles whose particles are at `x`.
    pub fn new(mesh: &TriangleMesh, x: &[Vec3]) -> Shadow {
        let mut reach = vec![0.0; RAYS];
        for &[i, j] in mesh.edges() {
            let (p, q) = (x[i].xy(), x[j].xy());
            let (p, q) = if p.perp(&q) < 0.0 { (q, p) } else { (p, q) }; // counter-clockwise from p
            let [from, to] = [p, q].map(|end| libm::atan2(end.y, end.x) / TAU * RAYS as f64);
            let to = if to < from { to + RAYS as f64 } else { to };
            let farthest = p.norm().max(q.norm()); // where an edge lies along a ray, rounding alone says where they meet
            for ray in libm::ceil(from) as i64..=libm::floor(to) as i64 {
                let ray = ray.rem_euclid(RAYS as i64) as usize;
                let (sin, cos) = libm::sincos(TAU * ray as f64 / RAYS as f64);
                let across = cos * (q.y - p.y) - sin * (q.x - p.x); // u x (q - p)
                let met = p.perp(&q) / across; // where the ray r u meets the edge: p x q = r u x (q - p)
                if met > reach[ray] {
                    reach[ray] = met.min(farthest);
                }
            }
        }
        Shadow(reach)
    }

    /// Its area \[m²\].
    pub fn area(&self) -> f64 {
        self.0.iter().fold(0.0, |sum, reach| sum + 0.5 * reach * reach) * TAU / RAYS as f64
    }

    /// Folds around it: how often its edge goes out beyond its mean and back.
    pub fn folds(&self) -> u32 {
        let mean = self.0.iter().sum::<f64>() / RAYS as f64;
        let begin = self.0.iter().position(|reach| *reach < (1.0 - FOLD) * mean);
        let Some(begin) = begin else { return 0 };
        let (mut folds, mut out) = (0, false);
        for k in 0..RAYS {
            let reach = self.0[(begin + k) % RAYS];
            if !out && reach > (1.0 + FOLD) * mean {
                (folds, out) = (folds + 1, true);
            } else if out && reach < (1.0 - FOLD) * mean {
                out = false;
            }
        }
        folds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_a_square_and_a_flower() {
        let disk = TriangleMesh::disk(30, 0.2).unwrap();
        let shadow = Shadow::new(&disk, disk.positions());
        assert!((shadow.area() / (std::f64::consts::PI * 0.04) - 1.0).abs() < 2e-3 && shadow.folds() == 0);
        let square = TriangleMesh::centred(9, 9, 1.0, 1.0).unwrap();
        let about = |x: &Vec3| x - Vec3::new(0.5, 0.5, 0.0);
        let shadow = Shadow::new(&square, &square.positions().iter().map(about).collect::<Vec<_>>());
        assert!((shadow.area() - 1.0).abs() < 1e-5, "{}", shadow.area());
        assert_eq!(shadow.folds(), 4);
        let petal = |x: &Vec3| (1.0 + 0.2 * libm::cos(5.0 * libm::atan2(x.y, x.x))) * x;
        let flower = Shadow::new(&disk, &disk.positions().iter().map(petal).collect::<Vec<_>>());
        assert_eq!(flower.folds(), 5);
        // the mean of (1 + 0.2 cos)² is 1.02
        assert!((flower.area() / (1.02 * std::f64::consts::PI * 0.04) - 1.0).abs() < 5e-3);
    }
}
