import { assert, describe, it } from "@effect/vitest"
import { hostsIn } from "@outbound/domain/kernel/text/hosts.js"

describe("the hosts of links and addresses in a text", () => {
  it.each<[string, string, ReadonlyArray<string>]>([
    ["a link", "see https://evil.example.com/x?y#z.", ["evil.example.com"]],
    ["a link with a user before its host", "https://acme.com@evil.net/", ["evil.net"]],
    ["a link of another scheme", "ftp://files.acme.com", ["files.acme.com"]],
    ["a link to a number", "http://127.0.0.1:8080/ and http://2130706433/", ["127.0.0.1"]],
    ["a domain alone", "Look at Evil.COM/now", ["evil.com"]],
    ["www", "www.evil.co.uk", ["www.evil.co.uk"]],
    ["an address", "write to ann@evil.io", ["evil.io"]],
    ["an address in a link", "mailto:ann@evil.io", ["evil.io"]],
    ["each host once, in order", "b.com a.com https://b.com/2", ["b.com", "a.com"]],
    ["a host that zero-width characters split", "ev\u200Bil.c\u00ADom", ["evil.com"]],
    ["an ideographic full stop", "evil\u3002com", ["evil.com"]],
    ["another script, as its registry writes it", "http://раураl.com", ["xn--l-7sba6dbr.com"]],
    ["no link: abbreviations, numbers, ends of sentences", "e.g. 3.14, Node.js, the end.Then v1.2", []],
    ["a host of many labels", `see ${"a.".repeat(40)}evil.com/x now`, [`${"a.".repeat(40)}evil.com`]],
    ["a host of one-letter labels", "a.b.c.d.e.f.g.h.i.j.k.l.m.evil.com", ["a.b.c.d.e.f.g.h.i.j.k.l.m.evil.com"]],
    [
      "a path without a scheme",
      "example.com/path?x=1, (evil.io/a) and <evil.shop>",
      ["example.com", "evil.io", "evil.shop"]
    ],
    ["a port", "evil.com:8080/x", ["evil.com"]],
    ["a number with a path", "10.0.0.1/x 1.2.3.4", ["10.0.0.1"]],
    [
      "unusual ends",
      "evil.museum evil.zip evil.xn--p1ai кремль.рф 例え.みんな",
      ["evil.museum", "evil.zip", "evil.xn--p1ai", "xn--e1ajeds9e.xn--p1ai", "xn--r8jz45g.xn--q9jyb4c"]
    ],
    [
      "a scheme that hardly anybody writes",
      "tg://resolve.evil.com/x https:/evil.net https:evil.org",
      ["resolve.evil.com", "evil.net", "evil.org"]
    ],
    ["an emoji before the dot", "i❤.ws/x", ["xn--i-7iq.ws"]],
    ["dots at its end", "evil.com... and evil.net.", ["evil.com", "evil.net"]],
    ["fullwidth letters", "ｅｖｉｌ．ｃｏｍ", ["evil.com"]],
    ["no text", "", []]
  ])("%s", (_name, text, hosts) => {
    assert.deepStrictEqual(hostsIn(text), hosts)
  })
})
