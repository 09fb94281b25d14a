import { assert, layer as describeLayer } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { Blocklists } from "@outbound/domain/outreach/reputation/blocklists.js"
import { makeWatchHandler } from "@outbound/domain/outreach/reputation/watchJob.js"
import { DAY_MILLIS as DAY, HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { DEFAULT_RULE, type ReputationRule } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { ReputationStore, watchJob } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { OwnService } from "./ownStories.js"
import { SUITE } from "./stories.js"
import { alertsOf, mailboxOf, NOW, resume, start } from "./reputationStories.js"

/** Name servers whose answers a test sets; null: they don't answer. */
class Names {
  readonly a = new Map<string, ReadonlyArray<string> | null>()
  readonly txt = new Map<string, ReadonlyArray<string> | null>()
  asked: Array<string> = []

  readonly records = DomainRecords.of({
    mx: () => Effect.succeed([]),
    cname: () => Effect.succeed([]),
    txt: (name) => this.answer(this.txt, name),
    a: (name) => this.answer(this.a, name)
  })

  private answer(from: ReadonlyMap<string, ReadonlyArray<string> | null>, name: string) {
    return Effect.suspend(() => {
      this.asked.push(name)
      const found = from.get(name)
      return found === null ? Effect.fail(new RecordsUnavailable({ cause: "silent" })) : Effect.succeed(found ?? [])
    })
  }
}

const GREEN = {
  "acme.test": ["v=spf1 include:_spf.test ~all"],
  "_dmarc.acme.test": ["v=DMARC1; p=none; rua=mailto:dmarc@acme.test"]
}

const watching = (rule: ReputationRule) =>
  Effect.gen(function* () {
    const { domain, of } = yield* start(rule)
    const names = new Names()
    for (const [name, texts] of Object.entries(GREEN)) names.txt.set(name, texts)
    names.a.set("mail.acme.test", ["192.0.2.25"])
    const handler = yield* makeWatchHandler.pipe(
      Effect.provideService(DomainRecords, names.records),
      Effect.provideService(Blocklists, [
        { zone: "dbl.test", of: "domain" },
        { zone: "zen.test", of: "address" }
      ])
    )
    const wake = handler(watchJob(domain).key)
    /** Wakes the job when it is due. After how many hours it wants to be woken again. */
    const look = Effect.gen(function* () {
      const next = yield* wake
      if (next._tag === "Done") return null
      yield* TestClock.adjust(next.millis)
      return next.millis / HOUR_MILLIS
    })
    const standings = Effect.flatMap(ReputationStore, (store) =>
      Effect.map(store.watch(domain.workspaceId, domain.domainId), (watch) => watch?.lists ?? [])
    )
    return { of, domain, names, wake, look, standings, workspaceId: domain.workspaceId }
  })

const PAUSES: ReputationRule = { ...DEFAULT_RULE, pausesForBlocklists: true }

/** What looking at a domain again and again guarantees. */
export const domainWatchContract = <E>(name: string, service: Layer.Layer<OwnService | AlertStore, E>) => {
  describeLayer(service, SUITE)(`watched domains (${name})`, (it) => {
    it.effect("a listing alerts in the list's words and pauses by the rule; a human resumes; a delisting alerts", () =>
      Effect.gen(function* () {
        const { look, names, of, workspaceId } = yield* watching(PAUSES)
        assert.strictEqual(yield* look, 6)
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        assert.includeMembers(names.asked, ["acme.test.dbl.test", "25.2.0.192.zen.test"])
        names.a.set("25.2.0.192.zen.test", ["127.0.0.2"])
        names.txt.set("25.2.0.192.zen.test", ["https://zen.test/192.0.2.25"])
        yield* look
        const says = "zen.test: https://zen.test/192.0.2.25"
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), [says])
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "blocklist")
        yield* resume(of)
        yield* look
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        names.a.delete("25.2.0.192.zen.test")
        yield* look
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), [])
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "delisted"), ["zen.test"])
        // Listed again, it pauses again.
        names.a.set("25.2.0.192.zen.test", ["127.0.0.2"])
        yield* look
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "blocklist")
      }).pipe(Effect.orDie)
    )

    it.effect("a list that refuses, is silent, or lists everything, lists nothing and clears nothing", () =>
      Effect.gen(function* () {
        const { look, names, of, standings, workspaceId } = yield* watching(PAUSES)
        const answers = [
          ["127.255.255.254"],
          ["127.255.255.252"],
          ["127.0.1.255"],
          ["127.0.0.1"],
          ["203.0.113.7"],
          ["127.0.1.2", "127.255.255.255"],
          null
        ]
        for (const answer of answers) {
          names.a.set("acme.test.dbl.test", answer)
          yield* look
          const [list] = yield* standings
          assert.deepStrictEqual([list?.isListed, list?.last], [null, answer === null ? "silent" : "refused"])
        }
        names.a.set("acme.test.dbl.test", ["127.0.1.2"])
        names.a.set("invalid.dbl.test", ["127.0.1.2"])
        yield* look
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), [])
        names.a.delete("invalid.dbl.test")
        yield* look
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), ["dbl.test"])
        names.a.set("acme.test.dbl.test", null)
        yield* look
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), ["dbl.test"])
      }).pipe(Effect.orDie)
    )

    it.effect("a list of addresses that lists this machine lists everything, and so nothing", () =>
      Effect.gen(function* () {
        const { look, names, of, standings, workspaceId } = yield* watching(PAUSES)
        names.a.set("25.2.0.192.zen.test", ["127.0.0.2"])
        for (const never of [["127.0.0.2"], null]) {
          names.a.set("1.0.0.127.zen.test", never)
          yield* look
          const list = (yield* standings).find(({ zone }) => zone === "zen.test")
          assert.deepStrictEqual([list?.isListed, list?.last], [null, never === null ? "silent" : "refused"])
        }
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        names.a.delete("1.0.0.127.zen.test")
        yield* look
        assert.lengthOf(yield* alertsOf(workspaceId, "blocklisted"), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a listing counts though the list gives no reason", () =>
      Effect.gen(function* () {
        const { look, names, workspaceId } = yield* watching(DEFAULT_RULE)
        names.a.set("acme.test.dbl.test", ["127.0.1.2"])
        names.txt.set("acme.test.dbl.test", null)
        yield* look
        assert.deepStrictEqual(yield* alertsOf(workspaceId, "blocklisted"), ["dbl.test"])
      }).pipe(Effect.orDie)
    )

    it.effect("without the rule a listing alerts and pauses nothing", () =>
      Effect.gen(function* () {
        const { look, names, of, workspaceId } = yield* watching(DEFAULT_RULE)
        names.a.set("acme.test.dbl.test", ["127.0.1.2"])
        yield* look
        assert.lengthOf(yield* alertsOf(workspaceId, "blocklisted"), 1)
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
      }).pipe(Effect.orDie)
    )

    it.effect(
      "a green record that is gone in two looks alerts, until it is back; silence of name servers does not",
      () =>
        Effect.gen(function* () {
          const { look, names, workspaceId } = yield* watching(DEFAULT_RULE)
          yield* look
          names.txt.set("_dmarc.acme.test", null)
          assert.strictEqual(yield* look, 6)
          names.txt.delete("_dmarc.acme.test")
          assert.strictEqual(yield* look, 1)
          assert.deepStrictEqual(yield* alertsOf(workspaceId, "records_missing"), [])
          assert.strictEqual(yield* look, 6)
          assert.deepStrictEqual(yield* alertsOf(workspaceId, "records_missing"), ["DMARC at _dmarc.acme.test"])
          names.txt.set("_dmarc.acme.test", GREEN["_dmarc.acme.test"])
          yield* look
          assert.deepStrictEqual(yield* alertsOf(workspaceId, "records_missing"), [])
        }).pipe(Effect.orDie)
    )

    it.effect("a look that is not due asks nobody, two at once pause once, and a removed domain is asked no more", () =>
      Effect.gen(function* () {
        const { domain, names, of, wake, workspaceId } = yield* watching(PAUSES)
        names.a.set("acme.test.dbl.test", ["127.0.1.2"])
        yield* Effect.all([wake, wake], { concurrency: 2 })
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "blocklist")
        names.asked = []
        yield* wake
        assert.deepStrictEqual(names.asked, [])
        yield* TestClock.setTime(NOW - 30 * DAY)
        const next = yield* wake
        assert.isTrue(next._tag === "Wait" && next.millis <= 6 * HOUR_MILLIS)
        const { atomically } = yield* UnitOfWork
        yield* atomically(Effect.flatMap(SendingDomainStore, (store) => store.remove(workspaceId, domain.domainId)))
        assert.strictEqual((yield* wake)._tag, "Done")
      }).pipe(Effect.orDie)
    )
  })
}
