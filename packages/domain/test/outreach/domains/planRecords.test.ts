import { assert, describe, it } from "@effect/vitest"
import { countSpfLookups, mergeSpf } from "../../../src/outreach/domains/spf.js"
import { changesOf, isGreen, mergeDmarc, planRecords } from "../../../src/outreach/domains/planRecords.js"
import { standingOf } from "../../../src/outreach/domains/standing.js"
import type { RecordSet, Wishes } from "../../../src/outreach/domains/Wishes.js"
import { type GivenDomain, wishesOf } from "../../../src/outreach/domains/wishesOf.js"
import { Effect, Result } from "effect"

const KEY = "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC"

const wishes: Wishes = {
  domain: "acme.example",
  spf: ["include:_spf.google.com"],
  dkim: [{ selector: "google", type: "TXT", value: KEY }],
  reportsTo: "dmarc@acme.example",
  mx: ["1 smtp.google.com"]
}

const DKIM_NAME = "google._domainkey.acme.example"

const planOf = (sets: ReadonlyArray<RecordSet>, of: Wishes = wishes) =>
  planRecords(of, (name) => sets.filter((set) => set.name === name))

const set = (name: string, type: string, ...values: ReadonlyArray<string>): RecordSet => ({ name, type, values })

const actions = (plan: ReturnType<typeof planOf>) => Object.fromEntries(plan.map(({ action, kind }) => [kind, action]))

describe("the plan of a domain's records", () => {
  it("an empty zone gets every record, and then needs none", () => {
    const plan = planOf([])
    assert.deepStrictEqual(actions(plan), { spf: "create", dkim: "create", dmarc: "create", mx: "create" })
    assert.deepStrictEqual(
      plan.flatMap(({ after }) => after),
      [
        "v=spf1 include:_spf.google.com ~all",
        KEY,
        "v=DMARC1; p=none; rua=mailto:dmarc@acme.example",
        "1 smtp.google.com"
      ]
    )
    const then = planOf(plan.map(({ after, name, type }) => set(name, type, ...after)))
    assert.isTrue(isGreen(then))
    assert.deepStrictEqual(changesOf(then), [])
  })

  it("there is never a second SPF record, and other texts stay", () => {
    const found = ["site-verification=1", "v=spf1 include:old.example -all"]
    const spf = planOf([set("acme.example", "TXT", ...found)]).find(({ kind }) => kind === "spf")
    assert.strictEqual(spf?.action, "merge")
    assert.deepStrictEqual(spf?.before, found)
    assert.deepStrictEqual(spf?.after, [
      "site-verification=1",
      "v=spf1 include:old.example include:_spf.google.com -all"
    ])
  })

  it("what can't be completed without taking something away is left to a person, with the reason", () => {
    const conflicts = planOf([
      set("acme.example", "TXT", "v=spf1 -all", "v=spf1 ~all"),
      set("acme.example", "MX", "10 mx.other.example"),
      set("_dmarc.acme.example", "CNAME", "dmarc.other.example"),
      set(DKIM_NAME, "TXT", "v=DKIM1; p=T1RIRVI=")
    ])
    assert.deepStrictEqual(actions(conflicts), { spf: "conflict", dkim: "conflict", dmarc: "conflict", mx: "conflict" })
    for (const { reason } of conflicts) assert.match(reason ?? "", /\.$/)
    assert.deepStrictEqual(changesOf(conflicts), [])
    const special = planOf([{ ...set("acme.example", "TXT", "v=spf1 -all"), isSpecial: true }])
    assert.strictEqual(actions(special)["spf"], "conflict")
  })

  it("a key in another order or with other spaces is the same key; MX by its hosts", () => {
    const plan = planOf([
      set(DKIM_NAME, "TXT", KEY.replace("v=DKIM1; k=rsa; p=", "p=").replace("MIIB", "MIIB ")),
      set("acme.example", "MX", "10 SMTP.google.com.")
    ])
    assert.deepStrictEqual([actions(plan)["dkim"], actions(plan)["mx"]], ["leave", "leave"])
  })

  it("of what the name servers don't say, nothing is planned", () => {
    const plan = planRecords(wishes, () => null)
    assert.deepStrictEqual(new Set(plan.map(({ action }) => action)), new Set(["unknown"]))
    assert.deepStrictEqual(changesOf(plan), [])
    assert.isFalse(isGreen(plan))
  })

  it("SPF terms come before the end, once, and the end stays as strict as it was", () => {
    const merged = (record: string, ...terms: ReadonlyArray<string>) =>
      Result.getOrElse(mergeSpf([record], terms), String)
    assert.strictEqual(merged("v=spf1 +include:a.test ?all", "include:A.test"), "v=spf1 +include:a.test ?all")
    assert.strictEqual(merged("v=spf1 ip4:192.0.2.1", "include:a.test"), "v=spf1 ip4:192.0.2.1 include:a.test ~all")
    assert.strictEqual(merged("v=spf1 redirect=b.test", "include:a.test"), "v=spf1 include:a.test redirect=b.test")
    assert.isTrue(Result.isFailure(mergeSpf(["v=spf1 +all"], ["include:a.test"])))
    assert.isTrue(Result.isFailure(mergeSpf(["v=spf1 all"], ["include:a.test"])))
  })

  it("a DMARC policy is never weakened, and reports go to one more address at most", () => {
    const merged = (record: string) => Result.getOrNull(mergeDmarc([record], "d@a.test"))
    assert.strictEqual(merged("v=DMARC1; p=reject;"), "v=DMARC1; p=reject; rua=mailto:d@a.test")
    assert.strictEqual(
      merged("v=DMARC1; p=quarantine; rua=mailto:x@b.test; pct=5"),
      "v=DMARC1; p=quarantine; rua=mailto:x@b.test,mailto:d@a.test; pct=5"
    )
    const own = "v=DMARC1; rua=mailto:D@a.test!10m; p=none"
    assert.strictEqual(merged(own), own)
    assert.isNull(merged("v=DMARC1; p=none; rua=mailto:x@b.test,mailto:y@b.test"))
    assert.isNull(merged("v=DMARC1"))
  })

  it.effect("look-ups of included records count, and a loop ends", () =>
    Effect.gen(function* () {
      const texts: Readonly<Record<string, ReadonlyArray<string>>> = {
        "a.test": ["v=spf1 include:b.test mx a:x.test ~all"],
        "b.test": ["other", "v=spf1 ip4:192.0.2.1 exists:%{i}.c.test -all"],
        "loop.test": ["v=spf1 include:loop.test -all"]
      }
      const records = {
        txt: (name: string) => Effect.succeed(texts[name] ?? []),
        a: () => Effect.succeed([]),
        mx: () => Effect.succeed([]),
        cname: () => Effect.succeed([])
      }
      assert.strictEqual(yield* countSpfLookups(records, "v=spf1 include:a.test ip6:::1 ~all"), 5)
      assert.strictEqual(yield* countSpfLookups(records, "v=spf1 redirect=a.test"), 5)
      assert.strictEqual(yield* countSpfLookups(records, "v=spf1 redirect=a.test ~all"), 0)
      assert.strictEqual(yield* countSpfLookups(records, "v=spf1 include:loop.test ~all"), 11)
    })
  )
})

