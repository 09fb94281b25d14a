import { assert, layer as describeLayer } from "@effect/vitest"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import type { AggregateReport, AttachedReport } from "@outbound/domain/outreach/mail/aggregateReport.js"
import type { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { ReputationStore } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { DEFAULT_RULE, type ReputationRule } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PostOffice } from "../../mail/PostOffice.js"
import { givenDomain } from "../reputation.js"
import { read, readAndApply, repliesOf, stateOf, written } from "./mailReading.js"
import type { OwnService } from "./ownStories.js"
import { SUITE } from "./stories.js"
import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { alertsOf, mailboxOf, NOW, resume, start } from "./reputationStories.js"

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
          Effect.andThen(office.deliver(address, mail(reportOf(nowMillis, rows), { results: VOUCHED })), read)
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
