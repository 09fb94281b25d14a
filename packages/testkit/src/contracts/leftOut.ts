import { assert, it } from "@effect/vitest"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { LeftOutPerson } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import { Effect, type Layer } from "effect"
import { given } from "./campaignFixtures.js"
import { hashOf, SUITE } from "./fixtures.js"

let made = 0

/** Ids are in the order in which they are made. */
const person = (email: string, more: Partial<LeftOutPerson> = {}): LeftOutPerson => ({
  leftOutId: `018f3a5e-7b1c-7d2e-9f11-${String((made += 1)).padStart(12, "0")}`,
  addressHash: hashOf(email),
  reason: "opted_out",
  detail: { email, index: null, faults: [], given: null },
  ...more
})

const invalid = (email: string, index: number): LeftOutPerson =>
  person(email, {
    reason: "invalid",
    detail: {
      email,
      index,
      faults: [{ field: "first_name", problem: "placeholder", value: "#N/A", message: "stands for no value" }],
      given: { email, first_name: "#N/A", last_name: null, custom: { city: 'Ülm, "x"', note: null } }
    }
  })

/** What every store of those whom campaigns leave out guarantees. */
export const leftOutContract = <E>(
  name: string,
  adapter: Layer.Layer<CampaignStore | ConsoleReads | UnitOfWork | WorkspaceStore, E>
): void => {
  it.layer(adapter, SUITE)(`people whom campaigns leave out (${name})`, (it) => {
    it.effect("come back as they were given, in order, in pages and by reason; another campaign has none of them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const reads = yield* ConsoleReads
        const ours = yield* given(["lead@x.test"])
        const theirs = yield* given(["lead@x.test"])
        const people = [
          invalid("a@x.test", 0),
          person("b@x.test"),
          invalid("", 7),
          person("c@x.test", { reason: "capped" })
        ]
        yield* atomically(campaigns.leaveOut(ours.workspaceId, ours.campaignId, people.slice(0, 3)))
        yield* atomically(campaigns.leaveOut(ours.workspaceId, ours.campaignId, people.slice(3)))
        yield* atomically(campaigns.leaveOut(ours.workspaceId, ours.campaignId, []))
        const page = (after: string | null, limit: number) =>
          reads.leftOut(ours.workspaceId, ours.campaignId, { after, limit })
        assert.deepStrictEqual(yield* page(null, 10), people)
        assert.deepStrictEqual(yield* page(null, 2), people.slice(0, 2))
        assert.deepStrictEqual(yield* page(people[1]?.leftOutId ?? null, 2), people.slice(2))
        assert.deepStrictEqual([...(yield* reads.leftOutCounts(ours.workspaceId, ours.campaignId))].sort(), [
          ["capped", 1],
          ["invalid", 2],
          ["opted_out", 1]
        ])
        assert.isEmpty(yield* reads.leftOut(theirs.workspaceId, theirs.campaignId, { after: null, limit: 10 }))
        assert.isEmpty(yield* reads.leftOut(theirs.workspaceId, ours.campaignId, { after: null, limit: 10 }))
        assert.strictEqual((yield* reads.leftOutCounts(theirs.workspaceId, theirs.campaignId)).size, 0)
      })
    )
  })
}
