needs bun
version "bun $(bun --version)"
http_server
chmod 755 "$RECORD_WORLD/.." # the server runs as another user
export BUN_INSTALL_CACHE_DIR="$HOME/bun-cache" BUN_CONFIG_REGISTRY="$HTTP/" npm_config_registry="$HTTP/" BUN_CONFIG_HTTP_RETRY_COUNT=0 DO_NOT_TRACK=1
unset CI
use npm_registry
usual_packages

# No project, or a broken one
mkdir empty && cd empty
record bun install
record bun run build
record bun frobnicate
record bun no-such-file.ts
record bun test
record bun add
record bun --frobnicate
record bun install --frobnicate
record bun build
record bun publish
record bun pm ls
record bun outdated
record bun remove good
project broken '{"name": "broken",, }'
record bun install
record bun run build

# Scripts and files
project app '{"name": "app", "version": "1.0.0", "scripts": {"build": "echo building && exit 3", "lint": "eslint-not-here .", "ok": "echo fine", "denied": "cat /nonexistent/file"}}'
record bun run ok
record bun run biuld
record bun run build
record bun run lint
record bun run denied
record bun run
record bun isntall
record bun x no-such-package-at-all
echo 'const x: = 3;' >syntax.ts && record bun run syntax.ts
record bun build syntax.ts --outdir out
echo 'import e from "express"; console.log(e)' >needs.ts && record bun run needs.ts
record bun build needs.ts --outdir out
echo 'import x from "./absent.ts"; console.log(x)' >needs2.ts && record bun needs2.ts
echo 'throw new Error("permission denied for the user")' >throws.ts && record bun throws.ts
echo 'process.exit(7)' >seven.ts && record bun seven.ts
echo 'console.log(undefinedThing.x)' >ref.ts && record bun ref.ts
echo 'await fetch("http://'"$CLOSED"'/")' >fetch.ts && record bun fetch.ts
echo 'require("fs").readFileSync("/no/such/file")' >read.ts && record bun read.ts
echo 'console.log("fine")' >fine.ts && record bun fine.ts
record bun build no-such-entry.ts
printf 'import {test, expect} from "bun:test"\ntest("adds", () => expect(1 + 1).toBe(3))\ntest("fine", () => expect(1).toBe(1))\n' >a.test.ts
record bun test
record bun test --test-name-pattern zzz
record bun test no-such-test
printf 'import {test, expect} from "bun:test"\ntest("slow", async () => { await Bun.sleep(2000) }, 100)\n' >a.test.ts
record bun test
printf 'import {test} from "bun:test"\nimport "./absent"\n' >a.test.ts
record bun test
rm a.test.ts

# Packages
record bun add good@1.0.0
record bun pm ls
record bun outdated
record bun why good
record bun add no-such-package-at-all
record bun add @private/no-such-package-at-all
record bun add good@9.9.9
record bun add good@nosuchtag
record bun add ./no-such-folder
record bun add asks-missing
record bun add lost-archive
record bun add tampered
record bun add wants-two
record bun add scripted
record bun add --trust scripted
record bun add 'git+file:///no/such/repo.git'
record bun add 'github:no/such'
record bun remove zzz
record bun update zzz
record bun info good
record bun info no-such-package-at-all
record bun audit
record bun pm whoami
record bun pm frobnicate
record bun link nothing
record bun patch nothing
record bunx no-such-package-at-all
record bunx good

# The lock file
project locked '{"name": "locked", "dependencies": {"good": "1.0.0"}}'
record bun install --frozen-lockfile
bun install >/dev/null 2>&1
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.1.0"}}' >package.json
record bun install --frozen-lockfile
record bun ci
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.0.0"}}' >package.json
cp bun.lock saved.lock
printf '<<<<<<< HEAD\n' >>bun.lock
record bun install --frozen-lockfile
record bun install
sed 's/sha512-....../sha512-AAAAAA/' saved.lock >bun.lock
rm -rf node_modules "$HOME/bun-cache"
record bun install
rm -f bun.lock

# Workspaces
project space '{"name": "space", "workspaces": ["packages/*"]}'
mkdir -p packages/a packages/b
echo '{"name": "a", "version": "1.0.0", "scripts": {"build": "echo built a"}}' >packages/a/package.json
echo '{"name": "b", "version": "1.0.0", "dependencies": {"nowhere": "workspace:*"}, "scripts": {"build": "sleep 1; echo broken; exit 1"}}' >packages/b/package.json
record bun install
echo '{"name": "b", "version": "1.0.0", "scripts": {"build": "sleep 1; echo broken; exit 1"}}' >packages/b/package.json
record bun run --filter '*' build
record bun run --filter nobody build

# The registry
project net '{"name": "net", "version": "1.0.0"}'
for status in 400 401 402 403 404 429 500 503; do
  record bun add "some-$status" --registry "$HTTP/$status/"
done
record bun add other --registry "http://$CLOSED/"
record bun add other --registry "http://$HANGUP/"
record bun add other --registry "http://no-such-host.invalid/"
record bun add other --registry "$HTTPS/"
record bun add other --registry "$HTTPS_EXPIRED/"
record bun audit --registry "$HTTP/503/"
record bun publish --registry "$HTTP/401/"
printf '[install]\nregistry = {url = "%s/401/", token = "wrong"}\n' "$HTTP" >bunfig.toml
record bun publish
printf '[install]\nregistry = {url = "%s/403/", token = "wrong"}\n' "$HTTP" >bunfig.toml
record bun publish
printf '[install]\nregistry = {url = "%s/409/", token = "wrong"}\n' "$HTTP" >bunfig.toml
record bun publish
printf '[install\nx = ' >bunfig.toml
record bun install
rm bunfig.toml
project privat '{"name": "privat", "version": "1.0.0", "private": true}'
record bun publish

# The real registry knows what is vulnerable
project old '{"name": "old", "dependencies": {"minimist": "1.2.0"}}'
if bun install --registry https://registry.npmjs.org/ >/dev/null 2>&1; then
  record bun audit --registry https://registry.npmjs.org/
fi

# The disk
project full '{"name": "full", "dependencies": {"good": "1.0.0"}}'
if mkdir small && mount -t tmpfs -o size=16k tmpfs small 2>/dev/null; then
  cp package.json small && cd small
  head -c 12k /dev/zero >fill
  record bun install
  cd .. && umount small
fi
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$RECORD_WORLD/other" && chmod 777 "$RECORD_WORLD/other"
  HOME="$RECORD_WORLD/other" BUN_INSTALL_CACHE_DIR="$RECORD_WORLD/other/cache" \
    record setpriv --reuid=65534 --regid=65534 --clear-groups -- bun install
fi
