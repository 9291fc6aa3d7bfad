needs cat busybox
other_tools cat
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
