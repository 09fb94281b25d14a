import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { askNames } from "../../../src/outreach/authentication/askNames.js"
import {
  checkVitals,
  COMMON_SELECTORS,
  judgeDkim,
  judgeDmarc,
  judgeMx,
  judgeSpf
} from "../../../src/outreach/authentication/vitals.js"
import { SPF_LOOKUPS_MAX } from "../../../src/outreach/domains/spf.js"
import { type DomainRecords, RecordsUnavailable } from "../../../src/outreach/mail/DomainRecords.js"

const NOW = Date.UTC(2027, 0, 4)
const DOMAIN = "acme.com"

/** Name servers that have these TXT records and mail servers; `null` at a name: they do not answer. */
const served = (txt: Readonly<Record<string, ReadonlyArray<string> | null>>, mx: ReadonlyArray<string> | null = []) => {
  const asked: Array<string> = []
  const answer = (texts: ReadonlyArray<string> | null) =>
    texts === null ? Effect.fail(new RecordsUnavailable({ cause: "none" })) : Effect.succeed(texts)
  const records: DomainRecords["Service"] = {
    mx: () => answer(mx),
    txt: (name) => {
      asked.push(name)
      return answer(txt[name] === undefined ? [] : txt[name])
    },
    a: () => Effect.succeed([]),
    cname: () => Effect.succeed([])
  }
  return { records, asked }
}

