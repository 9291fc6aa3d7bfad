needs wget openssl setpriv
version "Wget $(wget --version | sed -n '1s/GNU Wget \([0-9.]*\).*/\1/p')"
http_server
chmod 755 "$RECORD_WORLD/.."; root="$RECORD_WORLD/../http/root"
echo hello >"$root/a.txt"
head -c 300000 /dev/zero >"$root/big.bin"
ca="$RECORD_WORLD/../http/cert.pem"
fixed "$(realpath "$RECORD_WORLD/..")/http/cert.pem" /tmp/world/ca.pem

odd_servers
fixed "127.0.0.2:${HTTPS##*:}" 127.0.0.2:8443

for status in 400 402 403 404 405 408 409 410 412 413 415 422 429 500 502 503 504; do
  record wget -nv --tries=1 "$HTTP/$status"
done
record wget -q "$HTTP/404"
record wget "$HTTP/401"
record wget -nv --user=me --password=wrong "$HTTP/401"
record wget -nv --header='Authorization: Bearer abc' "$HTTP/401"
record wget -nv -S "$HTTP/429"
record wget -nv "$HTTP/404/Unauthorized.txt"
record wget --spider "$HTTP/404"
record wget --spider -nv "$HTTP/a.txt"
record wget -q --spider "$HTTP/a.txt"
record wget --tries=1 "http://$CLOSED/x"
record wget -q "http://$CLOSED/x"
record wget -nv --tries=2 --waitretry=0 "http://$HANGUP/x"
record wget -nv --tries=1 --timeout=1 "http://$SILENT/x"
record wget --tries=1 http://host.example.invalid/x
record wget -nv "$HTTPS_EXPIRED/x"
record wget -nv "$HTTPS/a.txt"
record wget -nv --tries=1 "https://${HTTP#http://}/a.txt"
record wget -nv --tries=1 --timeout=2 "http://127.0.0.1:$short/x"
record wget -nv --tries=1 --timeout=2 "http://127.0.0.1:$plain/x"
record wget -nv "http://127.0.0.1:$loop/x"
record wget -nv "$HTTP/a.txt"
record wget -nv -c "$HTTP/a.txt"
record wget -nv -nc "$HTTP/a.txt"
record wget -nv -O- "$HTTP/a.txt"
record wget -nv "$HTTP/a.txt" "$HTTP/404"
record wget -nv -O nowhere/a.txt "$HTTP/a.txt"
mkdir -m 700 mine full
mount -t tmpfs -o size=64k tmpfs full 2>/dev/null && {
  record wget -nv -O full/big.bin "$HTTP/big.bin"
  umount full
}
mkdir -p locked && chmod 555 locked
(cd locked && as_nobody wget -nv -P "$PWD" "$HTTP/a.txt")
record wget --frobnicate "$HTTP/a.txt"
record wget --tries=abc "$HTTP/a.txt"
record wget
record wget "htp://127.0.0.1/a.txt"
record wget "http://127.0.0.1:abc/"
record wget -i nowhere.txt
record wget -O
record wget -nv --ca-certificate=nowhere.pem "$HTTPS/a.txt"
record wget -nv --post-file=nowhere.txt "$HTTP/a.txt"
record wget -nv --timeout=1 --tries=1 ftp://"$CLOSED"/x
record wget --config=nowhere "$HTTP/a.txt"
record wget -nv -O both.txt -N "$HTTP/a.txt"
record wget -b -nc -O- "$HTTP/a.txt" -r -k
# No network at all
unshare -rn "$RECORD_PYTHON" -m tests.record --one wget -nv --tries=1 http://192.0.2.1/x
record wget --tries=1 "$HTTP/504"
record wget --tries=1 --timeout=2 "http://127.0.0.1:$short/x"
record wget -N "$HTTP/404"
record wget --tries=1 "http://$HANGUP/x"
record wget --tries=1 "http://$SILENT/x" --timeout=1
record wget --tries=1 "https://$HANGUP/x"
record wget -nv "$HTTP/404" "$HTTP/403"
record wget "$HTTP/a.txt" "$HTTP/404"
: >empty.txt
record wget -i empty.txt

if command -v busybox >/dev/null; then
  version "BusyBox $(busybox | sed -n '1s/BusyBox v\([0-9.]*\).*/\1/p') wget"
  mkdir bb && ln -s "$(command -v busybox)" bb/wget && export PATH="$PWD/bb:$PATH"
  record wget -q -O bb1 "$HTTP/404"
  record wget -O bb2 "$HTTP/401"
  record wget -O bb3 "http://$CLOSED/x"
  record wget -O bb4 http://host.example.invalid/x
  record wget -O bb6 "http://$HANGUP/x"
  record wget -O nowhere/x "$HTTP/a.txt"
  record wget -O bb7 "http://127.0.0.1:$short/x"
  echo old >a.txt
  record wget "$HTTP/a.txt" -P .
  record wget -O bb8 "htp://127.0.0.1/x"
  record wget -O bb9 "$HTTP/503"
  record wget --frobnicate -O bb10 "$HTTP/a.txt"
  PATH="${PATH#*:}"
fi
if command -v wget2 >/dev/null; then
  version "Wget2 $(wget2 --version | sed -n '1s/GNU Wget2 \([0-9.]*\).*/\1/p')"
  record wget2 --tries=1 "$HTTP/404"
  record wget2 "$HTTP/401"
  record wget2 --tries=1 "$HTTP/503"
  record wget2 --tries=1 "http://$CLOSED/x"
  record wget2 --tries=1 http://host.example.invalid/x
  record wget2 --tries=1 "$HTTPS/a.txt"
  record wget2 --tries=1 --timeout=1 "http://$SILENT/x"
  record wget2 --frobnicate "$HTTP/a.txt"
  record wget2 -O w2 "$HTTP/a.txt" "$HTTP/404"
fi
version "Wget $(wget --version | sed -n '1s/GNU Wget \([0-9.]*\).*/\1/p')"
record wget -q "$HTTPS/a.txt"
record wget -q "$HTTP/401"
record wget -q --user=me --password=wrong "$HTTP/401"
tls=$(free_port)
fixed "127.0.0.1:$tls" 127.0.0.1:8445
openssl s_server -quiet -accept "127.0.0.1:$tls" -tls1_3 -cert "$ca" -key "${ca%cert.pem}key.pem" </dev/null >/dev/null 2>&1 &
wait_for "$tls"
record wget -nv --tries=1 --ciphers=NORMAL:-VERS-ALL:+VERS-TLS1.2 "https://127.0.0.1:$tls/"
unshare -rn "$RECORD_PYTHON" -m tests.record --one wget --tries=1 http://host.example.com/x
