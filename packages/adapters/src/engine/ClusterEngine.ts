import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import type { MessageStorage } from "@effect/cluster/MessageStorage"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import type { RunnerStorage } from "@effect/cluster/RunnerStorage"
import type { Sharding } from "@effect/cluster/Sharding"
import { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import { layerClientProtocol, layerSocketServer } from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import { SqlClient } from "@effect/sql"
import { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import { DurableEngine, type OperationRef, type OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Cause, type Duration, Effect, Layer, Option, Schedule } from "effect"
import * as ClusterSingletons from "./ClusterSingletons.js"
import { EngineError } from "./EngineError.js"
import { clearEnded, resumeStalled, SWEEP_BATCH_MAX } from "./EngineSweep.js"
import * as EngineTables from "./EngineTables.js"
import * as OperationWorkflow from "./OperationWorkflow.js"
import { claimRunner, type RunnerAddressOption } from "./RunnerClaim.js"
import { runnerConfig, sharedConfig } from "./RunnerConfig.js"
import { checkSessionMode } from "./SessionMode.js"

/** While a shard moves, a start waits for its new owner; then it is the outbox's turn to ask again. */
const START_MILLIS_MAX = 15_000
/** A free port may be taken by another process before we listen. */
const LISTEN_TRIES_MAX = 3
const SWEEP_PAUSE: Duration.DurationInput = "5 seconds"

export interface ClusterEngineOptions {
  /** Where other hosts reach this one's runner. None: loopback and a free port, for hosts on this machine alone. */
  readonly runnerAddress: Option.Option<RunnerAddressOption>
  /** The interface to listen on, where it is not the one that the address names. */
  readonly listenHost?: string
  /** How long the sweep of what ended rests between passes. */
  readonly sweepPause?: Duration.DurationInput
}

const durableEngine: Layer.Layer<DurableEngine, never, WorkflowEngine> = Layer.effect(
  DurableEngine,
  Effect.map(WorkflowEngine, (engine) => ({
    start: (operation: OperationRef) =>
      OperationWorkflow.request(operation, 0).pipe(
        Effect.provideService(WorkflowEngine, engine),
        Effect.timeoutFail({ duration: START_MILLIS_MAX, onTimeout: () => "no host holds its shard" }),
        Effect.sandbox,
        Effect.catchAll((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.fail(new StoreUnavailable({ operation: "DurableEngine.start", cause: Cause.squash(cause) }))
        )
      )
  }))
)

/** One host at a time clears what ended and wakes what nothing else would. */
const sweep = (pause: Duration.DurationInput) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const engine = yield* WorkflowEngine
      const singletons = yield* Singletons
      const pass = clearEnded.pipe(
        Effect.repeat({ while: (found) => found >= SWEEP_BATCH_MAX }),
        Effect.zipRight(resumeStalled),
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(WorkflowEngine, engine)
      )
      yield* singletons.run("engine-sweep", Effect.repeat(pass, Schedule.spaced(pause)).pipe(Effect.asVoid))
    })
  )

/** This host's runner: the socket at which the others reach it, and its share of the work. */
const runner = (
  options: ClusterEngineOptions
): Layer.Layer<Sharding, EngineError, MessageStorage | RunnerStorage | SqlClient.SqlClient> =>
  Layer.unwrapScoped(
    Effect.map(claimRunner(options.runnerAddress), (own) => {
      const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc))
      return SocketRunner.layer.pipe(
        Layer.provide(layerSocketServer),
        Layer.provide(health),
        Layer.provide(layerClientProtocol),
        Layer.provide(RpcSerialization.layerMsgPack),
        Layer.provide(
          Layer.succeed(ShardingConfig, runnerConfig({ ...own, listenHost: options.listenHost ?? own.host }))
        ),
        Layer.mapError(
          (cause) =>
            new EngineError({
              reason: "address_in_use",
              message: `The runner cannot listen at ${options.listenHost ?? own.host}:${own.port}.`,
              cause
            })
        )
      )
    })
  )

const takenPort = Schedule.recurs(LISTEN_TRIES_MAX - 1).pipe(
  Schedule.whileInput((error: EngineError) => error.reason === "address_in_use")
)

/**
 * Operations and singletons on `@effect/workflow` over `@effect/cluster`, shared by all hosts on one database. The
 * work of a host that dies goes on elsewhere within about 7 seconds. Keeps one of the pool's connections for its locks,
 * and takes up to four while it starts.
 */
export const layer = (
  options: ClusterEngineOptions
): Layer.Layer<DurableEngine | Singletons, EngineError, OperationSteps | SqlClient.SqlClient> => {
  const listening = Option.isNone(options.runnerAddress) ? Layer.retry(runner(options), takenPort) : runner(options)
  const engine = ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(listening),
    Layer.provideMerge(EngineTables.layer),
    Layer.provide(Layer.succeed(ShardingConfig, sharedConfig))
  )
  const checked = Layer.effectDiscard(Effect.flatMap(SqlClient.SqlClient, checkSessionMode))
  return Layer.mergeAll(OperationWorkflow.layer, durableEngine, sweep(options.sweepPause ?? SWEEP_PAUSE)).pipe(
    Layer.provideMerge(ClusterSingletons.layer),
    Layer.provide(engine),
    Layer.provide(checked)
  )
}
