import { assert, it } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import {
  DEFAULT_RULE,
  type DomainWatch,
  type ListStanding,
  type ReputationRule,
  type SourceDay
} from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { ReputationStore } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { Effect, type Layer } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"

/** A sending domain of a new live workspace. */
export const givenDomain = (name: string, workspaceId?: string) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const domains = yield* SendingDomainStore
    const id = workspaceId ?? (yield* givenWorkspace({ kind: "live" })).workspaceId
    const domain = {
      workspaceId: id,
      domainId: freshId(),
      domain: name,
      wishes: { domain: name, spf: ["include:_spf.test"], dkim: [], reportsTo: `dmarc@${name}`, mx: [] },
      state: "good",
      sinceMillis: NOON,
      zone: null,
      approval: null,
      stopped: null,
      createdAtMillis: NOON
    } as const
    yield* atomically(domains.insert(domain))
    return domain
  })

const day = (given: Partial<SourceDay> = {}): SourceDay => ({
  day: "2026-03-09",
  ip: "192.0.2.1",
  isProven: false,
  messages: 10,
  dkim: 8,
  spf: 6,
  aligned: 9,
  quarantined: 1,
  rejected: 0,
  ...given
})

const standing = (given: Partial<ListStanding>): ListStanding => ({
  zone: "dbl.test",
  subject: "acme.test",
  isListed: true,
  sinceMillis: NOON,
  wasListed: false,
  says: "",
  last: "answered",
  ...given
})

