needs netlify node
version "netlify-cli $(netlify --version 2>/dev/null | sed 's|netlify-cli/||; s| .*||')"
export NETLIFY_HOME="$HOME/netlify" XDG_CONFIG_HOME="$HOME/config"
unset CI

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

mkdir site && cd site && echo '<h1>hi</h1>' >index.html
record netlify deploy --dir .
record netlify status
record netlify sites:list
record netlify frobnicate
record netlify deplyo
record netlify sites:list --frobnicate
record netlify env:list
record netlify env:set
record netlify build
record netlify functions:invoke nothing
record netlify link
record netlify init
record netlify open
record netlify api frobnicate
record netlify logs:function
record netlify watch

api '{"code": %d, "message": "%s"}' '{".*/user": {"id": "u1", "full_name": "Some Body", "email": "a@b.c"}, ".*/accounts": [{"id": "a1", "slug": "team", "name": "Team", "default": true}], ".*/sites": [], ".*/current_user": {}}'
export NETLIFY_API_URL="$API/api/v1"
for status in 400 401 402 403 404 422 429 500 503; do
  NETLIFY_AUTH_TOKEN="status-$status" record netlify sites:list
done
NETLIFY_AUTH_TOKEN=status-401 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-404 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-403 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-401 record netlify status
export NETLIFY_AUTH_TOKEN=status-200
record netlify sites:list
record netlify sites:list --json
record netlify status
record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
record netlify deploy --dir no-such-folder
record netlify deploy
record netlify link --name no-such-site
record netlify sites:delete no-such-site
record netlify env:get NAME
printf '[build\n' >netlify.toml
record netlify build --offline
printf '[build]\ncommand = "exit 3"\npublish = "."\n' >netlify.toml
record netlify build --offline
printf '[build]\ncommand = "no-such-program"\npublish = "."\n' >netlify.toml
record netlify build --offline
rm netlify.toml
NETLIFY_API_URL="http://127.0.0.1:9/api/v1" record netlify sites:list
NETLIFY_API_URL="http://no-such-host.invalid/api/v1" record netlify sites:list
