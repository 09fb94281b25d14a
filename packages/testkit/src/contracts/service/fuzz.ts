import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { balanceOf, SUITE } from "./support.js"
import { callEntries } from "./wellFormed.js"

/** Values that trip careless code. */
const aValue: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    "",
    " ",
    "\u0000",
    "\ud800",
    "__proto__",
    "constructor",
    "null",
    "x".repeat(5000),
    "2026-02-30T25:61:61Z",
    "https://\u{1F4EC}.test",
    "xn--",
    "a@b",
    -0,
    1e308,
    Number.MIN_VALUE,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    [[]],
    true
  )
)

/** Every place in a request, from its fields to the members of their members. */
const placesIn = (value: Json, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  value === null || typeof value !== "object"
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member as Json, [...path, key]))]

const replaced = (value: Json, path: ReadonlyArray<string>, by: Json): Json => {
  const [key, ...rest] = path
  if (key === undefined || value === null || typeof value !== "object") return by
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (String(index) === key ? replaced(item, rest, by) : item))
  }
  return { ...value, [key]: replaced((value as JsonObject)[key] ?? null, rest, by) }
}

/** Fields of some verb, which others don't know, and names that objects have of themselves. */
const KNOWN = [
  "budget_credits",
  "max_credits",
  "dry_run",
  "route",
  "want",
  "titles",
  "locations",
  "industries",
  "limit"
]
const OTHERS = ["company_domains", "company_headcount", "since", "until", "cursor", "kind", "email", "classification"]
const ODD = [
  "confirmation_token",
  "offer_token",
  "premium",
  "schedule",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "a\ud800b"
]

const aMutation = fc.record({
  call: fc.constantFrom(...callEntries),
  place: fc.nat(),
  value: aValue,
  extra: fc.option(fc.tuple(fc.constantFrom(...KNOWN, ...OTHERS, ...ODD), aValue), { nil: null })
})

/** Whatever is sent, no answer is an internal error, and every answer keeps its contract. */
export const fuzzContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 600) => {
  describeLayer(service, SUITE)(`any request (${name})`, (it) => {
    it.effect("is answered as its verb says, and leaves nothing reserved", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ scopes: SCOPES })
        const admin = yield* Admin
        yield* admin.grantCredits(client.workspaceId, credits("1000000"))
        yield* admin.setKey(client.keyId, { ratePerMinute: 1_000_000 })
        const sample = fc.sample(aMutation, { numRuns: runs, seed: 11 })
        for (const [index, { call, extra, place, value }] of sample.entries()) {
          const [verb, [, input]] = call
          const given = extra === null ? input : { ...input, [extra[0]]: extra[1] }
          const places = placesIn(given).filter((path) => path.length > 0)
          const path = places[place % Math.max(1, places.length)]
          const request = (path === undefined ? given : replaced(given, path, value)) as JsonObject
          const answer = yield* client.call(verb, JSON.parse(JSON.stringify(request)), { key: `fuzz ${index}` })
          assert.notStrictEqual(answer.status, 500, `${verb} ${JSON.stringify(request)}`)
        }
        assert.strictEqual((yield* balanceOf(client)).reserved, "0")
      }).pipe(Effect.orDie)
    )
  })
}
