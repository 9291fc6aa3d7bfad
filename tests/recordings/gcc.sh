needs gcc g++ cc
version "gcc $(gcc -dumpfullversion)"
use c_compiler
c_sources
c_failures gcc g++
record gcc -fuse-ld=gold -fuse-ld=lld2 ok.c
record cc -c syntax.c
command -v gfortran >/dev/null || { say a.f90 'end'; record gcc -c a.f90; }
# A compiler proper that is ended by a signal, as a crash or want of memory do it
for name in SEGV KILL; do
  mkdir "part$name"
  printf '#!/bin/sh\nkill -%s $$\n' "$name" >"part$name/cc1"
  chmod 755 "part$name/cc1"
  record gcc "-Bpart$name/" -c ok.c
done
