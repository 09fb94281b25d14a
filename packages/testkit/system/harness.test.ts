import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))
const SAMPLE = join(ROOT, "packages/examples/samples/inMemory.test.mjs")
const GUIDE = join(ROOT, "docs/guides/testing.md")

/** From the start of Node to the end of the first test, once its files have been read before. */
const FIRST_TEST_MILLIS_MAX = 2_000

const testing = (file: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...args, file], {
    cwd: ROOT,
    encoding: "utf8",
    // Else it takes itself for a file of this run.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined }
  })
  return { status, stdout, millis: Number(/duration_ms ([\d.]+)/.exec(stdout)?.[1]) }
}

describe("the service in memory, by promises, under Node's own test runner", () => {
  it("runs a whole loop, and its first test within two seconds", () => {
    const whole = testing(SAMPLE)
    assert.strictEqual(whole.status, 0, whole.stdout)
    assert.match(whole.stdout, /pass 4\b/)
    // The best of three: what else the machine does is no part of it.
    const runs = [1, 2, 3].map(() => testing(SAMPLE, "--test-name-pattern=declined"))
    for (const { status, stdout } of runs) assert.strictEqual(status, 0, stdout)
    assert.isBelow(Math.min(...runs.map(({ millis }) => millis)), FIRST_TEST_MILLIS_MAX)
  })

  it("is what its guide says", () => {
    const script = /^```js\n([\s\S]*?)^```/m.exec(readFileSync(GUIDE, "utf8"))?.[1] ?? ""
    const folder = mkdtempSync(join(tmpdir(), "outbound-guide-"))
    try {
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
      writeFileSync(join(folder, "guide.test.mjs"), script)
      const ran = testing(join(folder, "guide.test.mjs"))
      assert.strictEqual(ran.status, 0, ran.stdout)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
