needs terraform nginx
unset TF_CLI_CONFIG_FILE
export CHECKPOINT_DISABLE=1
version "Terraform $(terraform version | sed -n '1s/Terraform v//p')"
http_server
fixed "$(awk '/^nameserver/ {print $2; exit}' /etc/resolv.conf)" 192.0.2.53

# at FOLDER ARGS…: terraform in a folder of its own, as most people call it
at() { local folder="$1"; shift; (cd "$folder" && record terraform "$@"); }
# conf FOLDER: its main.tf from standard input
conf() { mkdir -p "$1" && cat >"$1/main.tf"; }
quiet() { local folder="$1"; shift; (cd "$folder" && terraform "$@" >/dev/null 2>&1 </dev/null); }

# Answers
conf good <<'TF'
resource "terraform_data" "a" { input = "permission denied" }
output "name" { value = terraform_data.a.output }
TF
quiet good init
at good plan -detailed-exitcode
at good plan -out=p.tfplan
at good apply
at good apply -input=false p.tfplan
at good apply p.tfplan
at good plan -detailed-exitcode
at good output
at good output -json
at good output nothing
at good state list
at good state show terraform_data.b
at good state rm terraform_data.b
at good state mv terraform_data.b terraform_data.c
at good import terraform_data.a x
at good import terraform_data.z x
at good plan -target='terraform_data['
at good workspace list
at good workspace select prod
at good workspace new default
at good taint terraform_data.zz
at good force-unlock -force 12345
at good apply missing.tfplan
at good apply main.tf
at good show missing.tfplan
at good fmt -check -diff
at good version
at good providers
at good validate
at good validate -json

conf ugly <<'TF'
resource "terraform_data" "a" {
input = "x"
}
TF
at ugly fmt -check
at ugly fmt nofile.tf

# The command line
at good aply
at good plan -nope
at good workspace
at good state lst
at good frobnicate
at good plan a b
at good -chdir=nowhere plan
at good plan -var x
at good plan -var-file=missing.tfvars
at good output -raw nothing
at good plan -parallelism=lots

# The configuration
mkdir empty
at empty plan
at empty init
at empty state list
at empty validate
at empty destroy -auto-approve
conf broken <<'TF'
resource "terraform_data" "a" {
  input = 
TF
at broken init
at broken validate
at broken plan
at broken fmt
conf wrong <<'TF'
resource "terraform_data" "a" { inputs = "x" }
TF
quiet wrong init
at wrong validate
at wrong validate -json
conf undeclared <<'TF'
resource "terraform_data" "a" { input = terraform_data.b.output }
TF
quiet undeclared init
at undeclared plan
conf duplicate <<'TF'
resource "terraform_data" "a" {}
resource "terraform_data" "a" {}
TF
at duplicate validate
conf cycle <<'TF'
resource "terraform_data" "a" { input = terraform_data.b.output }
resource "terraform_data" "b" { input = terraform_data.a.output }
TF
quiet cycle init
at cycle plan
conf variable <<'TF'
variable "region" { type = string }
variable "count_of" {
  type    = number
  default = 1
  validation {
    condition     = var.count_of > 0
    error_message = "At least one is needed."
  }
}
output "r" { value = var.region }
TF
quiet variable init
at variable plan -input=false
at variable plan
at variable plan -var region=x -var count_of=0
at variable plan -var region=x -var count_of=many
at variable plan -var region=x -var nothere=1
conf missingfile <<'TF'
output "r" { value = file("nothing.txt") }
TF
quiet missingfile init
at missingfile plan
conf version <<'TF'
terraform { required_version = ">= 99.0" }
TF
at version init
at version plan
conf protected <<'TF'
resource "terraform_data" "a" {
  lifecycle { prevent_destroy = true }
}
TF
quiet protected init
quiet protected apply -auto-approve
at protected destroy -auto-approve
conf condition <<'TF'
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = 1 > 2
      error_message = "The AMI must be x86_64."
    }
  }
}
TF
quiet condition init
at condition plan

