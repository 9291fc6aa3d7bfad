needs rm busybox
other_tools rm
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
touch a b c && mkdir -p d/sub e
record rm a
record rm nofile
record rm b nofile
record rm -v c nofile
record rm -v nofile nofile2
record rm d
record rm -d d
record rm -f nofile
record rm -rf nodir/../nofile
record rm
record rm -f
record rm --nosuch d
record rm -r .
record rm -r d/..
touch -- -x && record rm -x
if root; then
  mkdir ro && touch ro/x ro/y && mkdir open && touch open/z && chmod 777 open
  PATH="$nobody:$PATH" record rm ro/x
  PATH="$nobody:$PATH" record rm -rf ro
  PATH="$nobody:$PATH" record rm -fv open/z ro/x
  mkdir full && mount -t tmpfs -o size=16k tmpfs full
  record rm -r full
  touch full/x && mount -o remount,ro full
  record rm -f full/x
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record rm nofile
PATH="$bb:$PATH" record rm d
PATH="$bb:$PATH" record rm
PATH="$bb:$PATH" record rm --nosuch d
PATH="$bb:$PATH" record rm -r .
