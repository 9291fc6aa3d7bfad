needs aws python3
cli="$(aws --version 2>&1 | sed 's/^aws-cli.\([0-9.]*\).*/\1/')"
version "aws $cli"
unset AWS_CA_BUNDLE
export AWS_EC2_METADATA_DISABLED=true AWS_MAX_ATTEMPTS=1
http_server

# Before any request
record aws s3 ls
record aws configure list
record aws sts get-caller-identity --profile nowhere
record aws ec2 describe-instances
record aws
record aws s4 ls
record aws s3 lss
record aws ec2 describe-instanes
record aws ec2 describe-instances --nope
record aws ec2 terminate-instances
record aws ec2 run-instances --count
record aws ec2 describe-instances --output nope
record aws s3 cp a.txt
export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI
record aws ec2 describe-instances
export AWS_DEFAULT_REGION=eu-west-1
record aws ec2 describe-instances --region 'not a region'
record aws s3 cp missing.txt s3://bucket/key
record aws s3 cp a.txt b.txt
record aws s3 mb bucket
record aws ec2 describe-instances --filters Name=x,Values
record aws ec2 describe-instances --filters '{"Name": '
record aws lambda invoke --function-name f
record aws dynamodb get-item --table-name t --key file://missing.json
record aws dynamodb get-item --table-name t --key '{"id": "x"}'
record aws ec2 describe-instances --max-items many
record aws ec2 describe-instances --query 'Reservations['
record aws s3api put-object --bucket b --key k --body missing.bin
record aws s3api create-bucket --bucket b --acl everyone
printf '[profile sso]\nsso_start_url = https://example.awsapps.com/start\nsso_region = eu-west-1\nsso_account_id = 1\nsso_role_name = r\n' >sso.cfg
(unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; AWS_CONFIG_FILE="$PWD/sso.cfg" record aws s3 ls --profile sso)
record aws configure get nothing

# No answer
record aws s3 ls --endpoint-url "http://$CLOSED"
record aws s3 ls --endpoint-url http://nowhere.invalid
record aws sts get-caller-identity --endpoint-url "$HTTPS"
record aws sts get-caller-identity --endpoint-url "http://$SILENT" --cli-read-timeout 1
record aws sts get-caller-identity --endpoint-url "http://$HANGUP"
record aws s3 ls --endpoint-url not-a-url
record aws sts get-caller-identity --endpoint-url "$HTTP/503"
record aws sts get-caller-identity

