#!/usr/bin/env bash
# Builds the page into a folder that any static server serves: web/build.sh [FOLDER], target/page without one.
#
# With the wasm32-unknown-unknown target of rustup where it is there or can be had; else with Debian's packages
# rustc-web, cargo-web, rust-web-src and lld, which build the standard library along.
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-target/page}
folder=${CARGO_TARGET_DIR:-target}
features=(--no-default-features --features explorer)
# The page's functions, which sapp-jsutils declares; and vectors of four, which all browsers of today have.
export RUSTFLAGS="-Clink-arg=--allow-undefined -Ctarget-feature=+simd128"

say() { printf '%s\n' "$*" >&2; }
has_target() { [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/wasm32-unknown-unknown" ]; }
# FARSIGHT_DEBIAN_RUST=1 asks for Debian's where both are there.
if [ -z "${FARSIGHT_DEBIAN_RUST:-}" ] && { has_target || rustup target add wasm32-unknown-unknown 2>/dev/null; }; then
    cargo=cargo
    build=$folder/web-build
    std=()
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/wasm-ld ]; then
    say "building with Debian's Rust"
    cargo=/usr/bin/cargo
    build=$folder/web-build-debian # two compilers do not share a folder
    std=(-Zbuild-std=std,panic_abort)
    export RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld
else
    say "no way to build for the web: rustup target add wasm32-unknown-unknown"
    say "or, on Debian: apt-get install rustc-web cargo-web rust-web-src lld"
    exit 1
fi
tree=(tree --locked --target wasm32-unknown-unknown "${features[@]}" -i wasm-bindgen)
if "$cargo" "${tree[@]}" 2>/dev/null | grep -q .; then
    say "something pulls in wasm-bindgen, and the module would not load:"
    "$cargo" "${tree[@]}" >&2
    exit 1
fi

# Where a crate lies, in the very version that is built.
folder_of() {
    "$cargo" metadata --locked --format-version 1 --filter-platform wasm32-unknown-unknown \
        "${features[@]}" |
        grep -o '"manifest_path":"[^"]*/'"$1"'-[0-9][^"/]*/Cargo.toml"' | head -n 1 | cut -d '"' -f 4 | xargs dirname
}

# Nearly half of what is sent would be emoji, which nothing here shows, and letters of equal width for two lines: the
# page's copy of the fonts has one font.
mkdir -p "$build"
fonts=$(cd "$build" && pwd)/epaint_default_fonts
rm -rf "$fonts.new"
cp -r "$(folder_of epaint_default_fonts)" "$fonts.new"
chmod -R u+w "$fonts.new"
sed -i 's/\(NotoEmoji-Regular\|emoji-icon-font\|Hack-Regular\).ttf/Ubuntu-Light.ttf/' "$fonts.new/src/lib.rs"
# What is the same stays untouched, and is not built again.
diff -rq "$fonts" "$fonts.new" >/dev/null 2>&1 || { rm -rf "$fonts"; cp -r "$fonts.new" "$fonts"; }
rm -rf "$fonts.new"

"$cargo" --config "paths = [\"$fonts\"]" rustc --locked --profile web "${features[@]}" --bin farsight \
    --target wasm32-unknown-unknown --target-dir "$build" "${std[@]}" -- -Clink-arg=--strip-all

mkdir -p "$page"
cp web/style.css web/farsight.js "$page"
cp "$(folder_of miniquad)/js/gl.js" "$(folder_of sapp-jsutils)/js/sapp_jsutils.js" "$(folder_of quad-url)/js/quad-url.js" \
    "$page"
cp "$build/wasm32-unknown-unknown/web/farsight.wasm" "$page"
bytes=$(wc -c <"$page/farsight.wasm")
sed "s/MODULE_BYTES/$bytes/" web/index.html >"$page/index.html"
say "$page: module of $bytes bytes, $(gzip -9 -c "$page/farsight.wasm" | wc -c) compressed"
