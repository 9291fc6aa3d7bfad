needs cat busybox
bb="$RECORD_WORLD/../bb" nobody="$RECORD_WORLD/../nobody" && mkdir "$bb" "$nobody" && ln -s "$(command -v busybox)" "$bb/cat"
printf '#!/bin/sh\nPATH=/usr/bin:/bin exec setpriv --reuid=65534 --regid=65534 --clear-groups -- cat "$@"\n' >"$nobody/cat"
chmod 755 "$RECORD_WORLD/.." "$nobody" "$nobody/cat"
root() { [ "$(id -u)" = 0 ]; }
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
echo alpha >a && mkdir d && ln -s loop loop
record cat a
record cat nofile
record cat a nofile
record cat nofile a
record cat d
record cat a d
record cat loop
record cat --nosuch
record cat a/b
ln -s nowhere dangling && record cat dangling
echo "Permission denied" >denied && record cat denied nofile
if root; then
  echo s >secret && chmod 600 secret
  PATH="$nobody:$PATH" record cat secret
  PATH="$nobody:$PATH" record cat a secret
  record cat /proc/self/mem
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record cat nofile
PATH="$bb:$PATH" record cat a nofile
PATH="$bb:$PATH" record cat d
PATH="$bb:$PATH" record cat --nosuch
