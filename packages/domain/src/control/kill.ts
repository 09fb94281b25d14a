import { Effect } from "effect"
import { free, type Handler } from "../calls/Handler.js"
import { zero } from "../kernel/money/Credits.js"
import type { Kill } from "../verbs/Control.js"
import { makeKills } from "./Kills.js"

/** Stops all sending of the caller's workspace (contract: keys, kill). */
export const kill = Effect.map(makeKills, ({ stop }) => {
  const handler: Handler<typeof Kill> = {
    plan: free,
    perform: (request, call) =>
      Effect.gen(function* () {
        const { keyId, requestId, workspaceId } = call
        const actor = { kind: "key" as const, keyId, name: call.admitted.key.name }
        const done = yield* stop({ workspaceId, actor, source: "api", reason: request.reason, requestId })
        return yield* call.settle({
          result: {
            status: "suspended",
            suspended_at: new Date(done.suspendedAtMillis).toISOString(),
            campaigns_paused: done.campaignsPaused,
            campaigns_unconfirmed: done.unconfirmed ?? [],
            approvals_cancelled: done.approvalsCancelled
          },
          charge: zero
        })
      })
  }
  return handler
})
