needs helm python3
version "helm $(helm version --template '{{.Version}}' | sed 's/^v//')"
http_server
chmod 755 "$RECORD_WORLD/.." # nginx reads its files as another user
export HELM_CACHE_HOME="$PWD/cache" HELM_CONFIG_HOME="$PWD/config" HELM_DATA_HOME="$PWD/data"

# Charts
helm create good >/dev/null
cp -r good broken; printf '{{ if }\n' >broken/templates/bad.yaml; sed -i 's/^name: .*/name: broken/' broken/Chart.yaml
mkdir -p tiny/templates; printf 'apiVersion: v2\nname: tiny\nversion: 0.1.0\n' >tiny/Chart.yaml
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  a: {{ .Values.a | default "1" | quote }}\n' >tiny/templates/cm.yaml
cp -r tiny asks; printf '{{ required "image.tag is needed" .Values.image }}\n' >asks/templates/x.yaml
cp -r tiny nils; printf 'a: {{ .Values.one.two.three }}\n' >nils/templates/x.yaml
cp -r tiny badyaml; printf 'a: b: c\n' >badyaml/templates/x.yaml
cp -r tiny schema; printf '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["port"],"properties":{"port":{"type":"integer"}}}' >schema/values.schema.json
cp -r tiny newer; printf 'kubeVersion: ">= 99.0.0"\n' >>newer/Chart.yaml
cp -r tiny noversion; sed -i '/^version/d' noversion/Chart.yaml
cp -r tiny brokenmeta; printf 'a: b: c\n' >>brokenmeta/Chart.yaml
cp -r tiny needy; printf 'dependencies:\n- name: db\n  version: 1.x\n  repository: http://127.0.0.1:1/charts\n' >>needy/Chart.yaml
cp -r tiny unlisted; printf 'dependencies:\n- name: db\n  version: 1.x\n  repository: "@nowhere"\n' >>unlisted/Chart.yaml
cp -r tiny crd; printf 'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n' >crd/templates/w.yaml
mkdir empty
printf 'a: b: c\n' >bad.yaml

# The command line, templates and repositories
record helm instal x ./tiny
record helm nope
record helm template --nope ./tiny
record helm install
record helm template nope ./nochart
record helm template x nope/chart
record helm template x nope
record helm template x ./empty
record helm template x ./broken
record helm template x ./asks
record helm template x ./nils
record helm template x ./badyaml
record helm template x ./schema
record helm template x ./newer
record helm template x ./noversion
record helm template x ./brokenmeta
record helm template x ./needy
record helm template x ./tiny -f missing.yaml
record helm template x ./tiny -f bad.yaml
record helm template x ./tiny --set a=not\ found
record helm template 'Bad_Name' ./tiny
record helm lint ./broken
record helm lint ./good
record helm lint ./empty
record helm package ./tiny
record helm package ./noversion
record helm show chart ./tiny
record helm show values ./nochart
record helm dependency build ./needy
record helm dependency update ./unlisted
record helm dependency list ./needy
record helm repo list
record helm repo update
record helm search repo web
record helm repo add bad "$HTTP/404"
record helm repo add locked "$HTTP/401"
record helm repo add closed "http://$CLOSED/charts"
record helm repo add tls "$HTTPS/charts"
mkdir -p "$RECORD_WORLD/../http/root/charts"; cp tiny-0.1.0.tgz "$RECORD_WORLD/../http/root/charts/"
helm repo index "$RECORD_WORLD/../http/root/charts" --url "$HTTP/charts"
chmod -R a+rX "$RECORD_WORLD/../http/root"
record helm repo add mine "$HTTP/charts"
record helm repo add mine "$HTTP/404"
record helm repo list
record helm search repo tiny
record helm search repo nope
record helm pull mine/nope
record helm pull mine/tiny --version 9.9.9
record helm pull other/tiny
record helm pull "$HTTP/404/tiny-1.0.tgz"
record helm repo remove nope
mv "$RECORD_WORLD/../http/root/charts/index.yaml" .
record helm repo update
cp -r "$RECORD_WORLD/../http/root/charts" "$RECORD_WORLD/../http/root/more"; cp index.yaml "$RECORD_WORLD/../http/root/more/"
chmod -R a+rX "$RECORD_WORLD/../http/root"; helm repo add more "$HTTP/more" >/dev/null
record helm repo update mine more
record helm repo update more
record helm repo update mine more --fail-on-repo-update-fail
sed "s|http://127.0.0.1:[0-9]*|http://$CLOSED|" config/repositories.yaml >closed.yaml
record helm repo update --repository-config closed.yaml
record helm pull oci://"$CLOSED"/charts/tiny
record helm push tiny-0.1.0.tgz oci://"$CLOSED"/charts
record helm plugin install ./nosuch
record helm verify tiny-0.1.0.tgz

