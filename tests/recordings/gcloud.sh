needs gcloud python3
cli="$(gcloud --version | sed -n 's/^Google Cloud SDK //p')"
version "gcloud $cli"
unset CLOUDSDK_CONFIG CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE GOOGLE_APPLICATION_CREDENTIALS
export CLOUDSDK_CONFIG="$HOME/gcloud"
http_server
fixed "port=${CLOSED##*:}" port=9
fixed "port=${HTTPS##*:}" port=8443

# Before any request
record gcloud
record gcloud compute instancs list
record gcloud compute
record gcloud nothing here
record gcloud compute instances list --nope
record gcloud compute instances list --projct=p
record gcloud compute instances list --projct p
record gcloud compute instances delete
record gcloud compute instances create vm --zone
record gcloud compute instances list --format=nope
record gcloud compute instances list --limit=many
record gcloud compute instances create 'Not_A_Name' --zone=europe-west1-b --project=demo-project
record gcloud config set nothing/here 1
record gcloud config get-value nothing
record gcloud config configurations activate absent
record gcloud config configurations list
record gcloud config configurations create default
record gcloud --configuration=absent config list
record gcloud auth list
record gcloud auth print-access-token
record gcloud projects list
record gcloud compute instances list
record gcloud auth login
record gcloud auth login --no-launch-browser
record gcloud init
record gcloud auth activate-service-account --key-file=absent.json
echo '{"type": "service_account"' >key.json
record gcloud auth activate-service-account --key-file=key.json
record gcloud config set account somebody@example.com
record gcloud projects list
record gcloud auth revoke
record gcloud auth application-default print-access-token
record gcloud version --format=json
record gcloud info --format='value(basic.version)'
record gcloud components list
record gcloud run deploy web --source absent --region europe-west1 --project demo-project
record gcloud builds submit --config absent.yaml --project demo-project .
record gcloud app deploy --project demo-project
record gcloud topic absent

# Requests. The token of nobody is used, so that no login is asked for.
echo ya29.nobody >token
export CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="$PWD/token"
record gcloud compute instances list
export CLOUDSDK_CORE_PROJECT=demo-project
record gcloud compute instances describe vm
export CLOUDSDK_COMPUTE_ZONE=europe-west1-b
api() { export CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE="$1/compute/v1/" CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER="$1/" CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE="$1/storage/v1/" CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB="$1/" CLOUDSDK_API_ENDPOINT_OVERRIDES_SECRETMANAGER="$1/"; }
api "http://$CLOSED"
record gcloud pubsub topics list
record gcloud projects list
api "http://nowhere.invalid"
record gcloud pubsub topics list
api "http://$HANGUP"
record gcloud pubsub topics list
api "$HTTPS"
record gcloud pubsub topics list

# What the services answer, sent by a stand-in: answers/N holds status and body
version "gcloud $cli (simulated API server)"
mkdir -p answers
port=$(free_port)
python3 - "$port" "$PWD/answers" <<'PYTHON' 2>/dev/null &
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
port, folder = int(sys.argv[1]), sys.argv[2]
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(f"{folder}/now", encoding="utf-8") as file:
            status = int(file.readline())
            body = file.read().encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
PYTHON
wait_for "$port"
fixed "127.0.0.1:$port" 127.0.0.1:8010
api "http://127.0.0.1:$port"
# says STATUS REASON NAME MESSAGE [DETAILS]
says() {
  python3 - "$@" >answers/now <<'PYTHON'
import json, sys
status, reason, name, message, *details = sys.argv[1:]
error = {"code": int(status), "message": message, "errors": [{"message": message, "domain": "global", "reason": reason}], "status": name}
if details:
    error["details"] = json.loads(details[0])
print(status)
print(json.dumps({"error": error}))
PYTHON
}
body() { { echo "$1"; cat; } >answers/now; }

