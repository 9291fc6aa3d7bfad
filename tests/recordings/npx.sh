needs npx npm node
version "npx $(npx --version)"
http_server
chmod 755 "$RECORD_WORLD/.." # the server runs as another user
export npm_config_fetch_retries=0 npm_config_registry="$HTTP/" npm_config_cache="$HOME/npm-cache" npm_config_userconfig="$HOME/npmrc"
use npm_registry

registry good '{}' 1.0.0 '{}'
registry two-programs '{}' 1.0.0 '{"bin": {"one": "index.js", "two": "index.js"}}'
registry asks-missing '{}' 1.0.0 '{"bin": "index.js", "dependencies": {"no-such-package-at-all": "^1.0.0"}}'
registry broken-program '{}' 1.0.0 '{"bin": "no-such-file.js"}'
registry scripted '{}' 1.0.0 '{"bin": "index.js", "scripts": {"postinstall": "exit 3"}}'

mkdir empty && cd empty
record npx --yes no-such-package-at-all
record npx --no good
record npx --no-install no-such-tool
record npx good
record npx --yes good
record npx --yes two-programs
record npx --yes good@9.9.9
record npx --yes good@nosuchtag
record npx --yes asks-missing
record npx --yes broken-program
record npx --yes scripted
record npx --yes -p good no-such-program
record npx --yes -c 'no-such-program --help'
record npx -c 'exit 3'
record npx -c 'echo fine'
record npx
record npx --yes ./no-such-folder
record npx --yes 'bad name!'
record npx --offline --yes uncached-package
record npx --yes --registry "$HTTP/401/" some-tool
record npx --yes --registry "$HTTP/403/" some-tool
record npx --yes --registry "$HTTP/429/" some-tool
record npx --yes --registry "$HTTP/503/" some-tool
record npx --yes --registry "http://$CLOSED/" some-tool
record npx --yes --registry "http://no-such-host.invalid/" some-tool
record npx --yes --registry "http://$SILENT/" --fetch-timeout=500 some-tool
record npx --yes --registry "$HTTPS/" some-tool
record npx --yes --registry "$HTTPS_EXPIRED/" some-tool
mkdir -p node_modules/.bin
printf '#!/bin/sh\necho "cannot open permission denied.txt" >&2; exit 4\n' >node_modules/.bin/own-tool && chmod +x node_modules/.bin/own-tool
printf '#!/bin/sh\necho fine\n' >node_modules/.bin/fine && chmod +x node_modules/.bin/fine
printf '#!/no/such/interpreter\n' >node_modules/.bin/odd && chmod +x node_modules/.bin/odd
printf '#!/bin/sh\necho fine\n' >node_modules/.bin/locked && chmod -x node_modules/.bin/locked
record npx own-tool
record npx fine
record npx odd
record npx locked
record npx -w nowhere own-tool
