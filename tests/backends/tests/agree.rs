//! All layouts and backends answer as a walk along the rays does.

use kirin_backends::{every_subset_of_the_full_rays, for_each, random_boards, Sliders, Visitor};

/// Collects what there is, and checks it.
#[derive(Default)]
struct Check {
    names: Vec<&'static str>,
}

impl Visitor for Check {
    fn visit<S: Sliders>(&mut self) {
        let subsets = every_subset_of_the_full_rays::<S>().expect("agrees on every subset");
        // Rooks see 14 squares from everywhere; bishops 7 from 28 squares, 9 from 20, 11 from 12
        // and 13 from 4.
        let bishops = 28 * (1 << 7) + 20 * (1 << 9) + 12 * (1 << 11) + 4 * (1 << 13);
        assert_eq!(subsets, 3 * (64 * (1 << 14) + bishops), "{}", S::NAME);
        assert_eq!(random_boards::<S>(1_000_000), Ok(3_000_000));
        self.names.push(S::NAME);
    }
}

#[test]
fn all_agree_with_the_walk() {
    let mut check = Check::default();
    for_each(&mut check);
    let mut expected = vec!["plain", "fancy", "overlapped", "folded", "compact", "tiny"];
    if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
        expected.push("avx2");
    }
    if cfg!(all(target_arch = "x86_64", target_feature = "bmi2")) {
        expected.extend(["pext", "pext16"]);
    }
    expected.push("rbit");
    assert_eq!(check.names, expected);
}

/// A wrong answer is found and told: the check is checked.
#[test]
fn a_wrong_answer_is_told() {
    struct Wrong;
    impl Sliders for Wrong {
        const NAME: &'static str = "wrong";
        const ENTRIES: usize = 0;
        const BYTES: usize = 0;
        fn bishop(_: usize, _: u64) -> u64 {
            0
        }
        fn rook(_: usize, _: u64) -> u64 {
            0
        }
        fn queen(_: usize, _: u64) -> u64 {
            0
        }
    }
    let error = every_subset_of_the_full_rays::<Wrong>().expect_err("nothing is right");
    assert_eq!(
        (error.name, error.piece, error.square),
        ("wrong", "bishop", 0)
    );
    assert_eq!(error.expected, 0x8040_2010_0804_0200);
    assert!(random_boards::<Wrong>(1).is_err());
}
