import type { ChatKind } from "../../calls/approvals/notices/NoticeStore.js"
import type { NoticeWords } from "./noticeWords.js"

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
