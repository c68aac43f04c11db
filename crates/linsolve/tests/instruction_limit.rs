//! The limit on instruction sets, which holds for a whole process: a test of its own, so that no other one runs beside it.

use linsolve::grid::{GridOperator, GridShape};
use linsolve::lanes::InstructionSet;

#[test]
fn nothing_wider_than_the_limit_is_chosen() {
    let widest = InstructionSet::best();
    assert_eq!(Some(widest), InstructionSet::supported().last());
    for set in InstructionSet::supported() {
        set.limit();
        assert_eq!(InstructionSet::best(), set);
        let operator = GridOperator::new(GridShape::new(3, 3), InstructionSet::best());
        assert_eq!(operator.instruction_set(), set);
    }
    widest.limit();
    assert_eq!(InstructionSet::best(), widest);
}
