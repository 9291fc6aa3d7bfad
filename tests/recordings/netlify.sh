needs netlify node
version "netlify-cli $(netlify --version 2>/dev/null | sed 's|netlify-cli/||; s| .*||')"
export NETLIFY_HOME="$HOME/netlify" XDG_CONFIG_HOME="$HOME/config"
unset CI

use hosting_api

mkdir site && cd site && echo '<h1>hi</h1>' >index.html
record netlify deploy --dir .
record netlify status
record netlify sites:list
record netlify frobnicate
record netlify deplyo
record netlify sites:list --frobnicate
record netlify env:list
record netlify env:set
record netlify build
record netlify functions:invoke nothing
record netlify link
record netlify init
record netlify open
record netlify api frobnicate
record netlify logs:function
record netlify watch

api '{"code": %d, "message": "%s"}' '{".*/user": {"id": "u1", "full_name": "Some Body", "email": "a@b.c"}, ".*/accounts": [{"id": "a1", "slug": "team", "name": "Team", "default": true}], ".*/sites": [], ".*/current_user": {}}'
export NETLIFY_API_URL="$API/api/v1"
for status in 400 401 402 403 404 422 429 500 503; do
  NETLIFY_AUTH_TOKEN="status-$status" record netlify sites:list
done
NETLIFY_AUTH_TOKEN=status-401 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-404 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-403 record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
NETLIFY_AUTH_TOKEN=status-401 record netlify status
export NETLIFY_AUTH_TOKEN=status-200
record netlify sites:list
record netlify sites:list --json
record netlify status
record netlify deploy --dir . --site 123e4567-e89b-12d3-a456-426614174000
record netlify deploy --dir no-such-folder
record netlify deploy
record netlify link --name no-such-site
record netlify sites:delete no-such-site
record netlify env:get NAME
printf '[build\n' >netlify.toml
record netlify build --offline
printf '[build]\ncommand = "exit 3"\npublish = "."\n' >netlify.toml
record netlify build --offline
printf '[build]\ncommand = "no-such-program"\npublish = "."\n' >netlify.toml
record netlify build --offline
rm netlify.toml
NETLIFY_API_URL="http://127.0.0.1:9/api/v1" record netlify sites:list
NETLIFY_API_URL="http://no-such-host.invalid/api/v1" record netlify sites:list
