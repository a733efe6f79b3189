//! The clock of a game whose time is counted in nodes (`nodestime`). What the GUI's clock says is
//! believed at the first move; from then on the nodes that were visited are what was spent, so
//! a game takes the same course however fast the machine is.

use kirin::search::{Clock, Limits};

/// The time that a game has left, in nodes.
#[derive(Debug)]
pub struct NodeBank {
    account: Option<Account>,
}

#[derive(Debug)]
struct Account {
    /// May be overdrawn.
    nodes: i64,
    /// What the clock said at first, in nodes: added again when a new period of moves begins.
    first: i64,
    moves_to_go: Option<u32>,
    rate: i64,
}

impl NodeBank {
    /// A bank that knows of no game.
    pub const fn new() -> NodeBank {
        NodeBank { account: None }
    }

    /// The limits of the next search, with the clock that the bank keeps in place of the GUI's.
    pub fn limits(&mut self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        let rate = i64::from(limits.nodes_per_ms);
        let Some(clock) = limits.clock.filter(|_| rate > 0) else {
            return limits;
        };
        if self
            .account
            .as_ref()
            .is_some_and(|account| account.rate != rate)
        {
            self.close();
        }
        let account = self.account.get_or_insert_with(|| {
            let nodes = clock.time_ms.saturating_mul(rate);
            Account {
                nodes,
                first: nodes,
                moves_to_go: limits.moves_to_go,
                rate,
            }
        });
        // Fewer moves were to go before than now.
        if account.moves_to_go < limits.moves_to_go {
            account.nodes = account.nodes.saturating_add(account.first);
        }
        account.moves_to_go = limits.moves_to_go;
        limits.clock = Some(Clock {
            time_ms: account.nodes / rate,
            ..clock
        });
        limits
    }

    /// Takes off what a search with these limits has visited, and adds its increment.
    pub fn spend(&mut self, limits: &Limits, nodes: u64) {
        let (Some(account), Some(clock)) = (&mut self.account, limits.clock) else {
            return;
        };
        if limits.nodes_per_ms > 0 {
            let added = clock.increment_ms.saturating_mul(account.rate);
            let spent = i64::try_from(nodes).unwrap_or(i64::MAX);
            account.nodes = account.nodes.saturating_add(added).saturating_sub(spent);
        }
    }

    /// Forgets the game.
    pub fn close(&mut self) {
        self.account = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time_ms: i64, increment_ms: i64, moves_to_go: Option<u32>, rate: u32) -> Limits {
        Limits {
            clock: Some(Clock {
                time_ms,
                increment_ms,
            }),
            moves_to_go,
            nodes_per_ms: rate,
            ..Limits::default()
        }
    }

    fn time_ms(limits: &Limits) -> i64 {
        limits.clock.expect("a clock").time_ms
    }

    #[test]
    fn the_clock_is_believed_once() {
        let mut bank = NodeBank::new();
        let first = bank.limits(&limits(1_000, 10, None, 50));
        assert_eq!(time_ms(&first), 1_000);
        bank.spend(&first, 5_000);
        let second = bank.limits(&limits(3, 10, None, 50));
        assert_eq!(time_ms(&second), 1_000 - 100 + 10);
        bank.spend(&second, u64::MAX);
        assert!(time_ms(&bank.limits(&limits(3, 10, None, 50))) < 0);
        bank.close();
        assert_eq!(time_ms(&bank.limits(&limits(3, 10, None, 50))), 3);
        // Another rate is another game.
        assert_eq!(time_ms(&bank.limits(&limits(7, 10, None, 51))), 7);
    }

    #[test]
    fn a_new_period_brings_its_time() {
        let mut bank = NodeBank::new();
        for (moves_to_go, expected) in [(2, 1_000), (1, 900), (2, 1_800), (1, 1_700)] {
            let limits = bank.limits(&limits(1_000, 0, Some(moves_to_go), 1));
            assert_eq!(time_ms(&limits), expected);
            bank.spend(&limits, 100);
        }
    }

    #[test]
    fn without_a_rate_or_a_clock_nothing_changes() {
        let mut bank = NodeBank::new();
        assert_eq!(time_ms(&bank.limits(&limits(5, 0, None, 0))), 5);
        let unlimited = Limits {
            nodes_per_ms: 9,
            ..Limits::default()
        };
        assert!(bank.limits(&unlimited).clock.is_none());
        bank.spend(&unlimited, 100);
        assert!(bank.account.is_none());
    }

    #[test]
    fn extreme_clocks_are_no_overflow() {
        let mut bank = NodeBank::new();
        let wild = limits(i64::MAX, i64::MAX, None, u32::MAX);
        let wild = bank.limits(&wild);
        bank.spend(&wild, u64::MAX);
        bank.spend(&wild, 0);
        let _ = bank.limits(&limits(i64::MIN, i64::MIN, Some(3), u32::MAX));
    }
}
