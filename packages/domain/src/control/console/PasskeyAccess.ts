import { Context, type Effect, type Option } from "effect"
import type { ControlRefused } from "../Control.js"
import type { PasskeyOptions } from "../users/Passkeys.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { Passkey } from "../users/PasskeyStore.js"
import type { SignedIn } from "../users/UserStore.js"
import type { BegunSession } from "./Console.js"

/** How long a challenge can be answered. */
export const CHALLENGE_MINUTES = 5

/** The most passkeys of one user, and the most characters of a passkey's name. */
export const PASSKEYS_MAX = 10
export const PASSKEY_NAME_CHARS_MAX = 60

/** How many challenges a client gets within `ASK_WINDOW_MINUTES` that is not signed in. */
export const CHALLENGES_PER_CLIENT_MAX = 60

type Act<A> = Effect.Effect<A, ControlRefused | StoreUnavailable>

/**
 * Passkeys: how a user adds and removes them, signs in with one, and confirms with one that it is still they who sit
 * there. A challenge is good for one answer, for `CHALLENGE_MINUTES`, and only from the browser that asked for it:
 * `boundTo` is a secret that this browser alone holds.
 */
export class PasskeyAccess extends Context.Tag("@outbound/domain/control/console/PasskeyAccess")<
  PasskeyAccess,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => Effect.Effect<ReadonlyArray<Passkey>, StoreUnavailable>
    /** Anybody for themselves, after a fresh sign-in. */
    readonly beginAdding: (by: SignedIn, boundTo: string) => Act<PasskeyOptions>
    /** `invalid` where the answer is not to an open challenge, or proves nothing. */
    readonly add: (by: SignedIn, boundTo: string, answer: string, name: string) => Act<Passkey>
    /** From then on it signs nobody in. Sessions that it began go on. */
    readonly remove: (by: SignedIn, passkeyId: string) => Act<void>
    /** None: this client asks too often. */
    readonly beginSignIn: (
      boundTo: string,
      client: string
    ) => Effect.Effect<Option.Option<PasskeyOptions>, StoreUnavailable>
    /** Begins a session in the user's first workspace. None: the answer proves nothing, whatever the reason. */
    readonly signIn: (boundTo: string, answer: string) => Effect.Effect<Option.Option<BegunSession>, StoreUnavailable>
    readonly beginConfirming: (by: SignedIn, boundTo: string) => Effect.Effect<PasskeyOptions, StoreUnavailable>
    /** Begins a session in place of this one, in the same workspace, which is fresh again. */
    readonly confirm: (
      by: SignedIn,
      boundTo: string,
      answer: string
    ) => Effect.Effect<Option.Option<BegunSession>, StoreUnavailable>
  }
>() {}
