needs dig named
version "dig $(dig -v 2>&1 | sed 's/DiG \([0-9.]*\).*/\1/')"
port=$(free_port) closed=$(free_port) silent=$(free_port)
fixed "$port" 5300
fixed "$closed" 5301
fixed "$silent" 5302
cat >zone <<'ZONE'
$TTL 60
@ IN SOA ns.shop.test. admin.shop.test. 1 60 60 60 60
@ IN NS ns.shop.test.
ns IN A 127.0.0.1
www IN A 192.0.2.10
www IN A 192.0.2.11
alias IN CNAME www
@ IN MX 10 www
@ IN TXT "connection refused; no servers could be reached"
ZONE
cat >named.conf <<CONF
options { directory "$PWD"; listen-on port $port { 127.0.0.1; }; listen-on-v6 { none; }; pid-file "$PWD/pid"; recursion no;
  allow-query { any; }; allow-transfer { none; }; managed-keys-directory "$PWD"; session-keyfile none; empty-zones-enable no; };
controls { };
zone "shop.test" { type primary; file "$PWD/zone"; };
zone "broken.test" { type primary; file "$PWD/nowhere"; };
zone "closed.test" { type primary; file "$PWD/zone"; allow-query { none; }; };
CONF
named -g -c named.conf -n 1 >/dev/null 2>&1 &
"$RECORD_PYTHON" - "$silent" <<'PYTHON' &
import socket, sys, time
kept = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); kept.bind(("127.0.0.1", int(sys.argv[1])))
time.sleep(60)
PYTHON
wait_for "$port"
at="@127.0.0.1 -p $port"
record dig $at www.shop.test
record dig $at +short www.shop.test
record dig $at +noall +answer shop.test MX
record dig $at nowhere.shop.test
record dig $at +short nowhere.shop.test
record dig $at shop.test AAAA
record dig $at broken.test
record dig $at closed.test
record dig $at example.com
record dig $at shop.test AXFR
record dig $at shop.test TXT
record dig @127.0.0.1 -p "$closed" +time=1 +tries=1 www.shop.test
record dig @127.0.0.1 -p "$silent" +time=1 +tries=1 www.shop.test
record dig @127.0.0.1 -p "$silent" +short +time=1 +tries=1 www.shop.test
record dig @127.0.0.1 -p "$closed" +tcp +time=1 +tries=1 www.shop.test
unshare -rn "$RECORD_PYTHON" -m tests.record --one dig @192.0.2.1 +time=1 +tries=1 www.shop.test
record dig @ns.example.invalid www.shop.test
record dig $at -f nowhere.txt
record dig $at +frobnicate www.shop.test
record dig -Z www.shop.test
record dig $at -t FROB www.shop.test
record dig $at "$(printf 'a%.0s' $(seq 70)).test"
record dig $at -k nowhere.key www.shop.test
record dig @127.0.0.1 -p abc www.shop.test
# One that takes the question and hangs up
hangup=$(free_port)
"$RECORD_PYTHON" - "$hangup" <<'PYTHON' &
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    peer, _ = server.accept()
    peer.recv(512)
    peer.close()
PYTHON
wait_for "$hangup"
fixed "$hangup" 5303
record dig @127.0.0.1 -p "$hangup" +tcp +time=1 +tries=1 www.shop.test
