import { Activity, DurableClock, Workflow } from "@effect/workflow"
import { WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import { OPERATION_ROUNDS_MAX, round, troublePauseMillis } from "@outbound/domain/outreach/operations/OperationRound.js"
import type { OperationRef, OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Clock, Context, Duration, Effect, Schedule, Schema } from "effect"
import { MESSAGE_POLL_MILLIS } from "./RunnerConfig.js"

/**
 * Rounds of one execution. An execution that goes on reads the results of all its rounds again, so a long operation is
 * a chain of executions: each hands over to the next generation.
 */
export const EXECUTION_ROUNDS_MAX = 25

const GENERATIONS_MAX = OPERATION_ROUNDS_MAX / EXECUTION_ROUNDS_MAX

/**
 * Shorter waits are slept in memory: the durable clock is read once per poll and could not keep them. Nothing is lost
 * with the host, since a round's result says when the wait ends.
 */
const IN_MEMORY_WAIT_MILLIS_MAX = MESSAGE_POLL_MILLIS

/**
 * One operation, as the engine runs it. A defect of the engine's own (a message that could not be stored) suspends the
 * execution instead of ending it, and the sweep resumes it; a step's never gets that far.
 */
export const OperationWorkflow = Workflow.make({
  name: "Operation",
  payload: {
    workspaceId: Schema.String,
    operationId: Schema.String,
    /** Which link of the chain, from 0. */
    generation: Schema.Number
  },
  success: Schema.Literal("ended", "continued"),
  idempotencyKey: ({ generation, operationId, workspaceId }) => `${workspaceId}/${operationId}/${generation}`
}).annotate(Workflow.SuspendOnFailure, true)

/** What a round came to, as it is stored. `dueMillis` is epoch milliseconds; `troubles` are those in a row. */
const RoundResult = Schema.Union(
  Schema.TaggedStruct("Done", {}),
  Schema.TaggedStruct("Again", { dueMillis: Schema.Number, troubles: Schema.Number })
)

/** Stores the request to run a generation of the operation. The same one is stored once. Dies where the store fails. */
export const request = (operation: OperationRef, generation: number): Effect.Effect<void, never, WorkflowEngine> =>
  OperationWorkflow.execute({ ...operation, generation }, { discard: true }).pipe(
    // Within an execution the next one would become its child, which reports back and is interrupted with it.
    Effect.mapInputContext((context: Context.Context<WorkflowEngine>) =>
      Context.make(WorkflowEngine, Context.get(context, WorkflowEngine))
    ),
    Effect.asVoid
  )

/** The host gave up the shard. Its next owner runs the step again, so nothing is retried here. */
const interruptRetryPolicy = Schedule.stop

const advance = (operation: OperationRef, index: number, troublesBefore: number) =>
  Activity.make({
    name: `advance-${index}`,
    success: RoundResult,
    interruptRetryPolicy,
    execute: Effect.gen(function* () {
      const result = yield* round(operation)
      if (result._tag === "Done") return RoundResult.members[0].make({})
      const troubles = result._tag === "Trouble" ? troublesBefore + 1 : 0
      const pauseMillis = result._tag === "Trouble" ? troublePauseMillis(troubles) : result.millis
      return RoundResult.members[1].make({ dueMillis: (yield* Clock.currentTimeMillis) + pauseMillis, troubles })
    })
  })

/** A wait that is over by now is not made again, which is what keeps going on after a restart cheap. */
const waitUntil = (dueMillis: number, index: number) =>
  Effect.gen(function* () {
    const leftMillis = dueMillis - (yield* Clock.currentTimeMillis)
    if (leftMillis <= 0) return
    if (leftMillis <= IN_MEMORY_WAIT_MILLIS_MAX) return yield* Effect.sleep(leftMillis)
    // A threshold of 0 as a number would mean the default of a minute.
    const inMemoryThreshold = Duration.zero
    yield* DurableClock.sleep({ name: `wait-${index}`, duration: Duration.millis(leftMillis), inMemoryThreshold })
  })

const run = ({ generation, operationId, workspaceId }: typeof OperationWorkflow.payloadSchema.Type) =>
  Effect.gen(function* () {
    const operation = { workspaceId, operationId }
    let troubles = 0
    for (let round = 0; round < EXECUTION_ROUNDS_MAX; round++) {
      const index = generation * EXECUTION_ROUNDS_MAX + round
      const result = yield* advance(operation, index, troubles)
      if (result._tag === "Done") return "ended"
      troubles = result.troubles
      yield* waitUntil(result.dueMillis, index)
    }
    if (generation + 1 >= GENERATIONS_MAX) {
      yield* Effect.logError(`The operation ${operationId} was given up after ${OPERATION_ROUNDS_MAX} rounds`)
      return "ended"
    }
    const next = request(operation, generation + 1)
    yield* Activity.make({ name: `continue-${generation}`, interruptRetryPolicy, execute: next })
    return "continued"
  })

/** Runs the operations of the shards that this host holds. */
export const layer = OperationWorkflow.toLayer<OperationSteps | WorkflowEngine | WorkflowInstance>(run)
