needs wrangler node
version "wrangler $(wrangler --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)"
export WRANGLER_SEND_METRICS=false XDG_CONFIG_HOME="$HOME/config" WRANGLER_LOG_PATH="$HOME/logs"
unset CI

use hosting_api

mkdir empty && cd empty
record wrangler whoami
record wrangler deploy
record wrangler dev
record wrangler frobnicate
record wrangler deploy --frobnicate
record wrangler kv namespace list
record wrangler d1 execute
record wrangler secret put
record wrangler tail
record wrangler pages deploy no-such-folder
mkdir ../worker && cd ../worker
printf 'name = "w"\nmain = "index.js"\ncompatibility_date = "2024-09-01"\n' >wrangler.toml
record wrangler deploy
echo 'export default { async fetch() { return new Response("hi") } }' >index.js
record wrangler deploy --dry-run
record wrangler deploy
echo 'export default { async fetch( { return }' >index.js
record wrangler deploy --dry-run
echo 'import x from "no-such-module"; export default { async fetch() { return x } }' >index.js
record wrangler deploy --dry-run
echo 'export default { async fetch() { return new Response("hi") } }' >index.js
printf 'name = "w\nmain = \n' >wrangler.toml
record wrangler deploy --dry-run
printf 'name = "w"\nmain = "index.js"\nfrobnicate = 1\nroutes = 7\n' >wrangler.toml
record wrangler deploy --dry-run
printf 'name = "w"\nmain = "index.js"\ncompatibility_date = "2024-09-01"\n' >wrangler.toml
record wrangler d1 execute nothing --command 'select 1'
record wrangler deploy --env nowhere --dry-run
record wrangler types --help

api '{"success": false, "errors": [{"code": 10000, "message": "%s"}], "messages": [], "result": null}' '{".*/user": {"success": true, "errors": [], "messages": [], "result": {"id": "u1", "email": "a@b.c"}}, ".*/user/tokens/verify": {"success": true, "errors": [], "messages": [], "result": {"id": "t", "status": "active"}}, ".*/accounts": {"success": true, "errors": [], "messages": [], "result": [{"id": "acc", "name": "Acc"}]}, ".*/memberships": {"success": true, "errors": [], "messages": [], "result": []}, ".*/storage/kv/namespaces": {"success": true, "errors": [], "messages": [], "result": [{"id": "0f2ac74b498b48028cb68387c421e279", "title": "one"}], "result_info": {"page": 1, "per_page": 100, "count": 1, "total_count": 1}}}'
export CLOUDFLARE_API_BASE_URL="$API/client/v4" CLOUDFLARE_ACCOUNT_ID=acc
for status in 400 401 403 404 409 429 500 503; do
  CLOUDFLARE_API_TOKEN="status-$status" record wrangler kv namespace list
done
CLOUDFLARE_API_TOKEN=status-401 record wrangler deploy
CLOUDFLARE_API_TOKEN=status-403 record wrangler whoami
export CLOUDFLARE_API_TOKEN=status-200
record wrangler kv namespace delete --namespace-id nothing
record wrangler d1 list
record wrangler d1 info nothing
record wrangler deploy
record wrangler delete
record wrangler r2 bucket info nothing
record wrangler secret put NAME
CLOUDFLARE_API_BASE_URL="http://127.0.0.1:9/client/v4" record wrangler kv namespace list
CLOUDFLARE_API_BASE_URL="http://no-such-host.invalid/client/v4" record wrangler kv namespace list