/** What every store of domains' reputation guarantees. */
export const reputationContract = <E>(
  name: string,
  adapter: Layer.Layer<ReputationStore | SendingDomainStore | AlertStore | UnitOfWork | WorkspaceStore, E>
): void => {
  it.layer(adapter, SUITE)(`reputation (${name})`, (it) => {
    it.effect("a workspace has the default rule until it sets its own, which is nobody else's", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const other = yield* givenWorkspace({ kind: "live" })
        assert.deepStrictEqual(yield* store.rule(workspaceId), DEFAULT_RULE)
        const rule: ReputationRule = {
          failingPercentMax: 3,
          failingMessagesMin: 7,
          pausesForDmarc: true,
          pausesForBlocklists: true,
          trustedServer: "mx.acme.test"
        }
        yield* atomically(store.setRule(workspaceId, { ...rule, failingPercentMax: 4 }))
        yield* atomically(store.setRule(workspaceId, rule))
        assert.deepStrictEqual(yield* store.rule(workspaceId), rule)
        assert.deepStrictEqual(yield* store.rule(other.workspaceId), DEFAULT_RULE)
      })
    )

    it.effect("a watch is made with its first lock, kept as it was written, and gone with its domain", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const domains = yield* SendingDomainStore
        const { atomically } = yield* UnitOfWork
        const { domainId, workspaceId } = yield* givenDomain("acme.test")
        const other = yield* givenWorkspace({ kind: "live" })
        assert.isNull(yield* store.watch(workspaceId, domainId))
        assert.isNull(yield* atomically(store.lockWatch(other.workspaceId, domainId, NOON)))
        const made = yield* atomically(store.lockWatch(workspaceId, domainId, NOON))
        const watch: DomainWatch = {
          workspaceId,
          domainId,
          lookedAtMillis: null,
          nextLookAtMillis: NOON,
          missing: null,
          lists: [],
          failing: null
        }
        assert.deepStrictEqual(made, watch)
        const looked: DomainWatch = {
          ...watch,
          lookedAtMillis: NOON,
          nextLookAtMillis: NOON + HOUR,
          missing: { records: ["SPF at acme.test"], looks: 2, sinceMillis: NOON },
          lists: [standing({ says: "“sender of spam”" }), standing({ zone: "x.test", isListed: null, last: "silent" })],
          failing: { failed: 3, messages: 9, sinceMillis: NOON }
        }
        yield* atomically(store.updateWatch(looked))
        yield* atomically(store.addCounts(workspaceId, domainId, [day()]))
        assert.deepStrictEqual(yield* atomically(store.lockWatch(workspaceId, domainId, NOON + DAY)), looked)
        assert.isNull(yield* store.watch(other.workspaceId, domainId))
        yield* atomically(domains.remove(workspaceId, domainId))
        assert.isNull(yield* store.watch(workspaceId, domainId))
        assert.deepStrictEqual(yield* store.sourceDays(workspaceId, domainId, "2026-01-01"), [])
      })
    )

    it.effect("domains that were never looked at, or too long ago, are found again", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const { atomically } = yield* UnitOfWork
        const never = yield* givenDomain("never.test")
        const late = yield* givenDomain("late.test", never.workspaceId)
        const soon = yield* givenDomain("soon.test", never.workspaceId)
        yield* atomically(store.lockWatch(late.workspaceId, late.domainId, NOON - 2 * HOUR))
        yield* atomically(store.lockWatch(soon.workspaceId, soon.domainId, NOON))
        const found = (yield* store.unwatched(NOON - HOUR, 10_000)).filter(
          ({ workspaceId }) => workspaceId === never.workspaceId
        )
        assert.deepStrictEqual(
          found.map(({ domainId }) => domainId),
          [never.domainId, late.domainId]
        )
      })
    )

    it.effect("a report counts once, and not beside a proven one of its name", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const key = { workspaceId, domain: "acme.test", organisation: "google.com", reportId: "7" }
        const add = (isProven: boolean, reportId = "7") =>
          atomically(store.addReport({ ...key, reportId, isProven }, NOON))
        assert.isTrue(yield* add(false))
        assert.isFalse(yield* add(false))
        assert.isTrue(yield* add(true))
        assert.isFalse(yield* add(true))
        assert.isTrue(yield* add(true, "8"))
        assert.isFalse(yield* add(false, "8"))
        assert.strictEqual(yield* store.unprovenSince(workspaceId, "acme.test", NOON - 1), 1)
        assert.strictEqual(yield* store.unprovenSince(workspaceId, "acme.test", NOON), 0)
        assert.strictEqual(yield* store.unprovenSince(workspaceId, "b.test", NOON - 1), 0)
        yield* atomically(store.forget({ workspaceId, domainId: freshId() }, "2026-01-01", NOON + 1))
        assert.isTrue(yield* add(false))
      })
    )

    it.effect("counts of a day, an address and a proof add up, and old days are forgotten", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const { atomically } = yield* UnitOfWork
        const { domainId, workspaceId } = yield* givenDomain("acme.test")
        const second = day({ ip: "2001:db8::1", isProven: true })
        const old = day({ day: "2026-02-01" })
        yield* atomically(store.addCounts(workspaceId, domainId, [day(), second, old]))
        yield* atomically(store.addCounts(workspaceId, domainId, [day(), day({ isProven: true, messages: 9 })]))
        const sum = day({ messages: 20, dkim: 16, spf: 12, aligned: 18, quarantined: 2 })
        const counted = [sum, day({ isProven: true, messages: 9 }), second]
        assert.deepStrictEqual(yield* store.sourceDays(workspaceId, domainId, "2026-03-01"), counted)
        assert.deepStrictEqual(yield* store.sourceDays(workspaceId, domainId, "2026-01-01"), [...counted, old])
        yield* atomically(store.forget({ workspaceId, domainId }, "2026-03-01", NOON))
        assert.deepStrictEqual(yield* store.sourceDays(workspaceId, domainId, "2026-01-01"), counted)
      })
    )

    it.effect("owners are alerted to what is missing, failing, listed and delisted, as long as that is so", () =>
      Effect.gen(function* () {
        const store = yield* ReputationStore
        const alerts = yield* AlertStore
        const { atomically } = yield* UnitOfWork
        const { domainId, workspaceId } = yield* givenDomain("acme.test")
        const KINDS = ["records_missing", "dmarc_failing", "blocklisted", "delisted"] as const
        const causes = Effect.map(
          Effect.forEach(KINDS, (kind) => alerts.causes(kind, NOON, 10_000)),
          (found) => found.flat().filter((cause) => cause.workspaceId === workspaceId)
        )
        const watch = yield* atomically(store.lockWatch(workspaceId, domainId, NOON))
        const missing = {
          records: ["SPF at acme.test", "DKIM at k1._domainkey.acme.test"],
          looks: 1,
          sinceMillis: NOON
        }
        yield* atomically(store.updateWatch({ ...watch!, missing }))
        assert.deepStrictEqual(yield* causes, [])
        const bad: DomainWatch = {
          ...watch!,
          missing: { ...missing, looks: 2 },
          failing: { failed: 30, messages: 90, sinceMillis: NOON },
          lists: [
            standing({ says: "see https://dbl.test/acme" }),
            standing({ zone: "zen.test", subject: "192.0.2.1" }),
            standing({ zone: "a.test", isListed: false, wasListed: true }),
            standing({ zone: "b.test", isListed: false, wasListed: true, sinceMillis: NOON - 2 * DAY }),
            standing({ zone: "c.test", isListed: false }),
            standing({ zone: "d.test", isListed: null, last: "refused" })
          ]
        }
        yield* atomically(store.updateWatch(bad))
        const found = yield* causes
        assert.sameDeepMembers(
          found.map((cause) => [cause.kind, cause.subject, cause.period, cause.name, cause.says]),
          [
            [
              "records_missing",
              domainId,
              String(NOON),
              "acme.test",
              "SPF at acme.test, DKIM at k1._domainkey.acme.test"
            ],
            ["dmarc_failing", domainId, String(NOON), "acme.test", "30 of 90 messages"],
            [
              "blocklisted",
              `${domainId}/dbl.test/acme.test`,
              String(NOON),
              "acme.test",
              "dbl.test: see https://dbl.test/acme"
            ],
            ["blocklisted", `${domainId}/zen.test/192.0.2.1`, String(NOON), "192.0.2.1", "zen.test"],
            ["delisted", `${domainId}/a.test/acme.test`, String(NOON), "acme.test", "a.test"]
          ]
        )
        yield* atomically(
          alerts.raise(
            found.map((cause) => ({ ...cause, alertId: freshId(), raisedAtMillis: NOON, mailedAtMillis: null }))
          )
        )
        assert.deepStrictEqual(yield* causes, [])
        const open = Effect.map(alerts.list(workspaceId, NOON, 10, null), (listed) =>
          listed.flatMap(({ isOpen, kind }) => (isOpen ? [kind] : [])).toSorted()
        )
        assert.deepStrictEqual(yield* open, ["blocklisted", "blocklisted", "dmarc_failing", "records_missing"])
        yield* atomically(store.updateWatch({ ...bad, missing: null, failing: null, lists: bad.lists.slice(1) }))
        assert.deepStrictEqual(yield* open, ["blocklisted"])
      })
    )
  })
}
