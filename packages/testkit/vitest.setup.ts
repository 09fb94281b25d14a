import { appendFileSync } from "node:fs"
import { afterAll, chai, expect } from "vitest"

// Proxies tell of misspelled assertions, as the compiler does, and take a tenth of the time where there are many.
chai.config.useProxy = false

/** If it names a file, each test file adds a line to it: the seconds of processor time that its process took for it. */
const report = process.env["CPU_OF_FILES"]
if (report !== undefined) {
  const begun = process.cpuUsage()
  afterAll(() => {
    const { system, user } = process.cpuUsage(begun)
    appendFileSync(report, `${((user + system) / 1e6).toFixed(1)} ${expect.getState().testPath}\n`)
  })
}
