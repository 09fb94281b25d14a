import type { Weekday } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { TermsDifference, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { textOfHtml } from "./html.js"

/** A message as it was set or is told: HTML, or plain text for a subject. */
export interface MessageThere {
  readonly subject: string
  readonly body: string
  /** Days after the message before; null: not told. */
  readonly waitDays: number | null
}

/** A campaign as its vendor tells it; null: not told. */
export interface CampaignThere {
  readonly timezone: string | null
  readonly days: ReadonlyArray<Weekday> | null
  /** As set: `HH:MM` to `HH:MM`. */
  readonly hours: readonly [from: string, to: string] | null
  readonly senders: ReadonlyArray<string> | null
  /** Who gets a copy of every message. Absent: its campaigns send none. */
  readonly copies?: ReadonlyArray<string> | null
  readonly messages: ReadonlyArray<MessageThere> | null
  readonly isTracked: boolean | null
  readonly stopsOnReply: boolean | null
  /** Absent: its campaigns have no daily limit of their own. */
  readonly dailySends?: number | null
}

/** The most characters of what was found that are told. */
const FOUND_CHARS_MAX = 200

/** What a reader sees of it: vendors store the same text with other tags, spaces and escapes. */
const seenOf = (html: string): string => textOfHtml(html).replace(/[\s\u200b]+/g, "")

/** Ours are text, so whatever acts in a mail program is not ours. */
const ACTING = /<(?:a|img|script|style|iframe|form|link|object|embed|input|button)\b/i

/** Whether a person's values are those that were set. `told`: as the vendor tells them; null: it tells none. */
export const holdsValues = (
  wanted: Readonly<Record<string, string>>,
  told: Readonly<Record<string, unknown>> | null
): boolean =>
  told !== null &&
  Object.entries(wanted).every(([name, value]) => {
    const found = told[name] ?? ""
    const text = typeof found === "string" ? found : JSON.stringify(found)
    return seenOf(text) === seenOf(value) && !ACTING.test(text)
  })

const isSameMessage = (one: MessageThere, other: MessageThere | undefined, isFirst: boolean): boolean =>
  other !== undefined &&
  seenOf(one.subject) === seenOf(other.subject) &&
  seenOf(one.body) === seenOf(other.body) &&
  !ACTING.test(other.body) &&
  (isFirst || other.waitDays === null || one.waitDays === other.waitDays)

const areSameMessages = (wanted: ReadonlyArray<MessageThere>, found: ReadonlyArray<MessageThere>): boolean =>
  wanted.length === found.length && wanted.every((one, index) => isSameMessage(one, found[index], index === 0))

const within = (of: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean => {
  const known = new Set(all.map((one) => one.toLowerCase()))
  return of.every((one) => known.has(one.toLowerCase()))
}

/** Where a campaign is not as its terms say. */
export const differencesOf = (
  { dailySends, mailboxes, schedule }: VendorTerms,
  wanted: { readonly hours: readonly [from: string, to: string]; readonly messages: ReadonlyArray<MessageThere> },
  found: CampaignThere
): ReadonlyArray<TermsDifference> => {
  const differences: Array<TermsDifference> = []
  const compare = <A>(member: TermsDifference["member"], told: A | null, isAsWanted: (value: A) => boolean) => {
    if (told !== null && isAsWanted(told)) return
    const found = told === null ? null : (JSON.stringify(told) ?? "").slice(0, FOUND_CHARS_MAX)
    differences.push({ member, found })
  }
  compare("timezone", found.timezone, (zone) => zone === schedule.timezone)
  compare("days", found.days, (days) => days.length === schedule.days.length && within(days, schedule.days))
  compare("hours", found.hours, ([from, to]) => from === wanted.hours[0] && to === wanted.hours[1])
  compare("senders", found.senders, (senders) => senders.length > 0 && within(senders, mailboxes))
  if (found.copies !== undefined) compare("copies", found.copies, (copies) => copies.length === 0)
  compare("messages", found.messages, (messages) => areSameMessages(wanted.messages, messages))
  compare("tracking", found.isTracked, (isTracked) => !isTracked)
  compare("stop_on_reply", found.stopsOnReply, (stops) => stops)
  if (found.dailySends !== undefined) compare("daily_limit", found.dailySends, (limit) => limit <= dailySends)
  return differences
}
