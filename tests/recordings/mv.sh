needs mv busybox
other_tools mv
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
echo a >a && echo b >b && mkdir -p d/sub e/d && touch e/d/x e/f
record mv nofile c
record mv a nodir/x
record mv -v a nofile d
record mv d/a nofile e/
record mv b nodir/
record mv b c nodir
record mv d d/sub
record mv b b
record mv d e
mkdir g g/f && record mv e/f g
record mv b
record mv --nosuch b c
record mv -n b e/f
record mv b c
if root; then
  mkdir ro && touch ro/x own && chmod 777 e
  PATH="$nobody:$PATH" record mv ro/x e/
  PATH="$nobody:$PATH" record mv own ro/
  mkdir full && mount -t tmpfs -o size=16k tmpfs full && head -c 100000 /dev/zero >big
  record mv big full/
  record mv full other
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record mv nofile x
PATH="$bb:$PATH" record mv -v c nofile d
PATH="$bb:$PATH" record mv c nodir/x
PATH="$bb:$PATH" record mv d d/sub
PATH="$bb:$PATH" record mv c
PATH="$bb:$PATH" record mv --nosuch b c
