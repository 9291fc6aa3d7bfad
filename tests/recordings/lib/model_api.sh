# A stand-in for the API of a language model.

model_api() {
  port=$(free_port)
  "$RECORD_PYTHON" - "$port" <<'PYTHON' &
import http.server, json, os, sys
class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body = open("answer").read().split("\n", 1)
        self.send_response(int(status)); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(body.encode()))); self.send_header("x-should-retry", "false")
        self.end_headers(); self.wfile.write(body.encode())
    do_GET = do_HEAD = do_POST
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
PYTHON
  wait_for "$port"
  fixed "127.0.0.1:$port" 127.0.0.1:8006
}
