import type { Effect } from "effect"
import type { JsonObject } from "../../kernel/canonical.js"
import type { ProviderFailure } from "./Source.js"

/** The outcome of a follow-up. */
export type FollowUp =
  /** Not yet: ask again after this wait. */
  | { readonly _tag: "Again"; readonly afterSeconds: number; readonly request?: JsonObject }
  /**
   * `keepSeconds`: how long the answer is useful, at most `KEPT_SECONDS_MAX`. `about`: the address of the person
   * concerned, for erasure, if the answer doesn't name it.
   */
  | { readonly _tag: "Answer"; readonly answer: JsonObject; readonly keepSeconds: number; readonly about?: string }
  /** There will be no answer. */
  | { readonly _tag: "Gone" }
  /** The outcome can never be known. It is kept as long as it may have happened, and shown to the operator. */
  | { readonly _tag: "Unknown"; readonly keepSeconds: number }

export type SettledFollowUp = Exclude<FollowUp, { readonly _tag: "Again" }>

/**
 * A source whose answers may come late. Any host asks its follow-ups on behalf of the workspace. A host may die halfway
 * and another asks again, so a follow-up must only read, or do nothing the second time. A failure is retried later,
 * unless it is `invalid`.
 */
export interface FollowUpSource {
  /** Stable, in `snake_case`. */
  readonly name: string
  /** `tries`: the number of this try, from 1. */
  readonly followUp: (request: JsonObject, tries: number) => Effect.Effect<FollowUp, ProviderFailure>
}
