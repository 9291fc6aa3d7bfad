# What the recording scripts share. A script runs in an empty folder ($PWD) with a home of its own.
#
#   needs TOOL…             end here, saying so, where a tool is not installed
#   version TEXT            what the following recordings name as their origin: `rsync 3.2.7`
#   record TOOL ARGS…       run it with empty stdin and keep what it printed, as one case
#   record --stdin TOOL …   the same with this call's standard input
#   free_port               print a port that nobody listens on
#   fixed ACTUAL NAME       ACTUAL is written as NAME in every recording
#   http_server             nginx on loopback: $HTTP/STATUS answers with that status; $HTTPS has a
#                           certificate of nobody's, $HTTPS_EXPIRED one that has expired; $CLOSED is
#                           an address that refuses connections, $SILENT one that never answers,
#                           $HANGUP one that closes the connection at once
#   odd_servers             $short is a port where more is promised than sent, $plain one where no
#                           web server answers, $loop one that redirects forever
#   wait_for PORT           until somebody listens there
#   say FILE TEXT           write a file of one text
#   root                    whether this is root
#   as_nobody TOOL ARGS…    record it run by nobody, under its own name; $WEAK has more options of setpriv
#   unprivileged COMMAND…   become it, run by nobody in /: for servers, in a subshell
#   other_tools NAME…       programs of these names: busybox in $bb, those of the system run by nobody
#                           in $nobody, to be put in front of PATH
#   own_mounts              run the rest of the script as root in a mount namespace of its own
#   use NAME                lib/NAME.sh, which has what only a few scripts share:
#     c_compiler            c_sources writes the files, c_failures CC CXX records what they come to
#     debian                deb NAME VERSION FIELDS… packs ./build into $debs, for $arch or all; script
#                           NAME CODE puts a maintainer script there; apt_folders and apt_settings
#                           make a system of $root; hold_locks FILES… is done by process $locker
#     hosting_api           api FAILURE ANSWERS: a stand-in at $API, whose tokens say the status
#     model_api             model_api: a stand-in on $port; ./answer has the status and the body
#     npm_registry          registry NAME DIST VERSION MANIFEST…: a package below $HTTP; usual_packages
#                           are several; project NAME MANIFEST: a fresh folder, and into it
#     postgres_server       postgres_server OPTIONS… <PG_HBA: for psql without options; nobody listens
#                           on port $closed, its socket is in $server
#     python_index          python_index: $index is the address, $root the folder; wheel NAME VERSION
#                           COMMAND METADATA… puts a wheel there
#     ssh_server            ssh_server: the file cfg has the hosts srv, nokey, stranger, changed, closed,
#                           nosftp, silent and hangup; $daemon is the server's process; host NAME PORT
#                           KEY KNOWN prints one more of them
# Whatever a script starts in the background is ended when it ends.

LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

use() { source "$LIB/lib/$1.sh"; }

needs() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
  done
}

version() { export RECORD_VERSION="$1"; }

record() { "$RECORD_PYTHON" -m tests.record --one "$@"; }

fixed() { printf '%s\t%s\n' "$1" "$2" >>"$RECORD_NAMES"; }

say() { printf '%s\n' "$2" >"$1"; }

root() { [ "$(id -u)" = 0 ]; }

unprivileged() { cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; }

as_nobody() {
  local bin="$RECORD_WORLD/../nobody"
  mkdir -p "$bin"
  printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s -- %s "$@"\n' "${WEAK:-}" "$(type -P "$1")" >"$bin/$1"
  chmod 755 "$RECORD_WORLD/.." "$RECORD_WORLD" "$RECORD_WORLD/home" "$bin" "$bin/$1"
  PATH="$(realpath "$bin"):$PATH" record "$@"
}

other_tools() {
  local name
  bb="$RECORD_WORLD/../bb" nobody="$RECORD_WORLD/../nobody"
  mkdir "$bb" "$nobody"
  for name in "$@"; do
    ! command -v busybox >/dev/null || ln -s "$(command -v busybox)" "$bb/$name"
    # By its bare name, because these tools begin their messages with the name they were called by
    printf '#!/bin/sh\nPATH=/usr/bin:/bin exec setpriv --reuid=65534 --regid=65534 --clear-groups -- %s "$@"\n' "$name" >"$nobody/$name"
    chmod 755 "$nobody/$name"
  done
  chmod 755 "$RECORD_WORLD/.." "$nobody"
}

own_mounts() {
  [ -z "${RECORD_MOUNTS:-}" ] || return 0
  local script="${BASH_SOURCE[1]}"
  root || { echo "skipped: ${script##*/} needs root" >&2; exit 77; }
  RECORD_MOUNTS=1 unshare -m --propagation private bash -c 'source "$1/lib.sh"; source "$2"' bash "$LIB" "$script"
  exit
}