says 401 authError UNAUTHENTICATED 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'
record gcloud projects list
record gcloud pubsub topics list
says 404 notFound NOT_FOUND "The resource 'projects/demo-project/zones/europe-west1-b/instances/vm' was not found"
record gcloud compute instances describe vm
says 403 forbidden PERMISSION_DENIED "Required 'compute.instances.list' permission for 'projects/demo-project'"
record gcloud compute instances list
says 403 forbidden PERMISSION_DENIED "Required 'compute.instances.get' permission for 'projects/demo-project/zones/europe-west1-b/instances/vm'"
record gcloud compute instances describe vm
says 403 forbidden PERMISSION_DENIED 'The caller does not have permission'
record gcloud projects describe demo-project
says 403 forbidden PERMISSION_DENIED 'Cloud Pub/Sub API has not been used in project demo-project before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/pubsub.googleapis.com/overview?project=demo-project then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.' '[{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED", "domain": "googleapis.com", "metadata": {"service": "pubsub.googleapis.com", "consumer": "projects/demo-project"}}]'
record gcloud pubsub topics list
says 403 accessNotConfigured PERMISSION_DENIED 'Compute Engine API has not been used in project 123456789 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/compute.googleapis.com/overview?project=123456789 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.'
record gcloud compute instances list
says 403 billingDisabled PERMISSION_DENIED 'This API method requires billing to be enabled. Please enable billing on project #demo-project by visiting https://console.developers.google.com/billing/enable?project=demo-project then retry. If you enabled billing for this project recently, wait a few minutes for the action to propagate to our systems and retry.' '[{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "BILLING_DISABLED", "domain": "googleapis.com", "metadata": {"service": "pubsub.googleapis.com", "consumer": "projects/demo-project"}}]'
record gcloud pubsub topics create events
says 409 alreadyExists ALREADY_EXISTS 'Resource already exists in the project (resource=events).'
record gcloud pubsub topics create events
says 404 notFound NOT_FOUND 'Resource not found (resource=events).'
record gcloud pubsub topics describe events
record gcloud pubsub topics delete events
says 429 rateLimitExceeded RESOURCE_EXHAUSTED "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute' of service 'cloudresourcemanager.googleapis.com' for consumer 'project_number:123456789'." '[{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com", "metadata": {"quota_limit": "ReadRequestsPerMinutePerProject", "service": "cloudresourcemanager.googleapis.com"}}]'
record gcloud secrets list
says 403 quotaExceeded PERMISSION_DENIED "Quota 'CPUS' exceeded.  Limit: 24.0 in region europe-west1."
record gcloud compute instances create vm
says 400 invalid INVALID_ARGUMENT "Invalid value for field 'resource.machineType': 'zones/europe-west1-b/machineTypes/huge'. The referenced resource does not exist."
record gcloud compute instances create vm --machine-type=huge
says 400 failedPrecondition FAILED_PRECONDITION 'Secret Version [projects/123456789/secrets/key/versions/1] is in DISABLED state.'
record gcloud secrets versions access 1 --secret=key
says 404 notFound NOT_FOUND 'Secret [projects/123456789/secrets/key] not found or has no versions.'
record gcloud secrets versions access latest --secret=key
says 400 resourceInUseByAnotherResource INVALID_ARGUMENT "The disk resource 'projects/demo-project/zones/europe-west1-b/disks/data' is already being used by 'projects/demo-project/zones/europe-west1-b/instances/vm'"
record gcloud compute disks delete data --quiet
record gcloud compute disks delete data
says 409 alreadyExists ALREADY_EXISTS "The resource 'projects/demo-project/zones/europe-west1-b/instances/vm' already exists"
record gcloud compute instances create vm
says 412 conditionNotMet FAILED_PRECONDITION 'Invalid fingerprint.'
record gcloud compute instances add-labels vm --labels=a=b
says 503 backendError UNAVAILABLE 'The service is currently unavailable.'
record gcloud secrets list
says 500 backendError INTERNAL 'Internal error encountered.'
record gcloud secrets list
says 504 deadlineExceeded DEADLINE_EXCEEDED 'Deadline expired before operation could complete.'
record gcloud secrets list
says 404 notFound NOT_FOUND 'The specified bucket does not exist.'
record gcloud storage ls gs://absent-bucket
record gcloud storage cp a.txt gs://absent-bucket/
echo hello >a.txt
record gcloud storage cp a.txt gs://absent-bucket/
says 403 forbidden PERMISSION_DENIED 'somebody@example.com does not have storage.objects.list access to the Google Cloud Storage bucket. Permission '"'storage.objects.list'"' denied on resource (or it may not exist).'
record gcloud storage ls gs://private-bucket
says 409 conflict ABORTED 'Your previous request to create the named bucket succeeded and you already own it.'
record gcloud storage buckets create gs://my-bucket
body 200 <<<'{"kind": "storage#objects"}'
record gcloud storage ls gs://bucket/none/
body 200 <<<'{}'
record gcloud projects list
record gcloud secrets list
body 200 <<<'{"projects": [{"projectId": "demo-project", "name": "Demo", "projectNumber": "123456789", "lifecycleState": "ACTIVE"}, {"projectId": "other-1", "name": "Other One", "projectNumber": "987654321", "lifecycleState": "ACTIVE"}]}'
record gcloud projects list
record gcloud projects list --format=json
record gcloud projects list '--format=value(projectId)'
record gcloud projects list '--format=csv(projectId)'
record gcloud projects list --filter='name ~ ['
body 200 <<<'<html>not json'
record gcloud projects list
