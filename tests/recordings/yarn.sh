# For Yarn 1 and for Yarn 2 and later, whichever `yarn` is.
needs yarn node
yarn_version=$(cd / && yarn --version)
version "yarn $yarn_version"
http_server
chmod 755 "$RECORD_WORLD/.." # the server runs as another user
export XDG_DATA_HOME="$HOME/data" XDG_CACHE_HOME="$HOME/cache" XDG_CONFIG_HOME="$HOME/config"
unset CI
use npm_registry
usual_packages
at() { # at REGISTRY: which one the following commands ask
  if [[ $yarn_version == 1.* ]]; then
    printf 'registry "%s"\nnetwork-timeout 1500\n' "$1" >"$HOME/.yarnrc"
  else
    printf 'npmRegistryServer: "%s"\nunsafeHttpWhitelist: ["127.0.0.1", "no-such-host.invalid"]\nhttpRetry: 0\nhttpTimeout: 1500\nenableTelemetry: false\nnodeLinker: node-modules\nenableGlobalCache: false\nenableImmutableInstalls: false\n' "$1" >"$HOME/.yarnrc.yml"
  fi
}
at "$HTTP"
fresh() { project "$@" && { [[ $yarn_version == 1.* ]] || : >yarn.lock; }; }

# No project, or a broken one
mkdir empty && cd empty
record yarn run build
record yarn install
record yarn frobnicate
record yarn add
fresh broken '{"name": "broken",, }'
record yarn install

# Scripts
fresh app '{"name": "app", "version": "1.0.0", "packageManager": "yarn@'"$yarn_version"'", "scripts": {"build": "echo building && exit 3", "lint": "eslint-not-here .", "ok": "echo fine", "denied": "cat /nonexistent/file", "tests": "echo Tests: 1 failed, 2 passed, 3 total; exit 1", "dev": "node -e \"require(\\\"express\\\")\"", "port": "node -e \"throw Object.assign(new Error(\\\"listen EADDRINUSE: address already in use :::3000\\\"), {code: \\\"EADDRINUSE\\\"})\""}}'
record yarn run ok
record yarn install
record yarn run ok
record yarn run biuld
record yarn biuld
record yarn run build
record yarn build
record yarn run lint
record yarn run denied
record yarn run tests
record yarn run dev
record yarn run port
record yarn run
record yarn exec no-such-program
record yarn dlx no-such-package-at-all
record yarn isntall
record yarn install --nope
record yarn add
record yarn why zzz
record yarn remove zzz
record yarn list
record yarn info good
record yarn info good --json
record yarn npm info good

# Packages
record yarn add good@1.0.0
record yarn list --depth=0
record yarn outdated
record yarn why good
record yarn why good --json
record yarn add no-such-package-at-all
record yarn add @private/no-such-package-at-all
record yarn add good@9.9.9
record yarn add good@nosuchtag
record yarn add ./no-such-folder
record yarn add asks-missing
record yarn add lost-archive
record yarn add tampered
record yarn add future-node
record yarn add mac-only
record yarn add wants-two
record yarn add scripted
record yarn add 'git+file:///no/such/repo.git'
record yarn check
record yarn audit
record yarn npm audit
record yarn version
record yarn upgrade zzz
record yarn up zzz

# The lock file
fresh locked '{"name": "locked", "dependencies": {"good": "1.0.0"}}'
record yarn install --frozen-lockfile
record yarn install --immutable
record yarn run nothing
yarn install >/dev/null 2>&1
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.1.0"}}' >package.json
record yarn install --frozen-lockfile
record yarn install --immutable
record yarn run nothing
printf '%s\n' '{"name": "locked", "dependencies": {"good": "1.0.0"}}' >package.json
cp yarn.lock saved.lock
printf '\n<<<<<<< HEAD\nlockfileVersion: 5\n' >>yarn.lock
record yarn install
sed 's/[0-9a-f]\{30\}/000000000000000000000000000000/' saved.lock >yarn.lock
record yarn install --check-files
rm -rf node_modules "$HOME/cache" .yarn
sed 's/sha512-....../sha512-AAAAAA/; s/checksum: ....../checksum: 000000/' saved.lock >yarn.lock
record yarn install
cp saved.lock yarn.lock && rm -rf node_modules "$HOME/cache" .yarn
record yarn install --offline
record yarn install --mode=skip-build --immutable-cache

