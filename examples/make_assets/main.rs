//! Writes the project's own models into `assets/`: `cargo run --example make_assets`. The result is the
//! same, byte for byte, on every run and every platform.

mod files;

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in files::all() {
        std::fs::write(folder.join(name), &bytes)?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
