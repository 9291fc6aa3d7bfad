needs codex python3 git
version "codex $(codex --version | sed 's/.* //')"
for name in $(env | sed -n 's/^\(\(OPENAI\|CODEX\)[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
use model_api && model_api
export CODEX_HOME="$PWD/codex"; mkdir codex
provider() { printf 'model = "m"\nmodel_provider = "stand"\n[model_providers.stand]\nname = "stand"\nbase_url = "http://127.0.0.1:%s/v1"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n' "$1" >codex/config.toml; }
record codex --version
record codex --nope
record codex exec
record codex nope --json
record codex exec --sandbox nope hello
record codex exec hello
record codex login status
record codex mcp get nope
record codex mcp list
mkdir repo; cd repo; git init -q; record codex exec resume 00000000-0000-0000-0000-000000000000 hello; cd ..
record codex exec --output-schema nofile.json --skip-git-repo-check hello
record codex exec -C /nowhere hello
record codex apply nope
record codex login --with-api-key
printf 'model = [\n' >codex/config.toml
record codex exec --skip-git-repo-check broken
version "$RECORD_VERSION (simulated API server)"
answer() { printf '%s\n{"error":{"message":"%s","type":"%s","code":"%s"}}' "$1" "$2" "$3" "$3" >answer; }
provider "$port"
answer 401 'Incorrect API key provided' invalid_api_key; record codex exec --skip-git-repo-check one
answer 403 'Country, region, or territory not supported' forbidden; record codex exec --skip-git-repo-check two
answer 404 'The model `m` does not exist or you do not have access to it.' model_not_found; record codex exec --skip-git-repo-check three
answer 429 'Rate limit reached for m on requests per min' rate_limit_exceeded; record codex exec --skip-git-repo-check four
answer 429 'You exceeded your current quota, please check your plan and billing details.' insufficient_quota; record codex exec --skip-git-repo-check five
answer 400 'Invalid value for input' invalid_request_error; record codex exec --skip-git-repo-check six
answer 503 'The server is overloaded' server_error; record codex exec --skip-git-repo-check seven
printf '200\n' >answer; record codex exec --skip-git-repo-check eight
