import type { TrailEvent } from "./TrailEvent.js"

/** SHA-256 of the UTF-8 text, in lower-case hex. */
export type Sha256Hex = (text: string) => string

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
