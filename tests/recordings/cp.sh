needs cp busybox
other_tools cp
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
echo a >a && echo b >b && mkdir -p d/sub e && ln -s loop loop
record cp a c
record cp nofile c
record cp a nofile d
record cp -v a nofile d
record cp -v nofile nofile2 d
record cp d f
record cp -r d a
record cp a nodir/x
record cp a b nodir
record cp a b c
record cp a a
record cp -r d d/sub/
record cp a
record cp
record cp --nosuch a b
record cp -Z a
record cp --reflink=nosuch a b
record cp --parents a
mkdir -p one two && echo 1 >one/x && echo 2 >two/x
record cp one/x two/x e
mkdir e/y && record cp -T a e/y
record cp loop x
record cp -rv one nofile e
if root; then
  echo s >secret && chmod 600 secret && mkdir ro && chmod 777 e
  PATH="$nobody:$PATH" record cp secret e/s
  PATH="$nobody:$PATH" record cp a ro/a
  PATH="$nobody:$PATH" record cp -v a secret e
  mkdir full && mount -t tmpfs -o size=16k tmpfs full && head -c 100000 /dev/zero >big
  record cp big full/
  umount full && mount -t tmpfs -o ro tmpfs full
  record cp a full/a
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record cp nofile c
PATH="$bb:$PATH" record cp -v a nofile d
PATH="$bb:$PATH" record cp d f
PATH="$bb:$PATH" record cp a nodir/x
PATH="$bb:$PATH" record cp a a
PATH="$bb:$PATH" record cp a
PATH="$bb:$PATH" record cp --nosuch a b
