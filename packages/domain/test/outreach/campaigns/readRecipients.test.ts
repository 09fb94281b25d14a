import { assert, describe, it } from "@effect/vitest"
import { readRecipients } from "@outbound/domain/outreach/campaigns/recipients/readRecipients.js"

const sequence = [{ subject: "Hi {{first_name}}", body: "At {{company_name|your company}}", waitDays: 0 }]

describe("recipients as a caller gives them", () => {
  it("of an address's rows the most complete one counts, with what it lacks from the others", () => {
    const { invalid, usable } = readRecipients(
      [
        { email: "ann@acme.test", custom: { city: "Ulm", team: "A" } },
        { email: "ANN@acme.test ", first_name: "Ann", company_name: "Acme" },
        { email: "ann@acme.test", first_name: "Ann", last_name: "Lee", custom: { team: "B" } }
      ],
      sequence
    )
    assert.isEmpty(invalid)
    assert.deepStrictEqual(usable, [
      {
        email: "ann@acme.test",
        firstName: "Ann",
        lastName: "Lee",
        companyName: "Acme",
        custom: { city: "Ulm", team: "B" }
      }
    ])
  })

  it("nobody of whom a row says that they opted out or bounced is mailed, whatever another row says", () => {
    const row = (email: string, custom: Readonly<Record<string, string>>) => ({ email, first_name: "Ann", custom })
    const { invalid, usable } = readRecipients(
      [
        row("ann@acme.test", { "Email Opt Out": "TRUE", city: "Ulm" }),
        row("ann@acme.test", { city: "Ulm", team: "A" }),
        row("bob@acme.test", { "Email Opt Out": "FALSE", Status: "Active", "Do Not Call": "true" }),
        row("cy@acme.test", { city: "Ulm" }),
        row("CY@acme.test", { Status: "unsubscribed" }),
        row("dee@acme.test", { Status: "Bounced" })
      ],
      sequence
    )
    assert.deepStrictEqual(
      usable.map(({ email }) => email),
      ["bob@acme.test"]
    )
    assert.deepStrictEqual(
      invalid.map(({ email, faults, index }) => [index, email, faults]),
      [
        [
          0,
          "ann@acme.test",
          [
            {
              field: "custom.Email Opt Out",
              problem: "opted_out",
              value: "TRUE",
              message: "says that they must not be mailed"
            }
          ]
        ],
        [
          4,
          "cy@acme.test",
          [
            {
              field: "custom.Status",
              problem: "opted_out",
              value: "unsubscribed",
              message: "says that they must not be mailed"
            }
          ]
        ],
        [
          5,
          "dee@acme.test",
          [
            {
              field: "custom.Status",
              problem: "bounced",
              value: "Bounced",
              message: "says that mail to them came back"
            }
          ]
        ]
      ]
    )
  })

  it("two people behind one address are never made one", () => {
    const { usable } = readRecipients(
      [
        { email: "info@acme.test", first_name: "Ann" },
        { email: "info@acme.test", first_name: "Bob", last_name: "Smith", company_name: "Acme" }
      ],
      sequence
    )
    assert.deepStrictEqual(usable, [
      { email: "info@acme.test", firstName: "Bob", lastName: "Smith", companyName: "Acme", custom: {} }
    ])
  })

  it("a bad row of an address spoils no good one, and is no second person", () => {
    const { invalid, usable } = readRecipients(
      [
        { email: "ann@acme.test", first_name: "x".repeat(201) },
        { email: "ann@acme.test", first_name: "Ann" },
        { email: "bob@acme.test" },
        { email: "bob@acme.test", first_name: "-" },
        { email: "" },
        { email: null }
      ],
      sequence
    )
    assert.deepStrictEqual(
      usable.map(({ email, firstName }) => [email, firstName]),
      [["ann@acme.test", "Ann"]]
    )
    assert.deepStrictEqual(
      invalid.map(({ email, faults, index }) => [index, email, faults[0]?.field, faults[0]?.problem]),
      [
        [2, "bob@acme.test", "first_name", "missing"],
        [4, "", "email", "missing"],
        [5, "", "email", "missing"]
      ]
    )
  })

  it("no tag or formula that a program left in an address's place is written to", () => {
    const left = [
      "{{email}}@acme.test",
      "%EMAIL%@acme.test",
      "*|EMAIL|*@acme.test",
      "#N/A@acme.test",
      "{email}@acme.test"
    ]
    const { invalid, usable } = readRecipients(
      [...left, "ann{b}@acme.test", "100%@acme.test"].map((email) => ({ email })),
      [{ subject: "Hi", body: "Hi", waitDays: 0 }]
    )
    assert.deepStrictEqual(
      usable.map(({ email }) => email),
      ["ann{b}@acme.test", "100%@acme.test"]
    )
    assert.deepStrictEqual(
      invalid.map(({ faults }) => faults.map(({ field, problem }) => `${field} ${problem}`).join()),
      left.map(() => "email unusable_address")
    )
  })
})
