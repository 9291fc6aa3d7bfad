needs az python3
cli="$(az version --query '"azure-cli"' -o tsv 2>/dev/null)"
version "az $cli"
unset REQUESTS_CA_BUNDLE
export AZURE_CONFIG_DIR="$HOME/azure"
http_server
fixed "$(dirname "$(dirname "$(readlink -f "$(command -v az)")")")" /opt/az
fixed "port=${CLOSED##*:}" port=9
fixed "port=${HTTPS##*:}" port=8443

# Before any request
record az gruop list
record az group lst
record az group create
record az group create -n demo
record az vm create -n vm -g demo --nope
record az group list --outpt json
record az group list -o nope
record az group list --query 'a['
record az vm list --max many
record az vm nothing
record az group list
record az account show
record az account set -s absent
record az account list
record az account get-access-token
record az login --service-principal -u http://app -p secret --tenant absent.example.com
record az cloud set -n absent
record az cloud show -n absent
record az config get core.nothing
record az extension show -n absent
record az extension remove -n absent
record az deployment group create -g demo -f absent.json
record az storage blob upload -f absent.txt -c c -n n --connection-string 'nonsense'
record az keyvault secret show --vault-name absent --name key
record az rest --url not-a-url --skip-authorization-header
record az bicep build --file absent.bicep
record az aks get-credentials -g demo

# No answer
record az rest --skip-authorization-header --url "http://$CLOSED/x"
record az rest --skip-authorization-header --url http://nowhere.invalid/x
record az rest --skip-authorization-header --url "http://$HANGUP/x"
record az rest --skip-authorization-header --url "$HTTPS/x"
for status in 400 401 403 404 409 412 429 500 503; do record az rest --skip-authorization-header --url "$HTTP/$status"; done

