import { assert, describe, it } from "@effect/vitest"
import type { AttachedReport } from "@outbound/domain/outreach/mail/aggregateReport.js"
import { reportXml } from "@outbound/testkit/mail/reportXml.js"
import * as fc from "fast-check"
import { gzipSync } from "node:zlib"
import { readAggregate, REPORT_OCTETS_MAX, REPORT_ROWS_MAX } from "../../src/mail/aggregate.js"
import { readContent } from "../../src/mail/received.js"
import { GMX_XML, GOOGLE_XML, MAIL_RU_XML, MICROSOFT_XML, YAHOO_XML, zipOf } from "./reports.js"

const readIn = (xml: string) => readAggregate(Buffer.from(xml))

const reportIn = (read: AttachedReport) => {
  assert(read._tag === "Report", read._tag === "Unreadable" ? read.why : "")
  return read.report
}

const whyOf = (read: AttachedReport): string => (read._tag === "Unreadable" ? read.why : "it was read")

const counted = (read: AttachedReport) => {
  const { domain, organisation, rows } = reportIn(read)
  return [organisation, domain, ...rows.map(({ dkim, ip, messages, spf }) => [ip, messages, dkim, spf])]
}

describe("DMARC aggregate reports", () => {
  it("reports in the shapes of the large receivers are read", async () => {
    assert.deepStrictEqual(counted(await readIn(GOOGLE_XML)), [
      "google.com",
      "acme.example",
      ["192.0.2.10", 12, true, true],
      ["2001:db8::25", 3, true, false]
    ])
    assert.deepStrictEqual(counted(await readIn(MICROSOFT_XML)), [
      "outlook.com",
      "acme.example",
      ["192.0.2.11", 4, false, true],
      ["198.51.100.7", 1, false, false]
    ])
    assert.deepStrictEqual(counted(await readIn(YAHOO_XML)), ["yahoo", "acme.example", ["192.0.2.12", 9, true, true]])
    assert.deepStrictEqual(counted(await readIn(MAIL_RU_XML)), [
      "mail.ru",
      "acme.example",
      ["192.0.2.13", 2, true, true]
    ])
    assert.deepStrictEqual(counted(await readIn(GMX_XML)), ["gmx.net", "acme.example", ["192.0.2.14", 5, true, false]])
    const [, forged] = reportIn(await readIn(MICROSOFT_XML)).rows
    assert.deepInclude(forged, { disposition: "reject", headerFrom: "acme.example" })
  })

  it("any report that can be written is read back as it was, in every packing and encoding", async () => {
    const row = fc.record({
      ip: fc.oneof(fc.ipV4(), fc.constantFrom("2001:db8::1", "::1", "fe80::2")),
      messages: fc.integer({ min: 0, max: 1_000_000_000 }),
      disposition: fc.constantFrom("none" as const, "quarantine" as const, "reject" as const),
      dkim: fc.boolean(),
      spf: fc.boolean(),
      headerFrom: fc.constantFrom("acme.example", "mail.acme.example")
    })
    const report = fc.record({
      organisation: fc.stringMatching(/^[a-z<&. ]{0,20}[a-z]$/).map((text) => text.trim()),
      reportId: fc.stringMatching(/^[A-Za-z0-9<&@!._-]{1,40}$/),
      domain: fc.constantFrom("acme.example", "b.test"),
      beginMillis: fc.integer({ min: 1_000_000_000, max: 1_500_000_000 }).map((seconds) => seconds * 1_000),
      endMillis: fc.integer({ min: 1_500_000_001, max: 1_999_999_999 }).map((seconds) => seconds * 1_000),
      rows: fc.array(row, { maxLength: 5 })
    })
    const packings = [
      (xml: Buffer) => xml,
      (xml: Buffer) => gzipSync(xml),
      (xml: Buffer) => zipOf(xml),
      (xml: Buffer) => zipOf(xml, { isStored: true })
    ]
    const encodings = [
      (xml: string) => Buffer.from(xml),
      (xml: string) => Buffer.from(`\uFEFF${xml}`),
      (xml: string) => Buffer.from(`\uFEFF${xml}`, "utf16le"),
      (xml: string) => Buffer.from(xml, "utf16le"),
      (xml: string) => Buffer.from(`\uFEFF${xml}`, "utf16le").swap16()
    ]
    await fc.assert(
      fc.asyncProperty(
        report,
        fc.constantFrom(...packings),
        fc.constantFrom(...encodings),
        async (of, pack, encode) => {
          assert.deepStrictEqual(reportIn(await readAggregate(pack(encode(reportXml(of))))), of)
        }
      ),
      { numRuns: 200 }
    )
  })

  it("no octets make it fail, or take long", async () => {
    const whole = zipOf(Buffer.from(GOOGLE_XML))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.uint8Array({ maxLength: 200 }).map((rest) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), rest])),
          fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, octet]) => {
            const damaged = Buffer.from(whole)
            damaged[at] = octet
            return damaged
          }),
          fc.nat(whole.length).map((length) => whole.subarray(0, length)),
          fc.nat(GOOGLE_XML.length).map((length) => Buffer.from(GOOGLE_XML.slice(0, length)))
        ),
        async (octets) => {
          assert.include(["Report", "Unreadable"], (await readAggregate(octets))._tag)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("a bomb is unpacked no further than the limit", async () => {
    const bomb = Buffer.alloc(16 * REPORT_OCTETS_MAX, 0x20)
    const before = process.memoryUsage().rss
    assert.strictEqual(whyOf(await readAggregate(gzipSync(bomb))), "it is too large once unpacked")
    assert.strictEqual(whyOf(await readAggregate(zipOf(bomb, { claims: 10 }))), "it is too large once unpacked")
    assert.isBelow(process.memoryUsage().rss - before, 4 * bomb.length)
    assert.strictEqual(whyOf(await readAggregate(Buffer.alloc(REPORT_OCTETS_MAX + 1, 0x20))), "it is too large")
  })

  it("a document that declares a type or entities is refused, in every encoding", async () => {
    const laughs = `<?xml version="1.0"?><!DOCTYPE feedback [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><feedback>&b;</feedback>`
    const outside = GOOGLE_XML.replace("<feedback>", `<!DOCTYPE feedback SYSTEM "file:///etc/passwd"><feedback>`)
    for (const xml of [laughs, outside]) {
      for (const octets of [Buffer.from(xml), gzipSync(xml), Buffer.from(`\uFEFF${xml}`, "utf16le")]) {
        assert.strictEqual(whyOf(await readAggregate(octets)), "it declares a document type or entities")
      }
    }
    // Without a declaration an entity is only its own text.
    const named = reportIn(await readIn(GOOGLE_XML.replace("<org_name>google.com", "<org_name>&xxe;")))
    assert.strictEqual(named.organisation, "&xxe;")
  })

  it("broken files, and zips of several or locked files, are refused with the reason", async () => {
    assert.strictEqual(whyOf(await readAggregate(gzipSync(GOOGLE_XML).subarray(0, 60))), "it can't be unpacked")
    assert.strictEqual(whyOf(await readAggregate(Buffer.from("PK\u0003\u0004nothing"))), "its zip has no end")
    assert.strictEqual(
      whyOf(await readAggregate(zipOf(Buffer.from(GOOGLE_XML), { files: 2 }))),
      "its zip does not hold one file"
    )
    assert.strictEqual(whyOf(await readAggregate(zipOf(Buffer.from(GOOGLE_XML), { flags: 1 }))), "its zip is encrypted")
    assert.strictEqual(whyOf(await readIn("<html><body>Hello</body></html>")), "it is no well-formed report")
    assert.strictEqual(whyOf(await readIn(GOOGLE_XML.slice(0, -30))), "it is no well-formed report")
  })

  it("numbers that are none, and counts without end, are refused", async () => {
    const changed = (from: string, to: string) => readIn(GOOGLE_XML.replace(from, to)).then(whyOf)
    for (const count of ["-1", "1e9", "12.5", "", "99999999999", "0x10"]) {
      assert.strictEqual(await changed("<count>12</count>", `<count>${count}</count>`), "it has no valid count")
    }
    assert.strictEqual(await changed("192.0.2.10", "192.0.2.999"), "it has no valid source address")
    assert.strictEqual(await changed("<begin>1772841600</begin>", "<begin>soon</begin>"), "it has no valid beginning")
    assert.strictEqual(
      await changed("<begin>1772841600</begin>", "<begin>1872841600</begin>"),
      "it ends before it begins"
    )
    assert.strictEqual(await changed("<domain>acme.example</domain>", ""), "it has no valid domain")
    assert.strictEqual(await changed("<org_name>google.com</org_name>", ""), "it has no valid organisation")
    const record = GOOGLE_XML.slice(GOOGLE_XML.indexOf("<record>"), GOOGLE_XML.indexOf("</record>") + 9)
    const many = record.replace(/<auth_results>[^]*<\/auth_results>/, "").replace(/\s+/g, "")
    const endless = await readIn(GOOGLE_XML.replace("</feedback>", `${many.repeat(REPORT_ROWS_MAX)}</feedback>`))
    assert.strictEqual(whyOf(endless), `it has more than ${REPORT_ROWS_MAX} rows`)
  })

  it("a report is found in a mail by the header or the file's name: as the whole mail, attached, or of no known type", async () => {
    const raw = (head: ReadonlyArray<string>, body: string) => Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
    const gz = gzipSync(GOOGLE_XML).toString("base64")
    const file = "google.com!acme.example!1772841600!1772927999"
    const subject = "Subject: Report domain: acme.example Submitter: google.com Report-ID: 1"
    const attached = (type: string, name: string) =>
      [`--b`, `Content-Type: ${type}; name="${name}"`, "Content-Transfer-Encoding: base64"].join("\r\n") +
      `\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${gz}\r\n--b--\r\n`
    const mixed = `Content-Type: multipart/mixed; boundary=b`
    const mails = [
      raw(
        [subject, `Content-Type: application/zip; name="${file}.zip"`, "Content-Transfer-Encoding: base64"],
        zipOf(Buffer.from(GOOGLE_XML)).toString("base64")
      ),
      raw([subject, mixed], attached("application/gzip", `${file}.xml.gz`)),
      raw(["Subject: DMARC", mixed], attached("application/octet-stream", `${file}.xml.gz`)),
      raw([subject, mixed], attached("application/octet-stream", "report.gz"))
    ]
    for (const one of mails) {
      const { aggregate } = await readContent(one, false)
      assert.strictEqual(aggregate === undefined ? null : reportIn(aggregate).organisation, "google.com")
    }
    const cutOff = await readContent(mails[1]!.subarray(0, 500), true)
    assert.include(cutOff.aggregate === undefined ? "" : whyOf(cutOff.aggregate), "the message is too long")
    const bare = await readContent(raw([subject, "Content-Type: text/plain"], "See attached."), false)
    assert.strictEqual(
      bare.aggregate === undefined ? "" : whyOf(bare.aggregate),
      "it has no attachment of a known type"
    )
    const other = await readContent(raw(["Subject: Our offer", mixed], attached("application/zip", "offer.zip")), false)
    assert.isUndefined(other.aggregate)
  })
})