# Providers and modules
conf provider <<'TF'
resource "aws_instance" "a" { ami = "ami-1" }
TF
at provider plan
at provider validate
at provider init
conf nomodule <<'TF'
module "vpc" { source = "./modules/vpc" }
TF
at nomodule plan
at nomodule init
conf remotemodule <<TF
module "vpc" { source = "$HTTP/404.zip" }
TF
at remotemodule init
conf gitmodule <<'TF'
module "vpc" { source = "git::ssh://git@127.0.0.1:9/x/y.git" }
TF
at gitmodule init
conf registrymodule <<'TF'
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0.0"
}
TF
at registrymodule init
conf moduleversion <<'TF'
module "vpc" {
  source  = "./x"
  version = "5.0.0"
}
TF
at moduleversion init
# Mirrors answer as a registry would
mkdir -p mirror/registry.terraform.io/hashicorp/null/3.2.1/linux_amd64
printf '#!/bin/sh\necho no plugin\n' >mirror/registry.terraform.io/hashicorp/null/3.2.1/linux_amd64/terraform-provider-null_v3.2.1
chmod +x mirror/registry.terraform.io/hashicorp/null/3.2.1/linux_amd64/terraform-provider-null_v3.2.1
cat >"$HOME/.terraformrc" <<RC
provider_installation { filesystem_mirror { path = "$PWD/mirror" } }
RC
conf nullprovider <<'TF'
terraform {
  required_providers {
    null = { source = "hashicorp/null" }
  }
}
resource "null_resource" "a" {}
TF
at nullprovider plan
quiet nullprovider init
at nullprovider plan
conf nullprovider <<'TF'
terraform {
  required_providers {
    null = { source = "hashicorp/null", version = "~> 4.0" }
  }
}
resource "null_resource" "a" {}
TF
at nullprovider plan
at nullprovider init
conf noversion <<'TF'
terraform {
  required_providers {
    null = { source = "hashicorp/null", version = "~> 99.0" }
  }
}
TF
at noversion init
conf noprovider <<'TF'
terraform {
  required_providers {
    nope = { source = "hashicorp/nope" }
  }
}
TF
at noprovider init
conf conflict <<'TF'
terraform {
  required_providers {
    null = { source = "hashicorp/null", version = "~> 3.0, ~> 2.0" }
  }
}
TF
at conflict init
conf checksum <<'TF'
terraform {
  required_providers {
    null = { source = "hashicorp/null", version = "3.2.1" }
  }
}
resource "null_resource" "a" {}
TF
cat >checksum/.terraform.lock.hcl <<'HCL'
provider "registry.terraform.io/hashicorp/null" {
  version     = "3.2.1"
  constraints = "3.2.1"
  hashes = ["h1:ydA0/SNRVB1o95btfshvYsmxA+jZFRZcvKzZSB+4S1M="]
}
HCL
at checksum init
rm "$HOME/.terraformrc"

# Applying
conf partial <<'TF'
resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "b" {
  depends_on = [terraform_data.a]
  provisioner "local-exec" { command = "echo 'curl: (7) connection refused'; exit 3" }
}
TF
quiet partial init
at partial apply -auto-approve
conf provisioner <<'TF'
resource "terraform_data" "b" {
  provisioner "local-exec" { command = "no-such-program --now" }
}
TF
quiet provisioner init
at provisioner apply -auto-approve
conf locked <<'TF'
resource "terraform_data" "b" {
  provisioner "local-exec" { command = "sleep 30" }
}
TF
quiet locked init
(cd locked && exec terraform apply -auto-approve >/dev/null 2>&1) &
sleep 3
at locked plan
at locked apply -auto-approve -lock-timeout=1s
conf readonly <<'TF'
resource "terraform_data" "b" {}
TF
quiet readonly init
echo '{"version": 99, "terraform_version": "1.0.0"}' >readonly/terraform.tfstate
at readonly plan
echo '{"version": 4, "terraform_version": "9.9.9", "serial": 1, "lineage": "x", "resources": [], "outputs": {}}' >readonly/terraform.tfstate
at readonly plan
echo 'not json' >readonly/terraform.tfstate
at readonly plan
mkdir full && mount -t tmpfs -o size=16k tmpfs full
conf full <<'TF'
resource "terraform_data" "b" { input = join("", [for i in range(1000) : "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]) }
TF
quiet full init
at full apply -auto-approve
umount full

# Tests
conf tested <<'TF'
variable "n" { default = 1 }
output "n" { value = var.n }
TF
cat >tested/main.tftest.hcl <<'HCL'
run "good" {
  assert {
    condition     = output.n == 1
    error_message = "not one"
  }
}
run "bad" {
  assert {
    condition     = output.n == 2
    error_message = "not two, access denied"
  }
}
HCL
quiet tested init
at tested test
sed -i 's/output.n == 2/output.n == 1/' tested/main.tftest.hcl
at tested test
sed -i 's/output.n == 1/output.m == 1/' tested/main.tftest.hcl
at tested test

# Backends
backend() { printf 'terraform {\n  backend "%s" {\n%s\n  }\n}\n' "$2" "$3" | conf "$1"; }
for status in 401 403 404 409 500 503; do
  backend "http$status" http "address = \"$HTTP/$status\"
retry_max = 0"
  quiet "http$status" init
  at "http$status" plan
done
backend refused http "address = \"http://$CLOSED/state\"
retry_max = 0"
at refused init
at refused plan
backend untrusted http "address = \"$HTTPS/state\"
retry_max = 0"
quiet untrusted init
at untrusted plan
backend hangup http "address = \"http://$HANGUP/state\"
retry_max = 0"
quiet hangup init
at hangup plan
backend changed local 'path = "a.tfstate"'
quiet changed init
backend changed local 'path = "b.tfstate"'
at changed plan
at changed init
at changed init -reconfigure -migrate-state
backend uninit local 'path = "a.tfstate"'
at uninit plan
backend unknown dropbox ''
at unknown init
backend s3 s3 'bucket = "b"
key = "k"
region = "eu-west-1"'
AWS_EC2_METADATA_DISABLED=true at s3 init
backend s3region s3 'bucket = "b"
key = "k"'
AWS_EC2_METADATA_DISABLED=true at s3region init
backend consul consul "address = \"$CLOSED\"
path = \"x\""
at consul init
backend pg pg "conn_str = \"postgres://$CLOSED/x?sslmode=disable\""
at pg init
backend remote remote 'organization = "example"
workspaces { name = "x" }'
at remote init
conf cloud <<'TF'
terraform {
  cloud {
    organization = "example"
    workspaces { name = "x" }
  }
}
TF
at cloud init
at cloud plan
at good login nowhere.invalid
at good console
