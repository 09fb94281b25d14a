import { assert, layer as describeLayer } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { AggregateReport, AttachedReport } from "@outbound/domain/outreach/mail/aggregateReport.js"
import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { Blocklists } from "@outbound/domain/outreach/reputation/blocklists.js"
import { HOUR_MILLIS } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { DEFAULT_RULE, type ReputationRule } from "@outbound/domain/outreach/reputation/ReputationRule.js"
import { ReputationStore, watchJob } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { makeWatchHandler } from "@outbound/domain/outreach/reputation/watchJob.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Layer, Option, TestClock } from "effect"
import { PostOffice } from "../../mail/PostOffice.js"
import { team, type Team } from "../../service/Team.js"
import { givenDomain } from "../reputation.js"
import { read, readAndApply, repliesOf, stateOf, written } from "./mailReading.js"
import type { OwnService } from "./ownStories.js"
import { SUITE } from "./stories.js"

const DAY = 24 * HOUR_MILLIS
const NOW = Date.UTC(2027, 2, 25, 9)

const GOOGLE = "noreply-dmarc-support@google.com"
const VOUCHED = "mx.acme.test; dkim=pass header.d=google.com; dmarc=pass (p=REJECT) header.from=google.com"

const row = (given: Partial<AggregateReport["rows"][number]> = {}): AggregateReport["rows"][number] => ({
  ip: "192.0.2.1",
  messages: 60,
  disposition: "none",
  dkim: true,
  spf: true,
  headerFrom: "acme.test",
  ...given
})

let reports = 0

const reportOf = (nowMillis: number, rows: AggregateReport["rows"], given: Partial<AggregateReport> = {}) => {
  reports += 1
  const report: AggregateReport = {
    organisation: "google.com",
    reportId: `r-${reports}`,
    domain: "acme.test",
    beginMillis: nowMillis - DAY,
    endMillis: nowMillis,
    rows,
    ...given
  }
  return { _tag: "Report", report } as const
}

/** A report's mail, as a receiver sends it. */
const mail = (read: AttachedReport, given: { readonly from?: string; readonly results?: string } = {}) => ({
  from: given.from ?? GOOGLE,
  subject: "Report domain: acme.test Submitter: google.com Report-ID: 1",
  text: "",
  file: { name: "google.com!acme.test!1806000000!1806086400.xml", type: "text/xml", read },
  ...(given.results === undefined ? {} : { head: [["Authentication-Results", given.results] as const] })
})

/** Own mail of which this many messages failed, from a server that SPF allows. */
const failing = (failed: number, passed = 60) => [
  row({ messages: passed }),
  row({ messages: failed, dkim: false, spf: false, disposition: "quarantine" })
]

const RULE: ReputationRule = { ...DEFAULT_RULE, pausesForDmarc: true, trustedServer: "mx.acme.test" }

const start = (rule: ReputationRule) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const of = yield* team(1)
    const domain = yield* givenDomain("acme.test", of.client.workspaceId)
    const { atomically } = yield* UnitOfWork
    const store = yield* ReputationStore
    yield* atomically(store.setRule(of.client.workspaceId, rule))
    return { of, domain, address: of.addresses[0] as string }
  })

const mailboxOf = ({ client: { workspaceId }, mailboxes }: Team) =>
  Effect.flatMap(SendingStore, (store) =>
    Effect.map(store.mailbox(workspaceId, mailboxes[0]!.mailboxId), Option.getOrThrow)
  )

const alertsOf = (workspaceId: string, kind: "dmarc_failing" | "records_missing" | "blocklisted" | "delisted") =>
  Effect.gen(function* () {
    const found = yield* (yield* AlertStore).causes(kind, yield* Clock.currentTimeMillis, 10_000)
    return found.filter((one) => one.workspaceId === workspaceId).map(({ says }) => says)
  })

/** An owner resumes the mailbox. */
const resume = (of: Team) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sendings = yield* SendingStore
    const mailbox = yield* mailboxOf(of)
    const activeAtMillis = yield* Clock.currentTimeMillis
    yield* atomically(sendings.updateMailboxes([{ ...mailbox, state: "active", pauseReason: null, activeAtMillis }]))
  })

