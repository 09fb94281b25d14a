import { assert, describe, it } from "@effect/vitest"
import { readTxt } from "@outbound/adapters/dns/txtText.js"
import { readAggregate } from "@outbound/adapters/mail/aggregate.js"
import { readXml } from "@outbound/adapters/platform/readXml.js"
import { readPersonio } from "@outbound/adapters/providers/boards/personio.js"
import { readFeed } from "@outbound/adapters/providers/feeds/readFeed.js"
import { plainText } from "@outbound/adapters/providers/open/texts.js"
import { textOfHtml } from "@outbound/adapters/providers/sending/html.js"
import { isSupported, verbatim } from "@outbound/adapters/providers/web/support.js"
import { extract } from "@outbound/adapters/site/extract.js"
import { markupOf } from "@outbound/adapters/site/markup.js"
import { publishedOn } from "@outbound/adapters/site/published.js"
import { robotsIn } from "@outbound/adapters/site/Robots.js"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import { roleOf } from "@outbound/domain/data/matching/Roles.js"
import { addressesIn } from "@outbound/domain/kernel/people/addresses.js"
import { companyOf } from "@outbound/domain/kernel/people/companyOf.js"
import { readCountry } from "@outbound/domain/kernel/people/Countries.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Table } from "@outbound/domain/kernel/tables/Table.js"
import { givenValue } from "@outbound/domain/kernel/people/givenValues.js"
import { hostsIn } from "@outbound/domain/kernel/text/hosts.js"
import { partsOf } from "@outbound/domain/kernel/text/signs.js"
import { contentFlags } from "@outbound/domain/outreach/meaning/contentFlags.js"
import { termsOf } from "@outbound/domain/outreach/evidence/quantities.js"
import { decodeUtf7 } from "@outbound/sandbox/mail/imapWire.js"
import * as fc from "fast-check"
import { gzipSync } from "node:zlib"

const OCTETS = 32 * 1024
/** What repeats itself may cost as much of the processor for each KB; the work of the square of its size costs far more. */
const MILLIS_PER_KB_MAX = 4

const repeated = (unit: string): string => unit.repeat(Math.ceil(OCTETS / unit.length)).slice(0, OCTETS)

/** Everything that reads what strangers wrote, mail apart (`mailCost.test.ts`), and what stands before their text. */
const READERS: ReadonlyArray<readonly [string, string, (text: string) => unknown]> = [
  ["a page's text", "", extract],
  ["a page's markup", "", markupOf],
  ["a page's data", '<script type="application/ld+json">', markupOf],
  ["a page's date", "", publishedOn],
  ["a date in a page", '<meta name="date" content="2026', publishedOn],
  ["a sentence of a page", "", (text) => supported(`We run the ports of the north ${text}`)],
  ["a feed", "<rss><channel>", readFeed],
  ["an entry of a feed", "<rss><channel><item><title>", readFeed],
  ["a posting's words", "", plainText],
  ["Personio's feed", "<workzag-jobs><position>", (text) => attempted(() => readPersonio(text, "https://acme.test"))],
  ["an XML document", "<feedback>", (text) => readXml(text)],
  ["a vendor's copy of an answer", "", textOfHtml],
  ["what an answer hides", "", (text) => contentFlags("", text)],
  ["a style", '<p style="', (text) => contentFlags("", text)],
  ["a title", "", titleFits(["VP Sales", "CTO", "Head of Growth"])],
  ["a role", "", roleOf],
  ["a country", "x", readCountry],
  ["a domain", "", registrableDomain],
  ["an address", "", usableEmail],
  ["an address's company", "ann@", companyOf],
  ["addresses in a text", "", addressesIn],
  ["hosts in a text", "", hostsIn],
  ["signs in a text", "", partsOf],
  ["a value of a person", "", (text) => givenValue("company_name", `${text}x`)],
  ["what a source says", "", (text) => termsOf(`${text}x`)],
  ["a TXT value of a DNS host", '"', readTxt],
  ["a mailbox's name", "", decodeUtf7],
  ["a table", "email,name\n", (text) => rowsOf(text)]
]

const supported = (text: string): unknown => {
  const quotation = verbatim("We run the ports of the north", text)
  return quotation === null ? null : isSupported(quotation, quotation, ["acme"])
}

const attempted = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return null
  }
}

const rowsOf = (text: string): number => {
  const table = new Table({ isHeading: (cell) => cell === "email" })
  return table.push(text).length + table.end().length
}