free_port() {
  "$RECORD_PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

wait_for() {
  "$RECORD_PYTHON" - "$1" <<'PYTHON'
import socket, sys, time
for _ in range(200):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
        break
    except OSError:
        time.sleep(0.05)
else:
    sys.exit(f"nobody listens on port {sys.argv[1]}")
PYTHON
}

http_server() {
  needs nginx openssl
  local folder="$RECORD_WORLD/../http" statuses="" status
  mkdir -p "$folder/root"
  local plain secure expired closed silent hangup
  plain=$(free_port) secure=$(free_port) expired=$(free_port) closed=$(free_port)
  silent=$(free_port) hangup=$(free_port)
  openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -days 30 -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
  # The date is set by a CA of one use, because `req -x509` cannot write the past.
  openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$folder/old-key.pem" -out "$folder/old.csr" 2>/dev/null
  mkdir -p "$folder/ca" && : >"$folder/ca/index.txt" && echo 01 >"$folder/ca/serial"
  cat >"$folder/ca.cnf" <<CONF
[ca]
default_ca = one
[one]
database = $folder/ca/index.txt
serial = $folder/ca/serial
new_certs_dir = $folder/ca
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost,IP:127.0.0.1
CONF
  openssl ca -batch -config "$folder/ca.cnf" -selfsign -keyfile "$folder/old-key.pem" -in "$folder/old.csr" \
    -startdate 20200101000000Z -enddate 20200201000000Z -out "$folder/old-cert.pem" 2>/dev/null
  for status in 400 402 404 405 408 409 410 412 413 415 422 500 501 502 504; do
    statuses+="location /$status { return $status; }"$'\n'
  done
  local rules='
    location /401 { add_header WWW-Authenticate "Basic realm=world" always; return 401; }
    location /403 { return 403; }
    location /429 { add_header Retry-After 30 always; return 429; }
    location /503 { add_header Retry-After 120 always; return 503; }
    location /301 { return 301 /moved; }
    location /close { return 444; }
    location / { root '"$folder"'/root; autoindex on; }'
  cat >"$folder/nginx.conf" <<CONF
daemon off;
pid $folder/nginx.pid;
error_log $folder/error.log;
worker_processes 1;
events {}
http {
  access_log off;
  types { application/json json; text/plain txt; }
  client_body_temp_path $folder/body; proxy_temp_path $folder/proxy; fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi; scgi_temp_path $folder/scgi;
  server { listen 127.0.0.1:$plain; server_name localhost; $statuses $rules }
  server { listen 127.0.0.1:$secure ssl; server_name localhost; ssl_certificate $folder/cert.pem; ssl_certificate_key $folder/key.pem; $statuses $rules }
  server { listen 127.0.0.1:$expired ssl; server_name localhost; ssl_certificate $folder/old-cert.pem; ssl_certificate_key $folder/old-key.pem; $statuses $rules }
}
CONF
  nginx -c "$folder/nginx.conf" -p "$folder" 2>/dev/null &
  "$RECORD_PYTHON" - "$silent" "$hangup" <<'PYTHON' &
import socket, struct, sys, threading, time
silent, hangup = (socket.create_server(("127.0.0.1", int(port))) for port in sys.argv[1:])
kept = []
threading.Thread(target=lambda: [kept.append(silent.accept()) for _ in iter(int, 1)], daemon=True).start()
while True:
    peer, _ = hangup.accept()
    peer.recv(4096)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
PYTHON
  wait_for "$plain" && wait_for "$expired" && wait_for "$hangup"
  fixed "127.0.0.1:$plain" 127.0.0.1:8000
  fixed "localhost:$plain" localhost:8000
  fixed "127.0.0.1:$secure" 127.0.0.1:8443
  fixed "localhost:$secure" localhost:8443
  fixed "127.0.0.1:$expired" 127.0.0.1:8444
  fixed "localhost:$expired" localhost:8444
  fixed "127.0.0.1:$closed" 127.0.0.1:9
  fixed "localhost:$closed" localhost:9
  fixed "127.0.0.1:$silent" 127.0.0.1:8001
  fixed "127.0.0.1:$hangup" 127.0.0.1:8002
  for name in plain secure expired closed silent hangup; do
    fixed "port ${!name}" "port $(sed -n "s/^127.0.0.1:${!name}\t127.0.0.1://p" "$RECORD_NAMES")"
  done
  export HTTP="http://127.0.0.1:$plain" HTTPS="https://127.0.0.1:$secure" HTTPS_EXPIRED="https://127.0.0.1:$expired"
  export CLOSED="127.0.0.1:$closed" SILENT="127.0.0.1:$silent" HANGUP="127.0.0.1:$hangup"
}

odd_servers() {
  short=$(free_port) plain=$(free_port) loop=$(free_port)
  "$RECORD_PYTHON" - "$short" "$plain" "$loop" <<'PYTHON' &
import socket, sys, threading
answers = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nonly this",
    b"220 welcome, this is no web server\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
]
def serve(port, answer):
    server = socket.create_server(("127.0.0.1", int(port)))
    while True:
        peer, _ = server.accept()
        peer.recv(4096)
        peer.sendall(answer)
        peer.close()
for port, answer in zip(sys.argv[1:], answers):
    threading.Thread(target=serve, args=(port, answer)).start()
PYTHON
  wait_for "$short" && wait_for "$plain" && wait_for "$loop"
  fixed "127.0.0.1:$short" 127.0.0.1:8003
  fixed "127.0.0.1:$plain" 127.0.0.1:8004
  fixed "127.0.0.1:$loop" 127.0.0.1:8005
}

trap 'kill $(jobs -p) 2>/dev/null' EXIT
