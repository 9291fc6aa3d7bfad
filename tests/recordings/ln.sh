needs ln busybox
other_tools ln
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
touch a b && mkdir d e
record ln -s a c
record ln -s a b
record ln a b
record ln nofile x
record ln -s a nodir/x
record ln d x
record ln -s a b nodir
record ln -s a b c
record ln
record ln --nosuch a b
record ln a a
record ln -sfn a a
record ln -sv a nofile d
record ln -v a nofile e
touch e/n && mkdir n && record ln -sT a n
if root; then
  mkdir ro full
  PATH="$nobody:$PATH" record ln -s a ro/x
  mount -t tmpfs tmpfs full
  record ln a full/x
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record ln -s a b
PATH="$bb:$PATH" record ln nofile x
PATH="$bb:$PATH" record ln -s a nodir/x
PATH="$bb:$PATH" record ln
PATH="$bb:$PATH" record ln --nosuch a b
