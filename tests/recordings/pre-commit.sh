needs pre-commit git
fixed "$(dirname "$(realpath "$(command -v pre-commit)")")" /usr/local/bin
version "pre-commit $(pre-commit --version | sed 's/.* //')"
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always GIT_CONFIG_KEY_1=init.defaultBranch GIT_CONFIG_VALUE_1=main
# A repository of hooks, and the project that uses it
git init -q hooks && cd hooks
cat >.pre-commit-hooks.yaml <<'YAML'
- {id: no-tabs, name: no tabs, entry: 'grep -n found', language: system, files: \.txt$}
- {id: py, name: py, entry: nosuch, language: python, additional_dependencies: [nosuch-package-of-nobody]}
- {id: oldpy, name: oldpy, entry: nosuch, language: python, language_version: python3.99}
YAML
echo "from setuptools import setup; setup(name='hooks')" >setup.py
git add . && git commit -qm one && git tag v1.0 && cd ..
git init -q bare && (cd bare && git commit -q --allow-empty -m one && git tag v1)
git init -q project && cd project
hook() { printf 'repos:\n- repo: local\n  hooks:\n'; cat; }
config() { cat >.pre-commit-config.yaml; git add -A; }
local_hook() { hook <<<"  - {id: $1, name: $1, entry: \"$2\", language: ${3:-system}, files: '\\.txt\$'}" | config; }
echo hello >a.txt && git add a.txt
record pre-commit run
record pre-commit install
local_hook lint 'true'
record pre-commit run --all-files
record pre-commit run nosuchhook
local_hook lint "sh -c 'echo a.txt:1: too long; exit 1' --"
record pre-commit run --all-files
local_hook words "sh -c 'echo Permission denied: 401 Unauthorized, connection refused >&2; exit 4' --"
record pre-commit run --all-files
local_hook fix "sh -c 'echo more >>a.txt' --"
record pre-commit run --all-files
git checkout -q a.txt
local_hook absent 'nosuch-linter --check'
record pre-commit run --all-files
local_hook fail 'do not write text files' fail
record pre-commit run --all-files
local_hook script './nosuch.sh' script
record pre-commit run --all-files
local_hook shell "sh -c nosuch-program"
record pre-commit run --all-files
local_hook killed "sh -c 'kill -9 \$\$' --"
record pre-commit run --all-files
hook <<'YAML' | config
  - {id: good, name: good, entry: 'true', language: system, files: '\.txt$'}
  - {id: bad, name: bad, entry: 'false', language: system, files: '\.txt$'}
YAML
record pre-commit run --all-files
record pre-commit run good --all-files
record pre-commit run --files nofile.txt
# Configuration
echo 'repos: nothing' | config
record pre-commit run
printf 'repos: [\n' | config
record pre-commit run
printf 'repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, entry: x, language: nosuch}\n' | config
record pre-commit run
record pre-commit run -c nowhere.yaml
printf 'repos:\n- repo: %s\n  hooks: [{id: no-tabs}]\n' "$RECORD_WORLD/hooks" | config
record pre-commit run
printf 'minimum_pre_commit_version: 99.0.0\nrepos: []\n' | config
record pre-commit run
record pre-commit validate-config nofile.yaml
echo '[{id: x}]' >manifest.yaml
record pre-commit validate-manifest manifest.yaml
local_hook lint true
git commit -qm config && echo '# more' >>.pre-commit-config.yaml
record pre-commit run
git checkout -q .
# Hooks of another repository
from() { printf 'repos:\n- repo: %s\n  rev: %s\n  hooks: [{id: %s}]\n' "$1" "$2" "$3" | config; }
from "$RECORD_WORLD/hooks" v1.0 no-tabs
record pre-commit run --all-files
from "$RECORD_WORLD/hooks" v1.0 nosuch
record pre-commit run --all-files
from "$RECORD_WORLD/hooks" v9.9 no-tabs
record pre-commit run --all-files
from "$RECORD_WORLD/nowhere" v1.0 no-tabs
record pre-commit run --all-files
from "$RECORD_WORLD/bare" v1 no-tabs
record pre-commit run --all-files
from https://host.example.invalid/hooks v1 no-tabs
record pre-commit run --all-files
closed=$(free_port) && fixed "127.0.0.1:$closed" 127.0.0.1:9 && fixed "127.0.0.1 port $closed" "127.0.0.1 port 9" && fixed "port=$closed" port=9
from "http://127.0.0.1:$closed/hooks" v1 no-tabs
record pre-commit run --all-files
http_server # each status that git may meet
for status in 401 403 404 503; do
  from "$HTTP/$status" v1.0 no-tabs
  record pre-commit run --all-files
