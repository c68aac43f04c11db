//! What reading a mesh takes is what is told beforehand: counted by the allocator itself, thread by thread.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

use cloth::scene::{Surface, obj_memory, read_obj, write_obj};
use cloth::triangles::TriangleMesh;

/// The system's allocator, with a count of the bytes that each thread holds and the most that it held.
struct Counting;

thread_local! {
    // constant and without a destructor: reading it allocates nothing
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: every call is passed on to the system's allocator as it came; growth is a new piece beside the old one, as it may be.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64);
        count(-(layout.size() as i64));
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Most bytes that reading a text takes beside it.
fn measured(text: &str) -> f64 {
    let before = HELD.get();
    PEAK.set(before);
    drop(read_obj(text, 1.0).expect("a mesh"));
    (PEAK.get() - before) as f64
}

/// A sheet as this program writes it, whose coordinates have many digits.
fn written(side: usize) -> String {
    let sheet = TriangleMesh::regular(side, side, 1.0, 1.0).expect("a mesh");
    let mut bytes = vec![];
    write_obj(Surface::Triangles(&sheet), sheet.positions(), &mut bytes).expect("a vector");
    String::from_utf8(bytes).expect("text")
}

/// A sheet in as few bytes as can be: whole coordinates, no texture, faces of four corners.
fn terse(side: usize) -> String {
    let points = (0..side * side).map(|k| format!("v {} {} 0\n", k % side, k / side));
    let cells = (0..(side - 1) * (side - 1)).map(|k| k / (side - 1) * side + k % (side - 1) + 1);
    let faces = cells.map(|k| format!("f {k} {} {} {}\n", k + 1, k + side + 1, k + side));
    points.chain(faces).collect()
}

/// Triangles without a neighbour.
fn apart(count: usize) -> String {
    (0..count).map(|k| format!("v {k} 0 0\nv {k} 1 0\nv {k} 0 1\nf -3 -2 -1\n")).collect()
}

#[test]
fn reading_takes_what_is_told_beforehand() {
    for text in [written(60), written(300), terse(60), terse(300), apart(3000), apart(50_000)] {
        let (peak, told) = (measured(&text), obj_memory(&text) as f64);
        eprintln!("{} bytes of text: {peak} at most, {told} told", text.len());
        assert!((1.0..2.0).contains(&(told / peak)), "{peak} bytes, and {told} were told");
    }
}
