use std::io::{self, Write};

use cloth::Vec3;

use super::{Body, Look};

/// Writes cloth at the positions `x` \[m\] as an OBJ mesh with texture coordinates: its vertices in the order of the particles, its faces as
/// in [`Look`].
///
/// # Errors
/// What `out` refuses.
pub fn write_rest(look: &Look, x: &[Vec3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "o cloth")?;
    x.iter().try_for_each(|x| writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z))?;
    // corners of one particle mostly share their coordinates: each pair is written once
    let mut places = std::collections::HashMap::new();
    for (face, texture) in look.faces.iter().zip(&look.texture) {
        for (corner, [u, v]) in face.iter().zip(texture) {
            let next = places.len() + 1;
            if let std::collections::hash_map::Entry::Vacant(place) = places.entry((*corner, u.to_bits(), v.to_bits())) {
                place.insert(next);
                writeln!(out, "vt {u:?} {v:?}")?;
            }
        }
    }
    for (face, texture) in look.faces.iter().zip(&look.texture) {
        write!(out, "f")?;
        for (corner, [u, v]) in face.iter().zip(texture) {
            write!(out, " {}/{}", corner + 1, places[&(*corner, u.to_bits(), v.to_bits())])?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes bodies as OBJ, an object each.
///
/// # Errors
/// What `out` refuses.
pub fn write_solids(bodies: &[Body], out: &mut dyn Write) -> io::Result<()> {
    let mut before = 1; // OBJ counts from 1, through all objects
    for (k, body) in bodies.iter().enumerate() {
        writeln!(out, "o solid_{k}")?;
        body.vertices.iter().try_for_each(|[x, y, z]| writeln!(out, "v {x:?} {y:?} {z:?}"))?;
        for face in &body.faces {
            write!(out, "f")?;
            face.iter().try_for_each(|corner| write!(out, " {}", before + corner))?;
            writeln!(out)?;
        }
        before += body.vertices.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::{Cloth, Grid, Material};

    #[test]
    fn the_mesh_at_rest_has_a_texture_coordinate_a_corner_and_is_read_again() {
        let cloth = Cloth::new(Grid::new(3, 3, 0.5).unwrap(), Material::default(), &[]).unwrap();
        let x = cloth.grid().flat();
        let mut bytes = vec![];
        write_rest(&Look::of(&cloth.into()), &x, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("vt ")).count(), 9);
        assert!(text.contains("\nf 1/1 2/2 5/3 4/4\n"), "{text}");
        let read = crate::read_obj(&text, 1.0).expect("an OBJ file");
        assert_eq!((read.mesh.particle_count(), read.mesh.triangles().len()), (9, 8));
    }

    #[test]
    fn solids_count_their_vertices_on() {
        let body = Body { vertices: vec![[0.0; 3]; 3], faces: vec![vec![0, 1, 2]] };
        let mut bytes = vec![];
        write_solids(&[body.clone(), body], &mut bytes).unwrap();
        assert!(String::from_utf8(bytes).unwrap().ends_with("f 4 5 6\n"));
    }
}
