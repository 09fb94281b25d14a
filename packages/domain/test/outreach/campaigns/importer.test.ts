import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import type { SequenceStep } from "../../../src/kernel/sequences/Sequence.js"
import {
  type Candidates,
  countsOf,
  INVALID_SHOWN_MAX,
  invalidOf,
  invalidWarnings,
  makeImporter,
  without
} from "../../../src/outreach/campaigns/Importer.js"
import { OriginStore } from "../../../src/outreach/campaigns/recipients/OriginStore.js"
import { Contactability } from "../../../src/outreach/suppression/Contactability.js"
import type { Barred } from "../../../src/outreach/suppression/SuppressionStore.js"
import type { RecipientField } from "../../../src/verbs/campaignFields.js"

const NOW = Date.UTC(2027, 0, 4)
const SEQUENCE: ReadonlyArray<SequenceStep> = [{ subject: "Hi", body: "Hello {{first_name}}", waitDays: 0 }]
const BY = { verb: "add_leads", requestId: "r", atMillis: NOW, keyName: "agent" }

/** An importer over people of whom these are barred; and for whom their origin was asked. */
const over = (barred: Readonly<Record<string, Barred>> = {}) => {
  const asked: Array<string> = []
  const checks: Array<object> = []
  let ids = 0
  const layers = Layer.mergeAll(
    Layer.succeed(Contactability, {
      hashOf: (workspaceId, email) => `${workspaceId} ${email}`,
      check: ({ people, ...options }) => {
        checks.push(options)
        const found = people.flatMap(({ addressHash, email }) => {
          const reason = barred[email]
          return reason === undefined ? [] : [[addressHash, reason] as const]
        })
        return Effect.succeed(new Map(found))
      }
    }),
    Layer.succeed(OriginStore, {
      facts: (_workspaceId, hashes) => {
        asked.push(...hashes)
        return Effect.succeed(new Map())
      }
    }),
    Layer.succeed(Ids, { next: (atMillis) => `${atMillis}-${(ids += 1)}` })
  )
  return Effect.map(makeImporter, (importer) => ({ ...importer, asked, checks })).pipe(Effect.provide(layers))
}

const fields = (...emails: ReadonlyArray<string>): ReadonlyArray<RecipientField> =>
  emails.map((email) => ({ email, first_name: "Ann" }))

const AT = { workspaceId: "w", campaignId: "c", contactedMillis: NOW - 1, by: BY }

describe("who an import brings", () => {
  it.effect("is everybody who may be written to, each with the hash of their address and where it came from", () =>
    Effect.gen(function* () {
      const { asked, checks, read, sort } = yield* over()
      const candidates = read("w", fields("Ann@Acme.test", "not an address"), SEQUENCE)
      assert.deepStrictEqual(
        candidates.usable.map(({ addressHash, email }) => [addressHash, email]),
        [["w ann@acme.test", "ann@acme.test"]]
      )
      assert.deepStrictEqual(
        candidates.invalid.map(({ addressHash, index }) => [addressHash, index]),
        [["w not an address", 1]]
      )
      const { accepted, removed } = yield* sort(candidates, AT)
      assert.deepStrictEqual(checks, [{ workspaceId: "w", campaignId: "c", nowMillis: NOW - 1, mayWait: true }])
      assert.deepStrictEqual(asked, ["w ann@acme.test"])
      assert.deepStrictEqual(accepted[0]?.origin, {
        kind: "given",
        how: "add_leads",
        at: new Date(NOW).toISOString(),
        by: "agent",
        request_id: "r",
        line: null,
        file: null,
        sources: [],
        country: null
      })
      assert.deepStrictEqual(
        removed.map(({ email, invalid, reason }) => [email, reason, invalid?.index]),
        [["not an address", "invalid", 1]]
      )
    })
  )

  it.effect("is somebody whom a search found, where a search brings them, and otherwise somebody who was given", () =>
    Effect.gen(function* () {
      const { read, sort } = yield* over()
      const kindBy = (verb: string) =>
        Effect.map(
          sort(read("w", fields("ann@a.test"), SEQUENCE), { ...AT, by: { ...BY, verb } }),
          ({ accepted }) => accepted[0]?.origin.kind
        )
      assert.deepStrictEqual([yield* kindBy("find_leads"), yield* kindBy("of_tomorrow")], ["searched", "given"])
    })
  )

  it.effect("is nobody who is barred, nor whom a rule leaves out, each with the reason that bars them first", () =>
    Effect.gen(function* () {
      const { asked, read, sort } = yield* over({ "no@a.test": "opted_out", "info@a.test": "capped" })
      const candidates = read("w", fields("yes@a.test", "no@a.test", "info@a.test", "sales@a.test"), SEQUENCE)
      const isRuledOut = (email: string) => /^(?:info|sales)@/.test(email)
      const { accepted, removed } = yield* sort(candidates, { ...AT, isRuledOut })
      assert.deepStrictEqual(
        accepted.map(({ email }) => email),
        ["yes@a.test"]
      )
      assert.deepStrictEqual(removed, [
        { email: "no@a.test", addressHash: "w no@a.test", reason: "opted_out", invalid: null },
        { email: "info@a.test", addressHash: "w info@a.test", reason: "capped", invalid: null },
        { email: "sales@a.test", addressHash: "w sales@a.test", reason: "role_address", invalid: null }
      ])
      assert.deepStrictEqual(asked, ["w yes@a.test"])
      const counts = countsOf({ accepted, removed })
      assert.deepStrictEqual(counts, {
        leads_accepted: 1,
        leads_suppressed: 3,
        suppressed_reasons: { opted_out: 1, capped: 1, other: 1 }
      })
    })
  )

  it.effect("is told of one by one, and of who can't be read what was wrong, but never what was given", () =>
    Effect.gen(function* () {
      const { admit, leftOut, read, sort } = yield* over({ "no@a.test": "opted_out" })
      const sorted = yield* sort(read("w", fields("yes@a.test", "no@a.test", "secret value"), SEQUENCE), AT)
      const common = { workspaceId: "w", source: "api", requestId: "r", campaignId: "c" } as const
      const { events, leads } = admit(sorted, NOW, common)
      assert.deepStrictEqual(
        leads.map(({ campaignLeadId, email }) => [email, campaignLeadId]),
        [["yes@a.test", `${NOW}-1`]]
      )
      const [admitted, ...removed] = events
      assert.deepStrictEqual(admitted, {
        ...common,
        kind: "admitted",
        campaignLeadId: `${NOW}-1`,
        email: "yes@a.test"
      })
      assert.deepStrictEqual(
        removed.map(({ detail, email, kind }) => [kind, email, detail]),
        [
          [
            "removed",
            "secret value",
            { reason: "invalid", field: "email", problem: sorted.removed[0]?.invalid?.faults[0]?.problem }
          ],
          ["removed", "no@a.test", { reason: "opted_out" }]
        ]
      )
      const [invalid, barred] = leftOut(sorted, NOW)
      assert.deepInclude(invalid, { reason: "invalid", addressHash: "w secret value", leftOutId: `${NOW}-2` })
      assert.deepInclude(invalid?.detail, { email: "secret value", index: 2 })
      assert.isNotEmpty(invalid?.detail.faults)
      assert.deepInclude(invalid?.detail.given, { email: "secret value" })
      assert.deepStrictEqual(barred?.detail, { email: "no@a.test", index: null, faults: [], given: null })
    })
  )
})

