import { assert, it } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type SendingDomain, SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"

/** What every store of sending domains guarantees. */
export const sendingDomainsContract = <E>(
  name: string,
  adapter: Layer.Layer<SendingDomainStore | AlertStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const domainOf = (workspaceId: string, domain: string, given: Partial<SendingDomain> = {}): SendingDomain => ({
    workspaceId,
    domainId: freshId(),
    domain,
    wishes: {
      domain,
      spf: ["include:_spf.google.com"],
      dkim: [{ selector: "google", type: "TXT", value: "v=DKIM1; p=AAAA" }],
      reportsTo: `dmarc@${domain}`,
      mx: []
    },
    state: "open",
    sinceMillis: NOON,
    zone: null,
    approval: null,
    stopped: null,
    createdAtMillis: NOON,
    ...given
  })

  const approval = {
    digest: "d".repeat(64),
    zoneId: "Z1",
    zoneName: "acme.example",
    by: "owner@acme.example",
    changes: [
      {
        name: "acme.example",
        type: "TXT",
        before: [],
        after: ['v=spf1 "x" ~all'],
        isDone: false,
        tries: 1,
        askedAtMillis: NOON
      }
    ]
  } as const

  const insert = (domain: SendingDomain) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) =>
      atomically(Effect.flatMap(SendingDomainStore, (store) => store.insert(domain)))
    )

  const update = (domain: SendingDomain) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) =>
      atomically(Effect.flatMap(SendingDomainStore, (store) => store.update(domain)))
    )

  it.layer(adapter, SUITE)(`sending domains (${name})`, (it) => {
    it.effect("a domain stands once in a workspace, is kept as it was written, and is nobody else's", () =>
      Effect.gen(function* () {
        const store = yield* SendingDomainStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const other = yield* givenWorkspace({ kind: "live" })
        const second = domainOf(workspaceId, "b.example")
        const first = domainOf(workspaceId, "a.example", {
          zone: { vendor: "route53", sealedSecret: "v1.a.b.c", last4: "wxyz", addedBy: "owner@corp.example" }
        })
        assert.isTrue(yield* insert(second))
        assert.isTrue(yield* insert(first))
        assert.isFalse(yield* insert(domainOf(workspaceId, "a.example")))
        assert.isTrue(yield* insert(domainOf(other.workspaceId, "a.example")))
        assert.deepStrictEqual(yield* store.list(workspaceId), [first, second])
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, first.domainId)), first)
        assert.isTrue(Option.isNone(yield* store.get(other.workspaceId, first.domainId)))

        const applying: SendingDomain = { ...first, zone: null, state: "applying", sinceMillis: NOON + HOUR, approval }
        yield* update(applying)
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, first.domainId))), applying)
        assert.isFalse(yield* atomically(store.remove(other.workspaceId, first.domainId)))
        assert.isTrue(yield* atomically(store.remove(workspaceId, first.domainId)))
        assert.isFalse(yield* atomically(store.remove(workspaceId, first.domainId)))
        yield* update(applying)
        assert.deepStrictEqual(yield* store.list(workspaceId), [second])
      })
    )

    it.effect("those under way are found, the oldest first", () =>
      Effect.gen(function* () {
        const store = yield* SendingDomainStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const late = domainOf(workspaceId, "l.example", { state: "late", sinceMillis: NOON - 9 * HOUR })
        const checking = domainOf(workspaceId, "c.example", { state: "checking", sinceMillis: NOON - 2 * HOUR })
        const applying = domainOf(workspaceId, "d.example", {
          state: "applying",
          approval,
          sinceMillis: NOON - 3 * HOUR
        })
        for (const one of [late, checking, applying]) yield* insert(one)
        const found = (yield* store.underWay(1_000)).filter((one) => one.workspaceId === workspaceId)
        assert.deepStrictEqual(
          found.map(({ domainId }) => domainId),
          [applying.domainId, checking.domainId]
        )
      })
    )

    it.effect("owners are told of records that were not set, or not found in time, as long as that is so", () =>
      Effect.gen(function* () {
        const alerts = yield* AlertStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const late = domainOf(workspaceId, "late.example", { state: "late" })
        const stopped = domainOf(workspaceId, "stopped.example", { stopped: "It was changed." })
        for (const one of [late, stopped, domainOf(workspaceId, "good.example", { state: "good" })]) yield* insert(one)
        const causes = (yield* alerts.causes("domain_records", NOON, 1_000)).filter(
          (one) => one.workspaceId === workspaceId
        )
        assert.sameDeepMembers(
          causes.map(({ name: domain, period, says, subject }) => [domain, period, says, subject]),
          [
            ["late.example", String(NOON), "", late.domainId],
            ["stopped.example", String(NOON), "It was changed.", stopped.domainId]
          ]
        )
        yield* atomically(
          alerts.raise(
            causes.map((cause) => ({ ...cause, alertId: freshId(), raisedAtMillis: NOON, mailedAtMillis: null }))
          )
        )
        const left = (yield* alerts.causes("domain_records", NOON, 1_000)).filter(
          (one) => one.workspaceId === workspaceId
        )
        assert.deepStrictEqual(left, [])
        yield* update({ ...late, state: "good" })
        const listed = yield* alerts.list(workspaceId, NOON, 10, null)
        assert.sameDeepMembers(
          listed.map(({ isOpen, name: domain }) => [domain, isOpen]),
          [
            ["late.example", false],
            ["stopped.example", true]
          ]
        )
      })
    )
  })
}
