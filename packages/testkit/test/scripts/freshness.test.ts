import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
// @ts-expect-error -- a script, which is no part of what is compiled
import { isSame, readStates, stateOf, writeStates } from "../../scripts/freshness.mjs"

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "outbound-freshness-"))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const statesOf = (...names: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, stateOf(join(folder, name))]))

describe("what was made is made again", () => {
  it("where a source came back older than what was made of it, or is gone, and only then", () => {
    const [one, seen] = [join(folder, "one.ts"), join(folder, "dist/seen.json")]
    writeFileSync(one, "export const a = 1\n")
    writeFileSync(join(folder, "two.ts"), "export const b = 2\n")
    writeStates(seen, statesOf("one.ts", "two.ts"))
    assert.isTrue(isSame(readStates(seen), statesOf("one.ts", "two.ts")))

    assert.isFalse(isSame(readStates(seen), statesOf("one.ts")), "one is gone")

    writeFileSync(one, "export const a = 3\n")
    utimesSync(one, new Date(0), new Date(0))
    assert.isFalse(isSame(readStates(seen), statesOf("one.ts", "two.ts")), "another text with an older time")
  })

  it("where nothing was written down, or what was can't be read", () => {
    assert.isFalse(isSame(readStates(join(folder, "absent.json")), statesOf("one.ts")))
    writeFileSync(join(folder, "cut.json"), '{"one.ts":')
    assert.isFalse(isSame(readStates(join(folder, "cut.json")), statesOf("one.ts")))
  })
})
