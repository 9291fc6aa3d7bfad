# A stand-in for the API of a hosting service: a token such as status-403 decides what it answers.
# In the JSON of a failure %d is the status, %s its name and %n a word for it as Heroku has them; the answers
# to requests that succeed are found by a pattern of the path.

api() { # FAILURE-JSON ANSWERS-JSON
  local port=$(free_port)
  "$RECORD_PYTHON" - "$port" "$1" "$2" <<'PYTHON' &
import http, http.server, json, re, sys
port, failure, good = sys.argv[1:]
WORDS = {400: "bad_request", 401: "unauthorized", 402: "delinquent", 403: "forbidden", 404: "not_found", 409: "conflict", 422: "invalid_params", 429: "rate_limit"}
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = re.search(r"status-?(\d+)", self.headers.get("Authorization", ""))
        status = int(found[1]) if found else 401
        if status == 200:
            path = self.path.split("?")[0]
            known = [answer for pattern, answer in json.loads(good).items() if re.fullmatch(pattern, path)]
            status = 200 if known else 404
        if status == 200:
            body = json.dumps(known[0])
        else:
            body = failure.replace("%d", str(status)).replace("%s", http.HTTPStatus(status).phrase)
            body = body.replace("%n", WORDS.get(status, "internal_server_error"))
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
