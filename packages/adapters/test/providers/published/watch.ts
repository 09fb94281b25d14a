import { type WireListener, wireListeners } from "@outbound/testkit/vendors/wire.js"
import { Effect, type Scope } from "effect"
import { afterAll, assert } from "vitest"
import { answerDifferences, readFacts, requestDifferences } from "./Published.js"

/**
 * Holds every request of a test file to what these vendors publish. `otherwise`: where we know better, and from what;
 * each of them must be met.
 */
export const watchRequests = (
  vendors: ReadonlyArray<string>,
  otherwise: Readonly<Record<string, string>> = {}
): void => {
  const all = vendors.map(readFacts)
  const found = new Set<string>()
  let seen = 0
  const listener: WireListener = (request) => {
    const each = all.map((facts) => requestDifferences(facts, request)).filter((one) => one !== null)
    if (each.length === 0) return
    seen++
    // Two vendors may have an endpoint of one name.
    if (!each.some(({ length }) => length === 0)) each[0]?.forEach((difference) => found.add(difference))
  }
  wireListeners.add(listener)
  afterAll(() => {
    wireListeners.delete(listener)
    assert.isAbove(seen, 0, "a request to a published endpoint")
    const known = Object.keys(otherwise)
    const of = (difference: string) => known.find((one) => difference.startsWith(one))
    assert.deepStrictEqual([...found].filter((one) => of(one) === undefined).sort(), [])
    assert.deepStrictEqual(
      [...new Set([...found].map(of))].sort(),
      known.sort(),
      "what is told otherwise is still sent"
    )
  })
}

/** Fails the test, when its scope closes, where a simulator gave what its vendor does not publish, or of another type. */
export const heldAnswers = (vendor: string): Effect.Effect<void, never, Scope.Scope> => {
  const facts = readFacts(vendor)
  const found = new Set<string>()
  const listener: WireListener = ({ method, path }, { fault, json, status = 200 }) => {
    if (status !== 200 || fault !== undefined || json === undefined) return
    // Simulators leave out what no adapter reads.
    for (const one of answerDifferences(facts, method, path, json)) if (!/ lacks \w+$/.test(one)) found.add(one)
  }
  return Effect.acquireRelease(
    Effect.sync(() => void wireListeners.add(listener)),
    () =>
      Effect.suspend(() => {
        wireListeners.delete(listener)
        return found.size === 0 ? Effect.void : Effect.die(new Error([...found].sort().join("; ")))
      })
  )
}
