needs vitest node
version "vitest $(vitest --version | sed 's#vitest/\([0-9.]*\).*#\1#')"
modules="$(dirname "$(dirname "$(readlink -f "$(command -v vitest)")")")"
fixed "$(realpath --relative-to="$PWD/app" "$(dirname "$modules")")" ../node_modules
fixed "$(dirname "$modules")" /opt/node_modules
fixed "$(dirname "$(dirname "$modules")")" /opt

project() { mkdir "$1" && cd "$1" && echo '{"name": "app", "type": "module"}' >package.json && ln -s "$(dirname "$modules")" node_modules; }
project app
cat >good.test.js <<'JS'
import { expect, test } from "vitest";
test("adds", () => { expect(1 + 1).toBe(2); });
JS
cat >bad.test.js <<'JS'
import { expect, test } from "vitest";
test("adds", () => { expect(1 + 1).toBe(3); });
test("denied", () => { throw new Error("EACCES: permission denied"); });
JS
printf 'import { test } from "vitest";\nconst x = ;\n' >syntax.test.js
printf 'import "./nothere.js";\nimport { test } from "vitest";\ntest("a", () => {});\n' >relative.test.js
printf 'import "nosuch-module";\nimport { test } from "vitest";\ntest("a", () => {});\n' >import.test.js
printf 'import { test } from "vitest";\ntest("slow", () => new Promise(() => {}), 50);\n' >slow.test.js
printf 'import { describe } from "vitest";\ndescribe("empty", () => {});\n' >empty.test.js
printf 'import { expect, test } from "vitest";\ntest("s", () => { expect({ a: 1 }).toMatchSnapshot(); });\n' >snap.test.js
printf 'import { test } from "vitest";\ntest("ok", () => { setTimeout(() => { throw new Error("late"); }, 0); return new Promise((r) => setTimeout(r, 50)); });\n' >unhandled.test.js
record vitest run good.test.js
record vitest run bad.test.js
record vitest run syntax.test.js
record vitest run import.test.js
record vitest run relative.test.js
record vitest run good.test.js import.test.js
record vitest run slow.test.js
record vitest run empty.test.js
CI=1 record vitest run snap.test.js
record vitest run unhandled.test.js
record vitest run nosuch.test.js
record vitest run --passWithNoTests nosuch.test.js
record vitest run -t nosuchname good.test.js
record vitest run --reporter=json bad.test.js
record vitest run --reporter=nosuch good.test.js
if [ -d node_modules/@vitest/coverage-v8 ]; then
  printf 'export const a = () => 1;\nexport const b = () => 2;\n' >lib.js
  printf 'import { expect, test } from "vitest";\nimport { a } from "./lib.js";\ntest("a", () => { expect(a()).toBe(1); });\n' >lib.test.js
  record vitest run --coverage --coverage.thresholds.functions=100 lib.test.js
else
  record vitest run --coverage good.test.js
fi
record vitest run --nosuchflag good.test.js
record vitest run --environment nosuch-env good.test.js
record vitest run --environment happy-dom good.test.js
record vitest run --config nosuch.config.js
record vitest run --root /nonexistent
record vitest run --pool nosuch good.test.js
record vitest run --shard 9/2 good.test.js
record vitest run --bail 1 bad.test.js
record vitest run --project nosuch
record vitest list good.test.js
record vitest nosuchcommand
record vitest typecheck
cat >vitest.config.js <<'JS'
export default {;
JS
record vitest run
echo 'import "nosuch-plugin";export default {};' >vitest.config.js
record vitest run --silent
echo 'export default { test: { setupFiles: ["./nothere.js"] } };' >vitest.config.js
record vitest run --globals good.test.js
echo 'throw new Error("boom");' >vitest.config.js
record vitest run --no-color
rm vitest.config.js
cd ..
