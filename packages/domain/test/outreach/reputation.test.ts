import { assert, describe, it } from "@effect/vitest"
import { isReportHead, mayHoldReport } from "@outbound/domain/outreach/mail/reportHead.js"
import {
  bySource,
  DEFAULT_RULE,
  failingMail,
  provenFailing,
  ruleIssues,
  type SourceDay
} from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { askedName, meaningOf } from "@outbound/domain/outreach/reputation/blocklists.js"
import { countsOf, OTHERS, SOURCES_PER_REPORT_MAX } from "@outbound/domain/outreach/reputation/domainReports.js"
import { isProvenReporter } from "@outbound/domain/outreach/reputation/reporters.js"
import * as fc from "fast-check"

const head = (subject: string, fields: Readonly<Record<string, string>> = {}) => ({
  subject,
  fromEmail: "noreply-dmarc-support@google.com",
  headers: Object.entries({ from: "noreply-dmarc-support@google.com", ...fields }).map(([name, value]) => ({
    name,
    value
  }))
})

const day = (given: Partial<SourceDay>): SourceDay => ({
  day: "2026-03-09",
  ip: "192.0.2.1",
  isProven: true,
  messages: 0,
  dkim: 0,
  spf: 0,
  aligned: 0,
  quarantined: 0,
  rejected: 0,
  ...given
})

describe("mail with DMARC reports", () => {
  it("is known by the subjects that receivers write, and by the name of the file", () => {
    for (const subject of [
      "Report domain: acme.example Submitter: google.com Report-ID: 123",
      "[Preview] Report Domain: acme.example Submitter: enterprise.protection.outlook.com Report-ID: a1",
      "Report Domain: acme.example; Submitter: Mail.Ru; Report-ID: 1",
      "Dmarc Aggregate Report Domain: {acme.example}  Submitter: {Amazon SES}  Date: {2026-03-09}",
      "Report-Domain: acme.example Submitter: x.example"
    ]) {
      assert.isTrue(isReportHead(head(subject)), subject)
    }
    for (const type of [
      'application/zip; name="google.com!acme.example!1772841600!1772927999.zip"',
      "application/gzip; name=x.example!acme.example!1772841600!1772927999!id-1.xml.gz"
    ]) {
      assert.isTrue(isReportHead(head("", { "content-type": type })), type)
      assert.isTrue(isReportHead(head("", { "content-disposition": type })), type)
    }
    for (const subject of ["Re: Report domain: acme.example Submitter: me", "Report", "Our DMARC report", "Hello"]) {
      assert.isFalse(isReportHead(head(subject)), subject)
    }
    assert.isTrue(mayHoldReport(head("Our DMARC report")))
    assert.isFalse(mayHoldReport(head("Hello")))
  })

  it("is found quickly, whatever its header says", () => {
    const long = "a!".repeat(50_000)
    const began = performance.now()
    isReportHead(head(`Report domain: ${long}`, { "content-type": long, "content-disposition": "!1".repeat(50_000) }))
    assert.isBelow(performance.now() - began, 500)
  })
})

describe("who sent a report", () => {
  const results = "mx.acme.test; dkim=pass header.d=google.com; dmarc=pass (p=REJECT sp=REJECT) header.from=google.com"
  const proven = (given: string, server: string | null = "mx.acme.test") =>
    isProvenReporter(head("", { "authentication-results": given }), server)

  it("is proven by the named server's newest result for a reporter that we believe, and by nothing else", () => {
    assert.isTrue(proven(results))
    assert.isTrue(proven(results.replace("mx.acme.test", "MX.acme.test 1")))
    assert.isFalse(proven(results, null))
    assert.isFalse(proven(results, "other.test"))
    for (const forged of [
      results.replace("mx.acme.test", "mx.acme.test.evil.test"),
      results.replace("dmarc=pass", "dmarc=fail"),
      results.replace("dmarc=pass", "dmarc=passable"),
      results.replace("header.from=google.com", "header.from=google.com.evil.test"),
      results.replace("header.from=google.com", ""),
      'mx.acme.test; spf=pass smtp.mailfrom="x; dmarc=pass header.from=google.com"',
      "mx.acme.test; none (; dmarc=pass header.from=google.com)",
      `mx.acme.test; dmarc=fail header.from=google.com; dmarc=pass header.from=google.com`,
      ""
    ]) {
      assert.isFalse(proven(forged), forged)
    }
    const as = (fromEmail: string) =>
      isProvenReporter({ ...head("", { "authentication-results": results }), fromEmail }, "mx.acme.test")
    assert.isFalse(as("anyone@google.com"))
    assert.isFalse(as("noreply-dmarc-support@google.com.evil.test"))
    const twoResults = head("", { "authentication-results": "mx.evil.test; none" })
    const second = { name: "authentication-results", value: results }
    assert.isFalse(isProvenReporter({ ...twoResults, headers: [...twoResults.headers, second] }, "mx.acme.test"))
    const twoFroms = head("", { "authentication-results": results })
    const other = { name: "from", value: "x@evil.test" }
    assert.isFalse(isProvenReporter({ ...twoFroms, headers: [...twoFroms.headers, other] }, "mx.acme.test"))
  })
})

