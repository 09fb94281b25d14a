import { Clock, Context, Effect, Layer, Option } from "effect"
import { CallJournal } from "../CallJournal.js"
import { AccessTokens } from "../keys/AccessTokens.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { ApprovalStore } from "./ApprovalStore.js"

/**
 * Whether a human has decided yet. For a surface that waits on its caller's behalf: it decides nothing, and what the
 * decision was is told by the confirmed call alone.
 */
export class ApprovalWatch extends Context.Tag("@outbound/domain/calls/approvals/ApprovalWatch")<
  ApprovalWatch,
  {
    /** False while the approval waits for a human. True for one that the bearer's workspace does not have. */
    readonly isDecided: (bearer: string, approvalId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {}

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
