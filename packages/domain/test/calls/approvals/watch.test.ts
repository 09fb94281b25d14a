import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Approval, ApprovalStore, campaignOf } from "../../../src/calls/approvals/ApprovalStore.js"
import * as ApprovalWatchLive from "../../../src/calls/approvals/ApprovalWatch.js"
import { ApprovalWatch } from "../../../src/calls/approvals/ApprovalWatch.js"
import { type ApprovalSnapshot, offersWinnerRule, wordsOf } from "../../../src/calls/approvals/Snapshot.js"
import { CallJournal } from "../../../src/calls/CallJournal.js"
import { AccessTokens } from "../../../src/calls/keys/AccessTokens.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"

const NOON = Date.UTC(2026, 2, 10, 12)

/** Whether the bearer's approval is decided, by how it stands; `token`: the hash of the key behind it. */
const isDecided = (
  approval: Pick<Approval, "state" | "expiresAtMillis"> | null,
  { isKnown = true, token = null }: { readonly isKnown?: boolean; readonly token?: string | null } = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const looked: Array<string> = []
    const services = Layer.mergeAll(
      Layer.succeed(CallJournal, {
        locate: (keyHash: string) =>
          Effect.sync(() => {
            looked.push(keyHash)
            return isKnown ? Option.some({ workspaceId: "w", keyId: "k", workspaceKind: "sandbox" }) : Option.none()
          })
      } as unknown as CallJournal["Service"]),
      Layer.succeed(ApprovalStore, {
        find: (workspaceId: string, approvalId: string) =>
          Effect.sync(() => {
            looked.push(`${workspaceId} ${approvalId}`)
            return Option.map(Option.fromNullishOr(approval), (found) => ({ approval: found }))
          })
      } as unknown as ApprovalStore["Service"]),
      Layer.succeed(AccessTokens, { keyHashOf: () => Effect.succeed(Option.fromNullishOr(token)) }),
      Layer.succeed(Crypto, { sha256Hex: (text: string) => `hash of ${text}` } as unknown as Crypto["Service"])
    )
    const watch = yield* Effect.provide(ApprovalWatch, ApprovalWatchLive.layer.pipe(Layer.provide(services)))
    return [yield* watch.isDecided("a secret", "an approval"), ...looked]
  })

describe("whether a person has decided yet", () => {
  const pending = { state: "pending", expiresAtMillis: NOON + 1 } as const

  it.effect("is no while it waits and its time is not over", () =>
    Effect.gen(function* () {
      const looked = ["hash of a secret", "w an approval"]
      assert.deepStrictEqual(yield* isDecided(pending), [false, ...looked])
      assert.deepStrictEqual(yield* isDecided({ ...pending, expiresAtMillis: NOON }), [true, ...looked])
      assert.deepStrictEqual(yield* isDecided({ ...pending, state: "approved" }), [true, ...looked])
      assert.deepStrictEqual(yield* isDecided({ ...pending, state: "declined" }), [true, ...looked])
    })
  )

  it.effect("is asked for the key behind an access token", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* isDecided(pending, { token: "its key" }), [false, "its key", "w an approval"])
    })
  )

  it.effect("tells nobody else whether there is such an approval", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* isDecided(null), [true, "hash of a secret", "w an approval"])
      assert.deepStrictEqual(yield* isDecided(pending, { isKnown: false }), [true, "hash of a secret"])
    })
  )
})

describe("what a request is about", () => {
  const launch = { kind: "launch" } as unknown as ApprovalSnapshot
  const reply = { kind: "reply" } as unknown as ApprovalSnapshot

  it("is a campaign only by its target", () => {
    assert.strictEqual(campaignOf("campaign:one"), "one")
    for (const target of ["purchase", "reply:campaign:one", "reply:one campaign:"]) assert.isNull(campaignOf(target))
  })

  it("offers the rule for variants only where it is shown, and off", () => {
    const offering = (is_on: boolean) => ({ ...launch, winner_rule: { is_on, false_winners_percent: 5 } })
    assert.isTrue(offersWinnerRule(offering(false) as ApprovalSnapshot))
    for (const snapshot of [offering(true) as ApprovalSnapshot, launch, reply]) {
      assert.isFalse(offersWinnerRule(snapshot))
    }
    assert.isFalse(offersWinnerRule({ ...launch, winner_rule: undefined } as unknown as ApprovalSnapshot))
  })

  it("has words by country only where they are shown", () => {
    const words = { place: "footer" } as unknown as NonNullable<ReturnType<typeof wordsOf>>
    assert.strictEqual(wordsOf({ ...launch, words } as ApprovalSnapshot), words)
    for (const snapshot of [launch, reply]) assert.isUndefined(wordsOf(snapshot))
  })
})
