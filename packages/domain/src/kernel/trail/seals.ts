import { Chunk, Result, Schema } from "effect"
import { TRAIL_SOURCES, type TrailEvent, TrailKind } from "./TrailEvent.js"

/** SHA-256 of the UTF-8 text, in lower-case hex. */
type Sha256Hex = (text: string) => string

/** What the first seal of a workspace names as the one before. */
export const NO_SEAL = "0".repeat(64)

/** Most events that one seal covers. */
export const SEAL_EVENTS_MAX = 1_000

/** An event as its seal covers it. */
export interface SealedEvent extends Omit<TrailEvent, "workspaceId" | "detail"> {
  /** The commitment to the person's address; null if the event names nobody, or the person was erased before the seal. */
  readonly person: string | null
  /** The address and the salt of its commitment, as long as the address is retained. No seal covers them directly. */
  readonly email: string | null
  readonly salt: string | null
  /** The stored JSON text, character for character. */
  readonly detail: string
}

/** A seal: one link of a workspace's chain. */
export interface TrailSeal {
  readonly workspaceId: string
  /** 1, 2, 3 and so on, without a gap. */
  readonly number: number
  /** The hash of the seal before, or `NO_SEAL`. */
  readonly previous: string
  readonly sealedAtMillis: number
  readonly count: number
  readonly hash: string
}

/** How many seals and events the beginning of a chain holds, and the hash of its last seal. */
export interface SealedTotals {
  readonly seals: number
  readonly events: number
  readonly head: string
}

export const NOTHING_SEALED: SealedTotals = { seals: 0, events: 0, head: NO_SEAL }

/**
 * What commits to a person's address without naming them: nobody can test a guess without the salt, and an erasure
 * destroys the salt together with the address.
 */
export const commitmentOf = (sha256: Sha256Hex, salt: string, email: string): string => sha256(`${salt}\n${email}`)

/** The hash of an event. `detail` is last: only it could contain a line feed. */
export const eventHash = (sha256: Sha256Hex, event: Omit<SealedEvent, "email" | "salt">): string =>
  sha256(
    [
      event.eventId,
      event.kind,
      event.source,
      new Date(event.observedAtMillis).toISOString(),
      event.campaignId ?? "",
      event.campaignLeadId ?? "",
      event.replyId ?? "",
      event.requestId ?? "",
      event.operationId ?? "",
      event.person ?? "",
      event.detail
    ].join("\n")
  )

/** The hash of a seal over the hashes of its events, which are in the order of their times, then of their ids. */
export const sealHash = (
  sha256: Sha256Hex,
  seal: Omit<TrailSeal, "hash">,
  eventHashes: ReadonlyArray<string>
): string =>
  sha256(
    [
      "outbound trail seal 1",
      seal.workspaceId,
      seal.number,
      seal.previous,
      new Date(seal.sealedAtMillis).toISOString(),
      seal.count,
      ...eventHashes
    ].join("\n")
  )

const FORMAT = "outbound trail 1"

const Text = Schema.NullOr(Schema.String)
const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))

const Totals = Schema.Struct({ seals: Schema.Int, events: Schema.Int, head: Schema.String })
const First = Schema.Struct({
  format: Schema.Literal(FORMAT),
  workspace_id: Schema.String,
  /** What came before a part of an export: the chain goes on from there. */
  after: Schema.optional(Totals)
})
const Seal = Schema.Struct({
  seal: Schema.Int.check(Schema.isGreaterThan(0)),
  previous: Schema.String,
  sealed_at: Instant,
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: SEAL_EVENTS_MAX })),
  hash: Schema.String
})
const Event = Schema.Struct({
  id: Schema.String,
  kind: TrailKind,
  source: Schema.Literals(TRAIL_SOURCES),
  observed_at: Instant,
  campaign_id: Text,
  campaign_lead_id: Text,
  reply_id: Text,
  request_id: Text,
  operation_id: Text,
  person: Text,
  email: Text,
  salt: Text,
  detail: Schema.String,
  hash: Schema.String
})
const Last = Totals

const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Union([First, Seal, Event, Last])))

/** The line that an export begins with, or the part of one that goes on after others. */
export const firstLine = (workspaceId: string, { events, head, seals }: SealedTotals = NOTHING_SEALED): string =>
  JSON.stringify({
    format: FORMAT,
    workspace_id: workspaceId,
    ...(seals === 0 ? {} : { after: { seals, events, head } })
  })

/** A seal, then its events in order: one JSON object per line. */
export const sealLines = (
  sha256: Sha256Hex,
  seal: TrailSeal,
  events: ReadonlyArray<SealedEvent>
): ReadonlyArray<string> => [
  JSON.stringify({
    seal: seal.number,
    previous: seal.previous,
    sealed_at: new Date(seal.sealedAtMillis).toISOString(),
    count: seal.count,
    hash: seal.hash
  }),
  ...events.map((event) =>
    JSON.stringify({
      id: event.eventId,
      kind: event.kind,
      source: event.source,
      observed_at: new Date(event.observedAtMillis).toISOString(),
      campaign_id: event.campaignId,
      campaign_lead_id: event.campaignLeadId,
      reply_id: event.replyId,
      request_id: event.requestId,
      operation_id: event.operationId,
      person: event.person,
      email: event.email,
      salt: event.salt,
      detail: event.detail,
      hash: eventHash(sha256, event)
    })
  )
]

