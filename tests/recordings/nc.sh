needs nc unshare ip setpriv
cat >inside <<'SH'
ip link set lo up
ip link add one type veth peer name two
ip address add 192.0.2.1/24 dev one && ip link set one up && ip link set two up
ip neigh add 192.0.2.77 lladdr 02:00:00:00:00:77 dev one
exec "$@"
SH
inside() { unshare -n sh "$PWD/inside" "$RECORD_PYTHON" -m tests.record --one "$@"; }
offline() { unshare -rn "$RECORD_PYTHON" -m tests.record --one "$@"; }
chmod 755 "$RECORD_WORLD/.."
port=$(free_port) closed=$(free_port) taken=$(free_port)
"$RECORD_PYTHON" - "$port" "$taken" <<'PYTHON' &
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
kept = [socket.create_server(("0.0.0.0", int(sys.argv[2])))]
while True:
    peer, _ = server.accept()
    peer.sendall(b"hello\n")
    peer.close()
PYTHON
wait_for "$port"; wait_for "$taken"
fixed "$port" 8007
fixed "$closed" 9
fixed "$taken" 8008
common() {
  record "$1" 127.0.0.1 "$port"
  record "$1" -z 127.0.0.1 "$port"
  record "$1" -zv 127.0.0.1 "$port"
  record "$1" 127.0.0.1 "$closed"
  record "$1" -v 127.0.0.1 "$closed"
  record "$1" -z 127.0.0.1 "$closed"
  record "$1" -zv -w 2 127.0.0.1 "$closed"
  inside "$1" -v -w 1 192.0.2.77 80
  offline "$1" -v -w 1 192.0.2.1 80
  record "$1" host.example.invalid 80
  record "$1" -v host.example.invalid 80
  record "$1" 127.0.0.1
  record "$1" 127.0.0.1 abc
  [ "$1" = netcat ] || record "$1" 127.0.0.1 99999
  record "$1" -@ 127.0.0.1 80
  record "$1"
}
if command -v nc.openbsd >/dev/null; then
  version "OpenBSD netcat (Debian $(dpkg-query -W -f '${Version}' netcat-openbsd))"
  mkdir bsd && ln -s "$(command -v nc.openbsd)" bsd/nc
  PATH="$PWD/bsd:$PATH" common nc
  PATH="$PWD/bsd:$PATH" record nc -l 127.0.0.1 "$taken"
  PATH="$PWD/bsd:$PATH" record nc -U nowhere.sock
  PATH="$PWD/bsd:$PATH" WEAK=--no-new-privs as_nobody nc -l 80
fi
if command -v nc.traditional >/dev/null; then
  version "traditional netcat (Debian $(dpkg-query -W -f '${Version}' netcat-traditional))"
  mkdir old && ln -s "$(command -v nc.traditional)" old/netcat
  PATH="$PWD/old:$PATH" common netcat
  PATH="$PWD/old:$PATH" record netcat -l -p "$taken"
fi
if command -v ncat >/dev/null; then
  version "Ncat $(ncat --version 2>&1 | sed 's/.*Version \([0-9.]*\).*/\1/')"
  common ncat
  record ncat -l 127.0.0.1 "$taken"
  record ncat --ssl 127.0.0.1 "$port"
  record ncat -U nowhere.sock
  record ncat --proxy 127.0.0.1:"$closed" --proxy-type http 127.0.0.1 80
fi
