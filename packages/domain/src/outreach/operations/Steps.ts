import { Effect, Layer, Option } from "effect"
import { type Advance, OperationSteps } from "../../kernel/ports/DurableEngine.js"
import { replyReconciliation } from "../replies/reconcile.js"
import { OperationStore } from "./OperationStore.js"
import { provisioning } from "./Provisioning.js"

const DONE: Advance = { _tag: "Done" }

/** The steps of all kinds of operations. A step may run twice, on any host: the operation's own rows decide. */
export const layer = Layer.effect(
  OperationSteps,
  Effect.gen(function* () {
    const operations = yield* OperationStore
    const purchase = yield* provisioning
    const reply = yield* replyReconciliation
    return OperationSteps.of({
      advance: (ref) =>
        Effect.flatMap(operations.get(ref.workspaceId, ref.operationId), (found) => {
          if (Option.isNone(found) || found.value.finishedAtMillis !== null) return Effect.succeed(DONE)
          return found.value.kind === "setup_sending" ? purchase(found.value) : reply(found.value)
        })
    })
  })
)
