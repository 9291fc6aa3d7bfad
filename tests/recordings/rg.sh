needs rg
version "ripgrep $(rg --version | sed -n '1s/ripgrep \([0-9.]*\).*/\1/p')"
printf 'alpha\nPermission denied\n' >a.txt
mkdir dir && echo beta >dir/b.txt
printf 'al\0pha\n' >bin.dat

record rg zzz a.txt
record rg -q zzz a.txt
record rg zzz
record rg alpha a.txt
record rg alpha nofile
record rg alpha a.txt nofile
record rg -q alpha nofile a.txt
record rg zzz a.txt nofile
record rg 'x(' a.txt
record rg '[z-a]' a.txt
record rg 'a{2' a.txt
record rg '*' a.txt
record rg '(?<=a)b' a.txt
record rg '(a)\1' a.txt
record rg -P '(a' a.txt
record rg 'a\nb' a.txt
record rg --nosuch x
record rg -m abc x a.txt
record rg -t nosuch x
record rg -g '[' x
record rg
record rg -f nofile a.txt
record rg --files nodir
record rg --files dir
record rg -l zzz dir
record rg --json alpha a.txt
record rg --sort nosuch x
record rg --pre noprogram alpha a.txt
record rg --encoding nosuch x a.txt
echo '--nosuch' >rc
RIPGREP_CONFIG_PATH="$PWD/rc" record rg alpha a.txt
record rg 'Permission denied' a.txt
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$RECORD_WORLD/.."
  mkdir ../nobody && printf '#!/bin/sh\nPATH=/usr/bin:/bin exec setpriv --reuid=65534 --regid=65534 --clear-groups -- rg "$@"\n' >../nobody/rg && chmod 755 ../nobody ../nobody/rg
  echo alpha >locked.txt && chmod 600 locked.txt
  mkdir closed && echo alpha >closed/c.txt && chmod 700 closed
  PATH="$RECORD_WORLD/../nobody:$PATH" record rg alpha locked.txt
  PATH="$RECORD_WORLD/../nobody:$PATH" record rg alpha
  PATH="$RECORD_WORLD/../nobody:$PATH" record rg zzz
fi
