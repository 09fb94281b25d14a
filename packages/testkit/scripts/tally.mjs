/** A vitest reporter that only counts. What it counted goes to the file that `OUTBOUND_TALLY` names. */
import { writeFileSync } from "node:fs"

/** A file or a suite that breaks outside its tests counts as one failure: its tests never ran. */
const breaks = (module) => {
  const suites = [...module.children.allSuites()]
  return [module, ...suites].filter((suite) => suite.errors().length > 0).length
}

export default class Tally {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      failed += breaks(module)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === "passed") passed += 1
        if (state === "failed") failed += 1
      }
    }
    writeFileSync(process.env.OUTBOUND_TALLY, JSON.stringify({ passed, failed }))
  }
}
