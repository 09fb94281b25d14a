import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { effectOf, heedEffect, isWithin, skewOf, unfitOf } from "../src/oneEffect.js"

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url))

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "outbound-effect-"))
  mkdirSync(join(folder, "node_modules/effect"), { recursive: true })
  writeFileSync(join(folder, "node_modules/effect/package.json"), JSON.stringify({ name: "effect", version: "4.0.9" }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the effect that is installed beside our packages", () => {
  it("has one range, which every package names that imports it, and no package brings one of its own", () => {
    const manifests = readdirSync(PACKAGES).map(
      (name) =>
        JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8")) as Readonly<
          Record<string, Readonly<Record<string, string>> | undefined>
        >
    )
    const ranges = manifests.flatMap(({ peerDependencies }) => peerDependencies?.["effect"] ?? [])
    assert.lengthOf(ranges, 8)
    assert.lengthOf([...new Set(ranges)], 1)
    assert.isEmpty(manifests.flatMap(({ dependencies }) => dependencies?.["effect"] ?? []))
    assert.isTrue(isWithin(effectOf(import.meta.url) ?? "", ranges[0] ?? ""))
  })

  it.each([
    ["4.0.5", true],
    ["4.0.6", true],
    ["4.1.0", true],
    ["4.99.0", true],
    ["4.0.4", false],
    ["3.19.0", false],
    ["5.0.0", false],
    ["4.2.0-rc.1", false]
  ] as const)("may be %s: %s", (version, may) => {
    assert.strictEqual(isWithin(version, "^4.0.5"), may)
  })

  it("is refused in one line that names the range, what was found, and the mend", () => {
    const line =
      /^outbound needs effect \^4\.0\.5, and [^\n]+: npm install "effect@\^4\.0\.5" \(npm ls effect [^\n]+\)\.$/
    assert.match(unfitOf("3.19.0", "^4.0.5") ?? "", line)
    assert.include(unfitOf("3.19.0", "^4.0.5"), "this program has 3.19.0")
    assert.match(unfitOf(null, "^4.0.5") ?? "", line)
    assert.include(unfitOf(null, "^4.0.5"), "it is not installed")
    assert.isNull(unfitOf("4.1.0", "^4.0.5"))
    // A bundle has neither manifest, and the right library inside.
    assert.isNull(unfitOf(null, null))
  })
})

describe("two versions of effect in one program", () => {
  it("are found where each file would import one, and one version is no news", () => {
    assert.strictEqual(effectOf(join(folder, "main.js")), "4.0.9")
    assert.match(effectOf(import.meta.url) ?? "", /^4\.\d+\.\d+$/)
    assert.isNull(skewOf("4.1.0", "4.1.0"))
    assert.isNull(skewOf(null, "4.1.0"))
  })

  it("are said once, in one line that names both and the mend", async () => {
    const said = once(process, "warning")
    heedEffect(join(folder, "main.js"))
    const [{ message }] = (await said) as [Error]
    assert.match(message, /^This program imports effect 4\.0\.9, and outbound effect 4\.\S+: [^\n]+npm ls effect\)\.$/)
    let again = 0
    const count = () => (again += 1)
    process.on("warning", count)
    heedEffect(join(folder, "main.js"))
    await new Promise(setImmediate)
    process.off("warning", count)
    assert.strictEqual(again, 0)
  })
})
