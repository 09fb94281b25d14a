import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const PRODUCTION = ["adapters", "client", "domain", "host-http", "host-mcp", "sandbox"]

/** Rules that must each be found in at most two files. */
const ASKED_FOR = [
  "what `enrich` costs",
  "the order of refusals of a call",
  "the reason of suppression that wins",
  "a launch stops where suppression can't be checked",
  "which reply an approved answer goes to",
  "what a kill stops",
  "the cap of a key's month",
  "which bounce suppresses",
  "what a mailbox may send a day",
  "how long the trail names a person"
]

const page = readFileSync(`${ROOT}docs/contract/decided.md`, "utf8")

const rules = page
  .split("\n")
  .filter((line) => line.startsWith("| ["))
  .map((line) => ({
    rule: /^\| \[(.+?)\]\([a-z]+\.md#/.exec(line)?.[1] ?? line,
    files: [...line.matchAll(/\]\(\.\.\/\.\.\/(packages\/[^)]+)\)/g)].map(([, file = ""]) => file)
  }))

/** Every file that the sources of production import, with the file that does. */
const imported = (): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const name of PRODUCTION) {
    const src = `packages/${name}/src/`
    for (const file of readdirSync(ROOT + src, { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(file)) continue
      const at = src + file.replaceAll("\\", "/")
      for (const [, specifier = ""] of readFileSync(ROOT + at, "utf8").matchAll(/\b(?:from|import) "([^"]+)"/g)) {
        const target = specifier.startsWith(".")
          ? posix.join(posix.dirname(at), specifier)
          : specifier.replace(/^@outbound\/([^/]+)\//, "packages/$1/src/")
        found.add(target.replace(/\.js$/, ".ts"))
      }
    }
  }
  return found
}

describe("the rule book", () => {
  it("names every rule that must be found at once, each in at most two files", () => {
    assert.includeMembers(
      rules.map(({ rule }) => rule),
      ASKED_FOR
    )
    assert.deepStrictEqual(
      rules.filter(({ files }) => files.length < 1 || files.length > 2),
      []
    )
  })

  it("names files that the service runs on, not only its tests", () => {
    const used = imported()
    assert.deepStrictEqual(
      rules.flatMap(({ files }) => files).filter((file) => !used.has(file)),
      []
    )
  })
})
