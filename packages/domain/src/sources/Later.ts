import { Effect, Option } from "effect"
import type { JsonObject } from "../kernel/canonical.js"
import type { ProviderFailure } from "./ports/ProviderFailure.js"

/** What became of something that was asked for before and could not be answered then. */
export type LaterAnswer =
  /** It is still being asked for, with this: a source that can tell sooner may ask with it itself. */
  | { readonly _tag: "Pending"; readonly request: JsonObject }
  /** As the source's `followUp` put it. Kept until it is of no use any more. */
  | { readonly _tag: "Answered"; readonly answer: JsonObject; readonly answeredAtMillis: number }
  /** It may have happened, which nothing can tell any more. It is not to be done again while this stands. */
  | { readonly _tag: "Unknown"; readonly sinceMillis: number }

/** Something to be asked for again, after the call that wanted it has ended. */
export interface FollowUpRequest {
  /** A UUID by which it is shown to the operator; one of its own where it is left out. */
  readonly id?: string
  /** The follow-up's name (`FollowUpSource.name`). */
  readonly source: string
  /** What it is about, in the source's own words; kept as a keyed hash. One per workspace and source. */
  readonly subject: string
  /**
   * The address of the person it is about, so that an erasure finds it; addresses in the request and the answer are
   * found by themselves. Null: none is known, or it is about nobody.
   */
  readonly email: string | null
  /** All that asking again needs, sealed while it is kept. */
  readonly request: JsonObject
  /** At least a second, and at most `AFTER_SECONDS_MAX`. */
  readonly afterSeconds: number
}

/**
 * Answers that come after the call that asked for them: a server that wants to be asked again in some minutes, a vendor
 * that works for a minute. Whoever asks next knows.
 */
export interface Later {
  readonly find: (source: string, subject: string) => Effect.Effect<Option.Option<LaterAnswer>, ProviderFailure>
  /**
   * Has it asked for, on whichever host comes first, until there is an answer: at most `TRIES_MAX` times, and for
   * `PENDING_SECONDS_MAX`. What is pending already, or answered and still kept, stays as it is: then it is false, so that
   * of many who ask at once one does what may be done once only.
   */
  readonly ask: (request: FollowUpRequest) => Effect.Effect<boolean, ProviderFailure>
  /**
   * Puts another request in the place of one that is pending, to be asked for after so long from now; what a host comes
   * to that asks with the old one counts no more. False: that one is not pending any more.
   */
  readonly revise: (
    source: string,
    subject: string,
    before: JsonObject,
    after: JsonObject,
    afterSeconds: number
  ) => Effect.Effect<boolean, ProviderFailure>
  /**
   * What became known sooner than that: it is asked for no more. Where nothing is pending, nothing is kept; then it is
   * false.
   */
  readonly settle: (
    source: string,
    subject: string,
    outcome: SettledFollowUp
  ) => Effect.Effect<boolean, ProviderFailure>
  /**
   * Puts another answer, which names the same people, in the place of one that is kept, for as long as that one would
   * have been. Of several who do so with the same one, it is true for the first alone; false too where it is gone.
   */
  readonly amend: (
    source: string,
    subject: string,
    before: JsonObject,
    after: JsonObject
  ) => Effect.Effect<boolean, ProviderFailure>
}

/** How long something waits before it is asked again, at most. */
export const AFTER_SECONDS_MAX = 6 * 60 * 60

/** How often one thing is asked for, and for how long, before it is given up. */
export const TRIES_MAX = 30
export const PENDING_SECONDS_MAX = 24 * 60 * 60

/** How long an answer is kept at most; one that names no address, by which an erasure would find it, for less. */
export const KEPT_SECONDS_MAX = 90 * 24 * 60 * 60
export const KEPT_UNNAMED_SECONDS_MAX = 24 * 60 * 60

/** What asking again came to. */
export type FollowUp =
  /** Not yet: once more, so many seconds from now. */
  | { readonly _tag: "Again"; readonly afterSeconds: number; readonly request?: JsonObject }
  /**
   * `keepSeconds`: for how long it is worth telling, at most `KEPT_SECONDS_MAX`. `about`: the address of the person it is
   * about, for an erasure to find it by, where the answer does not name them.
   */
  | { readonly _tag: "Answer"; readonly answer: JsonObject; readonly keepSeconds: number; readonly about?: string }
  /** There will be no answer. */
  | { readonly _tag: "Gone" }
  /** Nobody will ever know; it is kept for so long that it may have happened, and shown to the operator. */
  | { readonly _tag: "Unknown"; readonly keepSeconds: number }

/** That it is over. */
export type SettledFollowUp = Exclude<FollowUp, { readonly _tag: "Again" }>

/**
 * A source whose answers may come late. Its follow-ups are asked on any host, in the name of the workspace. A host may
 * die in the middle of one, and another asks it again: it must read only, or do nothing the second time. One that fails
 * is asked again later, unless the failure is `invalid`.
 */
export interface FollowUpSource {
  /** Stable, in `snake_case`. */
  readonly name: string
  /** `tries`: which time it is, from 1. */
  readonly followUp: (request: JsonObject, tries: number) => Effect.Effect<FollowUp, ProviderFailure>
}

/** Keeps nothing: what is not answered at once is not answered. */
export const noFollowUps: Later = {
  find: () => Effect.succeed(Option.none()),
  ask: () => Effect.succeed(true),
  revise: () => Effect.succeed(false),
  settle: () => Effect.succeed(false),
  amend: () => Effect.succeed(false)
}
