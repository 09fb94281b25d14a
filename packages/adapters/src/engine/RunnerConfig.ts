import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import { defaults, type ShardingConfig } from "@effect/cluster/ShardingConfig"
import { Option } from "effect"

/** A runner that has not renewed its locks for so long has lost them: what bounds the take-over of a dead host's work. */
export const SHARD_LOCK_SECONDS = 5

/** How often a runner looks for new messages, and so how late a durable wait may end. */
export const MESSAGE_POLL_MILLIS = 1_000

/** How long a runner that is asked to stop waits for steps under way. A step that needs longer runs again elsewhere. */
export const STEP_HANDOVER_MILLIS_MAX = 3_000

/** The same on every host, for ever: operations are placed by it. */
const SHARDS = 128

/**
 * How the runners share work. Locks are rows with an expiry instead of advisory locks: those of a host that is frozen
 * or cut off would be held for as long as its connection seems alive.
 */
export const sharedConfig: ShardingConfig["Type"] = {
  ...defaults,
  runnerAddress: Option.none(),
  runnerListenAddress: Option.none(),
  shardsPerGroup: SHARDS,
  shardLockDisableAdvisory: true,
  shardLockExpiration: `${SHARD_LOCK_SECONDS} seconds`,
  shardLockRefreshInterval: "1 second",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "2 seconds",
  entityMessagePollInterval: MESSAGE_POLL_MILLIS,
  entityTerminationTimeout: STEP_HANDOVER_MILLIS_MAX
}

/** The configuration of the runner that others reach at `host:port`, and that listens at `listenHost`. */
export const runnerConfig = (own: {
  readonly host: string
  readonly port: number
  readonly listenHost: string
}): ShardingConfig["Type"] => ({
  ...sharedConfig,
  runnerAddress: Option.some(RunnerAddress.make(own.host, own.port)),
  runnerListenAddress: Option.some(RunnerAddress.make(own.listenHost, own.port))
})