# A cluster
record helm list
export KUBECONFIG="$PWD/kubeconfig"
record helm list --kube-context nope
kubeconfig() { printf 'apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "%s"}}]\nusers: [{name: u, user: {token: t}}]\n' "$1" >kubeconfig; chmod 600 kubeconfig; }
kubeconfig "http://$CLOSED"
record helm list -A
kubeconfig "$HTTPS"
record helm list -a
mkdir answers
cat >server.py <<'PYTHON'
import base64, gzip, json, os, re, sys, http.server, urllib.parse
class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do(self):
        size = int(self.headers.get("Content-Length") or 0)
        asked = f"{self.command} {urllib.parse.unquote(self.path)} " + self.rfile.read(size).decode("utf-8", "replace")
        status, body = 404, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","code":404}'
        for name in sorted(os.listdir("answers")):
            with open(f"answers/{name}") as file:
                head, text = file.read().split("\n", 1)
            code, pattern = head.split(" ", 1)
            if re.search(pattern, asked):
                status, body = int(code), text
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
PYTHON
port=$(free_port); python3 server.py "$port" & wait_for "$port"; fixed "127.0.0.1:$port" 127.0.0.1:6443
kubeconfig "http://127.0.0.1:$port"
version "$RECORD_VERSION (simulated API server)"
count=100
answer() { count=$((count + 1)); printf '%s %s\n%s' "$1" "${3:-.}" "$2" >"answers/$count"; }
failure() { answer "$1" "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"$3\",\"reason\":\"$2\",\"code\":$1}" "$4"; }
release() { # NAME REVISION STATUS
  python3 - "$@" <<'PYTHON'
import base64, gzip, json, sys
name, revision, status = sys.argv[1:]
made = {"name": name, "version": int(revision), "namespace": "default", "info": {"status": status, "first_deployed": "2024-05-01T10:00:00Z", "last_deployed": "2024-05-01T10:00:00Z", "deleted": "", "description": status}, "chart": {"metadata": {"name": "tiny", "version": "0.1.0", "appVersion": "2.0", "apiVersion": "v2"}, "templates": []}, "manifest": ""}
packed = base64.b64encode(base64.b64encode(gzip.compress(json.dumps(made).encode()))).decode()
print(json.dumps({"kind": "Secret", "apiVersion": "v1", "metadata": {"name": f"sh.helm.release.v1.{name}.v{revision}", "namespace": "default", "labels": {"name": name, "owner": "helm", "status": status, "version": revision}}, "type": "helm.sh/release.v1", "data": {"release": packed}}))
PYTHON
}
secrets() { answer 200 "{\"kind\":\"SecretList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[$1]}" "GET /api/v1/(namespaces/default/)?secrets\?${2:-}"; }
cluster() {
  rm -f answers/*
  answer 200 '{"major":"1","minor":"29","gitVersion":"v1.29.0"}' 'GET /version'
  answer 200 '{"kind":"APIVersions","versions":["v1"]}' 'GET /api\?|GET /api '
  answer 200 '{"kind":"APIGroupList","apiVersion":"v1","groups":[]}' 'GET /apis\?|GET /apis '
  answer 200 '{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap","verbs":["create","get","list","patch","delete"]},{"name":"secrets","singularName":"secret","namespaced":true,"kind":"Secret","verbs":["create","get","list"]},{"name":"namespaces","namespaced":false,"kind":"Namespace","verbs":["create","get"]}]}' 'GET /api/v1[ ?]'
  secrets ''
  failure 404 NotFound 'secrets not found' 'GET /api/v1/namespaces/default/(secrets|configmaps)/'
  answer 201 "$(release web 1 pending-install)" 'POST /api/v1/namespaces/default/secrets'
  answer 200 "$(release web 1 failed)" 'PUT /api/v1/namespaces/default/secrets'
}
cluster
record helm status nope
record helm uninstall nope
record helm history nope
record helm test nope
record helm diff upgrade web ./tiny
secrets "$(release web 1 deployed)" ".*name=web"; answer 200 "$(release web 1 deployed)" "DELETE /api/v1/namespaces/default/secrets|secrets/sh.helm.release.v1.web.v1"
record helm uninstall web nope
cluster
record helm upgrade nope ./tiny
record helm rollback nope 1
record helm get values nope
record helm list
record helm install web ./crd --disable-openapi-validation
secrets "$(release web 1 deployed)"; answer 200 "$(release web 1 deployed)" 'GET /api/v1/namespaces/default/secrets/sh.helm.release.v1.web.v1'
record helm install web ./tiny
record helm list --all-namespaces
record helm list -o json
record helm rollback web 9
secrets "$(release web 1 pending-upgrade)"
record helm upgrade web ./tiny --disable-openapi-validation
secrets "$(release web 1 failed)"
record helm upgrade web ./tiny
cluster
failure 403 Forbidden 'secrets is forbidden: User \"dev\" cannot list resource \"secrets\" in API group \"\" in the namespace \"default\"' 'secrets\?'
record helm list
record helm upgrade --install web ./tiny
failure 401 Unauthorized Unauthorized .
record helm list
cluster; failure 500 InternalError 'etcdserver: request timed out' 'secrets\?'
record helm history web
cluster; failure 503 ServiceUnavailable 'the server is currently unable to handle the request' 'secrets\?'
record helm status web
cluster; failure 404 NotFound 'namespaces \"nope\" not found' 'POST'
record helm install web ./tiny --disable-openapi-validation
cluster; answer 200 '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"web","namespace":"default"}}' 'GET /api/v1/namespaces/default/configmaps/web'
record helm install web ./tiny --disable-openapi-validation
cluster; failure 422 Invalid 'ConfigMap \"web\" is invalid: data: Forbidden: field is immutable when `immutable` is set' 'POST /api/v1/namespaces/default/configmaps'
record helm install web ./tiny --disable-openapi-validation --no-hooks
cluster; failure 403 Forbidden 'admission webhook \"policy.example.com\" denied the request: no tag' 'POST /api/v1/namespaces/default/configmaps'
record helm install web ./tiny --disable-openapi-validation --description x
