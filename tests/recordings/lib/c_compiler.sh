# C and C++ sources, each with another fault, and what every compiler is asked to do with them.

c_sources() {
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
}

c_failures() { # C-COMPILER C++-COMPILER
  record "$1" -o ok ok.c
  record "$1" -c nope.c
  record "$1"
  record "$1" -c syntax.c
  record "$1" -c undeclared.c
  record "$1" -c header.c
  record "$1" -c system.c
  record "$1" -o link link.c
  record "$1" -o nomain nomain.c
  record "$1" -o libs ok.c -lno_such_library
  record "$1" -Wall -Werror -c warn.c
  record "$1" -Wall -c warn.c
  record "$1" -c error.c
  record "$1" --frobnicate ok.c
  record "$1" -fno-such-thing -c ok.c
  record "$1" -std=c99999 -c ok.c
  record "$1" -march=nothing -c ok.c
  record "$1" -o
  record "$1" -c ok.c -o no/such/folder/ok.o
  record "$1" -o ok notanobject.o
  record "$1" -x frob ok.c
  record "$1" -c ok.c syntax.c
  record "$1" -o two ok.c ok.cpp
  record "$1" -o dup ok.c ok.c
  record "$1" -Werror=no-such-warning -c ok.c
  record "$1" -B/no/such -no-such ok.c
  record "$2" -c bad.cpp
  record "$2" -std=c++11 -c nope.cpp
  record "$1" --version
  record "$1" -dumpversion
  mkdir folder
  record "$1" folder
  record "$1" -o folder ok.c
  mkdir small && mount -t tmpfs -o size=4k tmpfs small
  record "$1" -o small/ok ok.c
  umount small
  mkdir readonly && mount -t tmpfs -o ro tmpfs readonly
  record "$1" -o readonly/ok ok.c
  umount readonly
  record "$1" -E -o /dev/full ok.c
}
