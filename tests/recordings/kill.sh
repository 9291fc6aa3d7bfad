needs kill pkill killall setpriv
chmod 755 "$RECORD_WORLD/.."
sleeper() { sleep "$1" & last=$!; }
version "procps-ng $(pkill --version | sed -n 's/.* //p')"
for name in kill pkill killall pgrep; do fixed "$(type -P $name):" "$name:"; done
sleeper 300 && mine=$last && fixed "$mine" 4242
record kill 999999
record kill -9 999999
record kill -0 "$mine"
as_nobody kill "$mine"
record kill "$mine" 999999
record kill 999999 999998
record kill abc
record kill
record kill -NOSUCH 999999
record kill -s NOSUCH 999999
record kill -l
record kill -l 99
record kill 12x
record pkill -x nosuchprocess
record pgrep -x nosuchprocess
record pkill
record pkill -NOSUCH x
record pkill --frobnicate x
record pkill -u nosuchuser sleep
record pkill '('
record pkill -x a_name_longer_than_fifteen_characters
cp "$(command -v sleep)" "$RECORD_WORLD/../wsleeper"
"$RECORD_WORLD/../wsleeper" 300 & other=$!
sleep 0.3 && fixed "$other" 4343
as_nobody pkill -x wsleeper
record pgrep -x wsleeper
record pgrep -a -x nosuch
record pkill -e -x wsleeper
version "psmisc $(killall --version 2>&1 | sed -n '1s/.* //p')"
record killall nosuchprocess
record killall -q nosuchprocess
record killall
record killall -s NOSUCH x
record killall --frobnicate x
record killall -u nosuchuser
record killall -r '('
record killall -i
"$RECORD_WORLD/../wsleeper" 300 & other=$!
sleep 0.3 && fixed "$other" 4444
as_nobody killall wsleeper
record killall wsleeper nosuchprocess
record killall -w -v nosuchprocess
if command -v busybox >/dev/null; then
  version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
  mkdir bb && for name in kill killall; do ln -s "$(command -v busybox)" "bb/$name"; done
  export PATH="$PWD/bb:$PATH"
  record kill 999999
  record kill abc
  record kill -NOSUCH 999999
  record kill
  record killall nosuchprocess
  record killall -q nosuchprocess
fi
version "bash $BASH_VERSION" # kill as the shell knows it, which -c and scripts use
printf '#!/bin/bash\nkill "$@"\n' >"$RECORD_WORLD/../kill" && chmod 755 "$RECORD_WORLD/../kill"
fixed "/tmp/world/../kill: line 2: kill:" "bash: line 1: kill:"
export PATH="$RECORD_WORLD/..:$PATH"
record kill 999999
record kill abc
record kill %1
record kill -NOSUCH 999999
record kill
