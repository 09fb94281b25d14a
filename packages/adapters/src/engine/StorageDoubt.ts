import { PersistenceError } from "@effect/cluster/ClusterError"
import type { RunnerStorage } from "@effect/cluster/RunnerStorage"
import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Stream } from "effect"

/**
 * Whether this runner's memory and the message storage may disagree. When a connection breaks under a COMMIT, a reply
 * may be stored that its runner takes for lost: the execution then waits in memory for ever, while its message counts
 * as being worked on.
 */
export interface StorageDoubt {
  raised: boolean
}

/** The same connections, with every failure on them raising the doubt. */
export const raisingDoubt = (
  sql: SqlClient.SqlClient,
  doubt: StorageDoubt
): Effect.Effect<SqlClient.SqlClient, never, Reactivity.Reactivity> => {
  const raise = Effect.sync(() => {
    doubt.raised = true
  })
  const watch = <A>(effect: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
    Effect.tapErrorCause(effect, () => raise)
  const watched = (connection: Connection): Connection => ({
    execute: (...args) => watch(connection.execute(...args)),
    executeRaw: (...args) => watch(connection.executeRaw(...args)),
    executeStream: (...args) => Stream.tapErrorCause(connection.executeStream(...args), () => raise),
    executeValues: (...args) => watch(connection.executeValues(...args)),
    executeUnprepared: (...args) => watch(connection.executeUnprepared(...args))
  })
  return SqlClient.make({
    acquirer: Effect.map(
      Effect.tapErrorCause(sql.reserve, () => raise),
      watched
    ),
    compiler: PgClient.makeCompiler(),
    spanAttributes: []
  })
}

/**
 * Lets no runner go on in doubt: the next renewal of its locks fails, and goes on failing until the cluster has given
 * all shards up, which shows in a renewal of none. It then takes the shards again, and everything on them is read from
 * storage.
 */
export const givingUpInDoubt = (runners: RunnerStorage["Type"], doubt: StorageDoubt): RunnerStorage["Type"] => ({
  ...runners,
  refresh: (address, shardIds) =>
    Effect.suspend(() => {
      const renewed = [...shardIds]
      if (renewed.length === 0) doubt.raised = false
      return doubt.raised
        ? Effect.fail(new PersistenceError({ cause: new Error("A statement of the message storage failed.") }))
        : runners.refresh(address, renewed)
    })
})
