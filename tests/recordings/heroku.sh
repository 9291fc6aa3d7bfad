needs heroku node git
version "heroku $(heroku --version 2>/dev/null | sed -n 's|heroku/\([^ ]*\).*|\1|p')"
export HEROKU_SKIP_NEW_VERSION_CHECK=true DISABLE_TELEMETRY=true XDG_DATA_HOME="$HOME/data" XDG_CACHE_HOME="$HOME/cache" XDG_CONFIG_HOME="$HOME/config"
unset CI SSL_CERT_FILE SSL_CERT_DIR

use hosting_api

mkdir empty && cd empty
record heroku apps
record heroku auth:whoami
record heroku logs
record heroku frobnicate
record heroku app:create
record heroku apps --frobnicate
record heroku config:set
record heroku ps -a
record heroku login
record heroku auth:token

api '{"id": "%n", "message": "%s"}' '{"/account": {"id": "u1", "email": "a@b.c"}, "/apps|/users/~/apps": [{"id": "1", "name": "one", "owner": {"email": "a@b.c"}, "region": {"name": "us"}}], "/apps/one": {"id": "1", "name": "one", "owner": {"email": "a@b.c"}, "region": {"name": "us"}}, "/apps/one/config-vars": {"A": "1", "B": "two"}}'
export HEROKU_HOST="$API" HEROKU_API_URL="$API"
for status in 400 401 402 403 404 409 422 429 500 503; do
  HEROKU_API_KEY="status-$status" record heroku config -a one
done
HEROKU_API_KEY=status-401 record heroku auth:whoami
export HEROKU_API_KEY=status-200
record heroku config -a one
record heroku config -a one --json
record heroku config:get A -a one
record heroku config -a nobody
record heroku apps:info nobody
record heroku apps:destroy one
record heroku config
record heroku releases:rollback -a one
record heroku git:remote -a one
git init -q . && git remote add heroku https://git.heroku.com/one.git && git remote add staging https://git.heroku.com/two.git
record heroku config
HEROKU_HOST="http://127.0.0.1:9" HEROKU_API_URL="http://127.0.0.1:9" record heroku config -a one
HEROKU_HOST="http://no-such-host.invalid" HEROKU_API_URL="http://no-such-host.invalid" record heroku config -a one
