use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::Schedule;

/// What is done with the items of a round, and of which group they are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Round {
    /// Directions and factors of the parts are taken anew.
    Aim(usize),
    /// Parts are solved.
    Correct(usize),
    /// What is left to be corrected is measured.
    Measure(usize),
}

/// Threads that do the items of one round after the other, led by one of them, which waits for the others after each.
///
/// A round takes some microseconds: too little to wake a thread for, so they turn in circles until the next one begins. Each takes
/// a share of the items at once, since a word that two threads write costs up to a microsecond. Who comes late, or not at all
/// since the thread has other work, is not waited for: the leader does what nobody has taken.
pub(super) struct Team<'a> {
    work: &'a (dyn Fn(Round, Range<usize>) + Sync),
    /// Threads, and so shares of a round.
    shares: usize,
    /// The round and what is left of it, see [`Left`].
    left: Apart<AtomicU64>,
    /// Shares of the round that have been done by others than the leader.
    done: Apart<AtomicUsize>,
}

/// A word that has its cache lines to itself.
#[repr(align(128))]
struct Apart<T>(T);

/// A round in a word, which counts up as its shares are taken.
#[derive(Clone, Copy)]
struct Left {
    /// None when all rounds are over.
    round: Option<Round>,
    items: usize,
    /// The first share that nobody has taken.
    next: usize,
}

/// Shares are as many as threads; those that come too late count on behind them, each once a round.
const SHARE_BITS: u32 = 20;
const ITEM_BITS: u32 = 24;
const GROUP_BITS: u32 = 18;
const OVER: u64 = u64::MAX << (SHARE_BITS + ITEM_BITS);

/// How often a thread looks for the next round before it lets others of the machine go first: some tens of microseconds.
const LOOKS: u32 = 1000;

impl<'a> Team<'a> {
    /// Lets `lead` call for rounds of `work`, which threads of rayon share if the schedule says so.
    pub fn gather<R: Send>(
        schedule: Schedule,
        work: &'a (dyn Fn(Round, Range<usize>) + Sync),
        lead: impl FnOnce(&Team<'a>) -> R + Send,
    ) -> R {
        let shares = if schedule == Schedule::Threaded { rayon::current_num_threads() } else { 1 };
        let nothing = Left { round: Some(Round::Aim(0)), items: 0, next: 1 };
        let left = AtomicU64::new(nothing.packed().unwrap_or(OVER));
        let team = &Team { work, shares, left: Apart(left), done: Apart(AtomicUsize::new(0)) };
        if shares == 1 {
            return lead(team);
        }
        rayon::scope(|scope| {
            (1..shares).for_each(|_| scope.spawn(|_| team.follow()));
            let _over = Over(&team.left.0);
            lead(team)
        })
    }

    /// Does a round of so many items.
    pub fn each(&self, round: Round, items: usize) {
        let left = Left { round: Some(round), items, next: 1 }.packed();
        let shared = left.filter(|_| self.share(items, 0).len() < items);
        let Some(left) = shared else {
            return (self.work)(round, 0..items);
        };
        self.done.0.store(0, Ordering::Relaxed);
        self.left.0.store(left, Ordering::Release);
        (self.work)(round, self.share(items, 0));
        let mut own = 1;
        while let Some((round, items)) = self.take() {
            (self.work)(round, items);
            own += 1;
        }
        let mut wait = Wait(0);
        while own + self.done.0.load(Ordering::Acquire) < self.shares {
            wait.a_while();
        }
    }

    /// Does what is there until all is over.
    fn follow(&self) {
        let mut wait = Wait(0);
        while Left::unpacked(self.left.0.load(Ordering::Acquire)).round.is_some() {
            if let Some((round, items)) = self.take() {
                let _done = Done(&self.done.0);
                (self.work)(round, items);
                wait = Wait(0);
            } else {
                wait.a_while();
            }
        }
    }

    /// Takes the next share, if there is one. The round cannot end before it is done.
    fn take(&self) -> Option<(Round, Range<usize>)> {
        let is_there = |left: &Left| left.items > 0 && left.next < self.shares;
        Some(Left::unpacked(self.left.0.load(Ordering::Acquire))).filter(is_there)?; // to look costs less than to write
        let left = Some(Left::unpacked(self.left.0.fetch_add(1, Ordering::AcqRel))).filter(is_there)?;
        Some((left.round?, self.share(left.items, left.next)))
    }

    /// The items of a share: as many for each, fewer for the last ones.
    fn share(&self, items: usize, number: usize) -> Range<usize> {
        let most = items.div_ceil(self.shares);
        (number * most).min(items)..((number + 1) * most).min(items)
    }
}

impl Left {
    /// None where it does not fit.
    fn packed(self) -> Option<u64> {
        let (kind, group) = match self.round? {
            Round::Aim(group) => (0, group as u64),
            Round::Correct(group) => (1, group as u64),
            Round::Measure(group) => (2, group as u64),
        };
        let (items, next) = (self.items as u64, self.next as u64);
        let fits = group >> GROUP_BITS == 0 && items >> ITEM_BITS == 0;
        fits.then_some(((kind << GROUP_BITS | group) << ITEM_BITS | items) << SHARE_BITS | next)
    }

