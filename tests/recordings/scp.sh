needs scp ssh-keygen pgrep setpriv
[ -x /usr/sbin/sshd ] || needs sshd
# Run as nobody, under the tool's own name
weak() {
  mkdir -p weak && printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s -- %s "$@"\n' "$WEAK" "$(command -v "$1")" >"weak/$1"
  chmod 755 weak "weak/$1" && PATH="$(realpath weak):$PATH" record "$@"
}
version "OpenSSH $(ssh -V 2>&1 | sed 's/OpenSSH_\([0-9.p]*\).*/\1/')"
# A server of our own; the configuration file names it once for every way in
chmod 755 "$RECORD_WORLD/.." && server="$(realpath "$RECORD_WORLD/..")/server" && mkdir "$server"
[ "$(id -u)" = 0 ] && mkdir -p /run/sshd
port=$(free_port) closed=$(free_port) only=$(free_port) silent=$(free_port) hangup=$(free_port)
ssh-keygen -q -t ed25519 -N '' -f "$server/host" && ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f other
cp key.pub "$server/authorized"
cat >"$server/sshd" <<CONF
HostKey $server/host
AuthorizedKeysFile $server/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
ListenAddress 127.0.0.1
Subsystem sftp internal-sftp
CONF
grep -v Subsystem "$server/sshd" >"$server/nosftp"
/usr/sbin/sshd -D -f "$server/sshd" -p "$port" 2>/dev/null &
daemon=$!
/usr/sbin/sshd -D -f "$server/nosftp" -p "$only" 2>/dev/null &
"$RECORD_PYTHON" - "$silent" "$hangup" <<'PYTHON' &
import socket, sys, threading
silent, hangup = (socket.create_server(("127.0.0.1", int(each))) for each in sys.argv[1:])
kept = []
threading.Thread(target=lambda: [kept.append(silent.accept()) for _ in iter(int, 1)], daemon=True).start()
while True:
    hangup.accept()[0].close()
PYTHON
wait_for "$port"; wait_for "$only"; wait_for "$hangup"
echo "[127.0.0.1]:$port $(cat "$server/host.pub")" >known
echo "[127.0.0.1]:$only $(cat "$server/host.pub")" >>known
echo "[127.0.0.1]:$port $(cat other.pub)" >wrong
me=$(id -un)
host() { printf 'Host %s\n HostName 127.0.0.1\n Port %s\n User %s\n IdentityFile %s\n UserKnownHostsFile %s\n' "$1" "$2" "$me" "$PWD/$3" "$PWD/$4"; }
{
  host srv "$port" key known
  host nokey "$port" other known
  host stranger "$port" key none
  host changed "$port" key wrong
  host closed "$closed" key known
  host nosftp "$only" key known
  host silent "$silent" key known
  host hangup "$hangup" key known
  printf 'Host *\n IdentitiesOnly yes\n BatchMode yes\n GlobalKnownHostsFile /dev/null\n ConnectTimeout 2\n'
} >cfg
chmod 600 cfg
fixed "$port" 2222
fixed "$only" 2223
fixed "$closed" 9
fixed "$silent" 2224
fixed "$hangup" 2225
fixed "$(realpath "$server")" /tmp/run
echo data >a.txt; echo more >b.txt; mkdir -p dir/sub there; echo x >dir/x.txt; head -c 300000 /dev/zero >big.bin
at="$PWD/there"
record scp -F cfg a.txt "srv:$at/"
record scp -F cfg "srv:$at/a.txt" back.txt
record scp -F cfg "srv:$at/absent.txt" .
record scp -F cfg absent.txt "srv:$at/"
record scp -F cfg absent.txt missing.txt "srv:$at/"
record scp -F cfg a.txt "srv:$at/no/such/place/"
record scp -F cfg dir "srv:$at/"
record scp -F cfg "srv:$PWD/dir" .
record scp -F cfg -r dir "srv:$at/"
record scp -F cfg a.txt b.txt "srv:$at/a.txt"
record scp -F cfg a.txt srv:/proc/x
record scp -F cfg a.txt "nokey:$at/"
record scp -F cfg a.txt "stranger:$at/"
record scp -F cfg a.txt "changed:$at/"
record scp -F cfg a.txt "closed:$at/"
record scp -F cfg a.txt "nosftp:$at/"
record scp -F cfg -O a.txt "nosftp:$at/legacy.txt"
record scp -F cfg -O absent.txt "srv:$at/"
record scp -F cfg -O "srv:$at/absent.txt" .
record scp -F cfg -O a.txt "srv:$at/no/such/"
record scp -F cfg a.txt "silent:$at/"
record scp -F cfg a.txt "hangup:$at/"
record scp -F cfg a.txt host.example.invalid:
record scp -F nowhere a.txt srv:
record scp -Z a.txt srv:
record scp
record scp a.txt
record scp -P abc -F cfg a.txt srv:
record scp -F cfg -i nowhere "srv:$at/a.txt" again.txt
mkdir small
mount -t tmpfs -o size=64k tmpfs small 2>/dev/null && {
  record scp -F cfg big.bin "srv:$PWD/small/"
  record scp -F cfg "srv:$PWD/big.bin" small/
  record scp -F cfg -O big.bin "srv:$PWD/small/"
  umount small
}
mkdir ro && mount --bind ro ro 2>/dev/null && mount -o remount,ro,bind ro && {
  record scp -F cfg a.txt "srv:$PWD/ro/"
  umount ro
}
mkdir -m 755 mine && cp a.txt mine/ && chmod 600 mine/a.txt
weak scp mine/a.txt theirs.txt
record scp -F cfg -S nosuchssh a.txt "srv:$at/"
cp key open-key && chmod 644 open-key
{ host openkey "$port" open-key known; host gone "$port" nokeyfile known; host noisy "$port" key known; sed -n '/^Host \*/,$p' cfg; } >cfg2
chmod 600 cfg2
record scp -F cfg2 a.txt "openkey:$at/"
record scp -F cfg2 -i nowhere a.txt "gone:$at/"
record scp -F cfg -c 3des-cbc a.txt "srv:$at/"
printf '#!/bin/sh\necho Welcome to this server\nexec sleep 1\n' >noisy && chmod +x noisy
record scp -F cfg -S "$PWD/noisy" a.txt "srv:$at/"
# The session ends in the middle of a slow transfer
(sleep 2; kill $(pgrep -P "$daemon")) &
record scp -F cfg -l 100 big.bin "srv:$at/slow.bin"
