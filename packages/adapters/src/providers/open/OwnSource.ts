import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import type { Effect, Scope } from "effect"
import type { ProberSettings } from "./ProberSettings.js"

/** A check for the operator of something the prober needs. */
export interface ProberFinding {
  readonly what: "resolver" | "smtp_port" | "helo_name" | "reverse_name"
  /** `untested`: the configuration names nothing to test with. */
  readonly state: "works" | "warning" | "fails" | "untested"
  /** For people. */
  readonly text: string
}

/** What verifies addresses by asking mail servers. */
export interface Prober {
  readonly verifier: EmailVerifier
  readonly followUp: FollowUpSource
  /** Checks name servers, access to mail servers, and our own name. */
  readonly check: Effect.Effect<ReadonlyArray<ProberFinding>>
}

/** Connections close with the scope. */
export type MakeProber = (settings: ProberSettings) => Effect.Effect<Prober, never, Scope.Scope>

/** Sources of our own that a section of the configuration sets up, and no vendor's credential. */
export interface OwnSources {
  readonly makeProber?: MakeProber
}
