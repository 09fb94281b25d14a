import { assert, it } from "@effect/vitest"
import { type PasteFacts, recordsToPaste } from "../../../src/outreach/authentication/recordsToPaste.js"
import { judgeDmarc, judgeMx, judgeSpf } from "../../../src/outreach/authentication/vitals.js"
import { MAIL_HOSTS, mailHostOf } from "../../../src/outreach/domains/wishesOf.js"

const facts: PasteFacts = { domain: "mail.acme.com", wishes: null, mailHost: "google", reportsTo: null }

it("what is to be pasted passes the check that asked for it, whatever host keeps the mailboxes", () => {
  for (const mailHost of MAIL_HOSTS) {
    for (const reportsTo of [null, "jo@mail.acme.com"]) {
      const at = (check: "dmarc" | "mx" | "spf") => recordsToPaste(check, "missing", { ...facts, mailHost, reportsTo })
      const [spf] = at("spf")
      const [mx] = at("mx")
      const [dmarc] = at("dmarc")
      // Of a host that we do not know we can name neither its servers nor where mail goes.
      assert.strictEqual(spf === undefined, mailHost === "other")
      assert.strictEqual(mx === undefined, mailHost === "other")
      if (spf !== undefined) assert.strictEqual(judgeSpf(spf.name, spf.values).state, "good")
      if (mx !== undefined) assert.strictEqual(judgeMx(mx.name, mx.values).state, "good")
      assert.strictEqual(judgeDmarc("acme.com", dmarc?.values ?? []).state, "good")
    }
  }
})

it("the organisation's own name has the DMARC record, with reports to an address that the service reads", () => {
  const [dmarc] = recordsToPaste("dmarc", "missing", { ...facts, reportsTo: "jo@mail.acme.com" })
  assert.deepStrictEqual(dmarc, {
    name: "_dmarc.acme.com",
    type: "TXT",
    values: ["v=DMARC1; p=none; rua=mailto:jo@mail.acme.com"]
  })
})

it("what an owner said of the domain comes before what its mail host has everybody publish", () => {
  const wishes = {
    domain: "mail.acme.com",
    spf: ["include:_spf.relay.test"],
    dkim: [{ selector: "s1", type: "CNAME" as const, value: "s1.relay.test" }],
    reportsTo: "dmarc@acme.com",
    mx: []
  }
  const of = (check: "dkim" | "dmarc" | "mx" | "spf") => recordsToPaste(check, "missing", { ...facts, wishes })
  assert.deepStrictEqual(of("spf")[0]?.values, ["v=spf1 include:_spf.relay.test ~all"])
  assert.deepStrictEqual(of("dkim"), [
    { name: "s1._domainkey.mail.acme.com", type: "CNAME", values: ["s1.relay.test"] }
  ])
  assert.deepStrictEqual(of("dmarc")[0]?.values, ["v=DMARC1; p=none; rua=mailto:dmarc@acme.com"])
  assert.deepStrictEqual(of("mx"), [])
})

it("beside a record that stands there, a second one would break it: there is nothing to paste", () => {
  for (const status of ["pass", "fail", "unknown"] as const) {
    for (const check of ["spf", "dkim", "dmarc", "mx"] as const) {
      assert.deepStrictEqual(recordsToPaste(check, status, facts), [])
    }
  }
})

it("a server's name tells who keeps the mailboxes, and a name that only looks like it does not", () => {
  assert.strictEqual(mailHostOf("smtp.gmail.com"), "google")
  assert.strictEqual(mailHostOf("SMTP.Office365.com"), "microsoft")
  assert.strictEqual(mailHostOf("smtp-mail.outlook.com"), "microsoft")
  assert.strictEqual(mailHostOf("smtp.fastmail.com"), "fastmail")
  for (const host of ["smtp.gmail.com.evil.test", "notoffice365.com", "mail.acme.com"]) {
    assert.strictEqual(mailHostOf(host), "other")
  }
})
