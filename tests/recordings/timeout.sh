needs timeout
version "GNU coreutils $(timeout --version | sed -n '1s/.* //p')"
echo hello >a.txt && printf '#!/nosuch/interpreter\n' >script && chmod 755 script
fixed /usr/bin/timeout: timeout:
record timeout 5 cat a.txt
record timeout 0.2 sleep 5
record timeout -v 0.2 sleep 5
record timeout -s KILL 0.2 sleep 5
record timeout -k 0.2 0.2 sh -c 'trap "" TERM; sleep 5; sleep 5'
record timeout -s INT 0.2 sleep 5
record timeout --preserve-status 0.2 sleep 5
record timeout 0.5 sh -c 'echo "started"; sleep 5'
record timeout 5 cat nofile
record timeout 5 false
record timeout 5 sh -c 'exit 124'
record timeout 5 sh -c 'kill -SEGV $$'
(ulimit -c unlimited && record timeout 5 sh -c 'kill -SEGV $$')
record timeout --foreground -s KILL 0.2 sleep 1
record timeout 5 sh -c 'exit 137'
record timeout 5 sh -c 'kill -KILL $$'
record timeout --foreground 0.2 sh -c 'trap "" TERM; sleep 1'
chmod 755 "$RECORD_WORLD/.." && nobody="$RECORD_WORLD/../nobody" && mkdir "$nobody"
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups -- prlimit --nproc=0 /usr/bin/timeout "$@"\n' >"$nobody/timeout" && chmod 755 "$nobody" "$nobody/timeout"
[ "$(id -u)" = 0 ] && command -v prlimit >/dev/null && (cd / && PATH="$nobody:$PATH" record timeout 5 true)
record timeout 5 nosuchprogram
record timeout 5 ./a.txt
record timeout 5 ./script
record timeout 5 /tmp
record timeout
record timeout 5
record timeout abc sleep 1
record timeout 5x sleep 1
record timeout -- -1 sleep 1
record timeout -s NOSUCH 5 sleep 1
record timeout -k abc 5 sleep 1
record timeout --frobnicate 5 sleep 1
record timeout -s
record timeout --help
if command -v busybox >/dev/null; then
  version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
  mkdir bb && ln -s "$(command -v busybox)" bb/timeout && export PATH="$PWD/bb:$PATH"
  record timeout 1 sleep 5
  record timeout -s KILL 1 sleep 5
  record timeout 5 cat nofile
  record timeout 5 nosuchprogram
  record timeout 5 ./a.txt
  record timeout
  record timeout abc sleep 1
  record timeout -s NOSUCH 5 sleep 1
  record timeout --frobnicate 5 sleep 1
fi
