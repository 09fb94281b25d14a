import type { ApprovalSnapshot } from "../../calls/approvals/Snapshot.js"
import type { ChatKind, ClaimedNotice } from "../../calls/approvals/notices/NoticeStore.js"
import { type Credits, format, zero } from "../../kernel/money/Credits.js"
import { approvalUrl, type Settings } from "../../kernel/Settings.js"
import type { Letter } from "../alerts/Mailer.js"
import { quoted } from "../alerts/foreignWords.js"

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const costWords = (amount: Credits): string => (amount === zero ? "nothing" : `${format(amount)} credits`)

/** What is asked, what it costs, and how many people it reaches. */
const askWords = (
  of: ApprovalSnapshot
): { readonly asks: string; readonly costs: string; readonly reaches: string } => {
  switch (of.kind) {
    case "launch":
      return {
        asks: `Launch the campaign ${quoted(of.campaign_name)}`,
        costs: costWords(of.credits),
        reaches: `${counted(of.leads, "person", "people")}, at most ${counted(of.steps.length, "message")} each`
      }
    case "add_leads":
      return {
        asks: `Add leads to the campaign ${quoted(of.campaign_name)}`,
        costs: costWords(of.credits),
        reaches: `${counted(of.leads, "more person", "more people")}, at most ${counted(of.steps.length, "message")} each`
      }
    case "purchase": {
      const mailboxes = of.domains.reduce((sum, { mailboxes: own }) => sum + own.length, 0)
      return {
        asks: `Buy ${counted(of.domains.length, "domain")} with ${counted(mailboxes, "mailbox", "mailboxes")} for ${quoted(of.brand)}`,
        costs: [
          costWords(of.setup_credits),
          ...(of.first_month_credits === undefined
            ? []
            : [`${costWords(of.first_month_credits)} with the first month`]),
          `then ${costWords(of.upkeep_credits_per_month)} a month`
        ].join(", "),
        reaches: "nobody"
      }
    }
    case "reply":
      return { asks: "Answer a lead's reply", costs: "nothing", reaches: "1 person" }
  }
}

/** Minutes in UTC, as in `2026-03-10 12:00 UTC`. */
const momentWords = (millis: number): string => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

interface NoticeWords {
  readonly title: string
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  readonly url: string
}

/** What a notice says, for every channel. It names no lead, and holds no token: deciding needs a sign-in. */
export const noticeWords = (
  { kind, of: { approval, keyName }, workspaceKind, workspaceName }: ClaimedNotice,
  settings: Settings["Service"]
): NoticeWords => {
  const { asks, costs, reaches } = askWords(approval.snapshot)
  return {
    title: kind === "reminder" ? "Reminder: an approval still waits" : "An approval waits",
    facts: [
      ["Asks", asks],
      ["Costs", costs],
      ["Reaches", reaches],
      ...(approval.approversNeeded > 1 ? [["Needs", `${approval.approversNeeded} different people`] as const] : []),
      ["Decide until", momentWords(approval.expiresAtMillis)],
      ["Asked by", `the key ${quoted(keyName)}`],
      ["Workspace", `${quoted(workspaceName)}${workspaceKind === "sandbox" ? " (sandbox: nothing real is sent)" : ""}`]
    ],
    url: approvalUrl(settings, approval.approvalId)
  }
}

/** What a message says that only tries a channel. */
export const testWords = (by: string, workspaceName: string, baseUrl: string): NoticeWords => ({
  title: "A test: approvals will be told here",
  facts: [
    ["Asks", "nothing"],
    ["Sent by", quoted(by)],
    ["Workspace", quoted(workspaceName)]
  ],
  url: `${baseUrl}${NOTICES_PATH}`
})

/** Where members choose what they are told of. */
export const NOTICES_PATH = "/console/settings/notices" as const

export const noticeLetter = ({ facts, title, url }: NoticeWords, to: string, baseUrl: string): Letter => ({
  to,
  subject: `${title}: ${facts[0]?.[1] ?? ""}`,
  text: [
    `${title}.`,
    "",
    ...facts.map(([name, value]) => `${name}: ${value}`),
    "",
    "Review it and decide, signed in:",
    url,
    "",
    `You get this email because you can decide on approvals. Choose what you get: ${baseUrl}${NOTICES_PATH}`,
    ""
  ].join("\n")
})

/** Slack reads markup and mentions from these characters alone, once formatting is off (Slack, "formatting text"). */
const slackEscaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const slack = ({ facts, title, url }: NoticeWords) => ({
  text: [title, ...facts.map(([name, value]) => `${name}: ${value}`), url].map(slackEscaped).join("\n"),
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false
})

/** Text runs of an Adaptive Card are never read as Markdown; its other texts are. */
const run = (text: string, isStrong = false) => ({ type: "TextRun", text, ...(isStrong ? { weight: "Bolder" } : {}) })

const paragraph = (...inlines: ReadonlyArray<ReturnType<typeof run>>) => ({ type: "RichTextBlock", inlines })

const teams = ({ facts, title, url }: NoticeWords) => ({
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
          paragraph(run(title, true)),
          ...facts.map(([name, value]) => paragraph(run(`${name}: `, true), run(value)))
        ],
        actions: [{ type: "Action.OpenUrl", title: "Review in the console", url }]
      }
    }
  ]
})

/** The body of a message to an incoming webhook. What others wrote stays text: it makes no link, no mention, no markup. */
export const chatMessage = (kind: ChatKind, words: NoticeWords): string =>
  JSON.stringify(kind === "slack" ? slack(words) : teams(words))