describe("failing mail", () => {
  it("is own mail above both limits: what others forge is not counted", () => {
    const good = day({ messages: 100, dkim: 100, spf: 100, aligned: 100 })
    const forged = day({ ip: "203.0.113.1", messages: 5_000 })
    assert.isNull(failingMail([good, forged], DEFAULT_RULE))
    const failed = (messages: number) => day({ messages, day: "2026-03-08" })
    assert.isNull(failingMail([good, failed(11)], DEFAULT_RULE))
    assert.isNull(failingMail([day({ messages: 1_000, aligned: 1_000 }), failed(100)], DEFAULT_RULE))
    assert.deepStrictEqual(failingMail([good, failed(20), forged], DEFAULT_RULE), { messages: 120, failed: 20 })
    // Nothing passed anywhere: then we can't tell what is ours.
    assert.deepStrictEqual(failingMail([forged], DEFAULT_RULE), { messages: 5_000, failed: 5_000 })
    assert.isNull(provenFailing([forged], DEFAULT_RULE))
  })

  it("only proven reports on addresses that passed SPF are sure", () => {
    const own = day({ messages: 50, aligned: 10, spf: 10 })
    assert.deepStrictEqual(provenFailing([own], DEFAULT_RULE), { messages: 50, failed: 40 })
    assert.isNull(provenFailing([{ ...own, isProven: false }], DEFAULT_RULE))
    assert.isNull(provenFailing([{ ...own, spf: 0, dkim: 10 }], DEFAULT_RULE))
    assert.isNull(
      provenFailing([own, day({ ip: "203.0.113.1", messages: 9, isProven: false })], {
        ...DEFAULT_RULE,
        failingMessagesMin: 41
      })
    )
  })

  it("however a report's rows are cut, every message is counted once", () => {
    const row = fc.record({
      ip: fc.integer({ min: 0, max: 400 }).map((at) => `192.0.${at >> 8}.${at & 255}`),
      messages: fc.integer({ min: 0, max: 1_000 }),
      disposition: fc.constantFrom("none" as const, "quarantine" as const, "reject" as const),
      dkim: fc.boolean(),
      spf: fc.boolean(),
      headerFrom: fc.constant("acme.example")
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 800 }), (rows) => {
        const counts = countsOf(rows, "2026-03-09", true)
        const sum = (of: (one: (typeof counts)[number]) => number) => counts.reduce((all, one) => all + of(one), 0)
        const given = (of: (one: (typeof rows)[number]) => boolean) =>
          rows.reduce((all, one) => all + (of(one) ? one.messages : 0), 0)
        assert.strictEqual(
          sum((one) => one.messages),
          given(() => true)
        )
        assert.strictEqual(
          sum((one) => one.aligned),
          given(({ dkim, spf }) => dkim || spf)
        )
        assert.strictEqual(
          sum((one) => one.rejected),
          given(({ disposition }) => disposition === "reject")
        )
        assert.isAtMost(counts.length, SOURCES_PER_REPORT_MAX + 1)
        assert.strictEqual(new Set(counts.map(({ ip }) => ip)).size, counts.length)
        const least = Math.min(...counts.filter(({ ip }) => ip !== OTHERS).map(({ messages }) => messages))
        if (counts.some(({ ip }) => ip === OTHERS)) assert.isAtLeast(least, 0)
        assert.strictEqual(
          bySource(counts).reduce((all, { messages }) => all + messages, 0),
          given(() => true)
        )
      }),
      { numRuns: 50 }
    )
  })
})

describe("blocklists", () => {
  it("a domain is asked for as it is, an address backwards", () => {
    assert.strictEqual(askedName({ zone: "dbl.test", of: "domain" }, "acme.example"), "acme.example.dbl.test")
    assert.strictEqual(askedName({ zone: "zen.test", of: "address" }, "192.0.2.25"), "25.2.0.192.zen.test")
  })

  it("only a list's own answers are listings, never its errors or another's addresses", () => {
    assert.strictEqual(meaningOf([]), "clear")
    for (const listed of ["127.0.0.2", "127.0.1.2", "127.0.0.10", "127.1.0.1"]) {
      assert.strictEqual(meaningOf([listed]), "listed")
    }
    fc.assert(
      fc.property(fc.ipV4(), fc.array(fc.constantFrom("127.0.0.2", "127.0.1.2")), (address, others) => {
        if (!address.startsWith("127.")) assert.strictEqual(meaningOf([address, ...others]), "refused")
      })
    )
    for (const error of ["127.255.255.252", "127.255.255.254", "127.255.255.255", "127.0.1.255", "127.0.0.1"]) {
      assert.strictEqual(meaningOf([error]), "refused")
      assert.strictEqual(meaningOf(["127.0.0.2", error]), "refused")
    }
  })
})

it("a rule is refused with everything that is wrong with it", () => {
  assert.deepStrictEqual(ruleIssues(DEFAULT_RULE), [])
  const wrong = { failingPercentMax: 0, failingMessagesMin: 1.5, pausesForDmarc: true, pausesForBlocklists: false }
  assert.deepStrictEqual(
    ruleIssues({ ...wrong, trustedServer: null }).map(({ path }) => path),
    ["failing_percent", "failing_messages", "trusted_server"]
  )
  assert.lengthOf(ruleIssues({ ...DEFAULT_RULE, trustedServer: "mx.acme.test; dmarc=pass" }), 1)
  assert.lengthOf(ruleIssues({ ...DEFAULT_RULE, pausesForDmarc: true, trustedServer: "mx.acme.test" }), 0)
})
