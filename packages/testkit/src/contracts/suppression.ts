import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import {
  SUPPRESSION_SOURCES,
  type SuppressionSource,
  suppressionReason,
  SuppressionStore
} from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { addressHashOf, DAY, freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes, givenSending } from "./outboundFixtures.js"

const PEOPLE_MAX = 5_000

/** What every store of those who said no guarantees. */
export const suppressionContract = <E>(
  name: string,
  adapter: Layer.Layer<SuppressionStore | SendingStore | CampaignStore | ApprovalStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const add = (workspaceId: string, email: string, source: SuppressionSource) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* SuppressionStore
      const addressHash = addressHashOf(workspaceId, email)
      return yield* atomically(store.add({ workspaceId, addressHash, source, atMillis: NOON }))
    })

  const check = (
    workspaceId: string,
    emails: ReadonlyArray<string>,
    given: { readonly campaignId?: string; readonly contactedSinceMillis?: number; readonly mayWait?: boolean } = {}
  ) =>
    Effect.gen(function* () {
      const store = yield* SuppressionStore
      const people = emails.map((email) => ({ email, addressHash: addressHashOf(workspaceId, email) }))
      const hashes = new Map(people.map(({ addressHash, email }) => [addressHash, email]))
      const found = yield* store.check({
        workspaceId,
        people,
        campaignId: freshId(),
        contactedSinceMillis: NOON - 30 * DAY,
        mayWait: false,
        ...given
      })
      return Object.fromEntries([...found].map(([hash, reason]) => [hashes.get(hash), reason]))
    })

  it.layer(adapter, SUITE)(`suppression (${name})`, (it) => {
    it.effect("the first no of a person is told from the ones after it", () =>
      Effect.gen(function* () {
        const store = yield* SuppressionStore
        const workspaceId = freshId()
        assert.isTrue(yield* add(workspaceId, "a@example.com", "reply"))
        assert.isFalse(yield* add(workspaceId, "a@example.com", "reply"))
        assert.isFalse(yield* add(workspaceId, "a@example.com", "unsubscribe"))
        assert.isTrue(yield* add(workspaceId, "b@example.com", "unsubscribe"))
        const sources = yield* store.sourcesOf(workspaceId, addressHashOf(workspaceId, "a@example.com"))
        assert.sameMembers([...sources], ["reply", "unsubscribe"])
        assert.isEmpty(yield* store.sourcesOf(freshId(), addressHashOf(workspaceId, "a@example.com")))
        // What they said to another workspace is not said to this one.
        const { atomically } = yield* UnitOfWork
        const addressHash = addressHashOf(workspaceId, "a@example.com")
        const elsewhere = { workspaceId: freshId(), addressHash, source: "reply", atMillis: NOON } as const
        assert.isTrue(yield* atomically(store.add(elsewhere)))
      })
    )

    it.effect("of all a person's noes at once, exactly one is the first", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        for (const person of ["a", "b", "c", "d"]) {
          const firsts = yield* Effect.forEach(
            SUPPRESSION_SOURCES,
            (source) => add(workspaceId, `${person}@example.com`, source),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(firsts.filter(Boolean), 1)
        }
      })
    )

    it.effect("every source forbids, with the reason that counts", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        for (const source of SUPPRESSION_SOURCES) yield* add(workspaceId, `${source}@example.com`, source)
        yield* add(workspaceId, "both@example.com", "owner_import")
        yield* add(workspaceId, "both@example.com", "complaint")
        const emails = [...SUPPRESSION_SOURCES.map((source) => `${source}@example.com`), "both@example.com"]
        assert.deepStrictEqual(yield* check(workspaceId, [...emails, "free@example.com"]), {
          ...Object.fromEntries(
            SUPPRESSION_SOURCES.map((source) => [`${source}@example.com`, suppressionReason([source])])
          ),
          "both@example.com": "opted_out"
        })
      })
    )

    it.effect("many at once are added once, counted, and do not touch what else is known of them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SuppressionStore
        const workspaceId = freshId()
        const source = "owner_import"
        const hashes = ["a", "b", "c", "a"].map((person) => addressHashOf(workspaceId, `${person}@example.com`))
        yield* add(workspaceId, "a@example.com", "complaint")
        yield* add(workspaceId, "b@example.com", source)
        assert.deepStrictEqual(yield* store.among(workspaceId, source, hashes), [hashes[1]!])
        const addAll = atomically(store.addAll({ workspaceId, addressHashes: hashes, source, atMillis: NOON }))
        assert.sameMembers([...(yield* addAll)], [hashes[0]!, hashes[2]!])
        assert.isEmpty(yield* addAll)
        assert.sameMembers([...(yield* store.among(workspaceId, source, hashes))], hashes.slice(0, 3))
        assert.isEmpty(yield* store.among(freshId(), source, hashes))
        yield* atomically(store.addDomains({ workspaceId, domains: ["one.test"], atMillis: NOON }))
        const domains = ["one.test", "two.test", "one.test"]
        assert.deepStrictEqual(yield* store.domainsAmong(workspaceId, domains), ["one.test"])
        assert.isEmpty(yield* store.domainsAmong(freshId(), domains))
        assert.deepStrictEqual(yield* check(workspaceId, ["a@example.com", "c@example.com"]), {
          "a@example.com": "opted_out",
          "c@example.com": "platform_blocked"
        })
        const none = { workspaceId, addressHashes: [], source, atMillis: NOON } as const
        assert.isEmpty(yield* atomically(store.addAll(none)))
      })
    )

    it.effect("lists that are taken over at the same time wait for each other, and each person is added once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SuppressionStore
        const workspaceId = freshId()
        const people = Array.from({ length: 500 }, (_, i) => addressHashOf(workspaceId, `person-${i}@example.com`))
        const lists = [people, people.toReversed(), people.slice(100), people.slice(0, 300).toReversed()]
        const added = yield* Effect.forEach(
          lists,
          (addressHashes) =>
            atomically(store.addAll({ workspaceId, addressHashes, source: "owner_import", atMillis: NOON })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(added.flat().toSorted(), people.toSorted())
      })
    )

    it.effect("a domain forbids everybody in it and below it, and nobody beside it", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SuppressionStore
        const workspaceId = freshId()
        const domains = ["acme.example", "free.co.uk"]
        const addDomains = atomically(store.addDomains({ workspaceId, domains, atMillis: NOON }))
        assert.sameMembers([...(yield* addDomains)], domains)
        assert.isEmpty(yield* addDomains)
        const more = { workspaceId, domains: ["acme.example", "b.example", "b.example"], atMillis: NOON }
        assert.deepStrictEqual(yield* atomically(store.addDomains(more)), ["b.example"])
        yield* add(workspaceId, "owner@acme.example", "owner_import")
        const covered = ["a@acme.example", "b@mail.eu.acme.example", "owner@acme.example", '"a@x"@free.co.uk']
        const beside = ["a@notacme.example", "acme.example@b.test", "a@acme.example.test", "a@co.uk", "a@example"]
        const forbidden = Object.fromEntries(covered.map((email) => [email, "opted_out"]))
        assert.deepStrictEqual(yield* check(workspaceId, [...covered, ...beside]), forbidden)
        assert.deepStrictEqual(yield* check(freshId(), covered), {})
        const sources = (email: string) => store.sourcesOf(workspaceId, addressHashOf(workspaceId, email), email)
        assert.deepStrictEqual(yield* sources("a@mail.acme.example"), ["added"])
        assert.sameMembers([...(yield* sources("owner@acme.example"))], ["added", "owner_import"])
        assert.isEmpty(yield* sources("a@notacme.example"))
      })
    )

    it.effect("a no of one workspace does not count in another", () =>
      Effect.gen(function* () {
        const store = yield* SuppressionStore
        const workspaceId = freshId()
        yield* add(workspaceId, "a@example.com", "complaint")
        const found = yield* store.check({
          workspaceId: freshId(),
          people: [{ addressHash: addressHashOf(workspaceId, "a@example.com"), email: "a@example.com" }],
          campaignId: freshId(),
          contactedSinceMillis: 0,
          mayWait: false
        })
        assert.strictEqual(found.size, 0)
      })
    )

    it.effect("who another campaign wrote to since then is capped, unless they said no as well", () =>
      Effect.gen(function* () {
        const { workspaceId, campaign } = yield* givenSending(3)
        const claims = yield* claimsOf(workspaceId)
        const emails = claims.map(({ lead }) => lead.email)
        yield* end(claims[0]!, "sent")
        yield* end(claims[1]!, "sent")
        yield* end(claims[2]!, "failed")
        yield* add(workspaceId, emails[1]!, "reply")
        assert.deepStrictEqual(yield* check(workspaceId, emails), { [emails[0]!]: "capped", [emails[1]!]: "opted_out" })
        assert.deepStrictEqual(yield* check(workspaceId, emails, { campaignId: campaign.campaignId }), {
          [emails[1]!]: "opted_out"
        })
        assert.deepStrictEqual(yield* check(workspaceId, emails, { contactedSinceMillis: NOON + 1 }), {
          [emails[1]!]: "opted_out"
        })
        assert.propertyVal(yield* check(workspaceId, emails, { contactedSinceMillis: NOON }), emails[0]!, "capped")
      })
    )

    it.effect("tells when another campaign last wrote to whom, and nothing of others, of before, or of this one", () =>
      Effect.gen(function* () {
        const store = yield* SuppressionStore
        const { workspaceId, campaign } = yield* givenSending(3)
        const claims = yield* claimsOf(workspaceId)
        const hashes = claims.map(({ lead }) => addressHashOf(workspaceId, lead.email))
        yield* end(claims[0]!, "sent")
        yield* end(claims[1]!, "sent")
        const asked = { workspaceId, campaignId: freshId(), addressHashes: [hashes[0]!, hashes[2]!], sinceMillis: 0 }
        const found = yield* store.contactedElsewhere(asked)
        assert.deepStrictEqual([...found.keys()], [hashes[0]])
        const atMillis = found.get(hashes[0]!)!
        const since = (sinceMillis: number) => store.contactedElsewhere({ ...asked, sinceMillis })
        assert.deepStrictEqual([...(yield* since(atMillis))], [[hashes[0], atMillis]])
        assert.strictEqual((yield* since(atMillis + 1)).size, 0)
        const own = yield* store.contactedElsewhere({ ...asked, campaignId: campaign.campaignId })
        assert.strictEqual(own.size, 0)
        assert.strictEqual((yield* store.contactedElsewhere({ ...asked, workspaceId: freshId() })).size, 0)
        assert.strictEqual((yield* store.contactedElsewhere({ ...asked, addressHashes: [] })).size, 0)
      })
    )

    it.effect("of several other campaigns that wrote to somebody, the last one counts", () =>
      Effect.gen(function* () {
        const store = yield* SuppressionStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const email = "often@example.com"
        for (const atMillis of [NOON - 40 * DAY, NOON]) {
          yield* givenLaunched(workspaceId, mailboxes, [email], { nextAtMillis: atMillis - 1 })
          const [claim] = yield* claimsOf(workspaceId, atMillis)
          yield* end(claim!, "sent", null, atMillis)
        }
        const addressHash = addressHashOf(workspaceId, email)
        const asked = { workspaceId, campaignId: freshId(), addressHashes: [addressHash], sinceMillis: 0 }
        assert.deepStrictEqual([...(yield* store.contactedElsewhere(asked))], [[addressHash, NOON]])
      })
    )

    it.effect("who is only capped may wait where the workspace queues them, and where that is asked for", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspaces = yield* WorkspaceStore
        const { workspaceId } = yield* givenSending(2)
        const claims = yield* claimsOf(workspaceId)
        const emails = claims.map(({ lead }) => lead.email)
        yield* end(claims[0]!, "sent")
        yield* end(claims[1]!, "sent")
        yield* add(workspaceId, emails[1]!, "reply")
        const [capped, optedOut] = [{ [emails[0]!]: "capped" }, { [emails[1]!]: "opted_out" }]
        assert.deepStrictEqual(yield* check(workspaceId, emails, { mayWait: true }), { ...capped, ...optedOut })
        yield* atomically(workspaces.setOverlap(workspaceId, "queue"))
        assert.strictEqual(yield* workspaces.overlap(workspaceId), "queue")
        assert.deepStrictEqual(yield* check(workspaceId, emails, { mayWait: true }), optedOut)
        assert.deepStrictEqual(yield* check(workspaceId, emails), { ...capped, ...optedOut })
        // What another workspace chose is not chosen for this one.
        const { workspaceId: other } = yield* givenWorkspace()
        yield* atomically(workspaces.setOverlap(other, "queue"))
        yield* atomically(workspaces.setOverlap(workspaceId, "refuse"))
        assert.deepStrictEqual(yield* check(workspaceId, emails, { mayWait: true }), { ...capped, ...optedOut })
      })
    )

    it.effect("a whole campaign's people are checked at once", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        yield* add(workspaceId, "person-4321@example.com", "reply")
        const emails = Array.from({ length: PEOPLE_MAX }, (_, i) => `person-${i}@example.com`)
        assert.deepStrictEqual(yield* check(workspaceId, emails), { "person-4321@example.com": "opted_out" })
        assert.deepStrictEqual(yield* check(workspaceId, []), {})
      })
    )
  })
}
