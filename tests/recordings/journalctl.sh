# A journal of its own, written by a systemd-journald in namespaces of its own.
needs journalctl unshare
journald=/lib/systemd/systemd-journald
version "systemd $(journalctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')"
record journalctl -n 5 -D nowhere
mkdir empty
record journalctl -n 5 -D empty
record journalctl --file nowhere.journal
echo 'this is no journal' >text.journal
record journalctl --file text.journal
head -c 200 /dev/zero >zero.journal
record journalctl --file zero.journal
record journalctl --since nosuchdate -D empty
record journalctl --since tomorrow --until yesterday -D empty
record journalctl -p nosuch -D empty
record journalctl -o nosuch -D empty
record journalctl -n nosuch -D empty
record journalctl --frobnicate
record journalctl -D
record journalctl -D empty nosuchmatch
record journalctl -D empty NO=SUCH + + -b
record journalctl -D empty -b 99
record journalctl -D empty -b nosuch
record journalctl -D empty --list-boots
record journalctl -D empty --disk-usage
record journalctl -D empty -c nosuchcursor
record journalctl -D empty -g '('
record journalctl -D empty -f -r
record journalctl -D empty --vacuum-size=nosuch
record journalctl -D empty -u nosuch.service
record journalctl -D empty --rotate
record journalctl --flush
record journalctl -M nosuchmachine
record journalctl -D empty --update-catalog --catalog nosuch
record journalctl --verify -D empty
record journalctl --facility=nosuch -D empty
record journalctl --namespace=nosuch -n 1
record journalctl --directory=empty --file=text.journal
record journalctl /nosuch/file -D empty
[ "$(id -u)" = 0 ] && [ -x "$journald" ] || exit 0
mkdir journal
unshare -m -p -f -u --kill-child --mount-proc --propagation private bash -c '
  mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /var/log && mkdir -p /run/systemd/journal /var/log/journal && mount -t tmpfs tmpfs /dev
  mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/urandom c 1 9; hostname world
  echo 0123456789abcdef0123456789abcdef >machine-id && mount --bind machine-id /etc/machine-id
  '"$journald"' 2>/dev/null >&2 & 
  for _ in $(seq 50); do [ -S /run/systemd/journal/socket ] && break; sleep 0.1; done
  printf "SYSLOG_IDENTIFIER=app\nPRIORITY=6\n_SYSTEMD_UNIT=x\nMESSAGE=started\n" | logger --journald
  printf "SYSLOG_IDENTIFIER=app\nPRIORITY=3\nMESSAGE=Failed to open /x: Permission denied\n" | logger --journald
  sleep 0.5; kill -USR1 %1; sleep 1; kill %1; wait
  cp /var/log/journal/*/*.journal /run/log/journal/*/*.journal journal/ 2>/dev/null'
find journal -name '*.journal' | grep -q . || exit 0
mkdir -p one/0123456789abcdef0123456789abcdef && cp journal/system.journal one/0123456789abcdef0123456789abcdef/
record journalctl -D one -t app -o cat
record journalctl -D one -t app -o json --output-fields=MESSAGE,PRIORITY
record journalctl -D one -t nosuch
record journalctl -D one -g nosuchtext
record journalctl -D one -q -g nosuchtext
record journalctl -D one -u nosuch.service
record journalctl -D one -b -5
record journalctl -D one -t app -p err -o cat
record journalctl -D one -F SYSLOG_IDENTIFIER
chmod 600 one/*/system.journal && chmod 755 "$RECORD_WORLD" "$RECORD_WORLD/.."
other="$RECORD_WORLD/../nobody" && mkdir "$other" && printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups -- /usr/bin/journalctl "$@"\n' >"$other/journalctl" && chmod 755 "$other" "$other/journalctl"
PATH="$other:$PATH" record journalctl -D one -t app
PATH="$other:$PATH" record journalctl --file one/0123456789abcdef0123456789abcdef/system.journal
PATH="$other:$PATH" record journalctl -D one --vacuum-size=1
head -c 100000 one/*/system.journal >cut.journal
record journalctl --verify --file cut.journal
cp one/*/system.journal broken.journal && printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | dd of=broken.journal bs=1 seek=3738000 conv=notrunc 2>/dev/null
record journalctl --verify --file broken.journal
record journalctl --verify --file one/0123456789abcdef0123456789abcdef/system.journal
record journalctl --file broken.journal -o cat -n 1
