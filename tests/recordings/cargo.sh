# rustup's cargo finds its toolchains in the home of the user, which is another one here.
needs cargo rustc git
home=$(getent passwd "$(id -u)" | cut -d: -f6)
[ -d "$home/.rustup" ] && export RUSTUP_HOME="${RUSTUP_HOME:-$home/.rustup}"
fixed "$home/" /home/user/
export CARGO_HOME="$RECORD_WORLD/home/.cargo" CARGO_NET_RETRY=0 CARGO_HTTP_TIMEOUT=5
export GIT_CONFIG_GLOBAL="$RECORD_WORLD/home/gitconfig"
git config --file "$GIT_CONFIG_GLOBAL" user.name world
git config --file "$GIT_CONFIG_GLOBAL" user.email world@example.org
git config --file "$GIT_CONFIG_GLOBAL" init.defaultBranch main
version "cargo $(cargo --version | sed 's/cargo \([0-9.]*\).*/\1/')"
unset RUST_BACKTRACE
http_server
chmod 755 "$RECORD_WORLD/.." # for the workers of nginx
root="$RECORD_WORLD/../http/root"

# A sparse registry with one crate in two versions, and one that needs a newer compiler.
package() { # NAME VERSION MORE-OF-THE-INDEX-LINE
  local name=$1 number=$2 more=$3 crate
  mkdir -p "$root/crates/$name-$number/src" "$root/index/${name:0:2}/${name:2:2}"
  printf '[package]\nname = "%s"\nversion = "%s"\nedition = "2018"\n' "$name" "$number" >"$root/crates/$name-$number/Cargo.toml"
  echo 'pub fn f() {}' >"$root/crates/$name-$number/src/lib.rs"
  crate="$root/crates/$name-$number.crate"
  tar -C "$root/crates" -czf "$crate" "$name-$number"
  printf '{"name":"%s","vers":"%s","deps":[%s],"cksum":"%s","features":{},"yanked":false}\n' \
    "$name" "$number" "$more" "${4:-$(sha256sum "$crate" | cut -d' ' -f1)}" >>"$root/index/${name:0:2}/${name:2:2}/$name"
}
mkdir -p "$root/index"
printf '{"dl":"%s/crates/{crate}-{version}.crate","api":"%s"}\n' "$HTTP" "$HTTP/api" >"$root/index/config.json"
package alpha 1.0.0
package alpha 2.0.0
package broken 1.0.0 '' 0000000000000000000000000000000000000000000000000000000000000000
needs_alpha() { printf '{"name":"alpha","req":"=%s","features":[],"optional":false,"default_features":true,"target":null,"kind":"normal"}' "$1"; }
package betas 1.0.0 "$(needs_alpha 1.0.0)"
package gamma 1.0.0 "$(needs_alpha 1.0.1)"
mkdir -p "$CARGO_HOME"
cat >"$CARGO_HOME/config.toml" <<CONF
[source.crates-io]
replace-with = "world"
[source.world]
registry = "sparse+$HTTP/index/"
[registries.world]
index = "sparse+$HTTP/index/"
[registries.closed]
index = "sparse+http://$CLOSED/index/"
[registries.silent]
index = "sparse+http://$SILENT/index/"
[registries.private]
index = "sparse+$HTTP/401/"
[registries.forbidden]
index = "sparse+$HTTP/403/"
[registries.busy]
index = "sparse+$HTTP/429/"
[registries.failing]
index = "sparse+$HTTP/503/"
[registries.untrusted]
index = "sparse+$HTTPS/index/"
[registries.nowhere]
index = "sparse+https://index.invalid/"
CONF

for status in 400 401 403 429 503; do
  mkdir -p "$root/index$status"
  printf '{"dl":"%s/crates","api":"%s/%s"}\n' "$HTTP" "$HTTP" "$status" >"$root/index$status/config.json"
  printf '[registries.api%s]\nindex = "sparse+%s/index%s/"\n' "$status" "$HTTP" "$status" >>"$CARGO_HOME/config.toml"
done

project() { # NAME: a folder with an empty program, and change into it
  cd "$RECORD_WORLD" && mkdir -p "$1/src" && cd "$1" || exit
  printf '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n' >Cargo.toml
  echo 'fn main() {}' >src/main.rs
}

mkdir empty && cd empty || exit
record cargo build
record cargo build --manifest-path nope/Cargo.toml

