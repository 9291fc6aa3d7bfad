// Written by clawwrap init opencode; `clawwrap init opencode --uninstall` removes it.
// OpenCode 1.18.29 and later reads `server`, OpenCode 2 reads `setup`.
import { spawnSync } from "node:child_process"

function rewritten(tool, args) {
  if (!["bash", "shell"].includes(tool) || typeof args?.command !== "string") return undefined
  const input = JSON.stringify({ tool, args, cwd: process.cwd() })
  const done = spawnSync("clawwrap", ["hook", "opencode"], { input, timeout: 5000, encoding: "utf8" })
  if (done.status !== 0 || !done.stdout) return undefined
  try {
    return JSON.parse(done.stdout).args.command
  } catch {
    return undefined
  }
}

export default {
  id: "clawwrap",
  server: async () => ({
    "tool.execute.before": async (input, output) => {
      output.args.command = rewritten(input.tool, output.args) ?? output.args.command
    },
  }),
  setup: async (context) => {
    await context.tool.hook("execute.before", async (event) => {
      event.input.command = rewritten(event.tool, event.input) ?? event.input.command
    })
  },
}
