needs pnpm node
version "pnpm $(cd / && pnpm --version)"
http_server
chmod 755 "$RECORD_WORLD/.." # the server runs as another user
fixed "$(dirname "$(readlink -f "$(command -v node)")")/node" /usr/bin/node
export XDG_DATA_HOME="$HOME/data" XDG_CACHE_HOME="$HOME/cache" XDG_STATE_HOME="$HOME/state" XDG_CONFIG_HOME="$HOME/config"
export npm_config_store_dir="$HOME/store" npm_config_fetch_retries=0 npm_config_registry="$HTTP/"
export pnpm_config_store_dir="$HOME/store" pnpm_config_fetch_retries=0 pnpm_config_registry="$HTTP/"
unset CI

use npm_registry
usual_packages

# No project, or a broken one
mkdir empty && cd empty
record pnpm install
record pnpm run build
record pnpm test
record pnpm list
record pnpm publish
record pnpm frobnicate
record pnpm --frobnicate install
record pnpm add
project broken '{"name": "broken",, }'
record pnpm install
record pnpm run build

# Scripts
project app '{"name": "app", "version": "1.0.0", "scripts": {"build": "echo building && exit 3", "lint": "eslint-not-here .", "ok": "echo fine", "hi": "echo permission denied", "denied": "cat /nonexistent/file", "tests": "echo Tests: 1 failed, 2 passed, 3 total; exit 1", "test": "node -e \"console.log(String.fromCharCode(35) + \\\" fail 1\\\"); process.exit(1)\""}}'
record pnpm run ok
record pnpm run biuld
record pnpm run zzzzz
record pnpm run build
record pnpm build
record pnpm run lint
record pnpm run denied
record pnpm test
record pnpm run
record pnpm start
record pnpm exec no-such-program
record pnpm frobnicate
record pnpm isntall
record pnpm install --nope
record pnpm install --frozen-lockfile
record pnpm why good
record pnpm audit
record pnpm update --latest zzz
record pnpm remove good

# Packages
record pnpm add good@1.0.0
record pnpm list
record pnpm list --json
record pnpm list --parseable
record pnpm outdated
record pnpm outdated --format json
record pnpm why good
record pnpm add no-such-package-at-all
record pnpm add @private/no-such-package-at-all
record pnpm add good@9.9.9
record pnpm add good@nosuchtag
record pnpm add ./no-such-folder
record pnpm add asks-missing
record pnpm add lost-archive
record pnpm add tampered
record pnpm add future-node --config.engine-strict=true
record pnpm add mac-only
record pnpm add good@1.0.0 wants-two --strict-peer-dependencies
record pnpm add scripted
project builds '{"name": "builds", "dependencies": {"scripted": "1.0.0"}}'
echo 'strict-dep-builds=true' >.npmrc && echo 'strictDepBuilds: true' >pnpm-workspace.yaml
record pnpm install
rm .npmrc && printf 'onlyBuiltDependencies: [scripted]\nallowBuilds:\n  scripted: true\n' >pnpm-workspace.yaml
record pnpm install
rm -rf node_modules
record pnpm rebuild
cd "$RECORD_WORLD/app"
record pnpm add 'good@^^1'
record pnpm view good
record pnpm view no-such-package-at-all
record pnpm dlx no-such-package-at-all
record pnpm install good --offline --config.store-dir="$HOME/other-store"

# The lock file
project locked '{"name": "locked", "dependencies": {"good": "1.0.0"}}'
record pnpm install --offline
pnpm install >/dev/null 2>&1
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.1.0"}}' >package.json
record pnpm install --frozen-lockfile
CI=true record pnpm install
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.0.0"}}' >package.json
printf '<<<<<<< HEAD\nlockfileVersion: 5\n=======\n' >>pnpm-lock.yaml
record pnpm install --frozen-lockfile
echo "lockfileVersion: '99.0'" >pnpm-lock.yaml
record pnpm install --frozen-lockfile
rm pnpm-lock.yaml
record pnpm install --frozen-lockfile
mkdir -p node_modules
record pnpm list
rm -rf node_modules
record pnpm list
record pnpm exec good

# Engines and package managers of the project itself
project engines '{"name": "engines", "engines": {"node": ">=99"}}'
record pnpm install
project engines2 '{"name": "engines2", "engines": {"pnpm": ">=99"}}'
record pnpm install
project manager '{"name": "manager", "packageManager": "yarn@4.0.0"}'
record pnpm install

# Workspaces
project space '{"name": "space", "scripts": {"top": "echo top"}}'
mkdir -p packages/a packages/b
echo 'packages: ["packages/*"]' >pnpm-workspace.yaml
echo '{"name": "a", "version": "1.0.0", "scripts": {"build": "echo built a", "check": "exit 1"}}' >packages/a/package.json
echo '{"name": "b", "version": "1.0.0", "dependencies": {"nowhere": "workspace:*"}, "scripts": {"build": "echo broken; exit 1"}}' >packages/b/package.json
record pnpm install
echo '{"name": "b", "version": "1.0.0", "scripts": {"build": "sleep 1; echo broken; exit 1"}}' >packages/b/package.json
record pnpm -r run build
record pnpm -r run zzz
record pnpm add good
(cd packages/a && record pnpm run top)
record pnpm --filter nobody run build
record pnpm --filter nobody --fail-if-no-match run build
record pnpm --filter nobody install
echo 'packages: [' >pnpm-workspace.yaml
record pnpm install
cd "$RECORD_WORLD/app" && record pnpm -w add good

