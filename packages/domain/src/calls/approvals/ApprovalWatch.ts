import { Clock, Context, Effect, Layer, Option } from "effect"
import { CallJournal } from "../CallJournal.js"
import { AccessTokens } from "../keys/AccessTokens.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { ApprovalStore } from "./ApprovalStore.js"

/**
 * Whether a person has decided yet, for a surface that waits for its caller. Only the confirmed call learns the
 * decision.
 */
export class ApprovalWatch extends Context.Service<
  ApprovalWatch,
  {
    /** False: the approval is pending. True also for one that is not in the bearer's workspace. */
    readonly isDecided: (bearer: string, approvalId: string) => FromStore<boolean>
  }
>()("@outbound/domain/calls/approvals/ApprovalWatch") {}

export const layer = Layer.effect(
  ApprovalWatch,
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const crypto = yield* Crypto
    const store = yield* ApprovalStore
    const tokens = yield* AccessTokens
    return ApprovalWatch.of({
      isDecided: (bearer, approvalId) =>
        Effect.gen(function* () {
          const acting = yield* tokens.keyHashOf(bearer)
          const location = yield* journal.locate(Option.getOrElse(acting, () => crypto.sha256Hex(bearer)))
          if (Option.isNone(location)) return true
          const found = yield* store.find(location.value.workspaceId, approvalId)
          const nowMillis = yield* Clock.currentTimeMillis
          return !Option.exists(
            found,
            ({ approval }) => approval.state === ApprovalMachine.initial && approval.expiresAtMillis > nowMillis
          )
        })
    })
  })
)
