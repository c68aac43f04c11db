use std::collections::HashMap;
use std::io::{self, Write};

use super::{Body, Look, texture, write_line};
use crate::Model;

/// Writes cloth at rest as an OBJ mesh with texture coordinates: its vertices in the order of the particles, its faces as in
/// [`Look`].
///
/// # Errors
/// What `out` refuses.
pub fn write_rest(look: &Look, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "o cloth")?;
    model.rest().iter().try_for_each(|x| writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z))?;
    // corners of one particle mostly share their coordinates: each pair is written once
    let mut places = HashMap::new();
    let mut corners = vec![];
    for (corner, [u, v]) in look.faces.iter().zip(texture(model)) {
        let next = places.len() + 1;
        let place = *places.entry((*corner, u.to_bits(), v.to_bits())).or_insert(next);
        if place == next {
            writeln!(out, "vt {u:?} {v:?}")?;
        }
        corners.push((corner + 1, place));
    }
    for face in corners.chunks_exact(look.corners) {
        write_line("f", face.iter().map(|(corner, place)| format!("{corner}/{place}")), out)?;
    }
    Ok(())
}

/// Writes bodies as they are at time `t` \[s\] as OBJ, an object each.
///
/// # Errors
/// What `out` refuses.
pub fn write_solids(bodies: &[Body], t: f64, out: &mut dyn Write) -> io::Result<()> {
    let mut before = 1; // OBJ counts from 1, through all objects
    for (k, body) in bodies.iter().enumerate() {
        writeln!(out, "o solid_{k}")?;
        body.places(t).iter().try_for_each(|x| writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z))?;
        for face in &body.faces {
            write_line("f", face.iter().map(|corner| before + corner), out)?;
        }
        before += body.vertices.len() as u32;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::contact::RigidMotion;
    use cloth::{Cloth, Grid, Material, Vec3};

    #[test]
    fn the_mesh_at_rest_has_a_texture_coordinate_a_corner_and_is_read_again() {
        let cloth = Cloth::new(Grid::new(3, 3, 0.5).unwrap(), Material::default(), &[]).unwrap();
        let model = cloth.into();
        let mut bytes = vec![];
        write_rest(&Look::of(&model), &model, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("vt ")).count(), 9);
        assert!(text.contains("\nf 1/1 2/2 5/3 4/4\n"), "{text}");
        let read = crate::read_obj(&text, &crate::Reading::default()).expect("an OBJ file");
        assert_eq!((read.mesh.particle_count(), read.mesh.triangles().len()), (9, 8));
    }

    #[test]
    fn solids_count_their_vertices_on() {
        let motion = RigidMotion { velocity: 2.0 * Vec3::z(), ..RigidMotion::STILL };
        let body = Body { vertices: vec![[0.0; 3]; 3], faces: vec![vec![0, 1, 2]], shapes: None, motion };
        let mut bytes = vec![];
        write_solids(&[body.clone(), body], 0.25, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.ends_with("f 4 5 6\n") && text.matches("v 0.0 0.0 0.5\n").count() == 6, "{text}");
    }
}
