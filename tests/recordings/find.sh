needs find busybox
version "GNU findutils $(find --version | sed -n '1s/.* //p')"
mkdir -p d/e && touch d/a.txt d/e/b.txt 'd/permission denied.txt'
ln -s loop loop

record find d -name '*.txt'
record find d -name zzz
record find nodir
record find d nodir -name a.txt
record find d -nosuch
record find d -name
record find d -size abc
record find d -mtime x
record find d -type z
record find d -perm abc
record find d -newer nofile
record find d -user nosuchuser
record find d -group nosuchgroup
record find d '(' -name a
record find d -name a -o
record find d ')'
record find d -regextype nosuch -regex x
record find d -regex 'x\('
record find d -maxdepth x
record find d a.txt b.txt -name x
record find -name d/a.txt
record find d -exec
record find d -exec echo '{}'
record find d -name a.txt -exec nosuchprogram '{}' ';'
record find d -name a.txt -exec nosuchprogram '{}' +
record find d -name a.txt -exec false '{}' +
record find d -name a.txt -exec false '{}' ';'
record find d -name a.txt -exec cat nofile '{}' +
record find nodir -exec echo '{}' +
record find d -name e -delete
record find d -fprint nodir/x
record find -L loop
record find --nosuch
bb="$RECORD_WORLD/../bb" && mkdir "$bb" && ln -s "$(command -v busybox)" "$bb/find"
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$RECORD_WORLD/.."
  mkdir ../nobody && printf '#!/bin/sh\nPATH=/usr/bin:/bin exec setpriv --reuid=65534 --regid=65534 --clear-groups -- find "$@"\n' >../nobody/find && chmod 755 ../nobody ../nobody/find
  mkdir closed && touch closed/c && chmod 700 closed
  PATH="$RECORD_WORLD/../nobody:$PATH" record find d closed -name a.txt
  PATH="$RECORD_WORLD/../nobody:$PATH" record find closed -name zzz
  PATH="$RECORD_WORLD/../nobody:$PATH" record find closed/x
  PATH="$RECORD_WORLD/../nobody:$PATH" record find d -name a.txt -delete
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record find nodir
PATH="$bb:$PATH" record find d nodir -name a.txt
PATH="$bb:$PATH" record find d -nosuch
PATH="$bb:$PATH" record find d -type z
PATH="$bb:$PATH" record find d -user nosuchuser
PATH="$bb:$PATH" record find d -exec echo '{}'
PATH="$bb:$PATH" record find d -name b.txt -delete
