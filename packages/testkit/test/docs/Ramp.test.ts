import { assert, it } from "@effect/vitest"
import {
  BOUNCED,
  rampOn,
  type RampStart,
  REFUSED,
  STARTS,
  USE_DAYS,
  type UseDay
} from "@outbound/domain/outreach/sending/ramp.js"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const GUIDE = fileURLToPath(new URL("../../../../docs/guides/own-mailboxes.md", import.meta.url))
const guide = readFileSync(GUIDE, "utf8")

/** What a mailbox, or a domain, may send on each day, if it always sends all that it may. */
const grown = (start: RampStart, days: number): ReadonlyArray<number> => {
  const use: Array<UseDay> = []
  return Array.from({ length: days }, (_, day) => {
    const { cap } = rampOn(use, start, day)
    use.push({ day, taken: cap, delivered: cap, refused: 0, bounced: 0, complained: 0 })
    return cap
  })
}

it("the guide tells the ramp as it is", () => {
  const rows = [...guide.matchAll(/^\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)].map((row) => row.slice(1).map(Number))
  assert.deepStrictEqual(
    rows.map(([day]) => day),
    Array.from({ length: 12 }, (_, index) => index + 1)
  )
  assert.deepStrictEqual(
    rows.map(([, mailbox]) => mailbox ?? 0),
    [...grown(STARTS.mailbox, 12)]
  )
  assert.deepStrictEqual(
    rows.map(([, , domain]) => domain ?? 0),
    [...grown(STARTS.domain, 12)]
  )
})

it("the guide tells its bounds as they are", () => {
  const text = guide.replaceAll(/\s+/g, " ")
  for (const words of [
    `the last ${USE_DAYS} days`,
    `${STARTS.mailboxAt.first} messages from a mailbox and ${STARTS.domainAt.first} from a domain`,
    `at least ${REFUSED.least} people and ${REFUSED.percent} %`,
    `at least ${BOUNCED.least} and ${BOUNCED.percent} %`
  ]) {
    assert.include(text, words)
  }
})