project good
record cargo bulid
record cargo foobarbaz
record cargo nextest run
record cargo build --relase
record cargo build --zzz
record cargo build --features nope
record cargo build --bin nope
record cargo build --bin demmo
record cargo build -p nope
record cargo build -p dmeo
record cargo build --profile nope
record cargo build --target nope-none
record cargo build --target wasm32-unknown-unknown
record cargo +nightly-1999-01-01 build
record cargo build -j x
record cargo build --quiet
record cargo run -q
record cargo run --example nope
record cargo test nothing-like-that
record cargo test --test nope
record cargo new "$RECORD_WORLD/good"
record cargo init
record cargo new 1abc
record cargo new fn
record cargo build -Zunstable-options
record cargo add nopecrate
record cargo add alpha@9
record cargo remove nope
record cargo install nopecrate
record cargo install alpha@9.9.9
record cargo install alpha
record cargo install
record cargo install --path nope
record cargo uninstall nope
record cargo search x --registry closed
record cargo login --registry world
record cargo metadata --format-version 1 --no-deps
record cargo tree
record cargo fmt -- --check
record cargo fix
printf 'fn main() {println!("x");}\n' >src/main.rs
record cargo fmt --check
record cargo clippy --fix
record cargo publish --registry world
for status in 400 401 403 429 503; do
  export "CARGO_REGISTRIES_API${status}_TOKEN=x"
  record cargo publish --allow-dirty --no-verify --registry "api$status"
done
git init -q . && git add -A && git commit -qm x
echo >>src/main.rs
record cargo package
record cargo fix
record cargo locate-project
record cargo pkgid

project type
echo 'fn main() { let x: i32 = "a"; }' >src/main.rs
record cargo build
record cargo check --message-format short
record cargo clippy
record cargo test
record cargo install --path .
project syntax
echo 'fn main() { let x = ; }' >src/main.rs
record cargo build
record cargo fmt
project crate
echo 'use serde::Serialize; fn main() {}' >src/main.rs
record cargo build
project feature
echo '#![feature(never_type)] fn main() {}' >src/main.rs
record cargo build
project denied
printf '#![deny(warnings)]\nfn main() { let x = 1; }\n' >src/main.rs
record cargo build
project lint
printf 'fn one() -> i32 { return 1; }\nfn main() { println!("{}", one()); }\n' >src/main.rs
record cargo clippy -- -D warnings
record cargo clippy
project panic
echo 'fn main() { panic!("boom"); }' >src/main.rs
record cargo run -q
echo 'fn main() { std::process::exit(3) }' >src/main.rs
record cargo run -q
echo 'fn main() { std::process::abort() }' >src/main.rs
record cargo run -q
project twobins
mkdir src/bin && cp src/main.rs src/bin/a.rs && mv src/main.rs src/bin/b.rs
record cargo run
project library
mv src/main.rs src/lib.rs && : >src/lib.rs
record cargo run
record cargo install --path .

project tests
cat >src/lib.rs <<'RUST'
/// ```
/// assert_eq!(demo::two(), 2);
/// ```
pub fn two() -> i32 { 2 }
#[cfg(test)]
mod tests {
    #[test]
    fn good() {}
    #[test]
    fn bad() { assert_eq!(super::two(), 3); }
}
RUST
rm src/main.rs
record cargo test
record cargo test --no-fail-fast
record cargo test -q good
sed -i 's/(), 3)/(), 2)/; s/two(), 2/two(), 4/' src/lib.rs
record cargo test --doc
printf '#[test]\nfn dies() { std::process::abort(); }\n' >src/lib.rs
record cargo test
printf '#[test]\nfn denied() { std::fs::read("/nope").unwrap(); }\n' >src/lib.rs
record cargo test

project manifest
echo '[package' >Cargo.toml
record cargo build
printf '[package]\nversion = "0.1.0"\n' >Cargo.toml
record cargo build
printf '[package]\nname = "demo"\nversion = "x"\n' >Cargo.toml
record cargo build
printf '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2099"\n' >Cargo.toml
record cargo build
printf '[package]\nname = "demo"\nversion = "0.1.0"\nrust-version = "99.0"\n' >Cargo.toml
record cargo build
printf '[package]\nname = "demo"\nversion = "0.1.0"\n[[bin]]\nname = "gone"\n' >Cargo.toml && rm src/main.rs
record cargo build
printf '[workspace]\nmembers = ["gone"]\n' >Cargo.toml
record cargo build
printf 'cargo-features = ["nope"]\n[package]\nname = "demo"\nversion = "0.1.0"\n' >Cargo.toml
record cargo build
mkdir -p outer/inner/src && cd outer && printf '[workspace]\nmembers = []\n' >Cargo.toml && cd inner && printf '[package]\nname = "demo"\nversion = "0.1.0"\n' >Cargo.toml && echo 'fn main() {}' >src/main.rs
record cargo build

