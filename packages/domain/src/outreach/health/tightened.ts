import { backoff } from "../../kernel/backoff.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { RECEIVER_REST_MILLIS } from "../sending/refusals.js"
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
  atMillis: restsUntilMillis - backoff(times, RECEIVER_REST_MILLIS),
  what: `Let ${mailbox} write to nobody at ${receiver} until ${new Date(restsUntilMillis).toISOString()}.`,
  why: `refused: ${[status, says].filter((text) => text !== "").join(" ")}`
})

/** What the trail and the rests tell since then, newest first. */
export const tightenedSince = (
  events: ReadonlyArray<TrailEvent>,
  rests: ReadonlyArray<RestRow>,
  sinceMillis: number
): ReadonlyArray<Tightened> =>
  [...events.flatMap(ofEvent), ...rests.map(ofRest)]
    .filter(({ atMillis }) => atMillis >= sinceMillis)
    .sort((a, b) => b.atMillis - a.atMillis || (a.what < b.what ? -1 : 1))
    .slice(0, TIGHTENED_MAX)
