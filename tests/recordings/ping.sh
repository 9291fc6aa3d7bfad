needs ping setpriv unshare ip
version "iputils $(ping -V | sed 's/.*iputils \([0-9]*\).*/\1/')"
record ping -c 2 -i 0.2 127.0.0.1
record ping -q -c 2 -i 0.2 127.0.0.1
record ping -c 1 host.example.invalid
# A network of our own in which nobody else answers
cat >inside <<'SH'
ip link set lo up
ip link add one type veth peer name two
ip address add 192.0.2.1/24 dev one && ip link set one up && ip link set two up
ip route add unreachable 198.51.100.0/24
ip route add prohibit 203.0.113.0/24
ip route add blackhole 100.64.0.0/10
ip neigh add 192.0.2.77 lladdr 02:00:00:00:00:77 dev one
exec "$@"
SH
chmod +x inside
inside() { unshare -n sh "$PWD/inside" "$RECORD_PYTHON" -m tests.record --one "$@"; }
offline() { unshare -rn "$RECORD_PYTHON" -m tests.record --one "$@"; }
offline ping -c 1 192.0.2.1
inside ping -c 1 -W 5 192.0.2.9
inside ping -c 2 -i 0.2 -W 1 192.0.2.77
inside ping -q -c 2 -i 0.2 -W 1 192.0.2.77
inside ping -c 1 198.51.100.1
inside ping -c 1 203.0.113.1
inside ping -c 1 100.64.0.1
inside ping -c 3 -i 1 -w 2 127.0.0.1
record ping -c 1 -I nosuch0 127.0.0.1
record ping -c abc 127.0.0.1
record ping -Z 127.0.0.1
record ping
inside ping -c 1 -W 1 -M do -s 3000 192.0.2.77
inside ping -c 1 192.0.2.255
record ping -6 -c 1 127.0.0.1
as_nobody ping -c 1 -i 0.001 127.0.0.1
WEAK=--no-new-privs as_nobody ping -c 1 -W 2 127.0.0.1
as_nobody ping -f -c 1 127.0.0.1
if command -v busybox >/dev/null; then
  version "BusyBox $(busybox | sed -n '1s/BusyBox v\([0-9.]*\).*/\1/p') ping"
  mkdir bb && ln -s "$(command -v busybox)" bb/ping && export PATH="$PWD/bb:$PATH"
  record ping -c 1 -W 1 host.example.invalid
  inside ping -c 1 -W 1 192.0.2.77
  inside ping -c 1 -W 1 198.51.100.1
  WEAK=--no-new-privs as_nobody ping -c 1 -W 3 127.0.0.1
  record ping -Z 127.0.0.2
  record ping -c 1 127.0.0.1
fi