# What Azure answers, sent by a stand-in that also is the managed identity: answers/now holds status and body
version "az $cli (simulated API server)"
mkdir -p answers
port=$(free_port) plain=$(free_port)
python3 - "$port" "$plain" "$PWD/answers" "$RECORD_WORLD/../http" <<'PYTHON' 2>/dev/null &
import base64, json, ssl, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
port, plain, folder, keys = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
def part(value): return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
TENANT = "00000000-0000-0000-0000-000000000001"
SUBSCRIPTION = "00000000-0000-0000-0000-000000000002"
TOKEN = ".".join([part({"alg": "none"}), part({"tid": TENANT, "oid": TENANT, "appid": TENANT, "xms_mirid": "/x"}), "c2ln"])
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        extra = {}
        if path == "/token":
            status, body = 200, json.dumps({"access_token": TOKEN, "expires_on": "4102444800", "expires_in": "86400", "resource": "x", "token_type": "Bearer"})
        elif path == "/subscriptions":
            status, body = 200, json.dumps({"value": [{"id": f"/subscriptions/{SUBSCRIPTION}", "subscriptionId": SUBSCRIPTION, "tenantId": TENANT, "displayName": "Demo", "state": "Enabled"}]})
        else:
            with open(f"{folder}/now", encoding="utf-8") as file:
                status, body = int(file.readline()), file.read()
            if body.startswith("<?xml"):
                extra = {"Content-Type": "application/xml", "x-ms-error-code": body.split("<Code>")[1].split("<")[0] if "<Code>" in body else ""}
        body = body.encode()
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | extra).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = answer
secure = ThreadingHTTPServer(("127.0.0.1", port), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{keys}/cert.pem", f"{keys}/key.pem")
secure.socket = context.wrap_socket(secure.socket, server_side=True)
threading.Thread(target=secure.serve_forever).start()
ThreadingHTTPServer(("127.0.0.1", plain), Handler).serve_forever()
PYTHON
wait_for "$port" && wait_for "$plain"
fixed "localhost:$port" localhost:8010
fixed "127.0.0.1:$plain" 127.0.0.1:8011
export REQUESTS_CA_BUNDLE="$RECORD_WORLD/../http/cert.pem" IDENTITY_ENDPOINT="http://127.0.0.1:$plain/token" IDENTITY_HEADER=x
az cloud register -n Local --skip-endpoint-discovery --cloud-config "{\"endpoints\": {\"resourceManager\": \"https://localhost:$port\", \"management\": \"https://localhost:$port\", \"activeDirectory\": \"https://localhost:$port\", \"activeDirectoryResourceId\": \"https://localhost:$port/\", \"activeDirectoryGraphResourceId\": \"https://localhost:$port/\", \"microsoftGraphResourceId\": \"https://localhost:$port/\"}, \"suffixes\": {\"storageEndpoint\": \"localhost\", \"keyvaultDns\": \".localhost\"}}" >/dev/null
az cloud set -n Local >/dev/null 2>&1
says() {
  python3 - "$@" >answers/now <<'PYTHON'
import json, sys
status, code, message, *details = sys.argv[1:]
error = {"code": code, "message": message}
if details:
    error["details"] = json.loads(details[0])
print(status)
print(json.dumps({"error": error}))
PYTHON
}
body() { { echo "$1"; cat; } >answers/now; }
body 200 <<<'{"value": []}'
record az login --identity
record az account list --query '[].name' -o tsv
record az account set -s absent
record az group list
body 200 <<<'{"value": [{"id": "/subscriptions/s/resourceGroups/demo", "name": "demo", "location": "westeurope", "properties": {"provisioningState": "Succeeded"}}]}'
record az group list -o table
record az group list -o json
record az group list --query '[].name' -o tsv
says 404 ResourceGroupNotFound "Resource group 'demo' could not be found."
record az group show -n demo
record az vm list -g demo
says 404 ResourceNotFound "The Resource 'Microsoft.Compute/virtualMachines/vm' under resource group 'demo' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix"
record az vm show -g demo -n vm
says 403 AuthorizationFailed "The client '00000000-0000-0000-0000-000000000001' with object id '00000000-0000-0000-0000-000000000001' does not have authorization to perform action 'Microsoft.Resources/subscriptions/resourcegroups/write' over scope '/subscriptions/00000000-0000-0000-0000-000000000002/resourcegroups/demo' or the scope is invalid. If access was recently granted, please refresh your credentials."
record az group create -n demo -l westeurope
says 409 InvalidResourceGroupLocation "Invalid resource group location 'westeurope'. The Resource group already exists in location 'eastus'."
record az group create -n demo -l westeurope
says 400 LocationNotAvailableForResourceGroup "The provided location 'nowhere' is not available for resource group. List of available regions is 'centralus,eastasia'."
record az group create -n demo -l nowhere
says 401 ExpiredAuthenticationToken "The access token expiry UTC time '11/18/2025 9:28:07 AM' is earlier than current UTC time '11/18/2025 9:29:07 AM'."
record az group list
says 401 InvalidAuthenticationToken 'The access token is invalid.'
record az group list
says 401 InvalidAuthenticationTokenTenant "The access token is from the wrong issuer 'https://sts.windows.net/1/'. It must match the tenant 'https://sts.windows.net/2/' associated with this subscription."
record az group list
says 409 ResourceGroupBeingDeleted "The resource group 'demo' is in deprovisioning state and cannot perform this operation."
record az group create -n demo -l westeurope
says 409 ScopeLocked "The scope '/subscriptions/00000000-0000-0000-0000-000000000002/resourcegroups/demo' cannot perform delete operation because following scope(s) are locked: '/subscriptions/00000000-0000-0000-0000-000000000002/resourceGroups/demo'. Please remove the lock and try again."
record az group delete -n demo --yes
record az group delete -n demo
says 429 TooManyRequests "The request is being throttled as the limit has been reached for operation type - Read_ObservationWindow_00:03:00. For more information, see - https://aka.ms/srpthrottlinglimits"
record az group list
says 403 RequestDisallowedByPolicy "Resource 'demo' was disallowed by policy. Policy identifiers: '[{\"policyAssignment\":{\"name\":\"Allowed locations\"}}]'."
record az group create -n demo -l westeurope
says 409 MissingSubscriptionRegistration "The subscription is not registered to use namespace 'Microsoft.ContainerService'. See https://aka.ms/rps-not-found for how to register subscriptions."
record az aks list
says 409 OperationNotAllowed 'Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 10, Current Usage: 8, Additional Required: 4, (Minimum) New Limit Required: 12. Submit a request for Quota increase.'
record az vm start -g demo -n vm
says 409 SkuNotAvailable "The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D2s_v3' is currently not available in location 'westeurope'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details."
record az vm start -g demo -n vm
says 403 ReadOnlyDisabledSubscription "The subscription '00000000-0000-0000-0000-000000000002' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled."
record az group create -n demo -l westeurope
says 404 SubscriptionNotFound "The subscription '00000000-0000-0000-0000-000000000009' could not be found."
record az group list --subscription 00000000-0000-0000-0000-000000000002
says 500 InternalServerError 'An internal error occurred.'
record az group list
says 503 ServerBusy 'The server is currently unable to receive requests. Please retry your request.'
record az group list
says 400 InvalidTemplate "Deployment template validation failed: 'The template resource 'x' at line '1' and column '2' is not valid.'."
echo '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []}' >main.json
record az deployment group validate -g demo -f main.json
record az deployment group create -g demo -f main.json
echo '{"resources": [' >broken.json
record az deployment group create -g demo -f broken.json
record az deployment group what-if -g demo -f absent.bicep
store="DefaultEndpointsProtocol=http;AccountName=demo;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:$plain/demo"
xml() { body "$1" <<<"<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>$2</Code><Message>$3
RequestId:00000000-0000-0000-0000-000000000003
Time:2025-11-18T09:00:00.0000000Z</Message></Error>"; }
xml 404 ContainerNotFound 'The specified container does not exist.'
record az storage blob list -c absent --connection-string "$store"
xml 404 BlobNotFound 'The specified blob does not exist.'
record az storage blob download -c c -n absent -f out.txt --connection-string "$store"
xml 403 AuthenticationFailed 'Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.'
record az storage container list --connection-string "$store"
xml 409 LeaseAlreadyPresent 'There is already a lease present.'
record az storage blob lease acquire -b b -c c --connection-string "$store"
xml 403 AuthorizationFailure 'This request is not authorized to perform this operation.'
record az storage container list --connection-string "$store"
xml 409 BlobAlreadyExists 'The specified blob already exists.'
echo hello >a.txt
record az storage blob upload -f a.txt -c c -n a.txt --connection-string "$store"
vm=/subscriptions/00000000-0000-0000-0000-000000000002/resourceGroups/demo/providers/Microsoft.Compute/virtualMachines/vm
says 400 InUseSubnetCannotBeDeleted "Subnet default is in use by ${vm/Compute\/virtualMachines\/vm/Network\/networkInterfaces\/nic\/ipConfigurations\/one} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet."
record az network vnet subnet delete -g demo --vnet-name net -n default
says 409 OperationNotAllowed "Disk data is attached to VM $vm."
record az disk delete -g demo -n data --yes
says 400 InvalidTemplateDeployment "The template deployment 'main' is not valid according to the validation procedure. The tracking id is '00000000-0000-0000-0000-000000000004'. See inner errors for details." '[{"code": "SkuNotAvailable", "message": "The requested VM size for resource '"'Following SKUs have failed for Capacity Restrictions: Standard_D2s_v3'"' is currently not available in location '"'westeurope'"'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details."}]'
record az deployment group create -g demo -f main.json
says 504 GatewayTimeout "The gateway did not receive a response from 'Microsoft.Compute' within the specified time period."
record az vm show -g demo -n vm
