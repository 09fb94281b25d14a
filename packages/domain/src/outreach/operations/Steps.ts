import { Effect, Option } from "effect"
import { DONE, type JobHandler } from "../../kernel/ports/LongWork.js"
import { about } from "../../kernel/telemetry.js"
import { replyReconciliation } from "../replies/reconcile.js"
import { OperationStore, refOf } from "./OperationStore.js"
import { provisioning } from "./Provisioning.js"

/** The handler of all kinds of operations. It may run twice, on any host: the operation's own rows decide. */
export const makeOperationHandler = Effect.gen(function* () {
  const operations = yield* OperationStore
  const purchase = yield* provisioning
  const reply = yield* replyReconciliation
  const handler: JobHandler = (key) => {
    const { operationId, workspaceId } = refOf(key)
    return Effect.flatMap(operations.get(workspaceId, operationId), (found) => {
      if (Option.isNone(found) || found.value.finishedAtMillis !== null) return Effect.succeed(DONE)
      return found.value.kind === "setup_sending" ? purchase(found.value) : reply(found.value)
    }).pipe(about({ operation_id: operationId }))
  }
  return handler
})
