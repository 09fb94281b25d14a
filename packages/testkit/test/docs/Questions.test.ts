import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { sectionAt, withoutCode } from "./headings.js"

const DOCS = fileURLToPath(new URL("../../../../docs/", import.meta.url))
const CLICKS_MAX = 2

interface Question {
  readonly asks: string
  /** Where it is answered: a page, and the heading on it. */
  readonly at: string
  /** What the answer has to say. */
  readonly says: ReadonlyArray<RegExp>
}

/** What newcomers and operators ask. */
const QUESTIONS: ReadonlyArray<Question> = [
  {
    asks: "How do I start it on my machine?",
    at: "tutorial.md#1-start-the-service",
    says: [/npm start|outbound start/, /localhost/]
  },
  { asks: "How do I get an account and a key?", at: "guides/console.md#signing-up", says: [/300 credits/, /key/] },
  { asks: "What costs how much?", at: "contract/credits.md#prices", says: [/verify_email/, /find_leads/] },
  {
    asks: "How do I connect Claude Desktop, ChatGPT or Cursor?",
    at: "guides/agents.md#connecting-each-client",
    says: [/Claude Desktop/, /ChatGPT/, /Cursor/]
  },
  { asks: "How do I call it from a shell?", at: "http.md#from-a-shell", says: [/outbound call/, /--dry-run/] },
  { asks: "Is there a client for Python?", at: "guides/python.md", says: [/npm run python/, /async/i] },
  {
    asks: "Can it run inside my own program?",
    at: "guides/embedding.md",
    says: [/embed\(/, /secret/, /close/]
  },
  {
    asks: "Where does it put its tables?",
    at: "guides/embedding.md#the-database",
    says: [/schema/, /outbound/]
  },
  {
    asks: "How do I test an agent without waiting days?",
    at: "guides/test-clock.md",
    says: [/--test-clock/, /clock\/advance/]
  },
  { asks: "How do I test it in memory?", at: "guides/testing.md", says: [/inMemory\(\)/, /node --test/] },
  {
    asks: "Why does my launch not happen?",
    at: "guides/approvals.md#outcomes",
    says: [/confirmation_required/, /approval_declined/]
  },
  {
    asks: "Can an agent approve its own request?",
    at: "guides/approvals.md",
    says: [/human/, /console/]
  },
  {
    asks: "Can a key spend at most so much a day?",
    at: "guides/budgets.md#caps",
    says: [/daily_spend_cap/, /--daily-cap/, /resets_at/]
  },
  {
    asks: "What do I do if a key leaks?",
    at: "questions.md#money-and-keys",
    says: [/key revoke/, /stop the workspace/]
  },
  {
    asks: "What do I do if the secret leaks?",
    at: "operating.md#rotating-the-secret",
    says: [/outbound secret rotate/, /OUTBOUND_SECRET_BEFORE/, /What stays/]
  },
  {
    asks: "How do I stop everything at once?",
    at: "guides/control.md#stopping-all-sending",
    says: [/\/v1\/kill/, /console/]
  },
  {
    asks: "What may I retry?",
    at: "guides/idempotency-and-retries.md#what-to-retry",
    says: [/rate_limited/, /provider_unavailable/, /same Idempotency-Key/]
  },
  {
    asks: "What happens to somebody who says no?",
    at: "guides/suppression.md",
    says: [/never/, /unsubscribe/]
  },
  {
    asks: "How do I answer an access request, and erase somebody?",
    at: "guides/access-requests.md",
    says: [/person export/, /eras/]
  },
  {
    asks: "Can I change a running campaign?",
    at: "questions.md#campaigns-and-mail",
    says: [/pause_campaign/, /add_leads/]
  },
  {
    asks: "Are opens tracked, and are there HTML and attachments?",
    at: "questions.md#campaigns-and-mail",
    says: [/pixel/, /plain text/, /Attachments/]
  },
  {
    asks: "How do I send from my own mailboxes?",
    at: "guides/own-mailboxes.md",
    says: [/outbound mailbox add/, /OAuth|refresh token/]
  },
  {
    asks: "Can I begin without paying a vendor?",
    at: "guides/start-without-a-vendor.md",
    says: [/finder|web|boards/, /live/]
  },
  {
    asks: "What must be true before it runs live?",
    at: "guides/going-to-production.md#in-this-order",
    says: [/secret/i, /https/i]
  },
  {
    asks: "How do I back it up and restore it?",
    at: "operating.md#backup",
    says: [/outbound backup/, /outbound restore/, /secret/]
  },
  { asks: "How do I upgrade it?", at: "guides/going-to-production.md#upgrading", says: [/migrat/, /backup|back up/i] },
  {
    asks: "How many hosts may it have, and what if one dies?",
    at: "guides/many-hosts.md#what-happens-when-a-host-dies",
    says: [/lease|minute/, /call/]
  },
  {
    asks: "How many connections does it take?",
    at: "guides/going-to-production.md#sizing",
    says: [/connections/, /max_connections/]
  },
  {
    asks: "Does it run on macOS, Windows and arm64?",
    at: "questions.md#machines",
    says: [/macOS/, /WSL 2/, /arm64/]
  },
  {
    asks: "What happened to this call?",
    at: "operating.md#what-happened-to-a-call",
    says: [/outbound request/, /request id/i]
  },
  {
    asks: "What should wake somebody?",
    at: "guides/going-to-production.md#what-to-watch",
    says: [/outbound_/, /alert/i]
  },
  {
    asks: "How do I delete a workspace?",
    at: "operating.md#deleting-a-workspace",
    says: [/outbound workspace delete/, /What stays/, /Suppressed addresses/]
  },
  {
    asks: "How do I prove what happened?",
    at: "guides/trail.md",
    says: [/trail verify/, /hash/]
  }
]

/** Pages that a page leads to. */
const linked = (page: string): ReadonlyArray<string> => {
  const text = withoutCode(readFileSync(page, "utf8")).replaceAll(/`[^`\n]*`/g, "")
  return [...text.matchAll(/\]\(([^()\s]+?\.md)(?:#[^()\s]*)?\)/g)]
    .map(([, target = ""]) => resolve(dirname(page), target))
    .filter((target) => existsSync(target))
}

/** How many clicks each page is away from docs/README.md. */
const clicks = (): ReadonlyMap<string, number> => {
  const far = new Map([[join(DOCS, "README.md"), 0]])
  for (const [page, steps] of far) {
    for (const next of linked(page)) if (!far.has(next)) far.set(next, steps + 1)
  }
  return far
}

/** What stands between the marks of a page is told without its line breaks. */
const words = (text: string): string => text.replaceAll(/\s+/g, " ")

describe("a question of newcomers and operators", () => {
  const far = clicks()
  it.each(QUESTIONS)("is answered within two clicks: $asks", ({ at, says }) => {
    const [page = "", anchor = ""] = at.split("#")
    const file = join(DOCS, page)
    assert.isTrue(existsSync(file), at)
    assert.isAtMost(far.get(file) ?? Infinity, CLICKS_MAX, `${relative(DOCS, file)} is too far from docs/README.md`)
    const text = readFileSync(file, "utf8")
    const section = anchor === "" ? text : sectionAt(text, anchor)
    assert.isDefined(section, `${at} names no heading`)
    for (const fact of says) assert.match(words(section ?? ""), fact)
  })

  it("is one of at least twenty-five, each asked once", () => {
    assert.isAtLeast(new Set(QUESTIONS.map(({ asks }) => asks)).size, 25)
    assert.strictEqual(new Set(QUESTIONS.map(({ asks }) => asks)).size, QUESTIONS.length)
  })
})
