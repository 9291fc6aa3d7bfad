needs rsync setpriv
version "rsync $(rsync --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')"
port=$(free_port) closed=$(free_port) silent=$(free_port)
chmod 755 "$RECORD_WORLD/.."
mkdir -p src dst served readonly secret
for name in a b c; do echo "$name" >"src/$name.txt"; done
head -c 300000 /dev/zero >big.bin
cat >rsyncd.conf <<CONF
use chroot = no
[open]
path = $PWD/served
read only = no
uid = 0
gid = 0
[readonly]
path = $PWD/readonly
read only = yes
[private]
path = $PWD/served
auth users = me
secrets file = $PWD/secrets
[closed]
path = $PWD/served
hosts allow = 10.9.9.9
[gone]
path = $PWD/nowhere
[full]
path = $PWD/served
max connections = 1
lock file = $PWD/lock
CONF
echo me:right >secrets && chmod 600 secrets
rsync --daemon --no-detach --config=rsyncd.conf --port="$port" --address=127.0.0.1 >/dev/null 2>&1 &
wait_for "$port"
fixed "127.0.0.1:$port" 127.0.0.1:873
fixed "127.0.0.1:$closed" 127.0.0.1:9
fixed "127.0.0.1:$silent" 127.0.0.1:8730
fixed "$port" 873
at="rsync://127.0.0.1:$port"

record rsync -a src/ dst/
record rsync -ain src/ elsewhere/
record rsync -a nowhere/ dst/
record rsync -a src/ "$at/open/"
record rsync "$at/"
record rsync -a src/ "$at/nowhere/"
record rsync -a src/ "$at/readonly/"
record rsync -a "$at/open/absent.txt" dst/
record rsync -a "$at/private/" dst/
RSYNC_PASSWORD=wrong record rsync -a "rsync://me@127.0.0.1:$port/private/" dst/
record rsync -a "$at/closed/" dst/
record rsync -a "$at/gone/" dst/
record rsync -a src/ "rsync://127.0.0.1:$closed/open/"
record rsync -a src/ rsync://host.example.invalid/open/
"$RECORD_PYTHON" - "$silent" <<'PYTHON' &
import socket, sys, time
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
kept = []
while True:
    kept.append(server.accept())
PYTHON
wait_for "$silent"
record rsync -a --contimeout=1 --timeout=1 "rsync://127.0.0.1:$silent/open/" dst/
record rsync --frobnicate src/ dst/
record rsync -a --timeout=abc src/ dst/
record rsync
record rsync -a src/ host:x :y
record rsync -a --files-from=nowhere.txt src/ dst/
record rsync -a --exclude-from=nowhere.txt src/ dst/
record rsync src dst/
record rsync -a src/a.txt dst/b/c/d.txt
record rsync -a src/ big.bin
touch -t 202001010000 src/a.txt
record rsync -a --ignore-existing --remove-source-files src/nowhere.txt dst/
# As another user: files that cannot be read, a place that cannot be written
mkdir -m 755 half && echo x >half/open.txt && echo y >half/closed.txt && chmod 600 half/closed.txt
mkdir -m 777 theirs && mkdir -m 755 ours
as_nobody rsync -r half/ theirs/
as_nobody rsync -r half/open.txt ours/
mkdir small
mount -t tmpfs -o size=64k tmpfs small 2>/dev/null && {
  record rsync big.bin small/
  umount small
}
record rsync -a src/ me@host.example.invalid:/tmp/x/
record rsync -a -e 'ssh -o BatchMode=yes -p 9' src/ 127.0.0.1:/tmp/x/
record rsync -a -e nosuchshell src/ 127.0.0.1:/tmp/x/
record rsync -a -e 'sh -c "echo Welcome to this host; cat >/dev/null" --' src/ host:/tmp/x/
record rsync -a -e 'sh -c "echo sh: rsync: command not found >&2; exit 127" --' src/ host:/tmp/x/
mkdir del && echo 1 >del/1 && echo 2 >del/2 && echo 3 >del/3 && mkdir none
record rsync -a --delete --max-delete=1 none/ del/
record rsync -a --dry-run src/ dst/
record rsync --list-only src/
as_nobody rsync -rv half/ theirs/ --ignore-times
record rsync -av src/ nowhere/ dst2/
record rsync -av nowhere/ dst2/
(exec 9<>"/dev/tcp/127.0.0.1/$port"; printf '@RSYNCD: 31.0 sha512\nfull\n' >&9; sleep 3) &
sleep 0.5
record rsync -a "$at/full/" dst/
