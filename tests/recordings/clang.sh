needs clang clang++ ld
version "clang $(clang -dumpversion)"
use c_compiler
c_sources
c_failures clang clang++
record clang -fno-exceptionz -c ok.c
record clang --versionn
record clang -target nowhere -c ok.c
record clang -fsyntax-only syntax.c
record clang -fuse-ld=gold -fuse-ld=frob ok.c
if command -v ld.lld >/dev/null; then
  record clang -fuse-ld=lld -o libs ok.c -lno_such_library
  record clang -fuse-ld=lld -o link link.c
fi
printf '#pragma clang __debug crash\n' >crash.c
record clang -fno-crash-diagnostics -c crash.c