done
from "http://me:wrong@${HTTP#http://}/401" v1.0 no-tabs
record pre-commit run --all-files
from "$HTTPS/hooks" v1.0 no-tabs
record pre-commit run --all-files
from "http://$SILENT/hooks" v1.0 no-tabs
git config --global http.lowSpeedLimit 1000 && git config --global http.lowSpeedTime 1 # pre-commit hides variables from git
record pre-commit run --all-files
from "$RECORD_WORLD/hooks" v1.0 py
PIP_RETRIES=1 PIP_INDEX_URL="http://127.0.0.1:$closed/simple" record pre-commit install-hooks
record pre-commit install-hooks # from the index of everybody
hook <<<"  - {id: idna, name: idna, entry: idna, language: python, additional_dependencies: ['idna<3', 'idna>3']}" | config
record pre-commit install-hooks
from "$RECORD_WORLD/hooks" v1.0 oldpy
record pre-commit install-hooks
from "$RECORD_WORLD/hooks" v0.1 no-tabs
record pre-commit autoupdate
printf 'repos:\n- repo: %s\n  rev: v0.1\n  hooks: [{id: no-tabs}]\n- repo: %s\n  rev: v0.1\n  hooks: [{id: no-tabs}]\n' "$RECORD_WORLD/hooks" "$RECORD_WORLD/nowhere" | config
record pre-commit autoupdate
from "$RECORD_WORLD/hooks" v0.1 renamed
record pre-commit autoupdate
printf 'repos:\n- repo: %s\n  rev: v0.1\n  hooks: [{id: no-tabs}]\n- repo: %s\n  rev: v0.1\n  hooks: [{id: no-tabs}]\n' "$RECORD_WORLD/hooks" "$RECORD_WORLD/bare" | config
record pre-commit autoupdate
record pre-commit try-repo "$RECORD_WORLD/nowhere"
# The repository
local_hook lint true && git commit -qm lint
git checkout -qb other && echo other >a.txt && git commit -qam other && git checkout -q main && echo mine >a.txt && git commit -qam mine && git merge other >/dev/null 2>&1
record pre-commit run
git merge --abort
git config core.hooksPath /nowhere
record pre-commit install
git config --unset core.hooksPath
record pre-commit install
record pre-commit uninstall
record pre-commit run --from-ref HEAD
record pre-commit run --from-ref nosuchref --to-ref HEAD
record pre-commit run --all-files --files a.txt
record pre-commit frobnicate
record pre-commit run --frobnicate
record pre-commit run --hook-stage nosuch
record pre-commit sample-config
mkdir -p "$RECORD_WORLD/outside" && cd "$RECORD_WORLD/outside"
record pre-commit run
record pre-commit install
cd "$RECORD_WORLD/project/.git"
record pre-commit run
# The cache
cd "$RECORD_WORLD/project" && from "$RECORD_WORLD/hooks" v1.0 no-tabs
mkdir "$RECORD_WORLD/full" && mount -t tmpfs -o size=16k tmpfs "$RECORD_WORLD/full" 2>/dev/null && {
  head -c 100000 /dev/zero >"$RECORD_WORLD/full/fill" 2>/dev/null
  PRE_COMMIT_HOME="$RECORD_WORLD/full" record pre-commit run --all-files
  rm "$RECORD_WORLD/full/fill" && mount -o remount,ro "$RECORD_WORLD/full"
  PRE_COMMIT_HOME="$RECORD_WORLD/full" record pre-commit run --all-files
  umount "$RECORD_WORLD/full"
}
export PRE_COMMIT_HOME="$RECORD_WORLD/cache" && pre-commit gc >/dev/null
"$RECORD_PYTHON" - "$PRE_COMMIT_HOME/db.db" <<'PYTHON' &
import sqlite3, sys, time
sqlite3.connect(sys.argv[1], isolation_level=None).execute("BEGIN EXCLUSIVE")
time.sleep(30)
PYTHON
holder=$! && sleep 1
record pre-commit run --all-files
kill "$holder" && sleep 0.5
mount --bind "$PRE_COMMIT_HOME/db.db" "$PRE_COMMIT_HOME/db.db" 2>/dev/null && mount -o remount,bind,ro "$PRE_COMMIT_HOME/db.db" && {
  record pre-commit run --all-files
  umount "$PRE_COMMIT_HOME/db.db"
}
rm "$PRE_COMMIT_HOME/db.db" && mkdir "$PRE_COMMIT_HOME/db.db"
record pre-commit run --all-files
