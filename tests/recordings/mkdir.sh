needs mkdir busybox
other_tools mkdir rmdir
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
touch f && mkdir -p d/sub
record mkdir new
record mkdir d
record mkdir f
record mkdir -p f
record mkdir nodir/x
record mkdir -p f/x
record mkdir d other
record mkdir -v d third
record mkdir
record mkdir --nosuch x
record mkdir -m abc x
record mkdir "$(printf %0260d 1)"
record rmdir new
record rmdir d
record rmdir nodir
record rmdir f
record rmdir -v third nodir
record rmdir
record rmdir --nosuch d
if root; then
  mkdir ro ro/x full
  PATH="$nobody:$PATH" record mkdir ro/y
  PATH="$nobody:$PATH" record mkdir -p ro/y/z
  mount -t tmpfs -o ro tmpfs full
  record mkdir full/x
  record rmdir full
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record mkdir d
PATH="$bb:$PATH" record mkdir nodir/x
PATH="$bb:$PATH" record mkdir
PATH="$bb:$PATH" record mkdir --nosuch x
PATH="$bb:$PATH" record mkdir -p f/x
PATH="$bb:$PATH" record rmdir d
PATH="$bb:$PATH" record rmdir nodir