describe("what stands in the DNS", () => {
  it("of mail servers is good where one takes mail: a root name alone says that none does", () => {
    assert.deepInclude(judgeMx(DOMAIN, ["a.test", "", ".", "b.test"]), { state: "good", found: "a.test, b.test" })
    for (const none of [[], ["."], [""]]) {
      const { advice, found, name, state } = judgeMx(DOMAIN, none)
      assert.deepStrictEqual([name, state, found], ["mx", "missing", null])
      assert.match(advice ?? "", /^acme\.com has no MX records/)
    }
  })

  it("of SPF is good with one record that ends for others, or sends to one that does", () => {
    for (const good of [
      "v=spf1 -all",
      "V=SPF1 include:x.test ~ALL",
      "v=spf1 redirect=x.test",
      "v=spf1 -all exp=x.test"
    ]) {
      assert.deepStrictEqual(judgeSpf(DOMAIN, ["other", good]), {
        name: "spf",
        state: "good",
        found: good,
        advice: null
      })
    }
    for (const weak of ["v=spf1", "v=spf1 +all", "v=spf1 ?all", "v=spf1 include:-all", "v=spf1 xredirect=x.test"]) {
      const { advice, found, state } = judgeSpf(DOMAIN, [weak])
      assert.deepStrictEqual([state, found], ["weak", weak])
      assert.match(advice ?? "", /allows every server/)
    }
    for (const none of [[], ["v=spf10 -all"], ["x v=spf1 -all"]]) {
      assert.match(judgeSpf(DOMAIN, none).advice ?? "", /^acme\.com has no SPF record/)
      assert.deepInclude(judgeSpf(DOMAIN, none), { state: "missing", found: null })
    }
    const two = judgeSpf(DOMAIN, ["v=spf1 -all", "v=spf1 ~all"])
    assert.deepInclude(two, { state: "weak", found: "v=spf1 -all | v=spf1 ~all" })
    assert.match(two.advice ?? "", /has 2 SPF records/)
    assert.lengthOf(judgeSpf(DOMAIN, [`v=spf1 -all ${"x".repeat(600)}`]).found ?? "", 500)
  })

  it("of DKIM is good with one key that is not revoked; a key that is named must be there, another one may be", () => {
    const at = (...keys: ReadonlyArray<readonly [selector: string, ...texts: ReadonlyArray<string>]>) =>
      keys.map(([selector, ...texts]) => ({ selector, texts }))
    const key = "v=DKIM1; k=rsa; p=AAAA"
    assert.deepInclude(judgeDkim(DOMAIN, true, at(["a", key], ["b", "p=BBBB"], ["c"])), {
      state: "good",
      found: "a, b"
    })
    assert.deepInclude(judgeDkim(DOMAIN, true, at(["a", "v=DKIM1; p="], ["b", key])), { state: "good", found: "b" })
    for (const revoked of ["v=DKIM1; p=", "p= ; k=rsa", "v=DKIM1; P=;"]) {
      const found = judgeDkim(DOMAIN, false, at(["a", revoked], ["b"]))
      assert.deepInclude(found, { state: "weak", found: "a" }, revoked)
      assert.match(found.advice ?? "", /of acme\.com at a is revoked/)
    }
    for (const none of [[], ["v=DKIM2; p=AAAA"], ["k=rsa"], ["v=spf1 -all"]]) {
      const named = judgeDkim(DOMAIN, true, at(["a", ...none], ["b"]))
      assert.deepInclude(named, { state: "missing", found: null })
      assert.match(named.advice ?? "", /at a\._domainkey\.acme\.com \(checked: a, b\)/)
      const usual = judgeDkim(DOMAIN, false, at(["a", ...none], ["b"]))
      assert.deepInclude(usual, { state: "unknown", found: null })
      assert.match(usual.advice ?? "", /usual selectors \(a, b\)/)
    }
    assert.include(judgeDkim(DOMAIN, true, []).advice, "at <selector>._domainkey.acme.com")
  })

  it("of DMARC is good with one record that has a policy", () => {
    for (const good of ["v=DMARC1; p=none", "V = dmarc1 ;P=Reject; rua=x", "v=DMARC1;p=quarantine;"]) {
      assert.deepInclude(judgeDmarc(DOMAIN, [good, "other"]), { state: "good", found: good, advice: null })
    }
    for (const weak of ["v=DMARC1", "v=DMARC1; p=nonesuch", "v=DMARC1; sp=none"]) {
      assert.deepInclude(judgeDmarc(DOMAIN, [weak]), { state: "weak", found: weak })
      assert.match(judgeDmarc(DOMAIN, [weak]).advice ?? "", /has no policy/)
    }
    for (const none of [[], ["v=DMARC10; p=none"], ["x v=DMARC1; p=none"]]) {
      assert.deepInclude(judgeDmarc(DOMAIN, none), { state: "missing", found: null })
      assert.match(judgeDmarc(DOMAIN, none).advice ?? "", /at _dmarc\.acme\.com/)
    }
    const two = judgeDmarc(DOMAIN, ["v=DMARC1; p=none", "v=DMARC1; p=reject"])
    assert.deepInclude(two, { state: "weak", found: "v=DMARC1; p=none | v=DMARC1; p=reject" })
    assert.match(two.advice ?? "", /has 2 DMARC records/)
  })
})