describe("who can't be read", () => {
  const found = (count: number) =>
    Effect.map(over(), ({ read }) =>
      read("w", fields("ok@a.test", ...Array.from({ length: count }, (_, at) => `wrong ${at}`)), SEQUENCE)
    )

  it.effect("is named in the order of the call, with what has to be mended, up to a hundred", () =>
    Effect.gen(function* () {
      const { read, sort } = yield* over()
      const one = yield* sort(read("w", fields("ok@a.test"), SEQUENCE), AT)
      assert.deepStrictEqual(invalidOf(one), {})
      const { read: readBarred, sort: sortBarred } = yield* over({ "no@a.test": "opted_out" })
      assert.deepStrictEqual(invalidOf(yield* sortBarred(readBarred("w", fields("no@a.test"), SEQUENCE), AT)), {})
      const many = yield* sort(yield* found(INVALID_SHOWN_MAX + 1), AT)
      const shown = invalidOf({ ...many, removed: many.removed.toReversed() }).invalid ?? []
      assert.lengthOf(shown, INVALID_SHOWN_MAX)
      assert.deepInclude(shown[0], { index: 1, email: "wrong 0", field: "email" })
      assert.deepInclude(shown.at(-1), { index: 100, email: "wrong 99" })
    })
  )

  it.effect("is a warning of a dry run each, with what was given, and a line for all that are more", () =>
    Effect.gen(function* () {
      const lines = (count: number) => Effect.map(found(count), (candidates) => invalidWarnings("leads", candidates))
      assert.deepStrictEqual(yield* lines(0), [])
      const [first] = yield* lines(1)
      assert.match(first ?? "", /^leads\.1\.email \("wrong 0"\) /)
      assert.lengthOf(yield* lines(INVALID_SHOWN_MAX), INVALID_SHOWN_MAX)
      assert.strictEqual((yield* lines(INVALID_SHOWN_MAX + 1)).at(-1), "1 more recipients are invalid")
      const more = yield* lines(INVALID_SHOWN_MAX + 3)
      assert.deepStrictEqual([more.length, more.at(-1)], [INVALID_SHOWN_MAX + 1, "3 more recipients are invalid"])
      const nameless = (yield* over()).read("w", [{ email: "ann@a.test" }], SEQUENCE)
      assert.match(invalidWarnings("leads", nameless)[0] ?? "", /^leads\.0\.first_name is /)
    })
  )

  it("who is a lead of the campaign already is neither added nor counted again", () => {
    const candidates = {
      usable: [{ addressHash: "a" }, { addressHash: "b" }],
      invalid: [{ addressHash: "a" }, { addressHash: "c" }]
    } as unknown as Candidates
    assert.deepStrictEqual(without(candidates, new Set(["a"])) as unknown, {
      usable: [{ addressHash: "b" }],
      invalid: [{ addressHash: "c" }]
    })
  })
})
