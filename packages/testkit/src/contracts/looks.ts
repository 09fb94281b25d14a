import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { DomainLook, Finding } from "@outbound/domain/outreach/authentication/Look.js"
import { LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { givenMailboxes } from "./outboundFixtures.js"

type Stores = LookStore | SendingStore | UnitOfWork | WorkspaceStore

const FINDING: Finding = { status: "pass", aligned: true, detail: "v=spf1 -all", checkedAtMillis: NOON }

/** What every store of looks at sending domains guarantees: each domain is looked at by itself. */
export const looksContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const look = (workspaceId: string, domain: string, given: Partial<DomainLook> = {}): DomainLook => ({
    workspaceId,
    domain,
    findings: { spf: FINDING, dkim: { ...FINDING, aligned: null }, dmarc: FINDING, mx: FINDING },
    listed: [{ zone: "zone.test", says: "it sends spam" }],
    failingSinceMillis: null,
    lookedAtMillis: NOON,
    nextLookAtMillis: NOON + HOUR,
    stoppedCampaigns: [],
    ...given
  })

  /** A domain that no other test has. */
  const freshDomain = () => `d-${freshId()}.test`

  it.layer(adapter, SUITE)(`looks (${name})`, (it) => {
    it.effect("a look replaces the one before, of its own domain and workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* LookStore
        const [here, there] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const [one, other] = [freshDomain(), freshDomain()]
        const first = look(here.workspaceId, one)
        const beside = look(here.workspaceId, other, { failingSinceMillis: NOON - HOUR })
        const theirs = look(there.workspaceId, one, { stoppedCampaigns: [freshId()] })
        for (const each of [first, beside, theirs]) yield* within(store.put(each))
        const next = { ...first, failingSinceMillis: NOON, lookedAtMillis: NOON + 1, stoppedCampaigns: [freshId()] }
        yield* within(store.put(next))
        assert.deepStrictEqual(yield* store.looks(here.workspaceId, [one]), [next])
        assert.sameDeepMembers([...(yield* store.looks(here.workspaceId, [one, other, "x.test"]))], [next, beside])
        assert.deepStrictEqual(yield* store.looks(there.workspaceId, [one, other]), [theirs])
        const locked = (of: DomainLook) => Effect.map(within(store.lock(of)), Option.getOrNull)
        assert.deepStrictEqual([yield* locked(next), yield* locked(theirs)], [next, theirs])
        assert.isNull(yield* locked(look(there.workspaceId, other)))
      })
    )

    it.effect("a domain's mailboxes that wait for its records are those, of no other domain and for nothing else", () =>
      Effect.gen(function* () {
        const store = yield* LookStore
        const { workspaceId } = yield* givenWorkspace()
        const stranger = yield* givenWorkspace()
        const [one, other] = [freshDomain(), freshDomain()]
        const paused = { state: "paused", pauseReason: "authentication" } as const
        const waiting = yield* givenMailboxes(workspaceId, 2, { domain: one, ...paused })
        yield* givenMailboxes(workspaceId, 1, { domain: one })
        yield* givenMailboxes(workspaceId, 1, { domain: one, state: "paused", pauseReason: "owner" })
        const beside = yield* givenMailboxes(workspaceId, 1, { domain: other, ...paused })
        yield* givenMailboxes(workspaceId, 1, { domain: freshDomain(), state: "failed" })
        yield* givenMailboxes(stranger.workspaceId, 1, { domain: one, ...paused })
        const ids = (of: ReadonlyArray<{ readonly mailboxId: string }>) =>
          of.map(({ mailboxId }) => mailboxId).toSorted()
        assert.deepStrictEqual(yield* store.paused({ workspaceId, domain: one }), ids(waiting))
        assert.deepStrictEqual(yield* store.paused({ workspaceId, domain: other }), ids(beside))
        assert.deepStrictEqual(yield* store.domains(workspaceId), [one, other].toSorted())
      })
    )

    it.effect("domains of live workspaces are due once their time is over, those that nobody looked at first", () =>
      Effect.gen(function* () {
        const store = yield* LookStore
        const live = yield* givenWorkspace({ kind: "live" })
        const sandbox = yield* givenWorkspace()
        const { workspaceId } = live
        const [late, soon, never, next, gone] = Array.from({ length: 5 }, freshDomain) as [
          string,
          string,
          string,
          string,
          string
        ]
        for (const domain of [late, soon, never, next]) yield* givenMailboxes(workspaceId, 2, { domain })
        yield* givenMailboxes(workspaceId, 1, { domain: gone, state: "failed" })
        yield* givenMailboxes(sandbox.workspaceId, 1, { domain: never })
        const put = (domain: string, nextLookAtMillis: number) =>
          within(store.put(look(workspaceId, domain, { nextLookAtMillis })))
        yield* put(late, NOON - 1)
        yield* put(soon, NOON - 2)
        yield* put(next, NOON)
        const due = Effect.map(store.due(NOON, 10_000), (found) =>
          found.filter((one) => [workspaceId, sandbox.workspaceId].includes(one.workspaceId))
        )
        assert.deepStrictEqual(
          yield* due,
          [never, soon, late].map((domain) => ({ workspaceId, domain }))
        )
        assert.lengthOf(yield* store.due(NOON, 1), 1)
      })
    )

    it.effect(
      "signatures are those that a domain's newest mail was seen with, for as long as they prove something",
      () =>
        Effect.gen(function* () {
          const store = yield* LookStore
          const [here, there] = [yield* givenWorkspace(), yield* givenWorkspace()]
          const [one, other] = [freshDomain(), freshDomain()]
          const of = { workspaceId: here.workspaceId, domain: one }
          const beside = { ...of, domain: other }
          const theirs = { workspaceId: there.workspaceId, domain: one }
          const seen = (selector: string) => ({ signer: "acme.test", selector })
          yield* within(store.sawSignatures(of, [seen("old")], NOON - 1))
          yield* within(store.sawSignatures(beside, [seen("beside")], NOON))
          yield* within(store.sawSignatures(theirs, [seen("theirs")], NOON))
          yield* within(store.sawSignatures(of, [seen("b"), seen("a"), seen("b")], NOON))
          assert.deepStrictEqual(yield* store.signatures(of, NOON), [seen("a"), seen("b")])
          assert.deepStrictEqual(yield* store.signatures(of, NOON + 1), [])
          assert.deepStrictEqual(yield* store.signatures(beside, NOON), [seen("beside")])
          assert.deepStrictEqual(yield* store.signatures(theirs, NOON), [seen("theirs")])
          yield* within(store.sawSignatures(of, [], NOON))
          assert.deepStrictEqual(yield* store.signatures(of, 0), [])
          assert.deepStrictEqual(yield* store.signatures(beside, 0), [seen("beside")])
        })
    )
  })
}
