import { assert, describe, it } from "@effect/vitest"
import { type CrmRecord } from "@outbound/domain/wings/crm/Crm.js"
import { marksOf } from "@outbound/domain/wings/crm/marks.js"

const NOTHING: CrmRecord = {
  ref: "1",
  emails: [],
  domains: [],
  isCustomer: false,
  hasOpenDeal: false,
  ownerRef: null,
  fields: []
}
const RECORD = { ...NOTHING, isCustomer: true }
const valuesOf = (record: Partial<CrmRecord>) =>
  marksOf({ ...RECORD, ...record }, (email) => `#${email}`).map(({ value }) => value)

describe("whom a record of a CRM keeps out", () => {
  it("is everybody whom its fields name, however people typed it", () => {
    for (const written of [
      "ann@acme.test",
      "Ann North <Ann@acme.test>",
      "ann@acme.test.",
      "mailto:ann@acme.test",
      "'ann@acme.test",
      '"ann"@acme.test',
      "\u202Aann@acme.test\u202C",
      "ann@acme.test;"
    ]) {
      assert.deepStrictEqual(valuesOf({ emails: [written] }), ["#ann@acme.test", "acme.test"], written)
    }
    assert.deepStrictEqual(valuesOf({ emails: ["ann@acme.test; bob@mail.test"] }), [
      "#ann@acme.test",
      "#bob@mail.test",
      "acme.test",
      "mail.test"
    ])
  })

  it("is everybody at its company, however its website is written, and nobody at a provider of mail", () => {
    for (const written of [
      "acme.test",
      "https://www.Acme.test/en?x=1",
      " WWW.acme.test. ",
      "acme.test:443",
      "http://acme.test"
    ]) {
      assert.deepStrictEqual(
        marksOf({ ...RECORD, domains: [written] }, String).map(({ value }) => value),
        ["acme.test"]
      )
    }
    assert.deepStrictEqual(marksOf({ ...RECORD, domains: ["gmail.com"] }, String), [])
  })

  it("is who said no, by each of their addresses and nobody else at their company, in the words of files", () => {
    const emails = ["ann@acme.test", "ann@home.test"]
    for (const [fields, standing] of [
      [[["hs_email_optout", "true"]], "opted_out"],
      [[["hs_email_bad_address", "true"]], "bounced"],
      [[["hs_email_hard_bounce_reason_enum", "MAILBOX_FULL"]], "bounced"],
      [[["HasOptedOutOfEmail", "true"]], "opted_out"],
      [[["EmailBouncedDate", "2026-11-02T08:00:00.000+0000"]], "bounced"],
      [[["marketing_status", "unsubscribed"]], "opted_out"],
      [[["marketing_status", "bounced"]], "bounced"],
      [[["emailOptOut", "true"]], "opted_out"],
      [[["mailStatus", "BOUNCED"]], "bounced"],
      // A no counts before a bounce.
      [
        [
          ["EmailBouncedDate", "2026-11-02T08:00:00.000+0000"],
          ["HasOptedOutOfEmail", "true"]
        ],
        "opted_out"
      ]
    ] as const) {
      assert.deepStrictEqual(
        marksOf({ ...NOTHING, emails, fields }, (email) => `#${email}`),
        emails.map((email) => ({ ref: "1", value: `#${email}`, standing, ownerRef: null })),
        JSON.stringify(fields)
      )
    }
    for (const fields of [
      [["hs_email_optout", "false"]],
      [["hs_email_bad_address", "false"]],
      [["HasOptedOutOfEmail", "false"]],
      // Everybody's until they say something else.
      [["marketing_status", "no_consent"]],
      [["marketing_status", "subscribed"]],
      [["marketing_status", "archived"]]
    ] as const) {
      assert.deepStrictEqual(marksOf({ ...NOTHING, emails, fields }, String), [], JSON.stringify(fields))
    }
  })
})