/** The line that an export ends with. Without it, the export is cut off. */
export const lastLine = ({ events, head, seals }: SealedTotals): string => JSON.stringify({ seals, events, head })

/** What was read of an export that is right so far. */
export interface Verified extends SealedTotals {
  readonly lines: number
  readonly workspaceId: string | null
  /** What the export says came before it. */
  readonly after: SealedTotals
  /** The seal whose events are being read. */
  readonly open: { readonly seal: typeof Seal.Type; readonly hashes: Chunk.Chunk<string> } | null
  readonly isEnded: boolean
  /** Whether the head that somebody noted is in the chain. */
  readonly isNotedSeen: boolean
}

export const NOTHING_VERIFIED: Verified = {
  ...NOTHING_SEALED,
  lines: 0,
  workspaceId: null,
  after: NOTHING_SEALED,
  open: null,
  isEnded: false,
  isNotedSeen: false
}

const sealed = (sha256: Sha256Hex, workspaceId: string, { hashes, seal }: NonNullable<Verified["open"]>): string =>
  sealHash(
    sha256,
    {
      workspaceId,
      number: seal.seal,
      previous: seal.previous,
      sealedAtMillis: Date.parse(seal.sealed_at),
      count: seal.count
    },
    Chunk.toReadonlyArray(hashes)
  )

const personFault = (sha256: Sha256Hex, { email, person, salt }: typeof Event.Type): string | null => {
  const isForgotten = email === null && salt === null
  const isSealed = email !== null && salt !== null && commitmentOf(sha256, salt, email) === person
  return isForgotten || isSealed ? null : "the address is not the one that was sealed"
}

/**
 * Verifies one more line of an export. `noted`: the hash of a seal that somebody wrote down earlier, or null. A failure
 * says what is wrong with the line; nothing after it is to be trusted.
 */
export const verifyLine = (
  sha256: Sha256Hex,
  noted: string | null,
  before: Verified,
  text: string
): Result.Result<Verified, string> => {
  const { open, workspaceId } = before
  const at = { ...before, lines: before.lines + 1 }
  const decoded = decodeLine(text)
  if (Result.isFailure(decoded)) return Result.fail("it is no line of an export")
  const line = decoded.success
  if (before.isEnded) return Result.fail("it follows the line that ends the export")
  if (workspaceId === null) {
    if (!("format" in line)) return Result.fail("an export begins with the line that names its format")
    const after = line.after ?? NOTHING_SEALED
    return Result.succeed({ ...at, ...after, after, workspaceId: line.workspace_id, isNotedSeen: after.head === noted })
  }
  if (open !== null) {
    if (!("kind" in line)) return Result.fail(`an event of seal ${open.seal.seal} is missing`)
    const { detail, hash, id, kind, observed_at, person, source } = line
    const expected = eventHash(sha256, {
      eventId: id,
      kind,
      source,
      observedAtMillis: Date.parse(observed_at),
      campaignId: line.campaign_id,
      campaignLeadId: line.campaign_lead_id,
      replyId: line.reply_id,
      requestId: line.request_id,
      operationId: line.operation_id,
      person,
      detail
    })
    if (expected !== hash) return Result.fail("the event is not as its hash says")
    const fault = personFault(sha256, line)
    if (fault !== null) return Result.fail(fault)
    const hashes = Chunk.append(open.hashes, hash)
    const events = at.events + 1
    if (hashes.length < open.seal.count) return Result.succeed({ ...at, events, open: { ...open, hashes } })
    return sealed(sha256, workspaceId, { ...open, hashes }) === open.seal.hash
      ? Result.succeed({ ...at, events, open: null })
      : Result.fail(`the events before are not those of seal ${open.seal.seal}, or not in its order`)
  }
  if ("seal" in line) {
    if (line.seal !== before.seals + 1) return Result.fail(`seal ${before.seals + 1} is missing`)
    if (line.previous !== before.head) return Result.fail("the seal does not follow the one before it")
    const isNotedSeen = before.isNotedSeen || line.hash === noted
    return Result.succeed({
      ...at,
      seals: line.seal,
      head: line.hash,
      isNotedSeen,
      open: { seal: line, hashes: Chunk.empty() }
    })
  }
  if ("head" in line) {
    return line.seals === before.seals && line.events === before.events && line.head === before.head
      ? Result.succeed({ ...at, isEnded: true })
      : Result.fail("the last line does not count what the export holds")
  }
  return Result.fail("the event is in no seal")
}

/** What is wrong with an export of which every line was verified; null if nothing is. */
export const verifiedFault = (noted: string | null, { isEnded, isNotedSeen }: Verified): string | null => {
  if (!isEnded) return "The export is cut off: its last line is missing."
  if (noted !== null && noted !== NO_SEAL && !isNotedSeen)
    return "The noted head is not in this chain: the trail was rewritten, or cut."
  return null
}
