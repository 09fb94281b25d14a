import { Effect, Option } from "effect"
import { DONE, type JobHandler } from "../../kernel/ports/LongWork.js"
import { about } from "../../kernel/telemetry.js"
import { replyReconciliation } from "../replies/ReplyOutcome.js"
import { listRun } from "./lists/listRun.js"
import { isList, OperationStore, refOf } from "./OperationStore.js"
import { provisioning } from "./Provisioning.js"

/** The handler of all kinds of operations. It may run twice, on any host: the operation's own rows decide. */
export const makeOperationHandler = Effect.gen(function* () {
  const operations = yield* OperationStore
  const purchase = yield* provisioning
  const reply = yield* replyReconciliation
  const list = yield* listRun
  const handler: JobHandler = (key) => {
    const { operationId, workspaceId } = refOf(key)
    return Effect.flatMap(operations.get(workspaceId, operationId), (found) => {
      if (Option.isNone(found) || found.value.finishedAtMillis !== null) return Effect.succeed(DONE)
      const operation = found.value
      if (isList(operation)) return list(operation)
      return operation.kind === "setup_sending" ? purchase(operation) : reply(operation)
    }).pipe(about({ operation_id: operationId }))
  }
  return handler
})
