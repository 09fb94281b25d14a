import { assert, describe, it } from "@effect/vitest"
import { hostOf, readDomain, readSuppressible, registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { Result } from "effect"
import * as fc from "fast-check"

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?$/

/** The host as the platform's parser of URLs understands it. */
const parsed = (text: string): string | null => {
  if (!URL.canParse(`http://${text}`)) return null
  const host = new URL(`http://${text}`).hostname.replace(/\.$/, "").toLowerCase()
  const labels = host.split(".")
  // The parser makes an IP address of a name that ends with a number. No top-level domain begins with one or has an underscore.
  if (/^\d|_/.test(labels.at(-1) ?? "")) return null
  return labels.length >= 2 && host.length <= 253 && labels.every((label) => LABEL.test(label)) ? host : null
}

const label = fc.string({ unit: fc.constantFrom(..."abzAZ019-_xn\u212a\u017f"), minLength: 1, maxLength: 8 })
const hosts = fc
  .array(fc.oneof(label, fc.constantFrom("xn--mgba", "0x7f", "1", "255", "com", "a".repeat(63), "a".repeat(64))), {
    minLength: 1,
    maxLength: 5
  })
  .map((labels) => labels.join("."))

describe("the host of a domain", () => {
  it("is what a parser of URLs makes of it, however plain it looks", () => {
    fc.assert(
      fc.property(hosts, (text) => {
        assert.strictEqual(hostOf(text), parsed(text), text)
      }),
      { numRuns: 2_000 }
    )
  })

  it.each<[string, string | null]>([
    ["Example.COM", "example.com"],
    ["1.2.3.4.example", "1.2.3.4.example"],
    ["example.0x7f", null],
    ["example", null],
    [`${"a.".repeat(126)}com`, null],
    ["\u212aelvin.com", "kelvin.com"]
  ])("%s", (text, host) => {
    assert.strictEqual(hostOf(text), host)
  })
})

describe("a domain or URL", () => {
  it.each<[string, string]>([
    ["https://www.acme.test/about?x=1#y", "acme.test"],
    ["acme.test:8080/", "acme.test"],
    ["acme.test.", "acme.test"],
    ["https://medium.test/@ann", "medium.test"],
    ["shop.acme.co.uk", "acme.co.uk"],
    ["https://my_shop.acme.test", "acme.test"],
    ["job_change-1.test", "job_change-1.test"],
    ["https://ann:secret@acme.test/", "acme.test"],
    ["https://acme.test@evil.test/", "evil.test"],
    ["b\u00FCcher.test", "xn--bcher-kva.test"]
  ])("%s is of %s", (text, domain) => {
    assert.strictEqual(registrableDomain(text), domain)
  })

  it.each<[string, RegExp]>([
    ["ann@gmail.com", /is an email address, not a domain/],
    ['"ann"@gmail.com', /is an email address, not a domain/],
    ["<ann@gmail.com>", /is an email address, not a domain/],
    ["mailto:ann@gmail.com", /is an email address, not a domain/],
    ["ann:secret@acme.test/", /"@" before its host/],
    ["acme.test\nsales", /line break/],
    ["ac\tme.test", /tab/],
    ["acme.test\\@evil.test", /slash|"@"/],
    ["12.5", /IP address/],
    ["http://0x7f000001/", /IP address/],
    ["http://[::1]/", /IP address|port/],
    ["acme%2etest", /"%"/],
    ["co.uk", /suffix/],
    ["uk.com", /suffix/],
    ["github.io", /suffix/],
    ["onmicrosoft.com", /suffix/],
    ["localhost", /no dot/],
    ["acme..test", /two dots/]
  ])("%j is none, and its mistake is named", (text, words) => {
    assert.match(Result.getOrThrow(Result.flip(readDomain(text))), words)
  })

  it("of a whole provider of mail can't be suppressed", () => {
    for (const text of ["gmail.com", "https://www.yahoo.co.uk", "mail.gmx.de", "ann@gmail.com"]) {
      assert.isTrue(Result.isFailure(readSuppressible(text)), text)
    }
    assert.deepStrictEqual(readSuppressible("www.acme.test"), Result.succeed("acme.test"))
  })

  it("under a suffix of strangers is the stranger's", () => {
    for (const suffix of [
      "uk.com",
      "co.com",
      "github.io",
      "blogspot.com",
      "onmicrosoft.com",
      "zendesk.com",
      "wordpress.com"
    ]) {
      assert.strictEqual(registrableDomain(`mail.acme.${suffix}`), `acme.${suffix}`)
    }
    for (const own of ["zendesk.com", "www.zendesk.com"]) assert.strictEqual(registrableDomain(own), "zendesk.com")
  })
})
