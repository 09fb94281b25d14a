import { assert, describe, it } from "@effect/vitest"
import { ROUND_NAMES } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const PRODUCTION = ["adapters", "client", "domain", "host-http", "host-mcp", "sandbox"]
/** What every round and every look by the clock is made of. */
const LOOP = "packages/domain/src/kernel/rounds.ts"

const sections = readFileSync(`${ROOT}docs/background.md`, "utf8").split("\n## ")
const rowsOf = (title: string): ReadonlyArray<string> =>
  (sections.find((section) => section.startsWith(title)) ?? "")
    .split("\n")
    .filter((line) => /^\| [^-]/.test(line))
    .slice(1)
const namesIn = (title: string): ReadonlyArray<string> =>
  rowsOf(title).flatMap((line) => [...line.matchAll(/^\| `(\w+)`/g)].map(([, name = ""]) => name))

const sources = PRODUCTION.flatMap((name) =>
  readdirSync(`${ROOT}packages/${name}/src`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `packages/${name}/src/${file.replaceAll("\\", "/")}`)
)
const ROUNDS: ReadonlySet<string> = new Set(ROUND_NAMES)

/** Whether a file runs something forever that is no round. */
const loops = (text: string): boolean =>
  /\b(?:Effect|Schedule)\.forever\b/.test(text) ||
  [...text.matchAll(/\bturns\((?:"([^"]+)")?/g)].some(([, name = ""]) => !ROUNDS.has(name))

describe("the page of background work", () => {
  it("names every kind of job, and no other", () => {
    const domain = sources.filter((file) => file.startsWith("packages/domain/"))
    const kinds = domain.flatMap((file) =>
      [...readFileSync(ROOT + file, "utf8").matchAll(/\bkind: "(\w+)",\s*key:/g)].map(([, kind = ""]) => kind)
    )
    assert.sameMembers([...namesIn("Jobs")], kinds)
  })

  it("names every round, and no other", () => {
    assert.deepStrictEqual([...namesIn("Rounds")], [...ROUND_NAMES])
  })

  it("names every look by a host's own clock", () => {
    const workers = readFileSync(`${ROOT}packages/domain/src/app/Workers.ts`, "utf8")
    const looks = [...workers.matchAll(/\bevery\("(\w+)"/g)].map(([, name = ""]) => name)
    assert.isAbove(looks.length, 0)
    assert.sameMembers([...namesIn("What is no work")], looks)
  })

  it("names every file with a loop of its own, and none without", () => {
    const named = rowsOf("What is no work").flatMap((line) =>
      [...line.matchAll(/\]\(\.\.\/(packages\/[^)]+)\)/g)].map(([, file = ""]) => file)
    )
    const found = sources.filter((file) => file !== LOOP && loops(readFileSync(ROOT + file, "utf8")))
    assert.sameMembers([...new Set(named)], found)
  })
})
