import { assert, describe, it } from "@effect/vitest"
import type { ClaimedNotice } from "../../../src/calls/approvals/notices/NoticeStore.js"
import { chatMessage, noticeLetter, noticeWords, testWords } from "../../../src/control/notices/noticeWords.js"
import { credits, zero } from "../../../src/kernel/money/Credits.js"

const BASE = "https://outbound.test"

const claimed = (
  snapshot: object,
  of: { readonly needed?: number; readonly kind?: string; readonly at?: string } = {}
) =>
  ({
    kind: of.kind ?? "asked",
    of: {
      approval: {
        approvalId: "a1",
        snapshot,
        approversNeeded: of.needed ?? 1,
        expiresAtMillis: Date.UTC(2026, 2, 11, 12, 5)
      },
      keyName: "Agent"
    },
    workspaceKind: of.at ?? "live",
    workspaceName: "Acme"
  }) as unknown as ClaimedNotice

const facts = (snapshot: object) =>
  noticeWords(claimed(snapshot), { baseUrl: BASE })
    .facts.slice(0, 3)
    .map(([, value]) => value)

describe("what a notice tells of a request", () => {
  it("is what is asked, what it costs and whom it reaches, of one and of several", () => {
    const sends = (kind: string, leads: number, steps: number) => ({
      kind,
      campaign_name: "Spring",
      leads,
      steps: new Array(steps).fill({}),
      credits: leads === 1 ? zero : credits("2.5")
    })
    assert.deepStrictEqual(facts(sends("launch", 1, 1)), [
      "Launch the campaign “Spring”",
      "nothing",
      "1 person, at most 1 message each"
    ])
    assert.deepStrictEqual(facts(sends("launch", 2, 3)), [
      "Launch the campaign “Spring”",
      "2.5 credits",
      "2 people, at most 3 messages each"
    ])
    assert.deepStrictEqual(facts(sends("add_leads", 1, 1)), [
      "Add leads to the campaign “Spring”",
      "nothing",
      "1 more person, at most 1 message each"
    ])
    assert.strictEqual(facts(sends("add_leads", 2, 2))[2], "2 more people, at most 2 messages each")
    const buys = {
      kind: "purchase",
      brand: "acme",
      setup_credits: credits("30"),
      upkeep_credits_per_month: credits("5")
    }
    assert.deepStrictEqual(facts({ ...buys, domains: [{ mailboxes: ["a"] }] }), [
      "Buy 1 domain with 1 mailbox for “acme”",
      "30 credits, then 5 credits a month",
      "nobody"
    ])
    const two = { domains: [{ mailboxes: ["a", "b"] }, { mailboxes: ["c"] }], first_month_credits: credits("45") }
    assert.deepStrictEqual(facts({ ...buys, ...two }).slice(0, 2), [
      "Buy 2 domains with 3 mailboxes for “acme”",
      "30 credits, 45 credits with the first month, then 5 credits a month"
    ])
    assert.deepStrictEqual(facts({ kind: "reply" }), ["Answer a lead's reply", "nothing", "1 person"])
  })

  it("is a letter that says all of it, and where to choose what one gets", () => {
    const of = { needed: 2, kind: "reminder", at: "sandbox" }
    const letter = noticeLetter(noticeWords(claimed({ kind: "reply" }, of), { baseUrl: BASE }), "ada@acme.test", BASE)
    assert.deepStrictEqual(letter, {
      to: "ada@acme.test",
      subject: "Reminder: an approval still waits: Answer a lead's reply",
      text: `Reminder: an approval still waits.

Asks: Answer a lead's reply
Costs: nothing
Reaches: 1 person
Needs: 2 different people
Decide until: 2026-03-11 12:05 UTC
Asked by: the key “Agent”
Workspace: “Acme” (sandbox: nothing real is sent)

Review it and decide, signed in:
${BASE}/console/approvals/a1

You get this email because you can decide on approvals. Choose what you get: ${BASE}/console/settings/notices
`
    })
  })

  it("is a message of Slack without markup, and of Teams a card", () => {
    const words = noticeWords(claimed({ kind: "reply" }), { baseUrl: BASE })
    const lines = [
      ["Asks", "Answer a lead's reply"],
      ["Costs", "nothing"],
      ["Reaches", "1 person"],
      ["Decide until", "2026-03-11 12:05 UTC"],
      ["Asked by", "the key “Agent”"],
      ["Workspace", "“Acme”"]
    ] as const
    const url = `${BASE}/console/approvals/a1`
    assert.deepStrictEqual(JSON.parse(chatMessage("slack", words)), {
      text: ["An approval waits", ...lines.map(([name, value]) => `${name}: ${value}`), url].join("\n"),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false
    })
    const strong = (text: string) => ({ type: "TextRun", text, weight: "Bolder" })
    const block = (...inlines: ReadonlyArray<object>) => ({ type: "RichTextBlock", inlines })
    assert.deepStrictEqual(JSON.parse(chatMessage("teams", words)), {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              block(strong("An approval waits")),
              ...lines.map(([name, value]) => block(strong(`${name}: `), { type: "TextRun", text: value }))
            ],
            actions: [{ type: "Action.OpenUrl", title: "Review in the console", url }]
          }
        }
      ]
    })
  })

  it("asks for nothing where it only tries a channel", () => {
    assert.deepStrictEqual(testWords("Ada", "Acme", BASE), {
      title: "A test: approvals will be told here",
      facts: [
        ["Asks", "nothing"],
        ["Sent by", "“Ada”"],
        ["Workspace", "“Acme”"]
      ],
      url: `${BASE}/console/settings/notices`
    })
  })
})