# Engines and package managers of the project itself
fresh engines '{"name": "engines", "engines": {"node": ">=99"}}'
record yarn install
fresh manager '{"name": "manager", "packageManager": "pnpm@9.0.0"}'
record yarn install

# Workspaces
fresh space '{"name": "space", "private": true, "workspaces": ["packages/*"]}'
mkdir -p packages/a packages/b
echo '{"name": "a", "version": "1.0.0", "scripts": {"build": "echo built a", "check": "exit 1"}}' >packages/a/package.json
echo '{"name": "b", "version": "1.0.0", "scripts": {"build": "echo broken; exit 1"}}' >packages/b/package.json
record yarn install
record yarn add good
record yarn workspace nobody run build
record yarn workspace a run check
record yarn workspaces run build
record yarn workspaces foreach -A run build
record yarn workspaces list
echo '{"name": "b", "version": "1.0.0", "dependencies": {"nowhere": "workspace:*"}}' >packages/b/package.json
record yarn install

# The registry
fresh net '{"name": "net", "version": "1.0.0"}'
for status in 401 402 403 404 429 500 503; do
  at "$HTTP/$status"
  record yarn add "some-$status@1.0.0"
done
at "http://$CLOSED" && record yarn add good
at "http://$HANGUP" && record yarn add good
at "http://$SILENT" && [[ $yarn_version == 1.* ]] || record yarn add good
at "http://no-such-host.invalid" && record yarn add good
at "$HTTPS" && record yarn add good
at "$HTTPS_EXPIRED" && record yarn add good
at "$HTTP/tgz" && record yarn add good

# Publishing
fresh pub '{"name": "pub", "version": "1.0.0"}'
yarn install >/dev/null 2>&1
at "$HTTP/401"
record yarn publish --non-interactive
record yarn npm publish
record yarn npm whoami
record yarn login --non-interactive
fresh privat '{"name": "privat", "version": "1.0.0", "private": true}'
record yarn publish --non-interactive
record yarn npm publish
at "$HTTP"

# The disk
fresh full '{"name": "full", "dependencies": {"good": "1.0.0"}}'
if mkdir small && mount -t tmpfs -o size=16k tmpfs small 2>/dev/null; then
  cp package.json small && cd small && { [[ $yarn_version == 1.* ]] || : >yarn.lock; }
  head -c 12k /dev/zero >fill
  record yarn install
  cd .. && umount small
fi
if [ "$(id -u)" = 0 ]; then
  chmod -R a+rX "$RECORD_WORLD"
  mkdir -p "$RECORD_WORLD/other" && chmod 777 "$RECORD_WORLD/other" && cp "$HOME"/.yarnrc* "$RECORD_WORLD/other"
  HOME="$RECORD_WORLD/other" XDG_DATA_HOME= XDG_CACHE_HOME= XDG_CONFIG_HOME= \
    record setpriv --reuid=65534 --regid=65534 --clear-groups -- yarn install
fi
printf 'nodeLinker: frob\nnoSuchSetting: 1\n' >.yarnrc.yml
record yarn install
printf 'a: [\n' >.yarnrc.yml
record yarn install
record yarn config get registry
record yarn plugin import frobnicate

rm .yarnrc.yml
fresh checks '{"name": "checks", "scripts": {"lint": "echo \"✖ 3 problems (3 errors, 0 warnings)\"; exit 1", "test": "echo \"No tests found, exiting with code 1\"; exit 1"}, "dependencies": {"minimist": "1.2.0"}}'
[[ $yarn_version == 1.* ]] && at https://registry.yarnpkg.com || at https://registry.npmjs.org
if yarn install >/dev/null 2>&1; then
  record yarn lint
  record yarn test
  record yarn audit
  record yarn npm audit
  record yarn npm audit --json
fi
