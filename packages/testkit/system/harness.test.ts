import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))
const SAMPLE = join(ROOT, "packages/examples/samples/inMemory.test.mjs")
const GUIDE = join(ROOT, "docs/guides/testing.md")

/**
 * What the process of the first test takes of the processors, from the start of Node to its end, once the files have been
 * read before. Two seconds of wall time are promised; how long that is depends on what else a machine does, and `npm run bench -- paths`
 * measures it.
 */
const FIRST_TEST_CPU_MILLIS_MAX = 1_200

/** A process writes down what it took; the runner, which only waits, does not. */
const COUNTING = `import { appendFileSync } from "node:fs"
process.on("exit", () => {
  const { system, user } = process.cpuUsage()
  appendFileSync(process.env.CPU_FILE, (user + system) / 1000 + "\\n")
})
`

const folder = mkdtempSync(join(tmpdir(), "outbound-harness-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const testing = (file: string, ...args: ReadonlyArray<string>) => {
  const [counting, taken] = [join(folder, "counting.mjs"), join(folder, "cpu.txt")]
  writeFileSync(counting, COUNTING)
  writeFileSync(taken, "")
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...args, file], {
    cwd: ROOT,
    encoding: "utf8",
    // Else it takes itself for a file of this run.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: `--import=${counting}`, CPU_FILE: taken }
  })
  return { status, stdout, cpuMillis: Number(readFileSync(taken, "utf8")) }
}

describe("the service in memory, by promises, under Node's own test runner", () => {
  it("runs a whole loop, and its first test for little more than a second of a processor", () => {
    const whole = testing(SAMPLE)
    assert.strictEqual(whole.status, 0, whole.stdout)
    assert.match(whole.stdout, /pass 4\b/)
    const runs = [1, 2, 3].map(() => testing(SAMPLE, "--test-name-pattern=declined"))
    for (const { status, stdout } of runs) assert.strictEqual(status, 0, stdout)
    assert.isBelow(Math.min(...runs.map(({ cpuMillis }) => cpuMillis)), FIRST_TEST_CPU_MILLIS_MAX)
  })

  it("is what its guide says", () => {
    const script = /^```js\n([\s\S]*?)^```/m.exec(readFileSync(GUIDE, "utf8"))?.[1] ?? ""
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "guide.test.mjs"), script)
    const ran = testing(join(folder, "guide.test.mjs"))
    assert.strictEqual(ran.status, 0, ran.stdout)
  })
})