/** What is repeated: each sign that means something to a reader, and each beginning without its end. */
const UNITS: ReadonlyArray<string> = [
  ..."a0 \n<>&\"'.,;:/\\@#?=+-_()[]{}|*%",
  "\u200B",
  "\u0301",
  "\u3000",
  "... ",
  "A ",
  "а.",
  "<a",
  "&lt;a",
  "</a>",
  "<div>",
  "<item>",
  "<item><title>a</title>",
  "<value>a</value>",
  "<a href='",
  "<b>a</b>",
  "<!--",
  "<![CDATA[",
  "<script>",
  "<style>",
  "<br",
  "<time pubdate datetime",
  "/*a",
  "&#1",
  "a@",
  "a.b/",
  "http://a.b ",
  '"a",',
  '\\"',
  '"a\n'
]

const costOnce = (read: (text: string) => unknown, text: string): number => {
  const before = process.cpuUsage()
  read(text)
  return process.cpuUsage(before).user / 1_000 / (text.length / 1_024)
}

/** Beside other work, and before it is compiled, the same work takes twice the time of the processor: what costs too much does so each time. */
const costOf = (read: (text: string) => unknown, text: string): number => {
  let least = costOnce(read, text)
  for (let again = 0; again < 3 && least >= MILLIS_PER_KB_MAX; again++) least = Math.min(least, costOnce(read, text))
  return least
}

describe("what strangers wrote", () => {
  for (const [name, head, read] of READERS) {
    it(`costs no more than its size, whatever it repeats: ${name}`, () => {
      // What is made at the first call alone, such as a table of names, is no cost of the text.
      read(`${head}ab`)
      for (const unit of UNITS) {
        assert.isBelow(costOf(read, head + repeated(unit)), MILLIS_PER_KB_MAX, JSON.stringify(unit))
      }
    })
  }

  it("costs no more than its size, whatever stands before and behind what it repeats", () => {
    const units = fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 3 }).map((some) => some.join(""))
    fc.assert(
      fc.property(fc.constantFrom(...READERS), units, units, units, ([, head, read], before, unit, behind) => {
        assert.isBelow(costOf(read, head + before + repeated(unit) + behind), MILLIS_PER_KB_MAX)
      }),
      { numRuns: 60 }
    )
  })

  it("costs a bounded time for each address, whatever a robots.txt forbids, and what takes longer is not asked for", () => {
    const site = new URL("https://acme.test/robots.txt")
    const path = new URL(`https://acme.test/${"a".repeat(980)}`)
    const rules = (rule: string, octets: number) =>
      `User-agent: *\n${`Disallow: /${rule}\n`.repeat(Math.ceil(octets / (rule.length + 12)))}`
    const costly = (text: string): number => {
      const before = process.cpuUsage()
      robotsIn(site, text, "outbound").allows(path)
      return process.cpuUsage(before).user / 1_000
    }
    for (const rule of [`*${"a".repeat(1_000)}`, "*a".repeat(500), `${"*".repeat(1_000)}b`, "*a", "a".repeat(1_000)]) {
      assert.isBelow(costly(rules(rule, 512 * 1024)), 500, rule.slice(0, 9))
      assert.isBelow(costly(rules(rule, 60 * 1024)), 500, rule.slice(0, 9))
    }
    assert.isFalse(robotsIn(site, rules("*x", 512 * 1024), "outbound").allows(path))
    assert.isTrue(robotsIn(site, rules("*x", 512 * 1024), "outbound").allows(new URL("https://acme.test/a")))
    assert.isTrue(robotsIn(site, rules("*x", 60 * 1024), "outbound").allows(path))
    assert.isTrue(robotsIn(site, rules("x", 512 * 1024), "outbound").allows(path))
  })

  it("costs no more than its bound, however small it was packed", async () => {
    const packed = gzipSync(Buffer.from(`<feedback>${"<record>".repeat(2_000_000)}`))
    assert.isBelow(packed.length, 64 * 1024)
    let least = Infinity
    for (let again = 0; again < 3 && least >= 500; again++) {
      const before = process.cpuUsage()
      assert.deepStrictEqual(await readAggregate(packed), { _tag: "Unreadable", why: "it is too large once unpacked" })
      least = Math.min(least, process.cpuUsage(before).user / 1_000)
    }
    assert.isBelow(least, 500)
  })
})