describe("the look at a domain", () => {
  const states = (domain: string, world: ReturnType<typeof served>, selectors: ReadonlyArray<string> = []) =>
    Effect.map(checkVitals(world.records, domain, selectors), (vitals) =>
      Object.fromEntries(vitals.map(({ name, state }) => [name, state]))
    )

  it.effect("asks for each record, for the selectors that are named and the usual ones, each once", () =>
    Effect.gen(function* () {
      const world = served({}, ["mx.test"])
      const found = yield* states(DOMAIN, world, ["own", "google"])
      assert.deepStrictEqual(found, { mx: "good", spf: "missing", dkim: "missing", dmarc: "missing" })
      const keys = world.asked.filter((name) => name.includes("_domainkey"))
      assert.sameMembers(
        keys,
        ["own", ...COMMON_SELECTORS].map((selector) => `${selector}._domainkey.acme.com`)
      )
      assert.deepInclude(yield* states(DOMAIN, served({})), { dkim: "unknown" })
      const usual = "google selector1 selector2 default dkim mail k1 s1 s2 fm1 zoho protonmail"
      assert.deepStrictEqual([...COMMON_SELECTORS], usual.split(" "))
    })
  )

  it.effect("takes the policy of the organisation for a subdomain without one, and asks for no other", () =>
    Effect.gen(function* () {
      const [own, theirs] = ["_dmarc.mail.acme.com", "_dmarc.acme.com"]
      assert.deepInclude(yield* states("mail.acme.com", served({ [theirs]: ["v=DMARC1; p=none"] })), { dmarc: "good" })
      const weak = served({ [own]: ["v=DMARC1"], [theirs]: ["v=DMARC1; p=none"] })
      assert.deepInclude(yield* states("mail.acme.com", weak), { dmarc: "weak" })
      assert.notInclude(weak.asked, theirs)
      const inside = served({})
      yield* states("internal", inside)
      assert.lengthOf(
        inside.asked.filter((name) => name.startsWith("_dmarc.")),
        1
      )
      const none = served({})
      yield* states(DOMAIN, none)
      assert.lengthOf(
        none.asked.filter((name) => name === theirs),
        1
      )
    })
  )

  it.effect("says of what was not answered that it is unknown, and judges the rest", () =>
    Effect.gen(function* () {
      const spf = { [DOMAIN]: ["v=spf1 -all"] }
      assert.deepInclude(yield* states(DOMAIN, served(spf, null)), { mx: "unknown", spf: "good" })
      assert.deepInclude(yield* states(DOMAIN, served({ [DOMAIN]: null }, ["m"])), { mx: "good", spf: "unknown" })
      assert.deepInclude(yield* states(DOMAIN, served({ "_dmarc.acme.com": null })), { dmarc: "unknown" })
      assert.deepInclude(yield* states(DOMAIN, served({ "google._domainkey.acme.com": null })), { dkim: "unknown" })
    })
  )
})