/** What DMARC reports may do, wherever the mail and the rows lie. */
export const dmarcReportsContract = <E>(
  name: string,
  service: Layer.Layer<OwnService | AlertStore, E>,
  post: Layer.Layer<PostOffice | MailReader>
) => {
  describeLayer(Layer.provideMerge(post, service), SUITE)(`DMARC reports by mail (${name})`, (it) => {
    it.effect("a report is nobody's answer, readable or not, though we wrote to its sender", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, campaign_id, mails, of } = yield* written(1)
        const from = mails[0]!.to.address
        const domain = yield* givenDomain("acme.test", of.client.workspaceId)
        const nowMillis = yield* Clock.currentTimeMillis
        yield* office.deliver(address, mail(reportOf(nowMillis, [row()]), { from }))
        yield* office.deliver(address, mail({ _tag: "Unreadable", why: "it can't be unpacked" }, { from }))
        yield* readAndApply
        assert.deepStrictEqual(yield* repliesOf(of), [])
        assert.notStrictEqual(yield* stateOf(of, campaign_id, from), "replied")
        const days = yield* (yield* ReputationStore).sourceDays(domain.workspaceId, domain.domainId, "2027-01-01")
        assert.deepStrictEqual(
          days.map(({ messages }) => messages),
          [60]
        )
        // The same person's answer counts as ever, whatever its subject says.
        yield* office.deliver(address, {
          from,
          subject: "Report Domain: yours Submitter: me",
          text: "Interesting.",
          inReplyTo: mails[0]!.messageId
        })
        yield* readAndApply
        assert.lengthOf(yield* repliesOf(of), 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a report counts once, for our own domains, if it speaks of the last days", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, domain, of } = yield* start(DEFAULT_RULE)
        const once = reportOf(NOW, [row({ messages: 7 }), row({ messages: 1, headerFrom: "elsewhere.test" })])
        const ignored = [
          once,
          reportOf(NOW, [row({ headerFrom: "b.test" })], { domain: "b.test" }),
          reportOf(NOW, [row()], { beginMillis: NOW + DAY, endMillis: NOW + 2 * DAY }),
          reportOf(NOW, [row()], { beginMillis: NOW - 60 * DAY, endMillis: NOW - 59 * DAY }),
          reportOf(NOW, [row()], { beginMillis: NOW - 20 * DAY })
        ]
        for (const one of [once, ...ignored]) yield* office.deliver(address, mail(one))
        yield* read
        yield* office.changeUidValidity(address)
        yield* read
        const days = yield* (yield* ReputationStore).sourceDays(of.client.workspaceId, domain.domainId, "2026-01-01")
        assert.deepStrictEqual(
          days.map(({ day, messages }) => [day, messages]),
          [["2027-03-24", 8]]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("a report that anyone could have sent alerts owners and pauses nothing", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, of } = yield* start(RULE)
        const forged = [
          {},
          { results: "mx.evil.test; dmarc=pass header.from=google.com" },
          { results: "mx.acme.test; dmarc=fail header.from=google.com" },
          { from: "dmarc@evil.test", results: "mx.acme.test; dmarc=pass header.from=evil.test" },
          { results: "mx.acme.test; spf=pass (dmarc=pass header.from=google.com); dmarc=fail header.from=google.com" }
        ]
        for (const given of forged) yield* office.deliver(address, mail(reportOf(NOW, failing(50)), given))
        yield* read
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        assert.deepStrictEqual(yield* alertsOf(of.client.workspaceId, "dmarc_failing"), ["250 of 550 messages"])
      }).pipe(Effect.orDie)
    )

    it.effect("a proven report pauses by the rule, and a human's resume stands until later days fail", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, of } = yield* start(RULE)
        const deliver = (rows: AggregateReport["rows"], nowMillis: number) =>
          Effect.zipRight(office.deliver(address, mail(reportOf(nowMillis, rows), { results: VOUCHED })), read)
        // A mailbox is judged by the days after the one on which it began.
        yield* deliver(failing(50), NOW)
        yield* TestClock.adjust("3 days")
        const later = NOW + 3 * DAY
        yield* deliver(failing(19, 10), later)
        // Mail from an address that SPF does not allow may be forged.
        yield* deliver([row({ ip: "203.0.113.9", messages: 900, dkim: false, spf: false })], later)
        yield* deliver([row({ ip: "203.0.113.9", messages: 1, spf: false })], later)
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        yield* deliver(failing(19, 10), later)
        const paused = yield* mailboxOf(of)
        assert.deepStrictEqual([paused.state, paused.pauseReason], ["paused", "dmarc"])
        yield* resume(of)
        yield* deliver(failing(50), later)
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        yield* TestClock.adjust("3 days")
        yield* deliver(failing(50), later + 3 * DAY)
        assert.strictEqual((yield* mailboxOf(of)).pauseReason, "dmarc")
      }).pipe(Effect.orDie)
    )

    it.effect("without the rule, a proven report pauses nothing", () =>
      Effect.gen(function* () {
        const office = yield* PostOffice
        const { address, of } = yield* start({ ...RULE, pausesForDmarc: false })
        yield* office.deliver(address, mail(reportOf(NOW, failing(50)), { results: VOUCHED }))
        yield* read
        assert.strictEqual((yield* mailboxOf(of)).state, "active")
        assert.lengthOf(yield* alertsOf(of.client.workspaceId, "dmarc_failing"), 1)
      }).pipe(Effect.orDie)
    )
  })
}

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
