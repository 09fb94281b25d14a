import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { call } from "./support/Client.js"
import { assertClean } from "./support/Host.js"
import { Served } from "./support/Served.js"
import { makeTenant } from "./support/Tenant.js"

const CONNECTIONS = 64
const LOAD_MILLIS = 15_000
const RESIDENT_MEGABYTES_MAX = 220

/** Resident memory at its highest since the start, in MB; null where the system does not say. */
const peakMegabytes = (pid: number): number | null => {
  const path = `/proc/${pid}/status`
  const peak = existsSync(path) ? /VmHWM:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1] : undefined
  return peak === undefined ? null : Math.round(Number(peak) / 1_024)
}

layer(Served.layer, { timeout: "180 seconds", excludeTestServices: true })("a service under load", (it) => {
  it.effect(`stays below ${RESIDENT_MEGABYTES_MAX} MB through 15 seconds of ${CONNECTIONS} connections`, () =>
    Effect.gen(function* () {
      const { auditor, host, place } = yield* Served
      const tenant = yield* makeTenant(place, { credits: 1_000_000 })
      const until = performance.now() + LOAD_MILLIS
      let succeeded = 0
      const worker = Effect.gen(function* () {
        while (performance.now() < until) {
          const { status, text } = yield* call(host, tenant.apiKey, "verify_email", { email: "valid@magic.test" })
          assert.strictEqual(status, 200, text)
          succeeded += 1
        }
      })
      yield* Effect.replicateEffect(worker, CONNECTIONS, { concurrency: "unbounded", discard: true })
      const peak = peakMegabytes(host.pid)
      if (peak !== null) assert.isBelow(peak, RESIDENT_MEGABYTES_MAX)
      const books = yield* auditor.books(tenant.workspaceId)
      assert.strictEqual(books.charges, BigInt(succeeded))
      yield* assertClean(place)
    })
  )
})