dependency() { # NAME LINE
  project "$1"
  printf '[dependencies]\n%s\n' "$2" >>Cargo.toml
}
dependency absent 'nopecrate = "1"'
record cargo build
record cargo build --offline
dependency misspelt 'alhpa = "1"'
record cargo build
dependency too-new 'alpha = "9"'
record cargo build
dependency feature-gone 'alpha = { version = "1", features = ["nope"] }'
record cargo build
dependency contradiction $'alpha = "=2.0.0"\nbetas = "1"'
record cargo build
dependency contradiction2 $'alpha = "1"\ngamma = "1"'
record cargo build
dependency sum 'broken = "1"'
record cargo build
dependency path 'gone = { path = "../gone" }'
record cargo build
dependency git 'gone = { git = "file:///tmp/world/gone.git" }'
record cargo build
git init -q "$RECORD_WORLD/repo" && (cd "$RECORD_WORLD/repo" && cargo init -q --lib --name repo 2>/dev/null; git add -A; git commit -qm x)
dependency tag "repo = { git = \"file://$RECORD_WORLD/repo\", tag = \"v9\" }"
record cargo build
dependency branch "repo = { git = \"file://$RECORD_WORLD/repo\", branch = \"nope\" }"
record cargo build
dependency rev "repo = { git = \"file://$RECORD_WORLD/repo\", rev = \"abcdef1\" }"
record cargo build
dependency githost 'gone = { git = "https://git.invalid/x.git" }'
record cargo build
dependency gitauth "gone = { git = \"$HTTP/401/x.git\" }"
record cargo build
dependency gitgone "gone = { git = \"$HTTP/404/x.git\" }"
record cargo build
dependency lock 'alpha = "1"'
record cargo build --locked
record cargo build --offline
cargo generate-lockfile -q 2>/dev/null; sed -i 's/alpha = "1"/alpha = "2"/' Cargo.toml
record cargo build --locked
sed -i 's/^version = [34]$/version = 9/' Cargo.lock
record cargo build
echo '[[package' >Cargo.lock
record cargo build
for registry in closed silent private forbidden busy failing untrusted nowhere unheard-of; do
  dependency "reg-$registry" "alpha = { version = \"1\", registry = \"$registry\" }"
  record cargo build
done

project include
echo 'fn main() { println!("{}", include_str!("nope.txt")); }' >src/main.rs
record cargo build
project documented
mv src/main.rs src/lib.rs && printf '#![deny(rustdoc::broken_intra_doc_links)]\n//! [nope]\n' >src/lib.rs
record cargo doc
project linker
record env PATH="$(dirname "$(command -v cargo)")" cargo build
project library-missing
printf '#[link(name = "nopelib")] extern "C" { fn zzz(); }\nfn main() { unsafe { zzz() } }\n' >src/main.rs
record cargo build
printf 'extern "C" { fn zzz(); }\nfn main() { unsafe { zzz() } }\n' >src/main.rs
record cargo build
project script
echo 'fn main() { panic!("no luck"); }' >build.rs
record cargo build
echo 'fn main() { eprintln!("error: could not find system library '"'openssl'"' required by the '"'openssl-sys'"' crate"); std::process::exit(1) }' >build.rs
record cargo build
project readonly
mkdir target && mount -t tmpfs -o ro tmpfs target && { record cargo build; umount target; }
mount -t tmpfs -o size=64k tmpfs target && { record cargo build; umount target; }
project killed
printf '#!/bin/sh\n[ "$3" = - ] || [ "$2" = -vV ] || kill -9 $$\nexec "$@"\n' >wrapper && chmod +x wrapper
RUSTC_WRAPPER=$PWD/wrapper record cargo build
sed -i 's/kill -9/kill -11/' wrapper
RUSTC_WRAPPER=$PWD/wrapper record cargo build
mv "$root/crates/alpha-1.0.0/src/lib.rs" "$root/crates/alpha-1.0.0/src/main.rs" && echo 'fn main() {}' >"$root/crates/alpha-1.0.0/src/main.rs"
mkdir -p "$root/index/to/ol"
cp -r "$root/crates/alpha-1.0.0" "$root/crates/toolx-1.0.0" && sed -i s/alpha/toolx/ "$root/crates/toolx-1.0.0/Cargo.toml"
tar -C "$root/crates" -czf "$root/crates/toolx-1.0.0.crate" toolx-1.0.0
printf '{"name":"toolx","vers":"1.0.0","deps":[],"cksum":"%s","features":{},"yanked":false}\n' "$(sha256sum "$root/crates/toolx-1.0.0.crate" | cut -d' ' -f1)" >"$root/index/to/ol/toolx"
record cargo install toolx nopecrate
record cargo install nopecrate nopetool
