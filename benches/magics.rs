//! The work of a build: finding the magics of all squares, and everything that is generated and
//! proven with them.
//!
//! A bench is optimised, and a dependant's build script is not: for the time of a build at
//! opt-level 0 run
//!
//! ```text
//! CARGO_PROFILE_BENCH_OPT_LEVEL=0 cargo bench --bench magics
//! ```

use criterion::{criterion_group, criterion_main, Criterion};
use kirin_generator::{generate, magic, Layout, Settings};
use std::hint::black_box;

/// From one seed after the other, since one may be luckier than the next.
fn search(c: &mut Criterion) {
    let mut seed = 0;
    c.bench_function("magics/search", |b| {
        b.iter(|| {
            seed += 1;
            magic::find_all(black_box(seed)).expect("every seed has its magics")
        });
    });
}

fn tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("tables");
    group.sample_size(20);
    for layout in Layout::ALL {
        let settings = Settings::parse("", layout.name()).expect("a layout's own name");
        group.bench_function(format!("generate and prove/{}", layout.name()), |b| {
            b.iter(|| generate(black_box(&settings)).expect("the tables are proven"));
        });
        let tables = generate(&settings).expect("the tables are proven");
        group.bench_function(format!("write/{}", layout.name()), |b| {
            b.iter(|| black_box(&tables).to_rust());
        });
    }
    group.finish();
}

criterion_group!(benches, search, tables);
criterion_main!(benches);
