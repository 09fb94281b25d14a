import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { effectOf, sayOfSkew, skewOf } from "../src/main/embed/oneEffect.js"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "outbound-effect-"))
  mkdirSync(join(folder, "node_modules/effect"), { recursive: true })
  writeFileSync(join(folder, "node_modules/effect/package.json"), JSON.stringify({ name: "effect", version: "4.0.9" }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("two versions of effect in one program", () => {
  it("are found where each file would import one, and one version is no news", () => {
    assert.strictEqual(effectOf(join(folder, "main.js")), "4.0.9")
    assert.match(effectOf(import.meta.url) ?? "", /^4\.\d+\.\d+$/)
    assert.isNull(skewOf("4.1.0", "4.1.0"))
    assert.isNull(skewOf(null, "4.1.0"))
  })

  it("are said once, in one line that names both and the mend", async () => {
    const said = once(process, "warning")
    sayOfSkew(join(folder, "main.js"))
    const [{ message }] = (await said) as [Error]
    assert.match(message, /^This program imports effect 4\.0\.9, and outbound effect 4\.\S+: [^\n]+npm ls effect\)\.$/)
    let again = 0
    const count = () => (again += 1)
    process.on("warning", count)
    sayOfSkew(join(folder, "main.js"))
    await new Promise(setImmediate)
    process.off("warning", count)
    assert.strictEqual(again, 0)
  })
})
