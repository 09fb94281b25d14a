import { Result, Schema } from "effect"
import { commitmentOf, eventHash, sealHash, type SealedEvent, type TrailSeal } from "../../kernel/trail/seals.js"
import { TRAIL_SOURCES, TrailKind } from "../../kernel/trail/TrailEvent.js"

/**
 * The text of a person's file, and its proof. Everything before the digest is covered by it, character by character; the
 * trail's events are covered by their seals as well, which the workspace's own export holds (`kernel/trail/seals.ts`).
 */

type Sha256Hex = (text: string) => string

export const PERSON_FORMAT = "outbound person 1"

/** A seal with the hashes of its events, in its order. Those of other people stay hashes. */
export interface FiledSeal {
  readonly seal: TrailSeal
  readonly hashes: ReadonlyArray<string>
  readonly theirs: ReadonlyArray<SealedEvent>
}

const Text = Schema.NullOr(Schema.String)
const Event = Schema.Struct({
  id: Schema.String,
  kind: TrailKind,
  source: Schema.Literals(TRAIL_SOURCES),
  observed_at: Schema.String,
  campaign_id: Text,
  campaign_lead_id: Text,
  reply_id: Text,
  request_id: Text,
  operation_id: Text,
  person: Text,
  salt: Text,
  detail: Schema.String
})
const Seal = Schema.Struct({
  seal: Schema.Int,
  previous: Schema.String,
  sealed_at: Schema.String,
  hash: Schema.String,
  hashes: Schema.Array(Schema.String),
  events: Schema.Array(Event)
})
const File = Schema.Struct({
  format: Schema.Literal(PERSON_FORMAT),
  workspace: Schema.Struct({ workspace_id: Schema.String }),
  email: Schema.String,
  seals: Schema.Array(Seal),
  digest: Schema.String
})

const decodeFile = Schema.decodeUnknownResult(Schema.fromJsonString(File))

const filed = ({ hashes, seal, theirs }: FiledSeal): typeof Seal.Type => ({
  seal: seal.number,
  previous: seal.previous,
  sealed_at: new Date(seal.sealedAtMillis).toISOString(),
  hash: seal.hash,
  hashes,
  events: theirs.map((event) => ({
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
    salt: event.salt,
    detail: event.detail
  }))
})

const DIGEST = /,"digest":"([0-9a-f]{64})"\}\n$/

/** The file: one line of JSON, whose last member is the digest of everything before it. */
export const personFileText = (
  sha256: Sha256Hex,
  content: Readonly<Record<string, unknown>>,
  seals: ReadonlyArray<FiledSeal>
): string => {
  const text = JSON.stringify({ format: PERSON_FORMAT, ...content, seals: seals.map(filed) })
  const covered = text.slice(0, -1)
  return `${covered},"digest":"${sha256(covered)}"}\n`
}

/** Whether a text is a person's file, by how it begins. */
export const isPersonFile = (text: string): boolean => text.startsWith(`{"format":"${PERSON_FORMAT}"`)

/** What a file that is as it was made holds. */
export interface VerifiedFile {
  readonly workspaceId: string
  readonly seals: ReadonlyArray<{ readonly number: number; readonly hash: string }>
  readonly events: number
}

const sealFault = (
  sha256: Sha256Hex,
  { email, workspace }: typeof File.Type,
  seal: typeof Seal.Type
): string | null => {
  const { events, hash, hashes, previous, sealed_at } = seal
  const whole = {
    workspaceId: workspace.workspace_id,
    number: seal.seal,
    previous,
    sealedAtMillis: Date.parse(sealed_at),
    count: hashes.length
  }
  if (Number.isNaN(whole.sealedAtMillis)) return `seal ${seal.seal} has no time`
  if (sealHash(sha256, whole, hashes) !== hash) return `the hashes of seal ${seal.seal} are not those that it covers`
  const known = new Set(hashes)
  for (const event of events) {
    const observedAtMillis = Date.parse(event.observed_at)
    const expected = Number.isNaN(observedAtMillis)
      ? null
      : eventHash(sha256, {
          eventId: event.id,
          kind: event.kind,
          source: event.source,
          observedAtMillis,
          campaignId: event.campaign_id,
          campaignLeadId: event.campaign_lead_id,
          replyId: event.reply_id,
          requestId: event.request_id,
          operationId: event.operation_id,
          person: event.person,
          detail: event.detail
        })
    if (expected === null || !known.has(expected)) return `event ${event.id} is not one of seal ${seal.seal}`
    const isTheirs = event.salt !== null && commitmentOf(sha256, event.salt, email) === event.person
    if (!isTheirs) return `event ${event.id} is not about this person`
  }
  return null
}

/** Verifies a person's file without a database. A failure says what is wrong with it. */
export const verifyPersonFile = (sha256: Sha256Hex, text: string): Result.Result<VerifiedFile, string> => {
  const digest = DIGEST.exec(text)
  if (digest === null) return Result.fail("the file is cut off, or was written again: its digest is missing")
  if (sha256(text.slice(0, digest.index)) !== digest[1]) return Result.fail("the file is not as it was made")
  const decoded = decodeFile(text)
  if (Result.isFailure(decoded)) return Result.fail("it is no person's file")
  const file = decoded.success
  for (const seal of file.seals) {
    const fault = sealFault(sha256, file, seal)
    if (fault !== null) return Result.fail(fault)
  }
  return Result.succeed({
    workspaceId: file.workspace.workspace_id,
    seals: file.seals.map(({ hash, seal }) => ({ number: seal, hash })),
    events: file.seals.reduce((sum, { events }) => sum + events.length, 0)
  })
}
