needs sed busybox
other_tools sed
version "GNU sed $(sed --version | sed -n '1s/.* //p')"
printf 'a\nb\n' >f && mkdir d
record sed s/a/x/ f
record sed s/a/x/ nofile
record sed s/a/x/ f nofile
record sed 's/a' f
record sed 's/\(a/x/' f
record sed 's/a/x/y' f
record sed 's/a/\1/' f
record sed -e 'k' f
record sed '/a/{p' f
record sed 'b nowhere' f
record sed '5,' f
record sed -i s/a/x/ d
record sed s/a/x/ d
record sed -i s/a/x/ nofile
record sed --nosuch f
record sed
record sed -f nofile f
record sed -n '$=' f
record sed 'w nodir/x' f
record sed 'r nofile' f
record sed 'q7' f
record sed -i -e 's/a/x/' f nofile
record sed '' -i s/a/b/ f
if root; then
  mkdir ro && cp f ro/f && chmod 600 d && echo x >locked && chmod 600 locked
  PATH="$nobody:$PATH" record sed -i s/a/x/ ro/f
  PATH="$nobody:$PATH" record sed s/a/x/ locked
  PATH="$nobody:$PATH" record sed s/x/a/ f locked
  mkdir full && cp f full/f 2>/dev/null; mount -t tmpfs -o size=8k tmpfs full && head -c 8192 /dev/zero >full/f
  record sed -i 's/a/x/' full/f
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record sed s/a/x/ nofile
PATH="$bb:$PATH" record sed s/b/x/ f nofile
PATH="$bb:$PATH" record sed 's/a' f
PATH="$bb:$PATH" record sed 's/\(a/x/' f
PATH="$bb:$PATH" record sed k f
PATH="$bb:$PATH" record sed -i s/a/x/ nofile
PATH="$bb:$PATH" record sed --nosuch f
