import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/**
 * Counts how often somebody asked for what anybody may ask for (a sign-in, a client's registration), of each subject
 * within a window that begins with its first ask.
 */
export class SignInAskStore extends Context.Tag("@outbound/domain/control/users/SignInAskStore")<
  SignInAskStore,
  {
    /**
     * Counts one more ask and answers how many that makes in the subject's window; a window that is over begins anew.
     * `subject`: a keyed digest, so that no address is kept. What is over is forgotten on the way.
     */
    readonly count: (
      subject: string,
      nowMillis: number,
      windowMillis: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}
