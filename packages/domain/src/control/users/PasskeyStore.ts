import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A challenge's purpose: add a passkey, begin a session, or confirm presence. */
export const CHALLENGE_PURPOSES = ["register", "sign_in", "confirm"] as const
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

/** A one-time challenge for an authenticator to sign. */
export interface Challenge {
  readonly challengeHash: string
  readonly purpose: ChallengePurpose
  /** Digest of the asking browser's secret. Answers from other browsers are refused. */
  readonly boundTo: string
  readonly expiresAtMillis: number
}

/** A WebAuthn credential of a user. Nothing in it is secret. */
export interface Passkey {
  readonly passkeyId: string
  readonly userId: string
  /** Base64url. */
  readonly credentialId: string
  /** The COSE key, base64url. */
  readonly publicKey: string
  /** The authenticator's signature counter; always 0 if it doesn't count. */
  readonly counter: number
  /** WebAuthn transports, as the browser reported them. */
  readonly transports: ReadonlyArray<string>
  readonly name: string
  readonly createdAtMillis: number
  readonly lastUsedAtMillis: number | null
}

export class PasskeyStore extends Context.Service<
  PasskeyStore,
  {
    /** Also deletes expired challenges. */
    readonly insertChallenge: (challenge: Challenge, nowMillis: number) => InTx<void>
    /** Consumes an unexpired challenge: exactly one of concurrent callers gets it. */
    readonly takeChallenge: (challengeHash: string, nowMillis: number) => InTx<Option.Option<Challenge>>
    /** False, without changes: the credential already exists. */
    readonly insert: (passkey: Passkey) => InTx<boolean>
    /** Oldest first. */
    readonly list: (userId: string) => FromStore<ReadonlyArray<Passkey>>
    /** Locked, so that sign-ins with one passkey run one at a time. */
    readonly lockByCredential: (credentialId: string) => InTx<Option.Option<Passkey>>
    readonly used: (passkey: Passkey, counter: number, nowMillis: number) => InTx<void>
    /** False: the user has no such passkey. */
    readonly remove: (userId: string, passkeyId: string) => InTx<boolean>
  }
>()("@outbound/domain/control/users/PasskeyStore") {}
