needs prettier node
version "prettier $(prettier --version)"
fixed "$(dirname "$(dirname "$(readlink -f "$(command -v prettier)")")")" /opt/prettier

printf 'const x = 1;\n' >good.js
printf 'const  x={a:1}\n' >ugly.js
printf 'const = 1;\n' >syntax.js
printf '{"a": 1,,}\n' >syntax.json
printf 'a: [1\nb: 2\n' >syntax.yaml
record prettier --check good.js
record prettier --check ugly.js
record prettier --check good.js ugly.js
record prettier -l ugly.js
record prettier --list-different good.js ugly.js
record prettier --check syntax.js
record prettier --check ugly.js syntax.js
record prettier syntax.json
record prettier syntax.yaml
record prettier good.js
record prettier --write syntax.js
cp ugly.js u2.js; record prettier --write u2.js syntax.js
cp ugly.js u3.js; record prettier --write u3.js
record prettier nosuch.js
record prettier --check nosuch.js
record prettier --check good.js nosuch.js
record prettier 'src/**/*.ts'
record prettier --check ugly.js nosuch.js
mkdir empty && record prettier --check empty
record prettier
record prettier --nosuchflag good.js
record prettier --chek good.js
record prettier --parser nosuch good.js
record prettier --tab-width abc good.js
record prettier --end-of-line nosuch good.js
record prettier --plugin nosuch-plugin good.js
record prettier --config nosuch.json good.js
record prettier --ignore-path nosuch good.js
record prettier --check --write ugly.js
echo text >file.unknown; record prettier --check file.unknown
record prettier file.unknown
record prettier --find-config-path good.js
record prettier --file-info good.js
record prettier --support-info-nosuch
record prettier --version
mkdir conf && cd conf && cp ../good.js .
printf '{"semi": tru}' >.prettierrc
record prettier --check good.js --no-cache
printf '{"semi": "maybe"}' >.prettierrc
record prettier --check good.js --no-color
printf '{"nosuchOption": true}' >.prettierrc
record prettier --check good.js --log-level warn
printf '{"plugins": ["prettier-plugin-nosuch"]}' >.prettierrc
record prettier --check good.js --log-level error
printf '{"parser": "nosuch"}' >.prettierrc
record prettier --check good.js --log-level debug
rm .prettierrc; printf 'module.exports = {;\n' >prettier.config.cjs
record prettier --check good.js --no-editorconfig
rm prettier.config.cjs; echo '"nosuch-shared-config"' >.prettierrc.json
record prettier --check good.js
cd ..
record --stdin prettier --stdin-filepath x.js <<<'const = 1'
record --stdin prettier --stdin-filepath y.js <<<'const  a=1'
cp good.js locked.js && chmod 000 locked.js
as_nobody prettier --check locked.js
cp ugly.js foreign.js 2>/dev/null; printf 'const  x={a:1}\n' >foreign.js
as_nobody prettier --write foreign.js
