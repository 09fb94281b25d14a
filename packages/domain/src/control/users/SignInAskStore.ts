import { Context } from "effect"
import type { InTx } from "../../kernel/ports/UnitOfWork.js"

/**
 * Counts anonymous requests (sign-ins, client registrations) per subject, in a window that begins with the subject's
 * first request.
 */
export class SignInAskStore extends Context.Service<
  SignInAskStore,
  {
    /**
     * Counts a request and returns the count in the subject's window; an expired window starts over. `subject`: a keyed
     * digest, so that no address is stored. Also deletes expired windows.
     */
    readonly count: (subject: string, nowMillis: number, windowMillis: number) => InTx<number>
  }
>()("@outbound/domain/control/users/SignInAskStore") {}
