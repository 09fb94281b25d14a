import { assert, it } from "@effect/vitest"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { keyOf } from "@outbound/testkit/memory/Table.js"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter } from "./support/Browser.js"
import { reply } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { largeLaunch } from "./support/largeLaunch.js"
import { furnished, run } from "./support/Visitor.js"

const GUIDE = join(import.meta.dirname, "../../../docs/guides/console.md")
const PHONE = { width: 390, height: 844 }

/** The tasks of the guide, and the most presses of each. */
const promised = (): ReadonlyMap<string, number> => {
  const [, table = ""] = /## Fifteen tasks[^]*?\n(\| task[^]*?)\n\n/.exec(readFileSync(GUIDE, "utf8")) ?? []
  const rows = table.split("\n").slice(2)
  return new Map(
    rows.map((row) => {
      const [, task = "", , most = ""] = row.split("|").map((cell) => cell.trim())
      return [task, Number(most)] as const
    })
  )
}

interface Doing {
  readonly page: Page
  /** Presses it, and counts that. */
  readonly press: (role: "link" | "button", name: RegExp | string) => Promise<void>
  readonly pressText: (text: string) => Promise<void>
  /** The first link of the page's last table. */
  readonly pressInTable: () => Promise<void>
  /** Without a press. */
  readonly open: (path: string) => Promise<void>
  readonly shows: (text: string | RegExp) => Promise<void>
}

interface Places {
  readonly campaignId: string
  readonly pausedId: string
  readonly replyId: string
}

/** Whom, what in whose words, when, from, at what cost, and what is risky, each as its page says it. */
const ANSWERS = [
  "5,000 leads",
  "at most 2 messages each",
  "09:00 to 17:00",
  "ada@acme-mail.test",
  "Free",
  "login.evil-mail.com",
  "Would a short call make sense?"
] as const
const SCREENS_MAX = 3

/** On which screen of a phone these words end, counted from the top of the page; the decision's bar covers a part of each. */
const screenOf = async (page: Page, words: string): Promise<number> =>
  page.evaluate(`(() => {
    const words = ${JSON.stringify(words)}
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const at = texts.currentNode.data.indexOf(words)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(texts.currentNode, at)
      range.setEnd(texts.currentNode, at + words.length)
      const bar = document.querySelector(".decide").getBoundingClientRect().height
      return Math.ceil((range.getBoundingClientRect().bottom + scrollY) / (innerHeight - bar))
    }
    return Infinity
  })()`)

type Task = (doing: Doing, places: Places) => Promise<void>

const HOME = "/console/home"