# The registry
project net '{"name": "net", "version": "1.0.0"}'
for status in 400 401 402 403 404 409 410 422 429 500 502 503 504; do
  record pnpm add "some-$status" --registry "$HTTP/$status/"
done
record pnpm add other --registry "http://$CLOSED/"
record pnpm add other --registry "http://$HANGUP/"
record pnpm add other --registry "http://$SILENT/" --fetch-timeout=500
record pnpm add other --registry "http://no-such-host.invalid/"
record pnpm add other --registry "$HTTPS/"
record pnpm add other --registry "$HTTPS_EXPIRED/"
record pnpm add . --registry "$HTTP/tgz/"
record pnpm install other --offline
record pnpm audit
project audited '{"name": "audited", "dependencies": {"good": "1.0.0"}}'
pnpm install >/dev/null 2>&1
record pnpm audit --registry "$HTTP/503/"
record pnpm audit --registry "$HTTP/401/"
record pnpm audit --registry "http://$CLOSED/"

# The real registry knows what is vulnerable
project old '{"name": "old", "dependencies": {"minimist": "1.2.0"}}'
echo 'registry=https://registry.npmjs.org/' >.npmrc
if env -u npm_config_registry -u pnpm_config_registry pnpm install >/dev/null 2>&1; then
  record pnpm audit --registry https://registry.npmjs.org/
  record pnpm audit --json --registry https://registry.npmjs.org/
fi

# Publishing
project dirty '{"name": "dirty", "version": "1.0.0"}'
git init -q . && git config user.email a@b.c && git config user.name a && git add . && git commit -qm one && git branch -M main
echo x >x
record pnpm publish --registry "$HTTP/401/"
git checkout -qb feature && git add . && git commit -qm two
record pnpm publish --registry "$HTTP/401/"
record pnpm publish --no-git-checks --registry "$HTTP/401/"
record pnpm publish --no-git-checks --registry "http://$CLOSED/"
printf '//%s/401/:_authToken=wrong\n//%s/403/:_authToken=wrong\n//%s/409/:_authToken=wrong\n' "${HTTP#http://}" "${HTTP#http://}" "${HTTP#http://}" >"$HOME/.npmrc"
record pnpm publish --no-git-checks --registry "$HTTP/401/"
record pnpm publish --no-git-checks --registry "$HTTP/403/"
record pnpm publish --no-git-checks --registry "$HTTP/409/"
record pnpm whoami --registry "$HTTP/401/"
project privat '{"name": "privat", "version": "1.0.0", "private": true}'
record pnpm publish --no-git-checks

# The disk
project full '{"name": "full", "dependencies": {"good": "1.0.0"}}'
if mkdir small && mount -t tmpfs -o size=16k tmpfs small 2>/dev/null; then
  cp package.json small && cd small
  head -c 12k /dev/zero >fill
  record pnpm install
  cd .. && umount small
fi
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$RECORD_WORLD/.." "$RECORD_WORLD" && chmod -R a+rX "$HOME"
  mkdir -p "$RECORD_WORLD/other" && chmod 777 "$RECORD_WORLD/other"
  HOME="$RECORD_WORLD/other" npm_config_store_dir="$RECORD_WORLD/other/store" pnpm_config_store_dir="$RECORD_WORLD/other/store" XDG_DATA_HOME= XDG_CACHE_HOME= XDG_STATE_HOME= XDG_CONFIG_HOME= \
    record setpriv --reuid=65534 --regid=65534 --clear-groups -- pnpm install
fi
cd "$RECORD_WORLD" && mkdir nothome && cd nothome && echo '{}' >package.json
record pnpm add -g good
record pnpm link good
record pnpm patch good
record pnpm env use 99
record pnpm config get registry
record pnpm store path
record pnpm root
record pnpm licenses list
record pnpm store status
record pnpm init
echo '{"name": "checks", "scripts": {"lint": "echo \"✖ 3 problems (3 errors, 0 warnings)\"; exit 1", "test": "echo \"No test files found, exiting with code 1\"; exit 1"}}' >package.json
record pnpm lint
record pnpm test
registry ranger '{}' 1.0.0 '{"dependencies": {"good": "^1.0.0"}}'
project twice '{"name": "twice", "dependencies": {"good": "1.0.0", "ranger": "1.0.0"}}'
pnpm install >/dev/null 2>&1
sed -i 's/"good": "1.0.0"/"good": "1.1.0"/' package.json
pnpm install >/dev/null 2>&1
record pnpm dedupe --check
echo changed >>node_modules/good/index.js
record pnpm store status
