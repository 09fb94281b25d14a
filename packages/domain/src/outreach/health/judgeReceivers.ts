/** What the counts of the last days say of a domain at one receiving organisation. Pure. */
import { operatorOf } from "../../kernel/people/Suffixes.js"
import type { WorkspaceCaps } from "../../kernel/workspaces/WorkspaceStore.js"
import { bouncesHigh, HARD_BOUNCES_MAX } from "../sending/Breaker.js"
import type { HealthState, Measured } from "./Measurements.js"
import type { ReceiverCounts, ReceiverRow, RestRow } from "./HealthReads.js"

/** Fewer messages prove nothing good, and no share. */
export const RECEIVER_SENT_MIN = 20

/** Shares of what was sent from which on somebody should look, before anything stops by itself. */
export const COMPLAINTS_WATCHED = 0.001
/** What large receivers publish as the share that must never be reached. */
export const COMPLAINTS_BAD = 0.003

/** Organisations that are shown of a domain, by what was sent to them; all others are one. */
export const RECEIVERS_SHOWN_MAX = 50
export const OTHER_RECEIVERS = "other"

export interface ReceiverHealth extends ReceiverCounts {
  readonly organisation: string
  /** What was measured there beside these counts, the newest first. */
  readonly measured: ReadonlyArray<Measured>
  readonly state: HealthState
  /** Until when a mailbox of the domain leaves it alone; of several, the last. */
  readonly restingUntilMillis: number | null
}

type Limits = Pick<WorkspaceCaps, "refusalsMin" | "receiverRefusalsPercent">

const share = (part: number, of: number): number => (of === 0 ? 0 : part / of)

/** A state other than `unknown` is always proven by a count or a rest. */
export const receiverState = (
  { bounced, complained, refused, sent }: ReceiverCounts,
  isResting: boolean,
  { receiverRefusalsPercent, refusalsMin }: Limits
): HealthState => {
  const tried = sent + refused
  const hasEnough = sent >= RECEIVER_SENT_MIN
  const isRefused = refused >= Math.max(1, refusalsMin) && refused * 100 > tried * receiverRefusalsPercent
  if (isResting || isRefused) return "bad"
  if (hasEnough && (share(bounced, sent) > HARD_BOUNCES_MAX || share(complained, sent) > COMPLAINTS_BAD)) return "bad"
  if (refused >= 2 || bouncesHigh({ hardBounces: bounced, sent })) return "watch"
  if (share(complained, sent) > COMPLAINTS_WATCHED) return "watch"
  return hasEnough ? "good" : "unknown"
}

/**
 * The organisation that received a message: the one that the host found by the address's mail servers when it handed the
 * message in, otherwise the one that name servers named for the domain at another time, otherwise that of the address's own
 * domain. What erased people were sent has none.
 */
const organisationOf = ({ mailDomain, receiver }: ReceiverRow, known: ReadonlyMap<string, string>): string =>
  receiver ?? known.get(mailDomain) ?? (mailDomain === "" ? OTHER_RECEIVERS : (operatorOf(mailDomain) ?? mailDomain))

const NONE: ReceiverCounts = { sent: 0, bounced: 0, refused: 0, complained: 0, replied: 0 }

const plus = (a: ReceiverCounts, b: ReceiverCounts): ReceiverCounts => ({
  sent: a.sent + b.sent,
  bounced: a.bounced + b.bounced,
  refused: a.refused + b.refused,
  complained: a.complained + b.complained,
  replied: a.replied + b.replied
})

const WORST: ReadonlyArray<HealthState> = ["bad", "watch", "good"]

/** The worst that anything proves. A measure that says `good` is evidence, and heals nothing that counts prove. */
const worstOf = (states: ReadonlyArray<HealthState>): HealthState =>
  WORST.find((state) => states.includes(state)) ?? "unknown"

/** What the stores and the measures know of how a workspace's mail was received. */
export interface Received {
  readonly rows: ReadonlyArray<ReceiverRow>
  readonly rests: ReadonlyArray<RestRow>
  /** Who receives the mail of which domain. */
  readonly known: ReadonlyMap<string, string>
  readonly measured: ReadonlyArray<Measured>
}

/** Each organisation that a domain wrote to, those with the most messages first, and one line for what is left. */
export const receiversOf = (
  domain: string,
  { known, measured, rests, rows }: Received,
  limits: Limits,
  nowMillis: number
): ReadonlyArray<ReceiverHealth> => {
  const sums = new Map<string, ReceiverCounts>()
  for (const row of rows) {
    if (row.domain !== domain) continue
    const organisation = organisationOf(row, known)
    sums.set(organisation, plus(sums.get(organisation) ?? NONE, row))
  }
  const resting = new Map<string, number>()
  for (const { domain: of, receiver, restsUntilMillis } of rests) {
    if (of !== domain || restsUntilMillis <= nowMillis) continue
    resting.set(receiver, Math.max(resting.get(receiver) ?? 0, restsUntilMillis))
    if (!sums.has(receiver)) sums.set(receiver, NONE)
  }
  const measuredAt = new Map<string, ReadonlyArray<Measured>>()
  for (const one of measured.toSorted((a, b) => b.atMillis - a.atMillis)) {
    if (one.domain !== domain) continue
    measuredAt.set(one.organisation, [...(measuredAt.get(one.organisation) ?? []), one])
  }
  for (const organisation of measuredAt.keys()) if (!sums.has(organisation)) sums.set(organisation, NONE)
  const healthOf = (organisation: string, counts: ReceiverCounts): ReceiverHealth => {
    const restingUntilMillis = resting.get(organisation) ?? null
    const there = measuredAt.get(organisation) ?? []
    const state = worstOf([
      receiverState(counts, restingUntilMillis !== null, limits),
      ...there.map((one) => one.state)
    ])
    return { organisation, ...counts, state, restingUntilMillis, measured: there }
  }
  // One that rests, or was measured, is shown, however little it was sent.
  const size = ([organisation, { refused, sent }]: readonly [string, ReceiverCounts]) =>
    sent + refused + (resting.has(organisation) || measuredAt.has(organisation) ? 1_000_000_000 : 0)
  const sorted = [...sums].sort((a, b) => size(b) - size(a) || (a[0] < b[0] ? -1 : 1))
  const shown = sorted.filter(([organisation]) => organisation !== OTHER_RECEIVERS).slice(0, RECEIVERS_SHOWN_MAX)
  const names = new Set(shown.map(([organisation]) => organisation))
  const left = sorted.filter(([organisation]) => !names.has(organisation))
  const other = left.reduce((sum, [, counts]) => plus(sum, counts), NONE)
  return [
    ...shown.map(([organisation, counts]) => healthOf(organisation, counts)),
    ...(left.length === 0 ? [] : [healthOf(OTHER_RECEIVERS, other)])
  ]
}
