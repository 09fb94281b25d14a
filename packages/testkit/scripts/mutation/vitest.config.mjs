/** The tests as `npm test` runs them, but with faults in the sources that `OUTBOUND_FAULTS` names, one process alone. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import base from "../../vitest.config.ts"
import { instrument } from "./instrument.mjs"

const plan = JSON.parse(readFileSync(process.env.OUTBOUND_FAULTS, "utf8"))

const faults = {
  name: "outbound:faults",
  enforce: "pre",
  transform(text, id) {
    const made = plan.faults[id.split("?")[0]]
    return made === undefined ? undefined : { code: instrument(text, made), map: null }
  }
}

export default {
  ...base,
  plugins: [faults],
  test: {
    ...base.test,
    runner: fileURLToPath(new URL("runner.mjs", import.meta.url)),
    maxWorkers: 1,
    // It knows nothing of the faults, and would give back what the tests themselves were made of.
    fsModuleCache: false,
    projects: base.test.projects.map((project) => ({
      ...project,
      test: { ...project.test, exclude: ["**/dist/**", "**/node_modules/**"], sequence: {}, fsModuleCache: false }
    })),
    dangerouslyIgnoreUnhandledErrors: true,
    reporters: [{}]
  }
}
