import { Context, type Effect, type Option } from "effect"
import type { Passkey } from "./PasskeyStore.js"

/** What a browser's authenticator answered, before anything of it is believed. */
export interface PasskeyAnswer {
  readonly credentialId: string
  /** The challenge that it says it signed, base64url. */
  readonly challenge: string
  /** Whom it says it is of, base64url of the user's id; null where it does not say. */
  readonly userHandle: string | null
}

/** What is kept of a credential that was made. */
export type NewCredential = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports">

/** The options of `navigator.credentials`, as JSON (WebAuthn Level 3, §5.1.8 and §5.1.9). */
export type PasskeyOptions = object

/**
 * Web Authentication, for this service's own address: the relying party is the host of its base URL. Users are always
 * verified by their authenticator, since a passkey is all that they show.
 */
export class Passkeys extends Context.Tag("@outbound/domain/control/users/Passkeys")<
  Passkeys,
  {
    /** `challenge`: base64url. `known`: credentials that the user has already, which are not made anew. */
    readonly registration: (options: {
      readonly userId: string
      readonly email: string
      readonly challenge: string
      readonly known: ReadonlyArray<Passkey>
      readonly timeoutMillis: number
    }) => Effect.Effect<PasskeyOptions>
    /** `allowed`: empty where any discoverable credential may answer. */
    readonly authentication: (options: {
      readonly challenge: string
      readonly allowed: ReadonlyArray<Passkey>
      readonly timeoutMillis: number
    }) => Effect.Effect<PasskeyOptions>
    /** The answer taken apart; null where it is none. Nothing of it is verified. */
    readonly read: (answer: string) => PasskeyAnswer | null
    /** The credential, where the answer is to this challenge, from our own pages, and its user was verified. */
    readonly registered: (answer: string, challenge: string) => Effect.Effect<Option.Option<NewCredential>>
    /** The counter after it, where this very passkey signed this challenge for our own pages, its user verified. */
    readonly authenticated: (
      answer: string,
      challenge: string,
      passkey: Passkey
    ) => Effect.Effect<Option.Option<{ readonly counter: number }>>
    /** Base64url of a user's id, as authenticators keep it. */
    readonly userHandle: (userId: string) => string
  }
>() {}
