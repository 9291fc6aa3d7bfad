needs node
version "node $(node --version)"
http_server
fixed "port: ${CLOSED##*:}" 'port: 9'

say ok.js 'console.log("ok")'
record node ok.js
record node nope.js
say require.js 'require("no-such-module")'
record node require.js
say relative.js 'require("./lib/missing")'
record node relative.js
say import.mjs 'import x from "no-such-module"'
record node import.mjs
say importfile.mjs 'import x from "./missing.mjs"'
record node importfile.mjs
say export.mjs 'import { nothing } from "./other.mjs"'
say other.mjs 'export const a = 1'
record node export.mjs
say esm.js 'import fs from "fs"'
record node esm.js
say cjs.mjs 'require("fs")'
record node cjs.mjs
say syntax.js 'function f( {'
record node syntax.js
say token.js 'const a = ;'
record node token.js
record node --check token.js
say file.js 'require("fs").readFileSync("/no/such/data.csv")'
record node file.js
say exists.js 'const fs = require("fs"); fs.mkdirSync("made"); fs.mkdirSync("made")'
record node exists.js
say directory.js 'require("fs").readFileSync("/")'
record node directory.js
say refused.js "require('net').connect(${CLOSED##*:}, '127.0.0.1')"
record node refused.js
say refusedhttp.js "require('http').get('http://$CLOSED/')"
record node refusedhttp.js
say fetch.js "fetch('http://$CLOSED/')"
record node fetch.js
say fetchhost.js "fetch('http://no-such-host.invalid/')"
record node fetchhost.js
say fetchtls.js "fetch('$HTTPS/')"
record node fetchtls.js
say fetchhangup.js "fetch('http://$HANGUP/')"
record node fetchhangup.js
say url.js "fetch('not a url')"
record node url.js
record node nope.mjs
say module.ts 'let a: number = 1'
record node module.ts
record node --import ./missing.mjs ok.js
say localhost.js "require('net').connect(${CLOSED##*:}, 'localhost')"
record node localhost.js
say host.js "require('http').get('http://no-such-host.invalid/')"
record node host.js
say tls.js "require('https').get('$HTTPS/')"
record node tls.js
say hangup.js "require('http').get('http://$HANGUP/')"
record node hangup.js
say status.js "fetch('$HTTP/401').then(r => { if (!r.ok) throw new Error(\`HTTP \${r.status} \${r.statusText}\`) })"
record node status.js
say slow.js "fetch('http://$SILENT/', { signal: AbortSignal.timeout(300) })"
record node slow.js
say port.js "const net = require('net'); const a = net.createServer().listen(0, '127.0.0.1', () => net.createServer().listen(a.address().port, '127.0.0.1'))"
record node port.js
say undefined.js 'undefinedThing()'
record node undefined.js
say type.js 'null.missingFile'
record node type.js
say notfunction.js 'const a = {}; a.connectionRefused()'
record node notfunction.js
say throw.js 'throw new Error("something is odd")'
record node throw.js
say throwstring.js 'throw "permission denied, said nobody"'
record node throwstring.js
say reject.js 'Promise.reject(new Error("later"))'
record node reject.js
say rejectnothing.js 'Promise.reject(undefined)'
record node rejectnothing.js
say json.js 'JSON.parse("{ bad")'
record node json.js
say range.js 'new Array(-1)'
record node range.js
say recursion.js 'function f() { f() } f()'
record node recursion.js
say assert.js 'require("assert").strictEqual(1, 2)'
record node assert.js
say cause.js "fetch('http://$CLOSED/').catch(e => { throw new Error('could not start', { cause: e }) })"
record node cause.js
say exit1.js 'process.exit(1)'
record node exit1.js
say exit7.js 'process.exitCode = 7'
record node exit7.js
say await.mjs 'await new Promise(() => {})'
record node await.mjs
say spawn.js 'require("child_process").spawn("no-such-program-x")'
record node spawn.js
say exec.js 'require("child_process").execSync("no-such-program-x")'
record node exec.js
say spawnfail.js 'require("child_process").execSync("ls /no/such", { stdio: "inherit" })'
record node spawnfail.js
say heap.js 'const a = []; for (;;) a.push(new Array(100000).fill(1))'
record node --max-old-space-size=20 heap.js
say setting.js 'if (!process.env.DATABASE_URL) throw new Error("DATABASE_URL environment variable is not set")'
record node setting.js
say log.js 'console.error("Error: connection refused, trying again"); throw new TypeError("cannot read this")'
record node log.js
say a.test.js 'const { test } = require("node:test"); const assert = require("assert"); test("adds", () => assert.equal(1, 2)); test("ok", () => {})'
record node --test a.test.js
record node --test --test-reporter=spec a.test.js
record node --frobnicate ok.js
record node -e
record node -e 'throw new RangeError("out of range")'
record node --max-old-space-size=abc ok.js
record node --input-type=frob -e 1
say package.json '{ bad'
mkdir bad; mv package.json bad/; cp ok.js bad/
record node bad/ok.js
mkdir pack; say pack/package.json '{ "main": "missing.js" }'
record node pack
record node --env-file=no.env ok.js
record node --run build
record node --version
record node -p 'JSON.stringify({a: 1})'
say rofs.js 'require("fs").writeFileSync("/proc/version", "x")'
record node rofs.js
say abort.js 'process.abort()'
record node abort.js
say signal.js 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 1000)'
record node signal.js
