needs packer python3
version "packer $(packer version | sed -n 's/^Packer v//p')"
http_server
export PACKER_CACHE_DIR="$PWD/cache" PACKER_CONFIG_DIR="$PWD/config"

record packer biuld x
record packer version
record packer build
record packer build absent.json
record packer build --nope x.json
record packer validate absent.pkr.hcl
mkdir empty
record packer build empty
record packer validate empty
record packer init empty
record packer plugins install x

echo '{"builders": [' >broken.json
record packer validate broken.json
record packer build broken.json
echo '{"builders": []}' >nobuilders.json
record packer validate nobuilders.json
record packer build nobuilders.json
echo '{"builders": [{"type": "nothing"}]}' >unknown.json
record packer validate unknown.json
record packer build unknown.json
echo '{"builders": [{"type": "null"}]}' >incomplete.json
record packer validate incomplete.json
record packer build incomplete.json
echo '{"variables": {"name": null}, "builders": [{"type": "null", "communicator": "none"}]}' >variable.json
record packer validate variable.json
record packer build variable.json
record packer build -var name
record packer build -var-file=absent.json variable.json
echo '{"builders": [{"type": "null", "communicator": "none", "nonsense": 1}]}' >key.json
record packer validate key.json
echo '{"builders": [{"type": "null", "communicator": "none"}], "provisioners": [{"type": "shell-local", "inline": ["echo hello"]}]}' >good.json
record packer validate good.json
record packer build good.json
record packer -machine-readable build good.json
record packer inspect good.json
record packer build -only=nothing good.json
echo '{"builders": [{"type": "null", "communicator": "none"}], "provisioners": [{"type": "shell-local", "inline": ["echo permission denied", "exit 3"]}]}' >fails.json
record packer build fails.json
echo '{"builders": [{"type": "null", "name": "a", "communicator": "none"}, {"type": "null", "name": "b", "communicator": "none"}], "provisioners": [{"type": "shell-local", "inline": ["exit 3"], "only": ["b"]}]}' >half.json
record packer build half.json
echo '{"builders": [{"type": "null", "communicator": "none"}], "provisioners": [{"type": "file", "source": "absent.txt", "destination": "/tmp/x"}]}' >file.json
record packer validate file.json
echo '{"builders": [{"type": "null", "communicator": "none"}], "provisioners": [{"type": "ansible-local", "playbook_file": "absent.yml"}]}' >playbook.json
record packer validate playbook.json
echo '{"builders": [{"type": "null", "communicator": "ssh", "ssh_host": "127.0.0.1", "ssh_port": 9, "ssh_username": "me", "ssh_password": "x", "ssh_timeout": "2s"}]}' >ssh.json
record packer build ssh.json
echo '{"builders": [{"type": "docker", "image": "debian", "discard": true}]}' >docker.json
record packer build docker.json
echo '{"builders": [{"type": "qemu", "iso_url": "'"$HTTP"'/404", "iso_checksum": "none", "ssh_username": "me"}]}' >qemu.json
record packer build qemu.json
echo '{"builders": [{"type": "amazon-ebs", "region": "eu-west-1", "source_ami": "ami-1", "instance_type": "t2.micro", "ssh_username": "me", "ami_name": "x", "skip_metadata_api_check": true}]}' >aws.json
AWS_EC2_METADATA_DISABLED=true record packer build aws.json
echo '{"builders": [{"type": "digitalocean", "image": "debian", "region": "fra1", "size": "x", "ssh_username": "root"}]}' >do.json
record packer validate do.json
printf 'source "null" "a" {\n  communicator = "none"\n' >broken.pkr.hcl
record packer validate broken.pkr.hcl
printf 'source "null" "a" {\n  communicator = "none"\n}\nbuild {\n  sources = ["source.null.b"]\n}\n' >undeclared.pkr.hcl
record packer validate undeclared.pkr.hcl
record packer build undeclared.pkr.hcl
printf 'source "null" "a" {\n  communicator = "none"\n  nonsense = 1\n}\nbuild {\n  sources = ["source.null.a"]\n}\n' >argument.pkr.hcl
record packer validate argument.pkr.hcl
printf 'variable "name" {\n  type = string\n}\nsource "null" "a" {\n  communicator = "none"\n}\nbuild {\n  sources = ["source.null.a"]\n}\n' >unset.pkr.hcl
record packer validate unset.pkr.hcl
record packer build -var other=1 unset.pkr.hcl
printf 'packer {\n  required_version = ">= 99.0.0"\n}\nsource "null" "a" {\n  communicator = "none"\n}\nbuild {\n  sources = ["source.null.a"]\n}\n' >newer.pkr.hcl
record packer validate newer.pkr.hcl
printf 'packer {\n  required_plugins {\n    amazon = {\n      version = ">= 1.0.0"\n      source = "github.com/hashicorp/amazon"\n    }\n  }\n}\nsource "null" "a" {\n  communicator = "none"\n}\nbuild {\n  sources = ["source.null.a"]\n}\n' >plugin.pkr.hcl
record packer validate plugin.pkr.hcl
record packer init plugin.pkr.hcl
printf 'source "null" "a" {\ncommunicator="none"\n}\nbuild {\n  sources = ["source.null.a"]\n}\n' >ugly.pkr.hcl
record packer fmt -check ugly.pkr.hcl
record packer fmt -check -diff ugly.pkr.hcl
record packer fmt ugly.pkr.hcl
cp ugly.pkr.hcl tidy.pkr.hcl
record packer fmt -check tidy.pkr.hcl
record packer fmt -check absent.pkr.hcl
record packer fmt broken.pkr.hcl
record packer validate ugly.pkr.hcl
record packer inspect ugly.pkr.hcl
record packer fix absent.json
record packer hcl2_upgrade absent.json