    fn unpacked(word: u64) -> Left {
        let bits = |from: u32, count: u32| (word >> from & ((1 << count) - 1)) as usize;
        let group = bits(SHARE_BITS + ITEM_BITS, GROUP_BITS);
        let round = match bits(SHARE_BITS + ITEM_BITS + GROUP_BITS, 2) {
            0 => Some(Round::Aim(group)),
            1 => Some(Round::Correct(group)),
            2 => Some(Round::Measure(group)),
            _ => None,
        };
        Left { round, items: bits(SHARE_BITS, ITEM_BITS), next: bits(0, SHARE_BITS) }
    }
}

/// Counts a share as done, though its work should panic.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Lets all threads go, though the leader should panic.
struct Over<'a>(&'a AtomicU64);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(OVER, Ordering::Release);
    }
}

/// A thread that waits, and how often it has looked.
struct Wait(u32);

impl Wait {
    fn a_while(&mut self) {
        if self.0 < LOOKS {
            self.0 += 1;
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn every_item_of_every_round_is_done_once_and_rounds_do_not_overlap() {
        for schedule in [Schedule::Serial, Schedule::Threaded] {
            let counts: Vec<AtomicUsize> = (0..7).map(|_| AtomicUsize::new(0)).collect();
            let work = |round: Round, items: Range<usize>| {
                let (Round::Aim(number) | Round::Correct(number) | Round::Measure(number)) = round;
                items.for_each(|item| assert_eq!(counts[item].fetch_add(1, Ordering::SeqCst), number, "{schedule:?}"));
            };
            Team::gather(schedule, &work, |team| {
                let kinds = [Round::Aim, Round::Correct, Round::Measure];
                for number in 0..999 {
                    team.each(kinds[number % 3](number), counts.len());
                    assert!(counts.iter().all(|count| count.load(Ordering::SeqCst) == number + 1), "{schedule:?}");
                    team.each(kinds[number % 3](number), 0);
                }
            });
        }
    }

    #[test]
    fn two_threads_share_three_items() {
        let under_way = AtomicUsize::new(0);
        // Each share waits for a second one, which comes only where another thread has taken it.
        let meet = |_: Round, _: Range<usize>| {
            under_way.fetch_add(1, Ordering::SeqCst);
            let start = Instant::now();
            while under_way.load(Ordering::SeqCst) < 2 {
                assert!(start.elapsed() < Duration::from_secs(20), "nobody came");
                std::thread::yield_now();
            }
        };
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        two.install(|| Team::gather(Schedule::Threaded, &meet, |team| team.each(Round::Correct(0), 3)));
        assert_eq!(under_way.into_inner(), 2);
    }

    #[test]
    fn a_leader_whom_nobody_follows_does_all_alone() {
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let [items, is_busy, is_over] = [(); 3].map(|()| AtomicUsize::new(0));
        let work = |_: Round, share: Range<usize>| _ = items.fetch_add(share.len(), Ordering::SeqCst);
        let until = |flag: &AtomicUsize| {
            while flag.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
        };
        two.scope(|scope| {
            scope.spawn(|_| {
                is_busy.store(1, Ordering::SeqCst); // the other thread, until the team has done its work
                until(&is_over);
            });
            until(&is_busy);
            Team::gather(Schedule::Threaded, &work, |team| (0..10).for_each(|group| team.each(Round::Aim(group), 10)));
            is_over.store(1, Ordering::SeqCst);
        });
        assert_eq!(items.into_inner(), 100);
    }

    #[test]
    #[should_panic(expected = "an item")]
    fn a_panic_holds_nobody_up() {
        let work = |_: Round, items: Range<usize>| assert!(!items.contains(&5) && !items.contains(&95), "an item");
        Team::gather(Schedule::Threaded, &work, |team| team.each(Round::Measure(3), 100));
    }

    #[test]
    fn a_round_that_does_not_fit_a_word_is_done_by_the_leader() {
        let largest = (1 << ITEM_BITS) - 1;
        for (round, items, fits) in [
            (Round::Measure((1 << GROUP_BITS) - 1), largest, true),
            (Round::Measure(1 << GROUP_BITS), 1, false),
            (Round::Aim(0), largest + 1, false),
        ] {
            let word = Left { round: Some(round), items, next: 1 }.packed();
            assert_eq!(word.is_some(), fits, "{round:?} {items}");
            for (word, taken) in word.into_iter().flat_map(|word| [0, 1, 7].map(|taken| (word + taken, taken as usize))) {
                let left = Left::unpacked(word);
                assert_eq!((left.round, left.items, left.next), (Some(round), items, 1 + taken));
            }
        }
        assert!([OVER, OVER + 1].iter().all(|word| Left::unpacked(*word).round.is_none()));
        let (done, round) = (AtomicUsize::new(0), Round::Correct(1 << GROUP_BITS));
        let work = |_: Round, items: Range<usize>| _ = done.fetch_add(items.len(), Ordering::SeqCst);
        Team::gather(Schedule::Threaded, &work, |team| team.each(round, 9));
        assert_eq!(done.into_inner(), 9);
    }
}
