needs clang clang++ ld
version "clang $(clang -dumpversion)"
say() { printf '%s\n' "$2" >"$1"; }
say ok.c 'int main(void) { return 0; }'
say syntax.c 'int main(void) { return 0 }'
say undeclared.c 'int main(void) { return permission_denied; }'
say header.c '#include "no_such_header.h"
int main(void) { return 0; }'
say system.c '#include <no/such/system.h>'
say link.c 'int missing_function(void); int main(void) { return missing_function(); }'
say nomain.c 'int f(void) { return 1; }'
say warn.c 'int main(void) { int unused; return 0; }'
say error.c '#error "connection refused is not an option"'
say bad.cpp '#include <string>
int main() { std::string s = 5; return s.nope(); }'
say ok.cpp 'int main() {}'
say notanobject.o 'text'
record clang -o ok ok.c
record clang -c nope.c
record clang
record clang -c syntax.c
record clang -c undeclared.c
record clang -c header.c
record clang -c system.c
record clang -o link link.c
record clang -o nomain nomain.c
record clang -o libs ok.c -lno_such_library
record clang -Wall -Werror -c warn.c
record clang -Wall -c warn.c
record clang -c error.c
record clang --frobnicate ok.c
record clang -fno-such-thing -c ok.c
record clang -std=c99999 -c ok.c
record clang -march=nothing -c ok.c
record clang -fno-exceptionz -c ok.c
record clang --versionn
record clang -target nowhere -c ok.c
record clang -fsyntax-only syntax.c
record clang -o
record clang -c ok.c -o no/such/folder/ok.o
record clang -o ok notanobject.o
record clang -x frob ok.c
record clang -c ok.c syntax.c
record clang -o two ok.c ok.cpp
record clang -o dup ok.c ok.c
record clang -Werror=no-such-warning -c ok.c
record clang -fuse-ld=gold -fuse-ld=frob ok.c
record clang -B/no/such -no-such ok.c
record clang++ -c bad.cpp
record clang++ -std=c++11 -c nope.cpp
record clang -c syntax.c
record clang --version
record clang -dumpversion
mkdir folder
record clang folder
record clang -o folder ok.c
mkdir small && mount -t tmpfs -o size=4k tmpfs small
record clang -o small/ok ok.c
umount small
mkdir readonly && mount -t tmpfs -o ro tmpfs readonly
record clang -o readonly/ok ok.c
umount readonly
record clang -E -o /dev/full ok.c
if command -v ld.lld >/dev/null; then
  record clang -fuse-ld=lld -o libs ok.c -lno_such_library
  record clang -fuse-ld=lld -o link link.c
fi
printf '#pragma clang __debug crash\n' >crash.c
record clang -fno-crash-diagnostics -c crash.c
