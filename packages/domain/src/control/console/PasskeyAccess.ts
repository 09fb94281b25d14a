import { Context, type Option } from "effect"
import type { ControlRefused } from "../Control.js"
import type { PasskeyOptions } from "../users/Passkeys.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Passkey } from "../users/PasskeyStore.js"
import type { SignedIn } from "../users/UserStore.js"
import type { BegunSession } from "./Console.js"

/** How long a challenge is valid. */
export const CHALLENGE_MINUTES = 5

/** Most passkeys of one user, and longest name of a passkey in characters. */
export const PASSKEYS_MAX = 10
export const PASSKEY_NAME_CHARS_MAX = 60

/** Challenges per `ASK_WINDOW_MINUTES` for a client that is not signed in. */
export const CHALLENGES_PER_CLIENT_MAX = 60

type Act<A> = FromStore<A, ControlRefused>

/**
 * Passkeys: users add and remove them, sign in with one, and confirm with one that they are still present. A challenge
 * is valid for one answer, for `CHALLENGE_MINUTES`, and only from the browser that asked: `boundTo` is a secret that
 * only this browser holds.
 */
export class PasskeyAccess extends Context.Tag("@outbound/domain/control/console/PasskeyAccess")<
  PasskeyAccess,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => FromStore<ReadonlyArray<Passkey>>
    /** The user's own, after a fresh sign-in. */
    readonly beginAdding: (by: SignedIn, boundTo: string) => Act<PasskeyOptions>
    /** `invalid`: no open challenge matches, or the answer's proof is wrong. */
    readonly add: (by: SignedIn, boundTo: string, answer: string, name: string) => Act<Passkey>
    /** The passkey stops signing in. Sessions it began continue. */
    readonly remove: (by: SignedIn, passkeyId: string) => Act<void>
    /** None: this client asks too often. */
    readonly beginSignIn: (boundTo: string, client: string) => FromStore<Option.Option<PasskeyOptions>>
    /** Begins a session in the user's first workspace. None: the proof is wrong, for any reason. */
    readonly signIn: (boundTo: string, answer: string) => FromStore<Option.Option<BegunSession>>
    readonly beginConfirming: (by: SignedIn, boundTo: string) => FromStore<PasskeyOptions>
    /** Replaces this session with a fresh one in the same workspace. */
    readonly confirm: (by: SignedIn, boundTo: string, answer: string) => FromStore<Option.Option<BegunSession>>
  }
>() {}
