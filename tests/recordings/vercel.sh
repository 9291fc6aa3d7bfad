needs vercel node
version "vercel $(vercel --version 2>/dev/null | tail -1)"
export VERCEL_TELEMETRY_DISABLED=1 XDG_DATA_HOME="$HOME/data" XDG_CONFIG_HOME="$HOME/config" XDG_CACHE_HOME="$HOME/cache"
unset CI

use hosting_api

# Without credentials and without the API
mkdir site && cd site && echo '<h1>hi</h1>' >index.html
record vercel whoami
record vercel deploy --yes
record vercel ls
record vercel --prod
record vercel frobnicate
record vercel ls --frobnicate
record vercel build
record vercel env frobnicate
record vercel help
echo '{"version": 2,, }' >vercel.json
record vercel deploy --yes --token abcdefghijklmnopqrstuvwx
record vercel build --yes --token abcdefghijklmnopqrstuvwx
echo '{"version": 2, "frobnicate": true}' >vercel.json
record vercel deploy --yes --token abcdefghijklmnopqrstuvwx
rm vercel.json
record vercel whoami --token 'bad token!'
record vercel --cwd /no/such/folder ls
record vercel whoami --token abcdefghijklmnopqrstuvwx

api '{"error": {"code": "status_%d", "message": "%s"}}' '{"/v2/user": {"user": {"id": "u1", "username": "somebody", "email": "a@b.c", "defaultTeamId": null, "limited": false}}, "/v1/teams|/v2/teams": {"teams": [], "pagination": {"count": 0}}, "/v9/projects|/v4/projects": {"projects": [], "pagination": {"count": 0}}, "/v6/deployments|/v13/deployments": {"deployments": [], "pagination": {"count": 0}}, "/v5/domains|/v4/domains": {"domains": [], "pagination": {"count": 0}}}'
try() { # try TOKEN ARGS…
  local token="$1"; shift
  record vercel "$@" --api "$API" --token "$token"
}
for status in 400 401 402 403 404 409 429 500 503; do
  try "status${status}abcdefghijklmno" whoami
done
for status in 402 403 429 500; do
  try "status${status}abcdefghijklmno" ls --yes
done
try status200abcdefghijklmno whoami
try status200abcdefghijklmno ls no-such-project --yes
try status200abcdefghijklmno inspect no-such-deployment
try status200abcdefghijklmno project ls
try status200abcdefghijklmno env ls
try status200abcdefghijklmno logs no-such-deployment
try status200abcdefghijklmno domains ls
try status200abcdefghijklmno domains inspect example.invalid
try status200abcdefghijklmno rm no-such-project --yes
try status200abcdefghijklmno alias set a.vercel.app b.vercel.app
try status200abcdefghijklmno env add
try status200abcdefghijklmno switch no-such-team
try status200abcdefghijklmno deploy
try status200abcdefghijklmno link
try status200abcdefghijklmno pull
try status200abcdefghijklmno deploy --scope no-such-team --yes
try status200abcdefghijklmno deploy no-such-folder
record vercel whoami --api "http://127.0.0.1:9" --token status200abcdefghijklmno
