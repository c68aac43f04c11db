use std::io::{self, Seek, SeekFrom, Write};

use cloth::Vec3;

/// Bytes before the number of samples.
const BEFORE_COUNT: u64 = 28;

/// A cache of points, as Blender's modifier Mesh Cache reads it: PC2, little-endian, single precision.
pub struct Pc2<W> {
    out: W,
    samples: u32,
}

/// Begins a cache of so many points, a sample a frame.
///
/// # Errors
/// What `out` refuses.
pub fn begin_pc2<W: Write + Seek>(mut out: W, points: usize) -> io::Result<Pc2<W>> {
    out.write_all(b"POINTCACHE2\0")?;
    out.write_all(&1_u32.to_le_bytes())?; // version
    out.write_all(&(points as u32).to_le_bytes())?;
    out.write_all(&0_f32.to_le_bytes())?; // first frame
    out.write_all(&1_f32.to_le_bytes())?; // frames a sample
    out.write_all(&0_u32.to_le_bytes())?; // samples, told at the end
    Ok(Pc2 { out, samples: 0 })
}

impl<W: Write + Seek> Pc2<W> {
    /// Adds a sample.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn sample(&mut self, x: &[Vec3]) -> io::Result<()> {
        self.samples += 1;
        x.iter().flat_map(|x| [x.x, x.y, x.z]).try_for_each(|q| self.out.write_all(&(q as f32).to_le_bytes()))
    }

    /// Says how many samples there are, and gives the file back.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(BEFORE_COUNT))?;
        self.out.write_all(&self.samples.to_le_bytes())?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_has_its_header_and_all_coordinates() {
        let mut cache = begin_pc2(io::Cursor::new(vec![]), 2).unwrap();
        cache.sample(&[Vec3::zeros(), Vec3::new(1.0, 2.0, 3.0)]).unwrap();
        cache.sample(&[Vec3::x(), Vec3::y()]).unwrap();
        let bytes = cache.finish().unwrap().into_inner();
        assert_eq!(bytes.len(), 32 + 2 * 2 * 12);
        assert_eq!(&bytes[..12], b"POINTCACHE2\0");
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([12, 16, 28].map(number), [1, 2, 2]);
        assert_eq!(f32::from_bits(number(32 + 20)), 3.0);
    }
}
