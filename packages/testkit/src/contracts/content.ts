import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import {
  ContentStore,
  type ShownFilter,
  type ShownPerson
} from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Effect, type Layer, Option } from "effect"
import { given, move } from "./campaignFixtures.js"
import { freshId, givenKey, givenWorkspace, hashOf, HOUR, NOON, SUITE } from "./fixtures.js"
import { makeApproval } from "./outboundFixtures.js"

const ALL: ShownFilter = { text: null, look: null, host: null, having: null }
const PAGE = { after: null, limit: 100 }
const VALUES = { text: null, offset: 0, limit: 100 }

let made = 0

/** Ids are in the order in which people are made. */
const shown = (email: string, more: Partial<ShownPerson> = {}): ShownPerson => ({
  shownId: `018f3a5e-7b1c-7d2e-9f10-${String((made += 1)).padStart(12, "0")}`,
  addressHash: hashOf(email),
  email,
  firstName: null,
  lastName: null,
  companyName: null,
  custom: {},
  digest: `digest of ${email}`,
  words: null,
  looks: [],
  hosts: [],
  evidence: null,
  ...more
})

const emails = (people: ReadonlyArray<ShownPerson>) => people.map(({ email }) => email)

/** What every store of the people that approvals show guarantees. */
export const contentContract = <E>(
  name: string,
  adapter: Layer.Layer<ApprovalStore | CampaignStore | ContentStore | KeyStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const asker = Effect.gen(function* () {
    const { workspaceId } = yield* givenWorkspace()
    const { key } = yield* givenKey(workspaceId, { name: "The asking key" })
    return { workspaceId, keyId: key.keyId }
  })

  const asked = (
    { keyId, workspaceId }: { readonly workspaceId: string; readonly keyId: string },
    people: ReadonlyArray<ShownPerson>,
    more: Parameters<typeof makeApproval>[0] | {} = {}
  ) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const approval = makeApproval({
        workspaceId,
        keyId,
        tokenHash: hashOf(freshId()),
        expiresAtMillis: NOON + HOUR,
        ...more
      })
      yield* atomically(
        Effect.andThen(
          Effect.flatMap(ApprovalStore, (store) => store.insert(approval)),
          Effect.flatMap(ContentStore, (store) => store.insert(workspaceId, approval.approvalId, people))
        )
      )
      return approval
    })

  it.layer(adapter, SUITE)(`the people that approvals show (${name})`, (it) => {
    it.effect("people come back as they were stored, in order and in pages; another workspace sees none", () =>
      Effect.gen(function* () {
        const store = yield* ContentStore
        const by = yield* asker
        const people = [
          shown("a@x.test", {
            firstName: "Ünï\u202Ecode",
            lastName: "L",
            companyName: "B & Co",
            custom: { "a b": "ü \u{1F680}", constructor: "1" },
            looks: ["invisible", "link"],
            hosts: ["evil.com"],
            evidence: [
              {
                variable: "custom.a b",
                requestId: null,
                url: "https://x.test/news",
                excerpt: "They grow \u{1F680}",
                seenAt: "2026-01-02",
                finding: null,
                mark: "unchecked"
              }
            ]
          }),
          shown("b@x.test"),
          shown("c@x.test")
        ]
        const { approvalId } = yield* asked(by, people)
        yield* asked(by, [shown("other@x.test")])
        assert.deepStrictEqual(yield* store.people(by.workspaceId, approvalId, ALL, PAGE), people)
        const first = yield* store.people(by.workspaceId, approvalId, ALL, { after: null, limit: 2 })
        const after = first.at(-1)?.shownId ?? null
        const second = yield* store.people(by.workspaceId, approvalId, ALL, { after, limit: 2 })
        assert.deepStrictEqual([emails(first), emails(second)], [["a@x.test", "b@x.test"], ["c@x.test"]])
        const back = yield* store.people(by.workspaceId, approvalId, ALL, {
          after: null,
          before: people[2]?.shownId ?? "",
          limit: 1
        })
        assert.deepStrictEqual(emails(back), ["b@x.test"])
        const both = { after: null, before: people[2]?.shownId ?? "", limit: 2 }
        assert.deepStrictEqual(emails(yield* store.people(by.workspaceId, approvalId, ALL, both)), [
          "a@x.test",
          "b@x.test"
        ])
        const none = { after: null, before: people[0]?.shownId ?? "", limit: 1 }
        assert.deepStrictEqual(yield* store.people(by.workspaceId, approvalId, ALL, none), [])
        const [one] = people
        assert.deepStrictEqual(
          Option.getOrNull(yield* store.person(by.workspaceId, approvalId, one?.shownId ?? "")),
          one ?? null
        )
        const other = yield* asker
        assert.deepStrictEqual(yield* store.people(other.workspaceId, approvalId, ALL, PAGE), [])
        assert.isTrue(Option.isNone(yield* store.person(other.workspaceId, approvalId, one?.shownId ?? "")))
        assert.isTrue(Option.isNone(yield* store.person(by.workspaceId, freshId(), one?.shownId ?? "")))
        assert.strictEqual((yield* store.digests(other.workspaceId, approvalId)).size, 0)
        assert.deepStrictEqual(
          [...(yield* store.digests(by.workspaceId, approvalId))].sort(),
          people.map(({ addressHash, digest }) => [addressHash, digest]).sort()
        )
      })
    )

    it.effect("people are found by any text of their messages, by what deserves a look, by host and by value", () =>
      Effect.gen(function* () {
        const store = yield* ContentStore
        const by = yield* asker
        const { approvalId } = yield* asked(by, [
          shown("ann@x.test", { firstName: "Ann", custom: { b: "100%_\\ Off" }, looks: ["link"], hosts: ["evil.com"] }),
          shown("bo@x.test", { companyName: "Evil", custom: { b: "100 off" }, looks: ["long"] }),
          shown("cy@x.test", { lastName: "Off" })
        ])
        const found = (filter: Partial<ShownFilter>) =>
          Effect.map(store.people(by.workspaceId, approvalId, { ...ALL, ...filter }, PAGE), emails)
        assert.deepStrictEqual(yield* found({ text: "OFF" }), ["ann@x.test", "bo@x.test", "cy@x.test"])
        assert.deepStrictEqual(yield* found({ text: "%_\\ o" }), ["ann@x.test"])
        assert.deepStrictEqual(yield* found({ text: "evil" }), ["bo@x.test"])
        assert.deepStrictEqual(yield* found({ text: "BO@" }), ["bo@x.test"])
        assert.deepStrictEqual(yield* found({ look: "link" }), ["ann@x.test"])
        assert.deepStrictEqual(yield* found({ host: "evil.com" }), ["ann@x.test"])
        assert.deepStrictEqual(yield* found({ look: "long", host: "evil.com" }), [])
        const having = (variable: string, value: string | null) => found({ having: { variable, value } })
        assert.deepStrictEqual(yield* having("custom.b", "100 off"), ["bo@x.test"])
        assert.deepStrictEqual(yield* having("custom.b", null), ["cy@x.test"])
        assert.deepStrictEqual(yield* having("first_name", "Ann"), ["ann@x.test"])
        assert.deepStrictEqual(yield* having("company_name", null), ["ann@x.test", "cy@x.test"])
      })
    )

    it.effect("a variable's distinct values are counted, rarest first, in pages and by their text", () =>
      Effect.gen(function* () {
        const store = yield* ContentStore
        const by = yield* asker
        const values = ["b", "a", "b", "Zulu", "b", "a"]
        const { approvalId } = yield* asked(by, [
          ...values.map((b, index) => shown(`v${index}@x.test`, { custom: { b } })),
          shown("none@x.test"),
          shown("none2@x.test")
        ])
        yield* asked(by, [shown("v0@x.test", { custom: { b: "of another approval" } })])
        const other = yield* asker
        assert.isEmpty(yield* store.values(other.workspaceId, approvalId, "custom.b", VALUES))
        const of = (variable: string, page: Partial<typeof VALUES> | { text: string }) =>
          Effect.map(store.values(by.workspaceId, approvalId, variable, { ...VALUES, ...page }), (found) =>
            found.map(({ people, value }) => [value, people] as const)
          )
        assert.deepStrictEqual(yield* of("custom.b", {}), [
          ["Zulu", 1],
          [null, 2],
          ["a", 2],
          ["b", 3]
        ])
        assert.deepStrictEqual(yield* of("custom.b", { offset: 1, limit: 2 }), [
          [null, 2],
          ["a", 2]
        ])
        assert.deepStrictEqual(yield* of("custom.b", { text: "UL" }), [["Zulu", 1]])
        for (const variable of ["first_name", "no_such_variable"])
          assert.deepStrictEqual(yield* of(variable, {}), [[null, 8]])
        assert.strictEqual((yield* of("email", {})).length, 8)
      })
    )

    it.effect("two approvals are compared by person", () =>
      Effect.gen(function* () {
        const store = yield* ContentStore
        const by = yield* asker
        const old = yield* asked(
          by,
          ["a", "b", "c", "e"].map((each) => shown(`${each}@x.test`))
        )
        const now = yield* asked(by, [
          shown("b@x.test"),
          ...["c", "e"].map((each) => shown(`${each}@x.test`, { digest: "new" })),
          shown("d@x.test")
        ])
        yield* asked(by, [shown("z@x.test")])
        const between = (workspaceId: string) => store.differences(workspaceId, old.approvalId, now.approvalId)
        assert.deepStrictEqual(yield* between(by.workspaceId), { added: 1, removed: 1, changed: 2 })
        const other = yield* asker
        assert.deepStrictEqual(yield* between(other.workspaceId), { added: 0, removed: 0, changed: 0 })
      })
    )

    it.effect("of replaced approvals of a target, only the newest one's people stay", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ContentStore
        const by = yield* asker
        const target = `campaign:${freshId()}`
        const ask = (state: "superseded" | "declined" | "pending", atMillis: number) =>
          asked(by, [shown(`${freshId()}@x.test`)], {
            workspaceId: by.workspaceId,
            target,
            state,
            createdAtMillis: atMillis
          })
        const stories = [
          yield* ask("superseded", NOON),
          yield* ask("declined", NOON + 1),
          yield* ask("superseded", NOON + 2),
          yield* ask("pending", NOON + 3)
        ]
        const elsewhere = yield* asked(by, [shown("e@x.test")], { workspaceId: by.workspaceId, state: "superseded" })
        const stranger = yield* asker
        const theirs = {
          workspaceId: stranger.workspaceId,
          target,
          state: "superseded",
          createdAtMillis: NOON + 9
        } as const
        const others = [
          yield* asked(stranger, [shown("s@x.test")], theirs),
          yield* asked(stranger, [shown("t@x.test")], { ...theirs, createdAtMillis: NOON + 8 })
        ]
        yield* atomically(store.forget(by.workspaceId, target))
        const left = yield* Effect.forEach([...stories, elsewhere, ...others], ({ approvalId, workspaceId }) =>
          Effect.map(store.digests(workspaceId, approvalId), ({ size }) => size)
        )
        assert.deepStrictEqual(left, [0, 1, 1, 1, 1, 1, 1])
      })
    )

    it.effect("people overlap who are open leads of another campaign that is active or paused", () =>
      Effect.gen(function* () {
        const store = yield* ContentStore
        const active = yield* given(["both@x.test", "done@x.test", "twice@x.test"], { state: "active" })
        const { workspaceId } = active
        const hash = (email: string) =>
          [...active.leads, ...draft.leads, ...own.leads].find((lead) => lead.email === email)?.addressHash ?? ""
        yield* given(["twice@x.test"], { state: "paused", pauseReason: "owner" }, workspaceId)
        const draft = yield* given(["drafted@x.test"], { state: "draft" }, workspaceId)
        const own = yield* given(["own@x.test"], { state: "active" }, workspaceId)
        yield* move(workspaceId, active.leads[1]?.campaignLeadId ?? "", "ready", "active", "replied")
        const hashes = ["both@x.test", "done@x.test", "twice@x.test", "drafted@x.test", "own@x.test"].map(hash)
        assert.strictEqual(yield* store.overlapping(workspaceId, own.campaignId, hashes), 2)
        assert.strictEqual(yield* store.overlapping(workspaceId, own.campaignId, [hash("both@x.test")]), 1)
        assert.strictEqual(yield* store.overlapping((yield* givenWorkspace()).workspaceId, own.campaignId, hashes), 0)
      })
    )
  })
}
