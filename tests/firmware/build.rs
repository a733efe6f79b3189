//! Shows the linker where its script lies.

fn main() {
    println!("cargo::rerun-if-changed=firmware.ld");
    println!("cargo::rustc-link-search={}", env!("CARGO_MANIFEST_DIR"));
}
