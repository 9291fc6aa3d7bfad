needs heroku node git
version "heroku $(heroku --version 2>/dev/null | sed -n 's|heroku/\([^ ]*\).*|\1|p')"
export HEROKU_SKIP_NEW_VERSION_CHECK=true DISABLE_TELEMETRY=true XDG_DATA_HOME="$HOME/data" XDG_CACHE_HOME="$HOME/cache" XDG_CONFIG_HOME="$HOME/config"
unset CI SSL_CERT_FILE SSL_CERT_DIR

# A stand-in for the API: a token such as status-403 decides what it answers.
api() { # api FORMAT: the JSON of an answer, with %d for the status, %s for its name
  local port=$(free_port)
  "$RECORD_PYTHON" - "$port" "$1" "$2" <<'PYTHON' &
import http, http.server, json, re, sys
port, failure, good = sys.argv[1:]
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = re.search(r"status-?(\d+)", self.headers.get("Authorization", ""))
        status = int(found[1]) if found else 401
        name = http.HTTPStatus(status).phrase
        answers = json.loads(good)
        body = failure.replace("%d", str(status)).replace("%s", name)
        if status == 200:
            path = self.path.split("?")[0]
            known = [each for each in answers if re.fullmatch(each, path)]
            status, body = (200, json.dumps(answers[known[0]])) if known else (404, failure.replace("%d", "404").replace("%s", "Not Found"))
        names = {400: "bad_request", 401: "unauthorized", 402: "delinquent", 403: "forbidden", 404: "not_found", 409: "conflict", 422: "invalid_params", 429: "rate_limit"}
        body = body.replace(f"status_{status}", names.get(status, "internal_server_error"))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        if status in (429, 503):
            self.send_header("Retry-After", "1")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body.encode())
    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Answer).serve_forever()
PYTHON
  wait_for "$port"
  fixed "127.0.0.1:$port" 127.0.0.1:8080
  fixed "localhost:$port" localhost:8080
  API="http://127.0.0.1:$port"
}

mkdir empty && cd empty
record heroku apps
record heroku auth:whoami
record heroku logs
record heroku frobnicate
record heroku app:create
record heroku apps --frobnicate
record heroku config:set
record heroku ps -a
record heroku login
record heroku auth:token

api '{"id": "status_%d", "message": "%s"}' '{"/account": {"id": "u1", "email": "a@b.c"}, "/apps|/users/~/apps": [{"id": "1", "name": "one", "owner": {"email": "a@b.c"}, "region": {"name": "us"}}], "/apps/one": {"id": "1", "name": "one", "owner": {"email": "a@b.c"}, "region": {"name": "us"}}, "/apps/one/config-vars": {"A": "1", "B": "two"}}'
export HEROKU_HOST="$API" HEROKU_API_URL="$API"
for status in 400 401 402 403 404 409 422 429 500 503; do
  HEROKU_API_KEY="status-$status" record heroku config -a one
done
HEROKU_API_KEY=status-401 record heroku auth:whoami
export HEROKU_API_KEY=status-200
record heroku config -a one
record heroku config -a one --json
record heroku config:get A -a one
record heroku config -a nobody
record heroku apps:info nobody
record heroku apps:destroy one
record heroku config
record heroku releases:rollback -a one
record heroku git:remote -a one
git init -q . && git remote add heroku https://git.heroku.com/one.git && git remote add staging https://git.heroku.com/two.git
record heroku config
HEROKU_HOST="http://127.0.0.1:9" HEROKU_API_URL="http://127.0.0.1:9" record heroku config -a one
HEROKU_HOST="http://no-such-host.invalid" HEROKU_API_URL="http://no-such-host.invalid" record heroku config -a one
