import { Context, type Effect } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** Sign-in requests per `ASK_WINDOW_MINUTES`: for one address, and from one client. */
export const ASKS_PER_ADDRESS_MAX = 3
export const ASKS_PER_CLIENT_MAX = 30

/** The result of a request. It never reveals whether the address is a member's. */
export type AskResult = "taken" | "too_many" | "invalid"

/**
 * The service's email to its users. All but `ask` return at once; the email is sent in the background and may be lost.
 */
export class SignInMail extends Context.Tag("@outbound/domain/control/console/SignInMail")<
  SignInMail,
  {
    /** False: no mail server is configured, so no email is sent. */
    readonly isOn: boolean
    /**
     * Emails a one-time link to the address if it is a member's. `client`: the client's network address. The answer and
     * its timing are the same for an unknown address.
     */
    readonly ask: (email: string, client: string) => FromStore<AskResult>
    /** Tells a new member about their membership. Contains no secret. */
    readonly invite: (by: SignedIn, email: string) => Effect.Effect<void>
    /** Tells a user that a passkey was added, so that they notice one they did not add. */
    readonly passkeyAdded: (to: SignedIn, name: string) => Effect.Effect<void>
  }
>() {}
