import { Effect, Option } from "effect"
import type { JsonObject } from "../kernel/canonical.js"
import type { SettledFollowUp } from "./ports/FollowUpSource.js"
import type { ProviderFailure } from "./ports/Source.js"

/** The state of an earlier request that could not be answered at the time. */
export type LaterAnswer =
  /** Still pending. A source that can answer sooner may use this request itself. */
  | { readonly _tag: "Pending"; readonly request: JsonObject }
  /** The answer of the source's `followUp`, until it expires. */
  | { readonly _tag: "Answered"; readonly answer: JsonObject; readonly answeredAtMillis: number }
  /** It may have happened, and nobody can tell. Don't do it again before this expires. */
  | { readonly _tag: "Unknown"; readonly sinceMillis: number }

/** A lookup to repeat after its call has ended. */
export interface FollowUpRequest {
  /** A UUID shown to the operator. Generated if absent. */
  readonly id?: string
  /** The follow-up's name (`FollowUpSource.name`). */
  readonly source: string
  /** The subject, in the source's terms; stored as a keyed hash. One per workspace and source. */
  readonly subject: string
  /**
   * The address of the person concerned, so that erasure finds it. Addresses in the request and the answer are found
   * anyway. Null: unknown, or nobody.
   */
  readonly email: string | null
  /** Everything needed to ask again; stored sealed. */
  readonly request: JsonObject
  /** From 1 to `AFTER_SECONDS_MAX`. */
  readonly afterSeconds: number
}

/**
 * Answers that come after their call has ended: a server that wants another try in some minutes, or a vendor that works
 * for a minute. The next call gets the answer.
 */
export interface Later {
  readonly find: (source: string, subject: string) => Effect.Effect<Option.Option<LaterAnswer>, ProviderFailure>
  /**
   * Schedules the follow-up. The first free host asks until there is an answer, at most `TRIES_MAX` times and for
   * `PENDING_SECONDS_MAX`. An existing one, pending or answered, stays, and the result is false: of many concurrent
   * callers, exactly one may do what must be done once.
   */
  readonly ask: (request: FollowUpRequest) => Effect.Effect<boolean, ProviderFailure>
  /**
   * Replaces the request of a pending follow-up; it is asked after this wait. A host that is asking with the old
   * request loses its claim. False: no longer pending.
   */
  readonly revise: (
    source: string,
    subject: string,
    before: JsonObject,
    after: JsonObject,
    afterSeconds: number
  ) => Effect.Effect<boolean, ProviderFailure>
  /** Ends a pending follow-up with an answer that came sooner. False: nothing was pending, and nothing is kept. */
  readonly settle: (
    source: string,
    subject: string,
    outcome: SettledFollowUp
  ) => Effect.Effect<boolean, ProviderFailure>
  /**
   * Replaces a kept answer with one that names the same people; the expiry stays. Of several callers that replace the
   * same answer, only the first gets true. False too if it is gone.
   */
  readonly amend: (
    source: string,
    subject: string,
    before: JsonObject,
    after: JsonObject
  ) => Effect.Effect<boolean, ProviderFailure>
}

/** The longest wait before a follow-up is asked again. */
export const AFTER_SECONDS_MAX = 6 * 60 * 60

/** How often, and for how long, a follow-up is asked before we give up. */
export const TRIES_MAX = 30
export const PENDING_SECONDS_MAX = 24 * 60 * 60

/** The longest that an answer is kept. One that names no address, which erasure could not find, is kept less long. */
export const KEPT_SECONDS_MAX = 90 * 24 * 60 * 60
export const KEPT_UNNAMED_SECONDS_MAX = 24 * 60 * 60

/** Keeps nothing: late answers are lost. */
export const noFollowUps: Later = {
  find: () => Effect.succeed(Option.none()),
  ask: () => Effect.succeed(true),
  revise: () => Effect.succeed(false),
  settle: () => Effect.succeed(false),
  amend: () => Effect.succeed(false)
}