describe("what counts of a domain's records", () => {
  const KEY = ["v=DKIM1; p=AAAA"]
  const GOOD = { [DOMAIN]: ["v=spf1 -all"], "_dmarc.acme.com": ["v=DMARC1; p=none"], "google._domainkey.acme.com": KEY }
  const seen = (signer: string, selector = "google") => ({ signer, selector })
  const look = (
    txt: Readonly<Record<string, ReadonlyArray<string> | null>>,
    known: Partial<Parameters<typeof askNames>[2]> = {},
    domain = DOMAIN
  ) =>
    Effect.map(
      askNames(served(txt, ["mx.test"]).records, domain, { selectors: [], seen: [], ...known }, NOW),
      (found) =>
        Object.fromEntries(
          Object.entries(found).map(([name, one]): [string, ReadonlyArray<unknown>] => [
            name,
            [one.status, one.aligned]
          ])
        )
    )

  it.effect("is aligned as far as it is proven: SPF by its record, DKIM by mail that was seen, DMARC by either", () =>
    Effect.gen(function* () {
      const all = { spf: ["pass", true], dkim: ["pass", null], dmarc: ["pass", true], mx: ["pass", null] }
      assert.deepStrictEqual(yield* look(GOOD), all)
      assert.deepStrictEqual(yield* look(GOOD, { seen: [seen(DOMAIN)] }), { ...all, dkim: ["pass", true] })
      const { [DOMAIN]: _, ...others } = GOOD
      assert.deepInclude(yield* look(others), { spf: ["missing", null], dmarc: ["pass", null] })
      assert.deepInclude(yield* look(others, { seen: [seen(DOMAIN)] }), { dkim: ["pass", true], dmarc: ["pass", true] })
      assert.deepInclude(yield* look({ ...GOOD, "_dmarc.acme.com": ["v=DMARC1"] }), { dmarc: ["fail", null] })
      assert.deepInclude(yield* look({ ...GOOD, [DOMAIN]: ["v=spf1"] }), { spf: ["fail", null] })
    })
  )

  it.effect("of a signature by others fails, unless a key of the domain's own stands there by now", () =>
    Effect.gen(function* () {
      const { "google._domainkey.acme.com": _, ...without } = GOOD
      const known = { seen: [seen("other.com", "s1")] }
      const found = yield* askNames(served(without, []).records, DOMAIN, { selectors: [], ...known }, NOW)
      assert.deepInclude(found.dkim, { status: "fail", aligned: false, checkedAtMillis: NOW })
      assert.match(found.dkim.detail, /signed by other\.com \(selector s1\) and not by acme\.com/)
      assert.deepInclude(yield* look(GOOD, known), { dkim: ["pass", null] })
      // A key of theirs is none of the domain's, and two names inside of a network are two organisations.
      assert.deepInclude(yield* look({ ...without, "s1._domainkey.other.com": KEY }, known), { dkim: ["fail", false] })
      assert.deepInclude(yield* look({}, { seen: [seen("other")] }, "internal"), { dkim: ["fail", false] })
      assert.deepInclude(yield* look({}, { seen: [seen("internal")] }, "internal"), { dkim: ["missing", null] })
      assert.deepInclude(yield* look(without, { seen: [seen("other.com"), seen(DOMAIN)] }), { dkim: ["missing", null] })
    })
  )

  it.effect("of a signature by the organisation's other name is its key there", () =>
    Effect.gen(function* () {
      const elsewhere = { [DOMAIN]: ["v=spf1 -all"], "k9._domainkey.mail.acme.com": KEY }
      assert.deepInclude(yield* look(elsewhere, { seen: [seen("mail.acme.com", "k9")] }), { dkim: ["pass", true] })
      assert.deepInclude(yield* look(elsewhere, { seen: [seen("mail.acme.com", "k8")] }), { dkim: ["missing", null] })
      assert.deepInclude(yield* look(GOOD, { seen: [seen("mail.acme.com", "k8")] }), { dkim: ["pass", true] })
      const above = { "k9._domainkey.acme.com": KEY }
      assert.deepInclude(yield* look(above, { seen: [seen(DOMAIN, "k9")] }, "mail.acme.com"), { dkim: ["pass", true] })
      // The domain's own signature is looked for at the domain itself.
      const both = { seen: [seen("mail.acme.com", "k9"), seen(DOMAIN, "k9")] }
      assert.deepInclude(yield* look(elsewhere, both), { dkim: ["missing", null] })
      assert.deepInclude(yield* look({ "k7._domainkey.acme.com": KEY }, { selectors: ["k7"] }), {
        dkim: ["pass", null]
      })
    })
  )

  it.effect("of an SPF record that takes too many look-ups fails, and one that can't be counted stays as it is", () =>
    Effect.gen(function* () {
      const spf = (count: number) => [
        `v=spf1 ${Array.from({ length: count }, (_, i) => `exists:e${i}.test`).join(" ")} -all`
      ]
      assert.deepInclude(yield* look({ [DOMAIN]: spf(SPF_LOOKUPS_MAX) }), { spf: ["pass", true] })
      assert.deepInclude(yield* look({ [DOMAIN]: spf(SPF_LOOKUPS_MAX + 1) }), { spf: ["fail", null] })
      const [open] = spf(SPF_LOOKUPS_MAX + 1)
      const weak = served({ [DOMAIN]: [(open ?? "").replace(" -all", "")] })
      const found = yield* askNames(weak.records, DOMAIN, { selectors: [], seen: [seen(DOMAIN)] }, NOW)
      assert.match(found.spf.detail, /allows every server/)
      assert.lengthOf(weak.asked, new Set(weak.asked).size)
      const silent = { [DOMAIN]: ["v=spf1 include:silent.test -all"], "silent.test": null }
      assert.deepInclude(yield* look(silent), { spf: ["pass", true] })
    })
  )

  it.effect("is told as it was found, or what to do about it, without what can't be stored", () =>
    Effect.gen(function* () {
      const { records } = served({ [DOMAIN]: ["v=spf1 x\u0000\ud800 -all"] }, ["mx.test"])
      const found = yield* askNames(records, DOMAIN, { selectors: [], seen: [] }, NOW)
      for (const char of ["\u0000", "\ud800"]) assert.notInclude(found.spf.detail, char)
      assert.strictEqual(found.mx.detail, "mx.test")
      assert.match(found.dmarc.detail, /no DMARC record/)
    })
  )
})
