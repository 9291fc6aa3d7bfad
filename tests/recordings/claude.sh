needs claude python3
version "claude $(claude --version | sed 's/ .*//')"
use model_api && model_api
closed=$(free_port); fixed "127.0.0.1:$closed" 127.0.0.1:9
for name in $(env | sed -n 's/^\(\(ANTHROPIC\|CLAUDE\)[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
export CLAUDE_CONFIG_DIR="$PWD/config" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
record claude --version

record claude --nope
record claude -p
record claude -p hello
record claude -p hello --output-format nope
record claude -p hello --resume 00000000-0000-0000-0000-000000000000
record claude --continue -p hello
record claude mcp get nope
record claude mcp remove nope
record claude mcp list
record claude mcp add
record claude -p hello --mcp-config nofile.json
record claude -p hello --settings nofile.json
record claude -p hello --add-dir nowhere
record claude plugin install nope
export ANTHROPIC_API_KEY=sk-ant-api03-none ANTHROPIC_BASE_URL="http://127.0.0.1:$port" CLAUDE_CODE_MAX_RETRIES=0
version "$RECORD_VERSION (simulated API server)"
answer() { printf '%s\n{"type":"error","error":{"type":"%s","message":"%s"}}' "$1" "$2" "$3" >answer; }
answer 401 authentication_error 'invalid x-api-key'; record claude -p 'say one'
answer 403 permission_error 'Your API key does not have permission to use the specified resource.'; record claude -p 'say two'
answer 404 not_found_error 'model: nope'; record claude -p 'say three' --model nope
answer 429 rate_limit_error 'This request would exceed your rate limit.'; record claude -p 'say four'
answer 400 invalid_request_error 'Your credit balance is too low to access the Anthropic API.'; record claude -p 'say five'
answer 529 overloaded_error Overloaded; record claude -p 'say six'
answer 500 api_error 'Internal server error'; record claude -p 'say seven'
answer 413 request_too_large 'Request exceeds the maximum size'; record claude -p 'say eight'
answer 401 authentication_error 'invalid x-api-key'; record claude -p 'say nine' --output-format json
ANTHROPIC_BASE_URL="http://127.0.0.1:$closed" record claude -p 'say ten'
printf '200\n{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"permission denied is what I say"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}' >answer
record claude -p 'say eleven'
printf '200\n{"id":"msg_2","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"true"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}' >answer
record claude -p 'say twelve' --max-turns 1
