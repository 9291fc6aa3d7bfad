needs podman busybox
version "podman $(podman --version | sed 's/.* //')"
http_server
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$PWD" "$PWD" >storage.conf
printf '[containers]\ndefault_ulimits = ["nofile=1000:1000", "nproc=1000:1000"]\n' >containers.conf # what an ordinary user may set
export CONTAINERS_CONF="$PWD/containers.conf" CONTAINERS_STORAGE_CONF="$PWD/storage.conf" XDG_RUNTIME_DIR="$PWD"
cat >registry.py <<'PYTHON'
import http.server, sys
answers = {"401": '{"errors":[{"code":"UNAUTHORIZED","message":"authentication required","detail":null}]}', "429": '{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit."}]}', "404": '{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown","detail":"unknown tag"}]}'}
class Registry(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        status = sys.argv[2] if self.path != "/v2/" or sys.argv[2] == "401" else "200"
        body = answers.get(status, "{}").encode()
        self.send_response(int(status))
        if status == "401": self.send_header("WWW-Authenticate", 'Basic realm="world"')
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0"); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(body)))
        self.end_headers(); self.wfile.write(body)
    do_HEAD = do_GET
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Registry).serve_forever()
PYTHON
for status in 401 404; do # one registry for each answer; 429 would be tried again for minutes
  port=$(free_port); "$RECORD_PYTHON" registry.py "$port" "$status" & wait_for "$port"; fixed "127.0.0.1:$port" "127.0.0.1:5$status"
  record podman pull -q --tls-verify=false "127.0.0.1:$port/private/x"
  [ "$status" = 404 ] || record podman login --tls-verify=false -u ada -p wrong "127.0.0.1:$port"
done
record podman pull -q "${HTTP#http://}/x"
record podman pss
record podman nope
record podman ps --nope
record podman run
record podman run nosuchimage
record podman pull "$CLOSED/x:latest"
record podman pull nowhere.invalid/x
record podman pull 'Bad Name'
record podman --remote --url unix:///nowhere/podman.sock ps
record podman images
record podman inspect nope
record podman rm nope
record podman rmi nope
record podman logs nope
record podman exec nope ls
record podman volume rm nope
record podman network rm nope
record podman network create podman
record podman container exists nope
record podman image exists nope
record podman volume create data
record podman volume create data
record podman build .
printf 'FROM scratch\nCOPY missing /x\n' >Containerfile
record podman build .
printf 'FORM scratch\n' >Containerfile
record podman build .
printf 'FROM localhost/absent:1\n' >Containerfile
record podman build .
record podman load -i nofile.tar
record podman secret inspect nope
record podman login "$CLOSED" -u ada -p secret
record podman login -u ada "$CLOSED"
record podman push nope "$CLOSED/nope"
record podman pod rm nope
record podman play kube nofile.yaml
mkdir -p root/bin; cp "$(command -v busybox)" root/bin/; ln -s busybox root/bin/sh; ln -s busybox root/bin/ls; touch root/bin/notexec
tar -C root -cf root.tar .; podman import -q root.tar box >/dev/null
opts="--network=none --cgroups=disabled --log-driver=k8s-file"
record podman tag box
# where the machine's control groups do not suit crun, this says so; else the program is not found
record podman run $opts --rm box nosuchprogram
record podman run $opts --name one box sh -c 'exit 0'
record podman run $opts --name one box ls
record podman run $opts -v /nowhere/there:/x --rm box ls
record podman run $opts --memory nope --rm box ls
record podman rmi box
record podman exec one ls
record podman start one nope
record podman stop nope
record podman cp one:/nope .
record podman ps -a --format '{{.Names}}'
record podman rm one nope
podman create $opts --name two box ls >/dev/null; podman create $opts --name three box ls >/dev/null; podman create $opts --name four --requires three box ls >/dev/null
record podman rm two three
record podman rmi nope box
