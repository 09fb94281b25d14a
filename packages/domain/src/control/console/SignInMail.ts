import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** How often a sign-in may be begun within `ASK_WINDOW_MINUTES`: for one address, and by one client. */
export const ASKS_PER_ADDRESS_MAX = 3
export const ASKS_PER_CLIENT_MAX = 30

/** What an ask came to. It never says whether anybody has the address. */
export type AskResult = "taken" | "too_many" | "invalid"

/** The service's own letters to people. All but `ask` return at once: a letter goes on its own way, or is lost. */
export class SignInMail extends Context.Tag("@outbound/domain/control/console/SignInMail")<
  SignInMail,
  {
    /** False: no mail server is configured, and no letter leaves. */
    readonly isOn: boolean
    /**
     * Sends a one-time link to whoever has the address. `client`: who asks, as far as the network says. What it answers,
     * and how long that takes, is the same for an address that nobody has.
     */
    readonly ask: (email: string, client: string) => Effect.Effect<AskResult, StoreUnavailable>
    /** Tells somebody that they are a member now. It carries no secret. */
    readonly invite: (by: SignedIn, email: string) => Effect.Effect<void>
    /** Tells a user of a passkey that was added, so that one they did not add is noticed. */
    readonly passkeyAdded: (to: SignedIn, name: string) => Effect.Effect<void>
  }
>() {}
