import { Context, type Effect, type Option } from "effect"
import type { Passkey } from "./PasskeyStore.js"

/** An authenticator's answer before verification. */
export interface PasskeyAnswer {
  readonly credentialId: string
  /** The challenge it claims to answer, base64url. */
  readonly challenge: string
  /** The user it claims to be for, as base64url of the user's id; null if it names none. */
  readonly userHandle: string | null
}

/** The stored part of a new credential. */
export type NewCredential = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports">

/** The options of `navigator.credentials`, as JSON (WebAuthn Level 3, §5.1.8 and §5.1.9). */
export type PasskeyOptions = object

/**
 * Web Authentication. The relying party is the host of the service's base URL. Authenticators must verify their user,
 * because a passkey is the only factor.
 */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** `challenge`: base64url. `known`: the user's existing credentials, which are excluded. */
    readonly registration: (options: {
      readonly userId: string
      readonly email: string
      readonly challenge: string
      readonly known: ReadonlyArray<Passkey>
      readonly timeoutMillis: number
    }) => Effect.Effect<PasskeyOptions>
    /** `allowed`: empty lets any discoverable credential answer. */
    readonly authentication: (options: {
      readonly challenge: string
      readonly allowed: ReadonlyArray<Passkey>
      readonly timeoutMillis: number
    }) => Effect.Effect<PasskeyOptions>
    /** Parses an answer without verifying anything; null if it is malformed. */
    readonly read: (answer: string) => PasskeyAnswer | null
    /** Verifies a new credential: right challenge, our own origin, user verified. */
    readonly registered: (answer: string, challenge: string) => Effect.Effect<Option.Option<NewCredential>>
    /** The new counter if this passkey signed this challenge for our origin with its user verified. */
    readonly authenticated: (
      answer: string,
      challenge: string,
      passkey: Passkey
    ) => Effect.Effect<Option.Option<{ readonly counter: number }>>
    /** Base64url of a user's id, as authenticators keep it. */
    readonly userHandle: (userId: string) => string
  }
>()("@outbound/domain/control/users/Passkeys") {}
