import { assert, it } from "@effect/vitest"
import { DomainRecords } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { checkVitals, type Vital } from "@outbound/domain/outreach/authentication/vitals.js"
import { mailNameServer, type MailZone } from "@outbound/testkit/mail/NameServer.js"
import { Effect } from "effect"
import { layer } from "../../src/mail/Vitals.js"

const KEY = `v=DKIM1; k=rsa; p=${"A".repeat(392)}`

const vitalsOf = (
  zones: Readonly<Record<string, MailZone>>,
  domain = "acme.test",
  selectors: ReadonlyArray<string> = []
) =>
  Effect.gen(function* () {
    const { address } = yield* mailNameServer(zones)
    const records = yield* Effect.provide(DomainRecords, layer({ servers: [address], answerMillis: 1_000 }))
    const found = yield* checkVitals(records, domain, selectors)
    return Object.fromEntries(found.map((vital) => [vital.name, vital])) as Record<Vital["name"], Vital>
  })

const states = (vitals: Record<Vital["name"], Vital>) =>
  Object.fromEntries(Object.values(vitals).map(({ name, state }) => [name, state]))

it.live("a domain that has everything needs no advice", () =>
  Effect.gen(function* () {
    const vitals = yield* vitalsOf({
      "acme.test": {
        mx: [
          [20, "b.mail.test"],
          [10, "a.mail.test"]
        ],
        txt: ["some-verification=1", "v=spf1 include:_spf.mail.test ~all"]
      },
      "google._domainkey.acme.test": { txt: [KEY] },
      "_dmarc.acme.test": { txt: ["v=DMARC1; p=none; rua=mailto:dmarc@acme.test"] }
    })
    for (const { advice, state } of Object.values(vitals)) assert.deepStrictEqual([state, advice], ["good", null])
    assert.strictEqual(vitals.mx.found, "a.mail.test, b.mail.test")
    assert.strictEqual(vitals.dkim.found, "google")
  })
)

it.live("a domain that has nothing is told what to add, and where", () =>
  Effect.gen(function* () {
    const vitals = yield* vitalsOf({}, "acme.test", ["s2026"])
    assert.deepStrictEqual(states(vitals), { mx: "missing", spf: "missing", dkim: "missing", dmarc: "missing" })
    assert.include(vitals.mx.advice, "MX")
    assert.include(vitals.spf.advice, "v=spf1")
    assert.include(vitals.dkim.advice, "s2026._domainkey.acme.test")
    assert.include(vitals.dmarc.advice, "_dmarc.acme.test")
  })
)

it.live("records that are there and do nothing are called weak", () =>
  Effect.gen(function* () {
    const weak = yield* vitalsOf({
      "acme.test": { mx: [[0, "."]], txt: ["v=spf1 include:a.test", "v=spf10 -all"] },
      "default._domainkey.acme.test": { txt: ["v=DKIM1; p="] },
      "_dmarc.acme.test": { txt: ["v=DMARC1; rua=mailto:x@acme.test"] }
    })
    assert.deepStrictEqual(states(weak), { mx: "missing", spf: "weak", dkim: "weak", dmarc: "weak" })
    const twice = yield* vitalsOf({
      "acme.test": { mx: [[10, "mail.acme.test"]], txt: ["v=spf1 -all", "v=spf1 a -all"] },
      "_dmarc.acme.test": { txt: ["v=DMARC1; p=reject", "v=DMARC1; p=none"] }
    })
    assert.deepStrictEqual(states(twice), { mx: "good", spf: "weak", dkim: "unknown", dmarc: "weak" })
  })
)

it.live("a subdomain has the DMARC policy of its organisation", () =>
  Effect.gen(function* () {
    const zones = { "_dmarc.acme.com": { txt: ["v=DMARC1; p=quarantine"] } }
    assert.strictEqual((yield* vitalsOf(zones, "mail.acme.com")).dmarc.state, "good")
    assert.include((yield* vitalsOf({}, "mail.acme.com")).dmarc.advice, "_dmarc.acme.com")
  })
)

it.live("silence is no proof that something is missing", () =>
  Effect.gen(function* () {
    const vitals = yield* vitalsOf({ "acme.test": { silent: true } })
    assert.deepStrictEqual([vitals.mx.state, vitals.spf.state], ["unknown", "unknown"])
    assert.strictEqual(vitals.dmarc.state, "missing")
  })
)