# What the services answer, sent by a stand-in: /STATUS/CODE/… with the message in a file
version "aws $cli (simulated API server)"
mkdir -p messages
port=$(free_port)
python3 - "$port" "$PWD/messages" <<'PYTHON' 2>/dev/null &
import sys, json, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
port, folder = int(sys.argv[1]), sys.argv[2]
class Handler(BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, status, code, *rest = urllib.parse.urlsplit(self.path).path.split("/")
        with open(f"{folder}/{code}") as file:
            message = file.read().strip()
        if code == "data":
            body, kind = message, "application/xml" if message.startswith("<") else "application/json"
        elif "X-Amz-Target" in self.headers:
            body = json.dumps({"__type": f"com.amazonaws#{code}", "message": message})
            kind = "application/x-amz-json-1.0"
        elif rest[:1] == ["2015-03-31"]:
            body, kind = json.dumps({"Type": "User", "Message": message}), "application/json"
        elif self.headers.get("Content-Type", "").startswith("application/x-www-form"):
            body = f"<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error><RequestId>1</RequestId></ErrorResponse>"
            if "ec2" in rest:
                body = f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors><RequestID>1</RequestID></Response>"
            kind = "text/xml"
        else:
            body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
            kind = "application/xml"
        self.send_response(int(status))
        self.send_header("Content-Type", kind)
        self.send_header("x-amzn-ErrorType", code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body.encode())
    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer
    def log_message(self, *args): pass
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
PYTHON
wait_for "$port"
fixed "127.0.0.1:$port" 127.0.0.1:4566
# says STATUS CODE MESSAGE ARGS…: the service answers so
says() {
  local status="$1" code="$2" message="$3"
  shift 3
  printf '%s\n' "$message" >"messages/$code"
  local service="$1"
  record aws "$@" --endpoint-url "http://127.0.0.1:$port/$status/$code$([ "$service" = ec2 ] && echo /ec2)"
}
says 403 InvalidClientTokenId 'The security token included in the request is invalid.' sts get-caller-identity
says 403 ExpiredToken 'The security token included in the request is expired' sts get-caller-identity
says 403 SignatureDoesNotMatch 'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.' sts get-caller-identity
says 401 AuthFailure 'AWS was not able to validate the provided access credentials' ec2 describe-instances
says 403 UnauthorizedOperation 'You are not authorized to perform this operation. User: arn:aws:iam::123456789012:user/dev is not authorized to perform: ec2:DescribeInstances because no identity-based policy allows the ec2:DescribeInstances action' ec2 describe-instances
says 403 AccessDenied 'Access Denied' s3 ls s3://bucket
says 400 AccessDeniedException 'User: arn:aws:iam::123456789012:user/dev is not authorized to perform: dynamodb:ListTables on resource: arn:aws:dynamodb:eu-west-1:123456789012:table/*' dynamodb list-tables
says 404 NoSuchBucket 'The specified bucket does not exist' s3 ls s3://no-such-bucket-1
says 404 404 'Not Found' s3api head-object --bucket b --key k
says 403 403 'Forbidden' s3api head-bucket --bucket b
says 404 NoSuchKey 'The specified key does not exist.' s3api get-object --bucket b --key k out.bin
says 409 BucketAlreadyExists 'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.' s3api create-bucket --bucket b1b1
says 409 BucketNotEmpty 'The bucket you tried to delete is not empty' s3 rb s3://b1b1
says 412 PreconditionFailed 'At least one of the pre-conditions you specified did not hold' s3api put-object --bucket b --key k
says 404 NoSuchEntity 'The role with name nope cannot be found.' iam get-role --role-name nope
says 409 EntityAlreadyExists 'Role with name dev already exists.' iam create-role --role-name dev --assume-role-policy-document '{}'
says 409 DeleteConflict 'Cannot delete entity, must detach all policies first.' iam delete-role --role-name dev
says 400 MalformedPolicyDocument 'Syntax errors in policy.' iam create-role --role-name dev --assume-role-policy-document '{}'
says 409 LimitExceeded 'Cannot exceed quota for RolesPerAccount: 1000' iam create-role --role-name dev --assume-role-policy-document '{}'
says 400 InvalidInstanceID.NotFound "The instance ID 'i-1234567890abcdef0' does not exist" ec2 describe-instances --instance-ids i-1234567890abcdef0
says 400 InvalidInstanceID.Malformed 'Invalid id: "i-x"' ec2 describe-instances --instance-ids i-x
says 400 InvalidParameterValue 'Invalid value (t9.mega) for InstanceType.' ec2 run-instances --image-id ami-1 --instance-type t9.mega
says 412 DryRunOperation 'Request would have succeeded, but DryRun flag is set.' ec2 run-instances --image-id ami-1 --dry-run
says 400 InvalidGroup.Duplicate "The security group 'web' already exists for VPC 'vpc-1'" ec2 create-security-group --group-name web --description x
says 400 DependencyViolation 'resource sg-1 has a dependent object' ec2 delete-security-group --group-id sg-1
says 400 VcpuLimitExceeded 'You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.' ec2 run-instances --image-id ami-1
says 500 InsufficientInstanceCapacity 'We currently do not have sufficient t3.micro capacity in the Availability Zone you requested (eu-west-1a).' ec2 run-instances --image-id ami-1
says 400 IncorrectInstanceState "The instance 'i-1' is not in a state from which it can be started." ec2 start-instances --instance-ids i-1
says 400 OptInRequired 'You are not subscribed to this service. Please go to http://aws.amazon.com to subscribe.' ec2 describe-instances
says 503 RequestLimitExceeded 'Request limit exceeded.' ec2 describe-instances
says 400 Throttling 'Rate exceeded' cloudformation describe-stacks
says 400 ThrottlingException 'Rate exceeded' ecs list-clusters
says 400 ProvisionedThroughputExceededException 'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.' dynamodb scan --table-name t
says 400 ResourceNotFoundException 'Requested resource not found' dynamodb describe-table --table-name nope
says 400 ResourceInUseException 'Table already exists: t' dynamodb create-table --table-name t --key-schema AttributeName=id,KeyType=HASH --attribute-definitions AttributeName=id,AttributeType=S --billing-mode PAY_PER_REQUEST
says 400 ConditionalCheckFailedException 'The conditional request failed' dynamodb put-item --table-name t --item '{"id": {"S": "1"}}'
says 400 ValidationException '1 validation error detected: Value at tableName failed to satisfy constraint' dynamodb describe-table --table-name t
says 400 SerializationException 'Unexpected token' dynamodb describe-table --table-name t
says 400 ValidationError 'No updates are to be performed.' cloudformation update-stack --stack-name s --use-previous-template
says 400 ValidationError 'Stack with id s does not exist' cloudformation describe-stacks --stack-name s
says 400 AlreadyExistsException 'Stack [s] already exists' cloudformation create-stack --stack-name s --template-body '{}'
says 400 InsufficientCapabilitiesException 'Requires capabilities : [CAPABILITY_NAMED_IAM]' cloudformation create-stack --stack-name s --template-body '{}'
says 400 ClusterNotFoundException 'Cluster not found.' ecs list-services --cluster nope
says 400 RepositoryNotFoundException "The repository with name 'nope' does not exist in the registry with id '123456789012'" ecr describe-images --repository-name nope
says 404 ResourceNotFoundException 'Function not found: arn:aws:lambda:eu-west-1:123456789012:function:nope' lambda get-function --function-name nope
says 409 ResourceConflictException 'Function already exist: f' lambda delete-function --function-name f
says 429 TooManyRequestsException 'Rate Exceeded.' lambda list-functions
says 400 ParameterNotFound '' ssm get-parameter --name /nope
says 500 InternalError 'An internal error has occurred' ec2 describe-instances
says 503 ServiceUnavailable 'Service Unavailable' s3 ls
says 503 SlowDown 'Please reduce your request rate.' s3 ls
says 400 InvalidRequestException 'You can’t perform this operation on the secret because it was marked for deletion.' secretsmanager get-secret-value --secret-id x
says 400 RequestTimeTooSkewed 'The difference between the request time and the current time is too large.' s3 ls
says 200 data '<ListAllMyBucketsResult><Buckets><Bucket><Name>access-denied</Name><CreationDate>2024-01-02T03:04:05.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>' s3 ls
says 200 data '{"TableNames": ["t"]}' dynamodb list-tables
# Transfers of which some are done
mkdir up && echo a >up/a.txt && mkfifo up/pipe
says 200 data '<ListBucketResult></ListBucketResult>' s3 cp up s3://bucket/ --recursive
says 200 data '<ListBucketResult></ListBucketResult>' s3 ls s3://bucket/nothing
says 403 AccessDenied 'Access Denied' s3 cp up/a.txt s3://bucket/a.txt
says 404 404 'Not Found' s3 cp s3://bucket/nothing.txt .
says 200 data '<DescribeInstancesResponse><reservationSet><item><instancesSet><item><instanceId>i-1</instanceId><instanceState><code>48</code><name>terminated</name></instanceState></item></instancesSet></item></reservationSet></DescribeInstancesResponse>' ec2 wait instance-running --instance-ids i-1
AWS_ACCESS_KEY_ID= AWS_SECRET_ACCESS_KEY=x record aws s3 ls
