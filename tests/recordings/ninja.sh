needs ninja gcc
version "ninja $(ninja --version)"
top="$PWD"

# folder NAME: a folder with a build.ninja from standard input
folder() { mkdir -p "$top/$1" && cd "$top/$1" && cat >build.ninja; }

mkdir empty && (cd empty && record ninja)
record ninja -C nowhere
record ninja -f nowhere.ninja
record ninja --frobnicate
record ninja -j many
record ninja -j
record ninja -t frobnicate
record ninja -t
record ninja -d frobnicate
record ninja -w frobnicate=err
record ninja --version
record ninja -h

rules='rule cc
  command = gcc -c $in -o $out
  description = CC $out
rule link
  command = gcc $in $libs -o $out
rule run
  command = $cmd
'
folder good <<NINJA
$rules
build main.o: cc main.c
build demo: link main.o
build all: phony demo
default demo
NINJA
echo 'int main(void) { return 0; }' >main.c
record ninja -n
record ninja
record ninja
record ninja -t targets all
record ninja -t query demo
record ninja -t compdb
record ninja nosuch
record ninja demmo
record ninja main.c^
record ninja -t clean
rm main.c
record ninja
echo 'int main(void) { return x; }' >main.c
record ninja
echo '#include <nosuch/thing.h>' >main.c
record ninja
echo 'int f(void); int main(void) { return f(); }' >main.c
record ninja

folder library <<NINJA
$rules
build main.o: cc main.c
build demo: link main.o
  libs = -lnosuchlib
NINJA
echo 'int main(void) { return 0; }' >main.c
record ninja

folder commands <<NINJA
$rules
build missing: run
  cmd = nosuch-program --all
build script: run
  cmd = ./locked.sh
build silent: run
  cmd = false
build seven: run
  cmd = exit 7
build killed: run
  cmd = sh -c 'kill -9 \$\$\$\$'
build crashed: run
  cmd = sh -c 'kill -11 \$\$\$\$'
build stopped: run
  cmd = sh -c 'kill -2 \$\$\$\$'
build test: run
  cmd = python3 -m unittest test_demo
build denied: run
  cmd = cat /proc/1/environ-nothing secret.txt
NINJA
touch locked.sh
printf 'import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(1, 2)\n' >test_demo.py
for target in missing script silent seven killed crashed stopped test denied; do record ninja $target; done
record ninja -k 0 silent seven

folder several <<NINJA
$rules
build bad.o: cc bad.c
build good.o: cc good.c
build bad: link bad.o
build good: link good.o
NINJA
echo 'int main(void) { return x; }' >bad.c; echo 'int main(void) { return 0; }' >good.c
record ninja -j1 -k 0
record ninja -k0 bad

# The file itself
folder colon <<'NINJA'
rule cc
  command = gcc
build main.o cc main.c
NINJA
record ninja
folder unknown-rule <<'NINJA'
build main.o: nosuchrule main.c
NINJA
record ninja
folder twice <<NINJA
$rules
build main.o: cc main.c
build main.o: cc other.c
NINJA
record ninja
folder cycle <<NINJA
$rules
build a: cc b
build b: cc a
build all: phony a
default all
NINJA
record ninja
folder include <<'NINJA'
include nowhere.ninja
NINJA
record ninja
folder version <<'NINJA'
ninja_required_version = 99.0
NINJA
record ninja
folder tabs <<'NINJA'
rule cc
	command = gcc
NINJA
record ninja
folder default <<'NINJA'
default nosuch
NINJA
record ninja
folder pool <<'NINJA'
rule cc
  command = gcc
  pool = nosuchpool
build a: cc
NINJA
record ninja
folder nothing <<'NINJA'
NINJA
record ninja
folder loop <<'NINJA'
rule gen
  command = sleep 0
  generator = 1
build build.ninja: gen always
build always: phony
NINJA
record ninja

# Rights and room
mkdir "$top/bin"
cat >"$top/bin/ninja" <<SH
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$(command -v ninja)" "\$@"
SH
chmod +x "$top/bin/ninja"
chmod 755 "$RECORD_WORLD/.." "$top"
folder rights <<NINJA
$rules
build out/main.o: cc main.c
NINJA
echo 'int main(void) { return 0; }' >main.c
chmod 755 .
(PATH="$top/bin:$PATH" && record ninja)
chmod 600 build.ninja
(PATH="$top/bin:$PATH" && record ninja)
mkdir "$top/full" && mount -t tmpfs -o size=16k tmpfs "$top/full" && {
  cp "$top/good/build.ninja" "$top/full"
  echo 'int main(void) { return 0; }' >"$top/full/main.c"
  head -c 100000 /dev/zero >"$top/full/filler" 2>/dev/null
  (cd "$top/full" && record ninja)
  umount "$top/full"
}
mkdir "$top/frozen" && cp "$top/rights/"* "$top/frozen" && mount --bind "$top/frozen" "$top/frozen" && mount -o remount,ro,bind "$top/frozen" && {
  (cd "$top/frozen" && record ninja)
  umount "$top/frozen"
}

# A project that is configured again by the build
if command -v cmake >/dev/null; then
  mkdir "$top/again" && cd "$top/again" && echo 'int main(void) { return 0; }' >main.c
  printf 'cmake_minimum_required(VERSION 3.10)\nproject(demo C)\nadd_executable(demo main.c)\ninstall(TARGETS demo DESTINATION bin)\n' >CMakeLists.txt
  cmake -S . -B build -G Ninja >/dev/null
  echo 'find_package(NoSuchThing REQUIRED)' >>CMakeLists.txt
  record ninja -C build
fi
