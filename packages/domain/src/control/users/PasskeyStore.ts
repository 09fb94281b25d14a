import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** What a challenge is for: to add a passkey, to begin a session, or to confirm who holds one. */
export const CHALLENGE_PURPOSES = ["register", "sign_in", "confirm"] as const
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

/** What an authenticator is asked to sign, once. */
export interface Challenge {
  readonly challengeHash: string
  readonly purpose: ChallengePurpose
  /** The digest of what the asking browser holds; an answer from elsewhere is none. */
  readonly boundTo: string
  readonly expiresAtMillis: number
}

/** A WebAuthn credential of a user. Nothing in it is secret. */
export interface Passkey {
  readonly passkeyId: string
  readonly userId: string
  /** Base64url, as the authenticator names it. */
  readonly credentialId: string
  /** The COSE key, base64url. */
  readonly publicKey: string
  /** How often it signed, as the authenticator counts; 0 for ever where it does not count. */
  readonly counter: number
  /** How the browser reaches it. */
  readonly transports: ReadonlyArray<string>
  readonly name: string
  readonly createdAtMillis: number
  readonly lastUsedAtMillis: number | null
}

export class PasskeyStore extends Context.Tag("@outbound/domain/control/users/PasskeyStore")<
  PasskeyStore,
  {
    /** Expired ones are forgotten on the way. */
    readonly insertChallenge: (challenge: Challenge, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Takes a challenge whose time is not over: exactly one of any number of callers gets it. */
    readonly takeChallenge: (
      challengeHash: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<Challenge>, StoreUnavailable, Tx>
    /** False, and nothing is kept, where somebody has this credential already. */
    readonly insert: (passkey: Passkey) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Oldest first. */
    readonly list: (userId: string) => Effect.Effect<ReadonlyArray<Passkey>, StoreUnavailable>
    /** Locked: who signs in with it does so one at a time. */
    readonly lockByCredential: (credentialId: string) => Effect.Effect<Option.Option<Passkey>, StoreUnavailable, Tx>
    readonly used: (passkey: Passkey, counter: number, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** False: the user has no such passkey. */
    readonly remove: (userId: string, passkeyId: string) => Effect.Effect<boolean, StoreUnavailable, Tx>
  }
>() {}
