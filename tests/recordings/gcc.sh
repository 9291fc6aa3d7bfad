needs gcc g++ cc
version "gcc $(gcc -dumpfullversion)"
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
record gcc -o ok ok.c
record gcc -c nope.c
record gcc
record gcc -c syntax.c
record gcc -c undeclared.c
record gcc -c header.c
record gcc -c system.c
record gcc -o link link.c
record gcc -o nomain nomain.c
record gcc -o libs ok.c -lno_such_library
record gcc -Wall -Werror -c warn.c
record gcc -Wall -c warn.c
record gcc -c error.c
record gcc --frobnicate ok.c
record gcc -fno-such-thing -c ok.c
record gcc -std=c99999 -c ok.c
record gcc -march=nothing -c ok.c
record gcc -o
record gcc -c ok.c -o no/such/folder/ok.o
record gcc -o ok notanobject.o
record gcc -x frob ok.c
record gcc -c ok.c syntax.c
record gcc -o two ok.c ok.cpp
record gcc -o dup ok.c ok.c
record gcc -Werror=no-such-warning -c ok.c
record gcc -fuse-ld=gold -fuse-ld=lld2 ok.c
record gcc -B/no/such -no-such ok.c
record g++ -c bad.cpp
record g++ -std=c++11 -c nope.cpp
record cc -c syntax.c
record gcc --version
record gcc -dumpversion
mkdir folder
record gcc folder
record gcc -o folder ok.c
mkdir small && mount -t tmpfs -o size=4k tmpfs small
record gcc -o small/ok ok.c
umount small
mkdir readonly && mount -t tmpfs -o ro tmpfs readonly
record gcc -o readonly/ok ok.c
umount readonly
command -v gfortran >/dev/null || { say a.f90 'end'; record gcc -c a.f90; }
record gcc -E -o /dev/full ok.c
# A compiler proper that is ended by a signal, as a crash or want of memory do it
for name in SEGV KILL; do
  mkdir "part$name"
  printf '#!/bin/sh\nkill -%s $$\n' "$name" >"part$name/cc1"
  chmod 755 "part$name/cc1"
  record gcc "-Bpart$name/" -c ok.c
done
