import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { resolveBy } from "../../src/site/Gate.js"
import { nameServer } from "./TestNameServer.js"
import { html, outcomeOf, read, serve } from "./TestSite.js"

describe("names", () => {
  it.live("have the addresses of both kinds that the name servers know; others have none", () =>
    Effect.gen(function* () {
      const v6 = "2606:4700:0000:0000:0000:0000:0000:1111"
      const { address } = yield* nameServer({
        "both.test": ["192.0.2.7", "192.0.2.8", v6],
        "six.test": [v6],
        "none.test": []
      })
      const resolve = (name: string) =>
        Effect.map(
          Effect.promise(() => resolveBy([address])(name)),
          (found) => found.map((one) => one.address).sort()
        )
      assert.deepStrictEqual(yield* resolve("both.test"), ["192.0.2.7", "192.0.2.8", "2606:4700::1111"])
      assert.deepStrictEqual(yield* resolve("six.test"), ["2606:4700::1111"])
      for (const name of ["none.test", "unknown.test", "localhost", "localhost.localdomain"]) {
        assert.deepStrictEqual(yield* resolve(name), [], name)
      }
    })
  )

  it.live("that point inside are not connected to, beside public ones neither", () =>
    Effect.gen(function* () {
      const site = yield* serve({ "/": html("<p>Something that nobody outside may read.</p>") })
      for (const addresses of [["10.1.2.3"], ["169.254.169.254"], ["8.8.8.8", "127.0.0.2"]]) {
        const { address } = yield* nameServer({ "acme.test": addresses })
        assert.strictEqual(outcomeOf(yield* read(site, { resolve: resolveBy([address]) })), "unsafe", addresses.join())
      }
      assert.deepStrictEqual(site.asked, [])
      const { address } = yield* nameServer({ "acme.test": ["127.0.0.1"] })
      assert.deepStrictEqual(outcomeOf(yield* read(site, { resolve: resolveBy([address]) })), ["/"])
    })
  )

  it.live("that nobody answers for make a site unreachable in bounded time", () =>
    Effect.gen(function* () {
      const site = yield* serve({})
      const { address } = yield* nameServer({ "acme.test": "silent" })
      const before = Date.now()
      assert.strictEqual(outcomeOf(yield* read(site, { resolve: resolveBy([address]) })), "unreachable")
      assert.isBelow(Date.now() - before, 20_000)
    })
  )
})
