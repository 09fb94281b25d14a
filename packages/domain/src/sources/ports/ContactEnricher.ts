import type { Effect, Option } from "effect"
import type { Person, PersonIdentity } from "./Person.js"
import type { ProviderFailure, Source } from "./Source.js"
import type { EmailStatus } from "./EmailVerifier.js"

export interface EnrichedContact extends Person {
  readonly workEmail: string | null
  readonly workEmailStatus: "valid" | "catch_all" | "unknown" | "not_found" | null
  readonly emailVerdict: EmailStatus | null
  /** E.164, if the source has one. */
  readonly mobilePhone: string | null
}

/** Reveals a person's work email, and a mobile number if it has one. None: no such person known. */
export interface ContactEnricher extends Source {
  readonly lookup: (identity: PersonIdentity) => Effect.Effect<Option.Option<EnrichedContact>, ProviderFailure>
}

/** Searches for a person's mobile number (E.164). None: not found. */
export interface MobileFinder extends Source {
  readonly find: (identity: PersonIdentity) => Effect.Effect<Option.Option<string>, ProviderFailure>
}
