import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { replaces, type Verdict } from "@outbound/domain/data/verification/verdicts.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { EMAIL_STATUSES, type EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, givenCaller, settlementOf } from "../contracts/calls.js"
import { addressHashOf, DAY, freshId, NOON, SUITE } from "../contracts/fixtures.js"
import { makeCampaign, makeLead } from "../contracts/outboundFixtures.js"

/** What every store of verdicts guarantees, and the journal that fills it. */
export const verdictsContract = <E>(
  name: string,
  adapter: Layer.Layer<
    CallJournal | CampaignStore | CreditStore | KeyStore | UnitOfWork | VerdictStore | WorkspaceStore,
    E
  >
): void => {
  const somebody = (): string => addressHashOf("person", freshId())

  const settled = (keyHash: string, addressHash: string, status: EmailStatus, atMillis = NOON) =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const call = yield* admitted(anAttempt(keyHash))
      yield* journal.settle(settlementOf(call, { verdict: { addressHash, status }, settledAtMillis: atMillis }))
    })

  it.layer(adapter, SUITE)(`verdicts on addresses (${name})`, (it) => {
    it.effect("each is kept with the call that found it, and read for its own workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* VerdictStore
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const other = yield* givenCaller("10")
        const people = EMAIL_STATUSES.map((status) => ({ status, addressHash: somebody() }))
        for (const { addressHash, status } of people) yield* settled(keyHash, addressHash, status)
        const asked = [...people.map(({ addressHash }) => addressHash), somebody()]
        const found = yield* store.find(workspaceId, asked)
        assert.deepStrictEqual(
          new Map(found),
          new Map(people.map(({ addressHash, status }) => [addressHash, { status, checkedAtMillis: NOON }]))
        )
        assert.strictEqual((yield* store.find(other.workspaceId, asked)).size, 0)
        assert.strictEqual((yield* store.find(workspaceId, [])).size, 0)
      })
    )

    it.effect(
      "the newer one counts, and one that established nothing takes no other's place, whatever their order",
      () =>
        Effect.gen(function* () {
          const store = yield* VerdictStore
          const { keyHash, workspaceId } = yield* givenCaller("1000")
          const verdicts: ReadonlyArray<Verdict> = (["valid", "invalid", "unknown"] as const).flatMap((status) =>
            [NOON, NOON + DAY].map((checkedAtMillis) => ({ status, checkedAtMillis }))
          )
          for (const before of verdicts) {
            for (const after of verdicts) {
              const addressHash = somebody()
              yield* settled(keyHash, addressHash, before.status, before.checkedAtMillis)
              yield* settled(keyHash, addressHash, after.status, after.checkedAtMillis)
              const found = (yield* store.find(workspaceId, [addressHash])).get(addressHash)
              const says = `${JSON.stringify(before)}, then ${JSON.stringify(after)}`
              assert.deepStrictEqual(found, replaces(before, after) ? after : before, says)
            }
          }
        })
    )

    it.effect("a campaign's are those of the people who may still be written to, at most as many as asked for", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* VerdictStore
        const campaigns = yield* CampaignStore
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const drafted = (...emails: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const campaign = makeCampaign({ workspaceId, state: "draft", launchedAtMillis: null })
            const leads = emails.map((email) => makeLead(workspaceId, email))
            yield* atomically(campaigns.insert(campaign, leads))
            return { campaignId: campaign.campaignId, leads }
          })
        const { campaignId, leads } = yield* drafted("known@x.test", "unknown@x.test", "gone@x.test")
        yield* drafted("beside@x.test")
        for (const email of ["known@x.test", "gone@x.test", "beside@x.test"]) {
          yield* settled(keyHash, addressHashOf(workspaceId, email), "valid")
        }
        yield* atomically(
          Effect.gen(function* () {
            const lead = yield* campaigns.lockLead(workspaceId, leads[2]?.campaignLeadId ?? "")
            yield* campaigns.updateLead({ ...Option.getOrThrow(lead), state: "removed" })
          })
        )
        const found = yield* store.ofCampaign(workspaceId, campaignId, 10)
        assert.sameDeepMembers(
          [...found],
          [
            { email: "known@x.test", verdict: { status: "valid", checkedAtMillis: NOON } },
            { email: "unknown@x.test", verdict: null }
          ]
        )
        assert.lengthOf(yield* store.ofCampaign(workspaceId, campaignId, 1), 1)
        assert.isEmpty(yield* store.ofCampaign((yield* givenCaller("1")).workspaceId, campaignId, 10))
      })
    )

    it.effect("of calls that settle at the same time each leaves its own", () =>
      Effect.gen(function* () {
        const store = yield* VerdictStore
        const { keyHash, workspaceId } = yield* givenCaller("1000")
        const people = Array.from({ length: 40 }, somebody)
        const all = [...people, ...people.slice(0, 1)]
        yield* Effect.forEach(all, (addressHash) => settled(keyHash, addressHash, "valid"), {
          concurrency: "unbounded"
        })
        assert.strictEqual((yield* store.find(workspaceId, all)).size, 40)
      })
    )

    it.effect("a settlement that is fenced or rolled back leaves none", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const journal = yield* CallJournal
        const store = yield* VerdictStore
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const addressHash = somebody()
        const verdict = { addressHash, status: "valid" } as const
        const call = yield* admitted(anAttempt(keyHash))
        const settle = journal.settleIn(settlementOf(call, { verdict }))
        yield* Effect.result(atomically(Effect.andThen(settle, Effect.fail("refused"))))
        yield* journal.settle(settlementOf(call))
        yield* journal.settle(settlementOf(call, { verdict }))
        assert.strictEqual((yield* store.find(workspaceId, [addressHash])).size, 0)
      })
    )
  })
}
