import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits, format, fromNumberRoundedDown, times, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { aCompanyEnrichment } from "./dataCalls.js"
import { asking, assertRefused, balanceOf, BRIEF_WRITER, DATASET_SOURCES, resultOf, SUITE } from "./support.js"

const SOURCES = [...DATASET_SOURCES, BRIEF_WRITER]

const BEHAVIOURS = [
  Behaviour.Answer(),
  Behaviour.Answer(),
  Behaviour.Twice(),
  Behaviour.Garbage(),
  Behaviour.Fail({ reason: "transient" }),
  Behaviour.Fail({ reason: "invalid" })
]

interface Outcome {
  readonly status: string
  readonly charged: boolean
  readonly data?: unknown
  readonly text?: unknown
}

/** What holds of any company that is looked up, whatever its sources do. */
export const enrichCompanyProperties = <E>(name: string, service: Layer.Layer<Service, E>, runs = 150) => {
  describeLayer(service, SUITE)(`any company looked up (${name})`, (it) => {
    it.effect("costs its price per hit, never more than its plan or its ceiling, and a dry run asks nobody", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const faults = yield* Faults
        yield* admin.grantCredits(client.workspaceId, credits("1000000"))
        yield* admin.setKey(client.keyId, { ratePerMinute: 1_000_000 })
        const cases = fc.record({
          call: aCompanyEnrichment,
          behaviours: fc.tuple(...SOURCES.map(() => fc.constantFrom(...BEHAVIOURS)))
        })
        const seen = new Set<string>()
        for (const { behaviours, call } of fc.sample(cases, { numRuns: runs, seed: 20_260_102 })) {
          const { input } = call
          const ceiling = input["budget_credits"] as number | undefined
          const before = yield* balanceOf(client)
          const [dry, asked] = yield* asking(client.call("enrich_company", { ...input, dry_run: true }))
          assert.deepStrictEqual(asked, [])
          assert.deepStrictEqual(yield* balanceOf(client), before)
          for (const [index, source] of SOURCES.entries()) {
            yield* faults.behave(source, behaviours[index] ?? Behaviour.Answer())
          }
          const answer = yield* client.call("enrich_company", input)
          const brief = input["brief"] as { readonly depth: string } | undefined
          const names = [...new Set((input["datasets"] ?? []) as ReadonlyArray<string>)]
          const price = credits(brief === undefined ? "7" : brief.depth === "fast" ? "10" : "40")
          const maximum = brief === undefined ? times(price, names.length) : price
          if (ceiling !== undefined && fromNumberRoundedDown(ceiling) < maximum) {
            for (const refused of [dry, answer]) {
              const details = { reason: "budget_too_low", minimum_credits: format(maximum) }
              assertRefused(refused, "invalid_request", details)
            }
            assert.deepStrictEqual(yield* balanceOf(client), before)
            continue
          }
          assert.strictEqual(resultOf(dry).plan.would.maximum_credits, format(maximum))
          assert.strictEqual(dry.result.plan.credits_estimate, format(maximum))
          if (answer.error?.code === "invalid_request") {
            assert.isTrue(
              behaviours.some((one) => one._tag === "Fail" && one.reason === "invalid"),
              answer.text
            )
            assert.deepStrictEqual(yield* balanceOf(client), before)
            seen.add("refused")
            continue
          }
          const result = resultOf(answer)
          const outcomes: ReadonlyArray<Outcome> = brief === undefined ? Object.values(result.datasets) : [result.brief]
          if (brief === undefined) assert.sameMembers(Object.keys(result.datasets), names)
          for (const { charged, data, status, text } of outcomes) {
            assert.strictEqual(charged, status === "hit", answer.text)
            assert.strictEqual((data ?? text ?? null) !== null, status === "hit", answer.text)
            seen.add(status)
          }
          const hits = outcomes.filter(({ status }) => status === "hit").length
          assert.strictEqual(answer.svc.credits_charged, format(times(price, hits)), answer.text)
        }
        assert.sameMembers([...seen], ["hit", "empty", "unavailable", "refused"])
        assert.strictEqual((yield* balanceOf(client)).reserved, format(zero))
      }).pipe(
        Effect.ensuring(
          Effect.flatMap(Faults, ({ behave }) => Effect.forEach(SOURCES, (one) => behave(one, Behaviour.Answer())))
        ),
        Effect.orDie
      )
    )
  })
}
