needs tar busybox gzip
other_tools tar
version "GNU tar $(tar --version | sed -n '1s/.* //p')"
mkdir -p d/e out && echo a >d/a && echo b >d/e/b && tar -cf a.tar d && tar -czf a.tgz d
echo 'this is no archive' >no.tar && head -c 40 a.tgz >cut.tgz && head -c 3000 a.tar >cut.tar

record tar -tf a.tar
record tar -tf nofile.tar
record tar -xf no.tar
record tar -xzf no.tar
record tar -xzf cut.tgz
record tar -xf cut.tar -C out
record tar -xf a.tar -C nodir
record tar -xf a.tar nomember
record tar -xf a.tar -C out d/a nomember
record tar -cf b.tar nofile
record tar -cf c.tar d/a nofile
record tar -cvf c.tar d/a nofile
record tar -cf nodir/x.tar d
record tar -cf
record tar
record tar -f a.tar
record tar --nosuch
record tar -xf a.tar --nosuch
record tar -cf d.tar
record tar -cvf - -C nodir x
record tar -df a.tar
echo changed >>d/a
record tar -df a.tar
record tar -xJf a.tgz
record tar -I nosuchprogram -cf e.tar d
record tar -C out -xkf a.tar
record tar -C out -xkf a.tar
record tar -rf a.tgz d
head -c 30000000 /dev/urandom >growing
yes >>growing & writer=$!
record tar -czf grown.tgz growing
kill $writer && rm growing
if root; then
  chmod 700 d/e && mkdir ro && chmod 755 ro && chmod 644 a.tar
  PATH="$nobody:$PATH" record tar -cf - d/e -f /dev/null
  PATH="$nobody:$PATH" record tar -xf a.tar -C ro
  PATH="$nobody:$PATH" record tar -cf ro/x.tar d/a
  chmod 600 d/e/b && chmod 755 d/e
  PATH="$nobody:$PATH" record tar -cvf /dev/null d/e
  mkdir full && mount -t tmpfs -o size=16k tmpfs full && head -c 100000 /dev/zero >big
  record tar -cf full/x.tar big
  tar -cf big.tar d/a big
  record tar -xf big.tar -C full
  umount full
fi
if command -v bsdtar >/dev/null; then
  version "$(bsdtar --version | sed 's/ - .*//')"
  ln -s "$(command -v bsdtar)" ../bsdtar-as-tar && mkdir ../bsd && mv ../bsdtar-as-tar ../bsd/tar
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -tf nofile.tar
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -xf no.tar
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -xf a.tar nomember
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -cf c.tar d/a nofile
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -cf c.tar nofile
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -xzf cut.tgz
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -xf a.tar -C nodir
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar --nosuch
  PATH="$RECORD_WORLD/../bsd:$PATH" record tar -cf
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record tar -tf nofile.tar
PATH="$bb:$PATH" record tar -xf no.tar
PATH="$bb:$PATH" record tar -xf a.tar nomember
PATH="$bb:$PATH" record tar -cf c.tar d/a nofile
PATH="$bb:$PATH" record tar -xzf cut.tgz
PATH="$bb:$PATH" record tar -xf a.tar -C nodir
PATH="$bb:$PATH" record tar --nosuch
