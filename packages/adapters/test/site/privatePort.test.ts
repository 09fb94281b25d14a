import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Resolve } from "../../src/site/Gate.js"
import { makeWebVisitor } from "../../src/site/WebVisitor.js"
import { DOMAIN, html, serve, toLoopback } from "./TestSite.js"

const LOCAL = ["127.0.0.0/8"]

const visited = (config: {
  readonly resolve: Resolve
  readonly ranges: ReadonlyArray<string>
  readonly port: number
}) =>
  makeWebVisitor({
    aboutUrl: "https://outbound.test/docs",
    allowedRanges: config.ranges,
    privatePort: config.port,
    resolve: config.resolve
  }).visit({ companyDomain: DOMAIN, pagesMax: 1, choose: () => [] })

describe("a port of one's own for stand-ins", () => {
  it.live("leads to the sites in the ranges that are allowed, over HTTP", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* serve({ "/": html("<p>A stand-in.</p>") })
      const visit = yield* visited({ resolve: toLoopback, ranges: LOCAL, port })
      assert.strictEqual(visit._tag === "Visited" ? visit.pages[0]?.url : visit.reason, `http://${DOMAIN}:${port}/`)
      assert.deepStrictEqual(asked, [`${DOMAIN} /robots.txt`, `${DOMAIN} /`])
    })
  )

  it.live("leads to no other address: not to one outside the ranges, and not to a public one", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* serve({ "/": html("<p>A stand-in.</p>") })
      const toPublic: Resolve = () => Promise.resolve([{ address: "93.184.216.34", family: 4 }])
      for (const [resolve, ranges] of [
        [toLoopback, ["10.0.0.0/8"]],
        [toLoopback, []],
        [toPublic, LOCAL]
      ] as const) {
        const visit = yield* visited({ resolve, ranges, port })
        assert.deepStrictEqual(visit, { _tag: "Unreadable", reason: "unsafe" })
      }
      assert.deepStrictEqual(asked, [])
    })
  )
})
