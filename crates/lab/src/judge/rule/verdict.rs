//! Direction and size: two answers to a claim, and what is displayed of both.

use super::bound::Side;
use crate::judge::criterion::Answer;
use crate::judge::verdict::Verdict;

/// The two answers to a claim; none of what is not stated or not published.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Answers {
    /// The effect is there.
    pub direction: Option<Answer>,
    /// It is as large as published.
    pub size: Option<Answer>,
}

impl Answers {
    /// One of both.
    pub fn of(&mut self, side: Side) -> &mut Option<Answer> {
        match side {
            Side::Direction => &mut self.direction,
            Side::Size => &mut self.size,
        }
    }

    /// Direction in a word.
    pub fn direction_word(self) -> &'static str {
        match self.direction {
            Some(Answer::Yes) => "met",
            Some(Answer::No) => "not met",
            Some(Answer::Open) => "open",
            None => "none stated",
        }
    }

    /// Size in a word.
    pub fn size_word(self) -> &'static str {
        match self.size {
            Some(Answer::Yes) => "met",
            Some(Answer::No) => "missed",
            Some(Answer::Open) => "open",
            None => "none published",
        }
    }

    /// The verdict that both make.
    pub fn verdict(self) -> Verdict {
        match (self.direction, self.size) {
            (Some(Answer::No), _) | (None, Some(Answer::No)) => Verdict::NotReproduced,
            (Some(Answer::Yes) | None, Some(Answer::Yes)) => Verdict::Reproduced,
            (Some(Answer::Yes), Some(Answer::No)) => Verdict::DirectionOnly,
            (Some(Answer::Yes), Some(Answer::Open)) => Verdict::SizeOpen,
            (Some(Answer::Yes), None) => Verdict::DirectionMet,
            (Some(Answer::Open), Some(Answer::No)) => Verdict::SizeMissed,
            (Some(Answer::Open), _) | (None, Some(Answer::Open)) => Verdict::Open,
            (None, None) => Verdict::Described,
        }
    }
}

/// One answer of several, all of which have to be met.
pub fn all(answers: impl IntoIterator<Item = Option<Answer>>) -> Option<Answer> {
    answers.into_iter().flatten().reduce(Answer::and)
}

/// One answer of several, one of which is enough.
pub fn any(answers: impl IntoIterator<Item = Option<Answer>>) -> Option<Answer> {
    answers.into_iter().flatten().reduce(|one, other| match (one, other) {
        (Answer::Yes, _) | (_, Answer::Yes) => Answer::Yes,
        (Answer::No, Answer::No) => Answer::No,
        _ => Answer::Open,
    })
}

/// The answer that all agree on; open where they do not.
pub fn agreed(answers: impl IntoIterator<Item = Option<Answer>>) -> Option<Answer> {
    answers.into_iter().reduce(|one, other| if one == other { one } else { Some(Answer::Open) }).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_answers_make_a_verdict() {
        let said = |direction: Option<Answer>, size: Option<Answer>| Answers { direction, size }.verdict().to_string();
        let (yes, no, open) = (Some(Answer::Yes), Some(Answer::No), Some(Answer::Open));
        assert_eq!(said(yes, yes), "reproduced");
        assert_eq!(said(None, yes), "reproduced");
        assert_eq!(said(yes, no), "direction only");
        assert_eq!(said(yes, open), "direction met, size open");
        assert_eq!(said(yes, None), "direction met");
        assert_eq!([said(no, yes), said(no, None), said(None, no)], ["not reproduced"; 3].map(String::from));
        assert_eq!([said(open, None), said(open, open), said(None, open)], ["open"; 3].map(String::from));
        assert_eq!(said(open, no), "size missed, direction open");
    }

    #[test]
    fn answers_are_joined() {
        let (yes, no, open) = (Some(Answer::Yes), Some(Answer::No), Some(Answer::Open));
        assert_eq!([all([yes, None, open]), all([open, no]), all([None, yes]), all([])], [open, no, yes, None]);
        assert_eq!([any([no, None, open]), any([open, yes]), any([no, no]), any([None])], [open, yes, no, None]);
        assert_eq!([agreed([yes, yes]), agreed([yes, no]), agreed([None, yes]), agreed([None, None])], [yes, open, open, None]);
    }
}
