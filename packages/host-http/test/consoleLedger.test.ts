import { assert, it } from "@effect/vitest"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { Effect } from "effect"
import { dayOf } from "../src/console/account/ledgerQuery.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

/** The addresses that a page links to, with what the links say. */
const linksOf = (text: string): ReadonlyArray<readonly [path: string, words: string]> =>
  [...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, path = "", words = ""]) => [
    path.replaceAll("&amp;", "&"),
    words.replaceAll(/<[^>]*>/g, "").trim()
  ])

const amountOf = (words: string): number => Number(words.replaceAll(/[^\d.-]/g, ""))

it.live("who spent on a day is two clicks from anywhere, and each amount is the sum of its entries", () =>
  run(
    Effect.gen(function* () {
      const desk = yield* Desk
      yield* furnished
      const us = yield* visitor(desk.ours)
      const home = yield* us.get("/console/home")
      assert.include(
        linksOf(home.text).map(([path]) => path),
        "/console/usage"
      )
      const usage = yield* us.get("/console/usage")
      const day = linksOf(usage.text).find(([path]) => path.startsWith("/console/usage?day="))
      const reads = yield* ConsoleReads
      const dayMillis = dayOf(new URLSearchParams(day![0].split("?")[1]).get("day"))
      const which = { ...EVERY_ENTRY, dayMillis }
      const entries = yield* reads.ledger(desk.ours.workspaceId, which, null, 500)
      const dearest = entries.filter(({ key, micros }) => key !== null && micros < 0n)
      assert.isAbove(dearest.length, 0)
      const ofDay = yield* us.get(day![0])
      for (const { key } of dearest) assert.include(ofDay.text, key!.name)
      const [amount] = linksOf(ofDay.text).filter(([path]) => /credits\?day=.*&key=.*&verb=/.test(path))
      const drilled = yield* us.get(amount![0])
      const params = new URLSearchParams(/\?([^#]*)/.exec(amount![0])![1])
      const sum = entries
        .filter(({ key, verb }) => key?.keyId === params.get("key") && verb === params.get("verb"))
        .reduce((total, { micros }) => total - micros, 0n)
      assert.strictEqual(amountOf(amount![1]), Number(sum) / 1_000_000)
      const requests = linksOf(drilled.text).filter(([path]) => path.includes("?request="))
      assert.isAbove(requests.length, 0)
      const [, requestId] = requests[0]!
      const call = yield* us.get(requests[0]![0])
      assert.include(call.text, `of the call ${requestId}`)
    })
  )
)

it.live("usage by key sums to the total of the days", () =>
  run(
    Effect.gen(function* () {
      const desk = yield* Desk
      yield* furnished
      const us = yield* visitor(desk.ours)
      const { text } = yield* us.get("/console/usage")
      const table = /aria-label="By key"(.*?)<\/table>/s.exec(text)![1]!
      const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].flatMap(([, row = ""]) => {
        const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
          cell.replaceAll(/<[^>]*>/g, "")
        )
        return cells.length === 4 ? [cells as [string, string, string, string]] : []
      })
      const [total] = rows.filter(([name]) => name === "Total")
      const others = rows.filter(([name]) => name !== "Total")
      for (const column of [2, 3] as const) {
        const sum = others.reduce((all, row) => all + amountOf(row[column]), 0)
        assert.closeTo(sum, amountOf(total![column]), 0.001)
      }
      const used = /class="big">([\d,.]+)/.exec(text)![1]!
      assert.closeTo(amountOf(total![3]), amountOf(used), 0.001)
    })
  )
)
