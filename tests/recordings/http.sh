needs http
version "HTTPie $(http --version)"
chmod 755 "$RECORD_WORLD/.."
http_server
root="$RECORD_WORLD/../http/root"
echo '{"name": "one", "n": 1}' >"$root/a.json" && echo hello >"$root/a.txt"
odd_servers
fixed "port=${CLOSED##*:}" port=9
fixed "port=${SILENT##*:}" port=8001
fixed "port=${HTTP##*:}" port=8000
fixed "port=${HTTPS##*:}" port=8443
fixed "port=${HTTPS_EXPIRED##*:}" port=8444
i="--ignore-stdin"
for status in 301 400 401 402 403 404 405 409 410 413 422 429 500 502 503 504; do
  record http $i --check-status GET "$HTTP/$status"
done
record http $i --check-status -a me:wrong "$HTTP/401"
record http $i --check-status -A bearer -a token "$HTTP/401"
record http $i --check-status -h "$HTTP/429"
record http $i "$HTTP/404"
record http $i "$HTTP/503"
record http $i -h "$HTTP/404"
record http $i "$HTTP/a.json"
record http $i -b "$HTTP/a.txt"
record http $i --check-status "$HTTP/a.json"
record http "$HTTP/a.json"
record http $i "http://$CLOSED/x"
record http $i http://host.example.invalid/x
record http $i --timeout=1 "http://$SILENT/x"
record http $i "http://$HANGUP/x"
record http $i "$HTTPS/a.json"
record http $i "$HTTPS_EXPIRED/a.json"
record http $i "https://${HTTP#http://}/a.json"
record http $i --follow --max-redirects=3 "http://127.0.0.1:$loop/x"
record http $i --download "http://127.0.0.1:$short/x"
record http $i --download --check-status "$HTTP/404" -o x.bin
record http $i --download "$HTTP/a.txt" -o nowhere/a.txt
record http $i --frobnicate "$HTTP/a.json"
record http $i
record http $i POST "$HTTP/a.json" 'x:=not json'
record http $i POST "$HTTP/a.json" file@nowhere.txt
record http $i --timeout=abc "$HTTP/a.json"
record http $i "htp://127.0.0.1/x"
record http $i --cert=nowhere.pem "$HTTPS/a.json"
record http $i --session=/proc/x/session "$HTTP/a.json"
record http $i --auth-type=frob -a x:y "$HTTP/a.json"
record http $i --proxy=http:http://"$CLOSED" "$HTTP/a.json"
record https $i "$HTTPS/404" --verify=no --check-status
record http $i --offline POST pie.dev/post a=b
record http POST "$HTTP/a.json" a=b
record https POST "localhost:${HTTPS##*:}/a.json" a=b
