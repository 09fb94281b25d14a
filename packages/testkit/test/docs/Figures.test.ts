import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const pageOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")

/** How far a page may be from what the bench measured last: benches vary, and pages are read for their ratios. */
const APART_MAX = 1.25

const ratioIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN)

/** What pages say, and the row of the benches that it comes from. */
const FIGURES = [
  {
    what: "metered calls of one workspace",
    measured: /^\| 1 \| \*\*outbound \/ one transaction per call\*\* \| \*\*([\d.]+)\*\*/m,
    said: {
      "README.md": /one busy workspace +\| ([\d.]+) × one transaction per call/,
      "docs/guides/going-to-production.md": /one busy workspace +\| ([\d.]+) times one transaction per call/
    }
  },
  {
    what: "metered calls over a thousand workspaces",
    measured: /^\| 1000 \| \*\*outbound \/ one transaction per call\*\* \| \*\*([\d.]+)\*\*/m,
    said: {
      "README.md": /over 1,000 workspaces +\| ([\d.]+) × one transaction per call/,
      "docs/guides/going-to-production.md": /over 1,000 workspaces +\| ([\d.]+) times one transaction per call/
    }
  }
] as const

/** How many connections a worker has at most, wherever a page says it. */
const CONNECTIONS = {
  "docs/configuration.md": /uses up to (\d+) connections to the database/,
  "docs/operating.md": /worker uses up to (\d+) connections to the database/,
  "docs/guides/going-to-production.md": /connections of a worker to the database +\| at most (\d+)/
} as const

describe("figures on several pages", () => {
  it.each(FIGURES)("are those of the benches: $what", ({ measured, said }) => {
    const last = ratioIn(pageOf("docs/benchmarks.md"), measured)
    assert.isAbove(last, 0, "docs/benchmarks.md has the row")
    for (const [page, pattern] of Object.entries(said)) {
      const ratio = ratioIn(pageOf(page), pattern)
      assert.isAtMost(Math.max(ratio / last, last / ratio), APART_MAX, `${page} says ${ratio}, the bench ${last}`)
    }
  })

  it("agree on a worker's connections", () => {
    const said = Object.entries(CONNECTIONS).map(([page, pattern]) => [page, ratioIn(pageOf(page), pattern)] as const)
    assert.strictEqual(new Set(said.map(([, count]) => count)).size, 1, JSON.stringify(said))
  })
})
