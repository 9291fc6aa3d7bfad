needs eslint node
version "eslint $(eslint --version | sed 's/^v//')"
fixed "$(dirname "$(dirname "$(readlink -f "$(command -v eslint)")")")" /opt/eslint
fixed "$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v eslint)")")")")" /opt/node_modules

printf 'export const x = 1;\n' >good.js
printf 'var unused = 1;\nfoo();\n' >bad.js
printf 'const = 1;\n' >syntax.js
printf 'throw new Error("EACCES: permission denied");\nvar y;\n' >'permission denied.js'
record eslint good.js
cat >eslint.config.mjs <<'JS'
export default [{ rules: { "no-unused-vars": "error", "no-undef": "error", "no-var": "warn", "no-throw-literal": "error" } }];
JS
record eslint good.js bad.js
record eslint bad.js
record eslint -f json bad.js
record eslint -f json good.js
record eslint 'permission denied.js'
record eslint syntax.js
record eslint bad.js syntax.js
record eslint nosuch.js
record eslint 'src/**/*.js'
mkdir empty && record eslint empty
record eslint --nosuchflag bad.js
record eslint --formt json bad.js
record eslint --ext .ts bad.js
record eslint -f nosuch bad.js
record eslint --rule 'nosuch-rule: error' good.js
record eslint --rule '{' good.js
record eslint --max-warnings abc good.js
printf 'var z = 1; export { z };\n' >warn.js
record eslint --max-warnings 0 warn.js
record eslint warn.js
record eslint -c nosuch.config.js good.js
record eslint --quiet warn.js
record eslint --fix-dry-run warn.js
record eslint --print-config good.js
record eslint --print-config
record eslint --plugin nosuch good.js
record eslint --parser nosuch good.js
record eslint --version
mkdir conf && cd conf && cp ../good.js .
printf 'export default [{ rules: { "no-undef": "nosuch" } }];\n' >eslint.config.mjs
record eslint good.js --no-cache
printf 'export default [{ ruls: {} }];\n' >eslint.config.mjs
record eslint good.js --no-ignore
printf 'export default [;\n' >eslint.config.mjs
record eslint good.js --no-inline-config
printf 'import x from "eslint-plugin-nosuch";\nexport default [x];\n' >eslint.config.mjs
record eslint good.js --no-color
printf 'export default [{ plugins: {}, rules: { "nosuch/rule": "error" } }];\n' >eslint.config.mjs
record eslint good.js --stats
printf 'export default [{ rules: { "no-nosuch-rule": "error" } }];\n' >eslint.config.mjs
record eslint good.js --quiet
printf 'throw new Error("boom");\n' >eslint.config.mjs
record eslint good.js --fix
printf 'export default [{ plugins: { p: { rules: { r: { create() { throw new TypeError("Cannot read properties of undefined"); } } } } }, rules: { "p/r": 2 } }];\n' >eslint.config.mjs
record eslint good.js --no-warn-ignored
printf 'export default [{ ignores: ["**/*.js"] }];\n' >eslint.config.mjs
record eslint good.js
record eslint .
rm eslint.config.mjs
mkdir old && cd old && cp ../good.js . && echo '{"extends": "airbnb"}' >.eslintrc.json
record eslint good.js --ignore-pattern x
cd ../..
cp good.js locked.js && chmod 000 locked.js
as_nobody eslint locked.js
printf 'var z = 1; export { z };\n' >fixme.js
as_nobody eslint --fix --rule 'no-var: error' fixme.js