# Builders that ask a cloud, answered by a stand-in for EC2
version "packer $(packer version | sed -n 's/^Packer v//p') (simulated API server)"
port=$(free_port)
python3 - "$port" "$PWD" <<'PYTHON' 2>/dev/null &
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(f"{sys.argv[2]}/answer", encoding="utf-8") as file:
            status, body = int(file.readline()), file.read().encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
PYTHON
wait_for "$port"
fixed "127.0.0.1:$port" 127.0.0.1:8010
cloud() { echo '{"builders": [{"type": "amazon-ebs", "region": "eu-west-1", "access_key": "AKIAIOSFODNN7EXAMPLE", "secret_key": "wJalrXUtnFEMI", "custom_endpoint_ec2": "http://'"$1"'", "skip_region_validation": true, '"${2:-\"source_ami\": \"ami-12345678\"}"', "instance_type": "t2.micro", "ssh_username": "me", "ami_name": "web-1"}]}' >cloud.json; }
says() { printf '%s\n<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>%s</Code><Message>%s</Message></Error></Errors><RequestID>00000000-0000-0000-0000-000000000001</RequestID></Response>\n' "$@" >answer; }
export AWS_MAX_ATTEMPTS=1 AWS_POLL_DELAY_SECONDS=1
cloud "127.0.0.1:$port"
says 401 AuthFailure 'AWS was not able to validate the provided access credentials'
cp cloud.json refused.json && record packer build refused.json
says 403 UnauthorizedOperation 'You are not authorized to perform this operation.'
cp cloud.json forbidden.json && record packer build forbidden.json
says 400 RequestExpired 'Request has expired.'
cp cloud.json expired.json && record packer build expired.json
says 400 VcpuLimitExceeded 'You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.'
cp cloud.json limit.json && record packer build limit.json
says 400 InvalidAMIID.NotFound "The image id '[ami-12345678]' does not exist"
cp cloud.json absent.json && record packer build absent.json
printf '200\n<DescribeImagesResponse><imagesSet><item><imageId>ami-87654321</imageId><name>web-1</name></item></imagesSet></DescribeImagesResponse>\n' >answer
cp cloud.json taken.json && record packer build taken.json
cloud "127.0.0.1:$port" '"source_ami_filter": {"filters": {"name": "absent-*"}, "owners": ["self"], "most_recent": true}'
printf '200\n<DescribeImagesResponse><imagesSet/></DescribeImagesResponse>\n' >answer
cp cloud.json unmatched.json && record packer build unmatched.json
cloud "$CLOSED"
cp cloud.json closed.json && record packer build closed.json