const TASKS: Readonly<Record<string, Task>> = {
  "Approve a launch to 5,000 people on a phone": async ({ page, press, shows }) => {
    await page.setViewportSize(PHONE)
    await press("link", "Launch “All of them”")
    for (const answer of ANSWERS) await shows(answer)
    const screens = await Promise.all(ANSWERS.map((answer) => screenOf(page, answer)))
    assert.isAtMost(Math.max(...screens), SCREENS_MAX, JSON.stringify(screens))
    await press("link", /brings? (a link|links) of (its|their) own/)
    await shows("login.evil-mail.com")
    await press("button", /^Approve$/)
    await shows(/^Approved by/)
    await page.setViewportSize(DESKTOP)
  },
  "Approve a short answer": async ({ press, shows }) => {
    await press("button", "Approve the answer to one@customer.test")
    await shows("Approved.")
  },
  "Change an agent's answer and send it": async ({ page, press }) => {
    await press("link", "Edit and send the answer to two@customer.test")
    assert.strictEqual(await page.getByRole("textbox", { name: "Text" }).inputValue(), reply.body_text)
    await page.getByRole("textbox", { name: "Text" }).fill("My own words.")
    await press("button", /^Send$/)
  },
  "Answer somebody who is interested": async ({ page, press }) => {
    await press("link", /asks a question$/)
    await page.getByRole("textbox", { name: "Text" }).fill("It costs nothing.")
    await press("button", /^Send$/)
  },
  "Mark a reply as handled": async ({ press, shows }) => {
    await press("button", /^Mark as handled the reply from noah/)
    await shows("Marked as handled.")
  },
  "Take that back": async ({ page, press, shows }) => {
    // As after the press before it.
    await page
      .getByRole("button", { name: /^Mark as handled the reply from / })
      .first()
      .click()
    await page.waitForLoadState()
    await press("button", "Undo")
    await shows("Reopened.")
  },
  "Open the best campaign of the week": async ({ page, press }, { campaignId }) => {
    const best = await page.locator("#campaigns ~ .scroll tbody a").first().innerText()
    await press("link", best)
    assert.include(page.url(), campaignId)
  },
  "Pause a campaign": async ({ open, press, pressText, shows }, { campaignId }) => {
    await open(`/console/campaigns/${campaignId}`)
    await pressText("Pause this campaign")
    await press("button", /^Pause$/)
    await shows("Paused")
  },
  "Resume a campaign": async ({ open, press, page }, { campaignId }) => {
    await open(`/console/campaigns/${campaignId}`)
    await press("button", /^Resume$/)
    assert.strictEqual(await page.getByText("Pause this campaign").count(), 1)
  },
  "See who spent credits on a day": async ({ page, press, pressInTable, shows }) => {
    await press("link", /^Usage$/)
    await pressInTable()
    await shows(/^Usage on /)
    await pressInTable()
    assert.include(page.url(), "/console/credits?day=")
  },
  "See why a campaign is not sending": async ({ press, shows }) => {
    await press("link", /^Campaigns$/)
    await press("link", "Freight forwarders in Iberia")
    await shows("Why this campaign is not sending")
  },
  "See everything that happened to a person": async ({ open, press, shows }, { replyId }) => {
    await open(`/console/replies/${replyId}`)
    await press("link", "Trail of this person")
    await shows(/^Trail/)
  },
  "See who approved what": async ({ press, shows }) => {
    await press("link", /^Approvals/)
    await shows(/decided by/)
  },
  "Decline a request with a reason that the agent reads": async ({ page, press, pressText, shows }) => {
    await press("link", /^Buy sending capacity/)
    await pressText("Decline and say why")
    await page.getByRole("textbox", { name: "Reason, for the agent" }).fill("Too dear.")
    await press("button", "Decline with this reason")
    await shows("Reason: Too dear.")
  },
  "Stop all sending": async ({ page, press, shows }) => {
    await press("link", /^Settings$/)
    await press("link", /^Stop all sending/)
    await page.getByRole("textbox", { name: "Reason" }).fill("A wrong price.")
    await press("button", "Stop all sending now")
    await shows("All sending stopped")
  }
}

it.live("each of fifteen tasks takes no more presses than the guide says", () =>
  run(
    Effect.scoped(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const places = yield* furnished
        const memory = yield* Memory
        yield* largeLaunch(desk.ours, 5_000, { campaign_name: "All of them" })
        for (const to of ["one", "two"]) {
          yield* desk.add(
            desk.ours,
            { ...reply, reply_id: places.replyId, to_email: `${to}@customer.test` },
            { target: to }
          )
        }
        // Unanswered, so that it can be answered.
        yield* memory.atomically(
          memory.write(({ sentReplies }) => {
            for (const one of sentReplies.filter(({ replyId }) => replyId === places.replyId)) {
              sentReplies.delete(keyOf(one.workspaceId, one.sentReplyId))
            }
          })
        )
        const base = `http://127.0.0.1:${port}`
        const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
        const most = promised()
        assert.sameMembers([...most.keys()], Object.keys(TASKS))
        assert.strictEqual(most.size, 15)
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await enter(page, link)
          const taken: Record<string, number> = {}
          for (const [name, task] of Object.entries(TASKS)) {
            let presses = 0
            const counted = async (press: Promise<void>): Promise<void> => {
              await press
              await page.waitForLoadState()
              presses += 1
            }
            await page.goto(base + HOME)
            await task(
              {
                page,
                press: (role, of) => counted(page.getByRole(role, { name: of }).first().click()),
                pressInTable: () => counted(page.getByRole("table").last().getByRole("link").first().click()),
                pressText: (text) => counted(page.getByText(text).first().click()),
                open: async (path) => void (await page.goto(base + path)),
                shows: (text) => page.getByText(text).first().waitFor()
              },
              places
            )
            taken[name] = presses
            assert.isAtMost(presses, most.get(name) ?? 0, name)
          }
          if (process.env["OUTBOUND_TEST_PICTURES"] !== undefined) process.stdout.write(`${JSON.stringify(taken)}\n`)
        })
      })
    )
  )
)
