needs jest node
version "jest $(jest --version)"
modules="$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v jest)")")")")"
fixed "$modules" /opt/node_modules
fixed "$(realpath --relative-to="$PWD/app" "$modules")" ../node_modules

project() { mkdir "$1" && cd "$1" && echo '{"name": "app", "jest": {}}' >package.json; }
done_with() { cd ..; }
record jest
project app
printf 'test("adds", () => { expect(1 + 1).toBe(2); });\n' >good.test.js
printf 'test("adds", () => { expect(1 + 1).toBe(3); });\ntest("denied", () => { throw new Error("EACCES: permission denied"); });\n' >bad.test.js
printf 'const x = ;\ntest("a", () => {});\n' >syntax.test.js
printf 'require("nosuch-module");\ntest("a", () => {});\n' >import.test.js
printf 'test("slow", (done) => {}, 50);\n' >slow.test.js
printf 'describe("empty", () => {});\n' >empty.test.js
printf 'exports.a = () => 1;\nexports.b = (x) => { if (x) { return 2; } return 3; };\n' >lib.js
printf 'test("a", () => { expect(require("./lib").a()).toBe(1); });\n' >lib.test.js
printf 'test("s", () => { expect({ a: 1 }).toMatchSnapshot(); });\n' >snap.test.js
record jest good.test.js
record jest bad.test.js
record jest syntax.test.js
record jest import.test.js
record jest good.test.js import.test.js
record jest slow.test.js
record jest empty.test.js
record jest --ci snap.test.js
record jest nosuch.test.js
record jest --passWithNoTests nosuch.test.js
record jest -t nosuchname good.test.js
record jest --coverage --coverageThreshold '{"global": {"functions": 100}}' lib.test.js
record jest --json good.test.js
record jest --json bad.test.js
record jest --listTests
record jest --nosuchflag
record jest --config nosuch.config.js
record jest --config '{' good.test.js
record jest --env nosuch-env good.test.js
record jest --reporters nosuch-reporter good.test.js
record jest --shard 9/2 good.test.js
record jest --runInBand --bail bad.test.js
record jest --onlyChanged
record jest --showConfig --rootDir /nonexistent
record jest -t '(' good.test.js
done_with
project preset && cp ../app/good.test.js . && echo '{"jest": {"preset": "nosuch-preset"}}' >package.json
record jest --verbose good.test.js
echo '{"jest": {"transform": {"\\.js$": "nosuch-transform"}}}' >package.json
record jest --silent good.test.js
echo '{"jest": {"nosuchKey": 1}}' >package.json
record jest --no-cache good.test.js
echo '{"jest": {"testEnvironment": "jsdom"}}' >package.json
record jest --expand good.test.js
echo '{"jest": {"setupFiles": ["./nothere.js"]}}' >package.json
record jest --notify=false good.test.js
echo '{"jest": ' >package.json
record jest --errorOnDeprecated good.test.js
echo '{}' >package.json; echo 'module.exports = {;' >jest.config.js
record jest --logHeapUsage good.test.js
echo '{"jest": {}}' >package.json; echo 'module.exports = {}' >jest.config.js
record jest --colors=false good.test.js
rm jest.config.js
printf 'test("x", () => { process.exit(3); });\n' >exit.test.js
record jest exit.test.js
printf 'export const a = 1;\ntest("x", () => {});\n' >esm.test.mjs; printf 'import a from "./nothere.js";\ntest("x", () => {});\n' >esm.test.js
record jest esm.test.js
done_with