describe("an approved change beside what stands there", () => {
  const name = "acme.example"
  const change = { name, type: "TXT", before: ["x", "old"], after: ["x", "new"] } as const
  const cases = [
    ["due", ["x", "old"], false],
    ["done", ["x", "new"], false],
    ["done", ["new", "theirs"], false],
    ["changed", ["x", "old", "theirs"], false],
    ["changed", ["old"], false],
    ["changed", ["x"], false],
    // We asked for it: half of it may have happened.
    ["due", ["x"], true],
    ["due", ["x", "old", "new"], true],
    ["changed", ["old"], true],
    ["changed", ["x", "theirs"], true]
  ] as const
  for (const [standing, values, wasAsked] of cases) {
    it(`${values.join(", ")} is ${standing}${wasAsked ? " once we asked" : ""}`, () => {
      assert.strictEqual(standingOf(change, [set(name, "TXT", ...values)], wasAsked), standing)
    })
  }

  it("a CNAME where a text was to come is a change, as is a rule of the host", () => {
    const fresh = { name, type: "TXT", before: [], after: ["new"] } as const
    assert.strictEqual(standingOf(fresh, [set(name, "MX", "10 mx.test")], false), "due")
    assert.strictEqual(standingOf(fresh, [set(name, "CNAME", "x.test")], true), "changed")
    assert.strictEqual(standingOf(fresh, [{ ...set(name, "TXT"), isSpecial: true }], true), "changed")
  })
})

describe("what a person says of a domain", () => {
  const given: GivenDomain = {
    domain: " Mail.Acme.example ",
    mailHost: "fastmail",
    spf: [],
    dkim: [],
    reportsTo: "",
    mx: [],
    takesMail: true
  }

  it("a provider that we know needs nothing more", () => {
    const made = Result.getOrThrow(wishesOf(given))
    assert.strictEqual(made.domain, "mail.acme.example")
    assert.strictEqual(made.reportsTo, "dmarc@mail.acme.example")
    assert.lengthOf(made.dkim, 3)
    assert.lengthOf(made.mx, 2)
  })

  it("everything that is wrong is said at once", () => {
    const bad = wishesOf({
      ...given,
      mailHost: "other",
      spf: ["+all"],
      dkim: ["google TXT hello", `s1 TXT ${KEY}`, "s1 CNAME x.example"],
      reportsTo: "me@other.example",
      mx: ["mx.example"]
    })
    assert.deepStrictEqual(Result.isFailure(bad) ? bad.failure.map(({ path }) => path) : [], [
      "spf",
      "dkim",
      "dkim",
      "reports-to",
      "mx"
    ])
    for (const domain of ["localhost", "https://acme.example/x", "a@acme.example", "192.0.2.1", ""]) {
      assert.isTrue(Result.isFailure(wishesOf({ ...given, domain })), domain)
    }
  })
})
