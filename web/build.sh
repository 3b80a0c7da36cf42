#!/usr/bin/env bash
# Builds the page into a folder for any static server: web/build.sh [FOLDER]. Default: target/page.
#
# The picture of link previews is exported by the program: that of FARSIGHT, or of a release build.
#
# wasm-opt of binaryen makes the module smaller, if it is installed.
#
# Uses the wasm32-unknown-unknown target of rustup if it can be installed, or else Debian's packages rustc-web,
# cargo-web, rust-web-src and lld, which also build the standard library.
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-target/page}
folder=${CARGO_TARGET_DIR:-target}
# The functions of the page are undefined symbols. All current browsers have simd128. Functions marked #[inline] are inlined up to
# three quarters of the usual size: the module is 1 % smaller.
flags=(-Clink-arg=--allow-undefined -Ctarget-feature=+simd128 -Cllvm-args=-inlinehint-threshold=240)
# Messages of panics name files of crates, without the folder of this machine that they are in.
for sources in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    flags+=("--remap-path-prefix=$sources=")
done
CARGO_ENCODED_RUSTFLAGS=$(printf '%s\x1f' "${flags[@]}")
export CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}

say() { printf '%s\n' "$*" >&2; }
has_target() { [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/wasm32-unknown-unknown" ]; }
# FARSIGHT_DEBIAN_RUST=1 selects Debian's Rust if both are there.
if [ -z "${FARSIGHT_DEBIAN_RUST:-}" ] && { has_target || rustup target add wasm32-unknown-unknown 2>/dev/null; }; then
    cargo=cargo
    rustc=rustc
    build=$folder/web-build
    std=()
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/wasm-ld ]; then
    say "building with Debian's Rust"
    cargo=/usr/bin/cargo
    rustc=/usr/bin/rustc
    build=$folder/web-build-debian # two compilers cannot share a folder
    std=(-Zbuild-std=std,panic_abort)
    export RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld
else
    say "this machine cannot build for the web: run rustup target add wasm32-unknown-unknown"
    say "or, on Debian, apt-get install rustc-web cargo-web rust-web-src lld"
    exit 1
fi
tree=(tree --locked --target wasm32-unknown-unknown -p farsight-app -i wasm-bindgen)
if "$cargo" "${tree[@]}" 2>/dev/null | grep -q .; then
    say "a dependency needs wasm-bindgen, so the module would not load:"
    "$cargo" "${tree[@]}" >&2
    exit 1
fi

# Prints the folder of a crate, in the version that is built.
folder_of() {
    "$cargo" metadata --locked --format-version 1 --filter-platform wasm32-unknown-unknown |
        grep -o '"manifest_path":"[^"]*/'"$1"'-[0-9][^"/]*/Cargo.toml"' | head -n 1 | cut -d '"' -f 4 | xargs dirname
}

# Emoji, which the page does not show, and a monospaced font for two lines would be nearly half of the module. The page
# is built with a single font, without the tables that it does not read.
mkdir -p "$build"
fonts=$(cd "$build" && pwd)/epaint_default_fonts
rm -rf "$fonts.new"
cp -r "$(folder_of epaint_default_fonts)" "$fonts.new"
chmod -R u+w "$fonts.new"
"$rustc" --edition 2024 -O web/slim_font.rs -o "$build/slim_font"
"$build/slim_font" <"$fonts.new/fonts/Ubuntu-Light.ttf" >"$fonts.new/fonts/Slim.ttf"
mv "$fonts.new/fonts/Slim.ttf" "$fonts.new/fonts/Ubuntu-Light.ttf"
sed -i 's/\(NotoEmoji-Regular\|emoji-icon-font\|Hack-Regular\).ttf/Ubuntu-Light.ttf/' "$fonts.new/src/lib.rs"
# Unchanged fonts keep their time, so that cargo does not build them again.
diff -rq "$fonts" "$fonts.new" >/dev/null 2>&1 || { rm -rf "$fonts"; cp -r "$fonts.new" "$fonts"; }
rm -rf "$fonts.new"

"$cargo" --config "paths = [\"$fonts\"]" rustc --locked --profile web -p farsight-app --bin farsight \
    --target wasm32-unknown-unknown --target-dir "$build" "${std[@]}" -- -Clink-arg=--strip-all

mkdir -p "$page"
cp web/style.css web/farsight.js web/worker.js "$page"
cp "$(folder_of miniquad)/js/gl.js" "$(folder_of sapp-jsutils)/js/sapp_jsutils.js" "$(folder_of quad-url)/js/quad-url.js" \
    "$page"
# wasm-opt makes the module a tenth smaller, the blocks of its functions made anew. It changes no value. No data is in the first KB of memory: the stack ends there.
if command -v wasm-opt >/dev/null; then
    wasm-opt --flatten --rereloop -Oz -Oz -Oz --low-memory-unused --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
        --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue \
        "$build/wasm32-unknown-unknown/web/farsight.wasm" -o "$page/farsight.wasm"
else
    say "wasm-opt is not here (Debian's package binaryen), so the module is a tenth larger"
    cp "$build/wasm32-unknown-unknown/web/farsight.wasm" "$page"
fi
bytes=$(wc -c <"$page/farsight.wasm")
program=${FARSIGHT:-$folder/release/farsight}
[ -x "$program" ] || env -u CARGO_ENCODED_RUSTFLAGS -u RUSTC -u RUSTC_BOOTSTRAP cargo build --locked --release
# Where the page starts. It would find the same cell itself, but only once the whole world is made.
start=$("$program" export -q --json -o "$page/preview.png" |
    sed -E 's/.*"preset":"([^"]*)".*"viewer":\[([0-9]*,[0-9]*)\].*/preset=\1\&at=\2/')
# Link previews show this picture. Many of them need its whole address: FARSIGHT_PAGE_URL=https://example.org/view/
url=${FARSIGHT_PAGE_URL:-}
sed -e "s/MODULE_BYTES/$bytes/" -e "s|PAGE_URL|${url:+${url%/}/}|" -e "s/START_QUERY/${start/&/\\&amp;}/" \
    web/index.html >"$page/index.html"
"$program" export -q --size 240x126 --seed 3 --crop map --scale 5 --set paint.legend=false \
    --set perception.creatures=0 -o "$page/preview.png"
say "$page: module of $bytes bytes, $(gzip -9 -c "$page/farsight.wasm" | wc -c) compressed"
