needs gemini python3
version "gemini $(gemini --version 2>/dev/null | tail -1)"
for name in $(env | sed -n 's/^\(\(GEMINI\|GOOGLE\)[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
fixed "$(readlink -f "$(command -v gemini)" | sed "s,/@google/.*,,")" /usr/lib/node_modules
record gemini --version
record gemini --nope
record gemini -p hello
record gemini -p hello --output-format nope
record gemini -p hello --approval-mode nope
record gemini mcp list
record gemini mcp remove nope
record gemini extensions install nowhere
record gemini extensions uninstall nope
record gemini -p hello -i hello
record gemini --list-sessions
use model_api && model_api
gemini mcp add -s user here true >/dev/null 2>&1
record gemini mcp remove -s user here
version "$RECORD_VERSION (simulated API server)"
mkdir -p home/.gemini; printf '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' >home/.gemini/settings.json
export GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$port" GEMINI_CLI_TRUST_WORKSPACE=true
answer() { printf '%s\n{"error":{"code":%s,"message":"%s","status":"%s"}}' "$1" "$1" "$2" "$3" >answer; }
answer 400 'API key not valid. Please pass a valid API key.' INVALID_ARGUMENT; record gemini --skip-trust -p one
answer 403 'Permission denied on resource project nope.' PERMISSION_DENIED; record gemini --skip-trust -p two
answer 404 'models/nope is not found for API version v1beta' NOT_FOUND; record gemini --skip-trust -m nope -p three
answer 401 'Request had invalid authentication credentials.' UNAUTHENTICATED; record gemini --skip-trust -p four
