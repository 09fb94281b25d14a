import { backoff } from "../../kernel/backoff.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { dayOf, rampsOn, type Slowed } from "../sending/ramp.js"
import { restWaits } from "../sending/refusals.js"
import type { UseBook } from "../sending/UseBook.js"
import type { RestRow } from "./HealthReads.js"

/** Something that the service tightened by itself. */
export interface Tightened {
  readonly atMillis: number
  readonly what: string
  readonly why: string
}

/** Kinds of events that tell of it. */
export const TIGHTENING = ["mailbox_paused", "paused"] as const

/** Most that one answer tells. */
export const TIGHTENED_MAX = 100

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const ofEvent = ({ campaignId, detail, kind, observedAtMillis, source }: TrailEvent): ReadonlyArray<Tightened> => {
  // Who paused by hand did it: the service did nothing.
  if (source !== "system") return []
  const evidence = [detail["reason"], detail["status"], detail["says"]].map(textOf).filter((text) => text !== "")
  const why = evidence.join(": ")
  const what =
    kind === "mailbox_paused"
      ? `Paused the mailbox ${textOf(detail["mailbox"])}.`
      : campaignId === null
        ? "Paused a campaign."
        : `Paused the campaign ${campaignId}.`
  return [{ atMillis: observedAtMillis, what, why }]
}

const ofRest = ({ mailbox, receiver, restsUntilMillis, says, status, times }: RestRow): Tightened => ({
  atMillis: restsUntilMillis - backoff(times, restWaits(status)),
  what: `Let ${mailbox} write to nobody at ${receiver} until ${new Date(restsUntilMillis).toISOString()}.`,
  // A code is a server's answer; without one, a measure of our own found it.
  why: status === "" ? `measured: ${says}` : `refused: ${[status, says].filter((text) => text !== "").join(" ")}`
})

const SLOWED_WORDS: Readonly<Record<Slowed["why"], string>> = {
  refused: "were refused by policy",
  bounced: "went to addresses that do not exist",
  complained: "were reported as unwanted"
}

const ofSlowed =
  (whose: string) =>
  ({ cap, count, day, of, why }: Slowed): Tightened => ({
    atMillis: day * DAY_MILLIS,
    what: `Halved what ${whose} a day, to ${cap}.`,
    why: `${why}: ${count} of ${of} ${SLOWED_WORDS[why]}`
  })

/**
 * What halved the ramps of own mailboxes, of their domains, and of these towards each organisation, in the days that still
 * count. `addresses`: of the mailboxes to tell of, by id.
 */
export const slowedByUse = (
  book: UseBook,
  addresses: ReadonlyMap<string, string>,
  nowMillis: number
): ReadonlyArray<Tightened> => {
  const today = dayOf(nowMillis)
  const found: Array<Tightened> = []
  const ofDomain = new Map<string, string>()
  for (const { domain, mailboxId } of book.mailboxes) {
    const use = book.of(mailboxId)
    const address = addresses.get(mailboxId)
    if (use === null || address === undefined) continue
    found.push(...rampsOn(use, today).mailbox.slowed.map(ofSlowed(`${address} may send`)))
    ofDomain.set(domain, mailboxId)
  }
  for (const [domain, mailboxId] of ofDomain) {
    const use = book.of(mailboxId)
    if (use !== null) found.push(...rampsOn(use, today).domain.slowed.map(ofSlowed(`${domain} may send`)))
    for (const receiver of book.receiversOf(domain)) {
      const there = book.of(mailboxId, receiver)
      const slowed = there === null ? [] : (rampsOn(there, today).at?.domain.slowed ?? [])
      found.push(...slowed.map(ofSlowed(`${domain} may send to ${receiver}`)))
    }
  }
  return found
}

/** What the trail, the rests and the ramps tell since then, newest first. */
export const tightenedSince = (
  events: ReadonlyArray<TrailEvent>,
  rests: ReadonlyArray<RestRow>,
  slowed: ReadonlyArray<Tightened>,
  sinceMillis: number
): ReadonlyArray<Tightened> =>
  [...events.flatMap(ofEvent), ...rests.map(ofRest), ...slowed]
    .filter(({ atMillis }) => atMillis >= sinceMillis)
    .sort((a, b) => b.atMillis - a.atMillis || (a.what < b.what ? -1 : 1))
    .slice(0, TIGHTENED_MAX)
