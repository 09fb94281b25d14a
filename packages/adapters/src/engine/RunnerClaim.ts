import { SqlClient } from "@effect/sql"
import { Effect, Option, type Scope } from "effect"
import { readFileSync, readlinkSync } from "node:fs"
import { createServer, isIP } from "node:net"
import { hostname } from "node:os"
import { EngineError, storeUnavailable } from "./EngineError.js"
import { SHARD_LOCK_SECONDS } from "./RunnerConfig.js"

export interface RunnerAddressOption {
  readonly host: string
  readonly port: number
}

export const LOOPBACK = "127.0.0.1"
/** A host that claimed its address counts as live so long before its runner's first heartbeat. */
const CLAIM_SECONDS = 10

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

const orEmpty = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ""
  }
}

/**
 * What two processes share that share a loopback interface: on Linux the boot and the network namespace (containers on
 * one machine don't share theirs), elsewhere the machine's name.
 */
export const machineIdentity = (): string =>
  [
    hostname(),
    orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(() => readlinkSync("/proc/self/ns/net"))
  ].join(" ")

const freePort: Effect.Effect<number, EngineError> = Effect.async((resume) => {
  const fail = (cause: unknown) =>
    resume(Effect.fail(new EngineError({ reason: "address_in_use", message: "No port is free on loopback.", cause })))
  const server = createServer()
  server.once("error", fail)
  server.listen(0, LOOPBACK, () => {
    const address = server.address()
    server.close(() =>
      typeof address === "object" && address !== null ? resume(Effect.succeed(address.port)) : fail(address)
    )
  })
})

const outOfReach = (own: RunnerAddressOption, others: ReadonlyArray<string>): EngineError =>
  new EngineError({
    reason: "runners_out_of_reach",
    message: isLoopback(own.host)
      ? `Hosts run on another machine (${others.join(", ")}): set OUTBOUND_RUNNER_ADDRESS to an address at which they ` +
        `reach this one. A host that died counts for ${SHARD_LOCK_SECONDS} seconds.`
      : `Hosts on another machine listen on loopback only (${others.join(", ")}): set their OUTBOUND_RUNNER_ADDRESS.`
  })

/**
 * The address of this host's runner, entered among the hosts until the scope closes. Without one of its own it takes
 * loopback and a free port.
 *
 * Runners have to reach each other: on one machine they do by any address; on two, neither may listen on loopback.
 * Fails with `runners_out_of_reach` when a live host breaks that. The table is locked from the entry to the look at the
 * others, so of two hosts that start at the same moment one sees the other.
 */
export const claimRunner = (
  requested: Option.Option<RunnerAddressOption>,
  machine: string = machineIdentity()
): Effect.Effect<RunnerAddressOption, EngineError, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const own = Option.isSome(requested) ? requested.value : { host: LOOPBACK, port: yield* freePort }
    const address = `${own.host}:${own.port}`
    const claim = Effect.gen(function* () {
      yield* sql`LOCK TABLE engine_hosts IN SHARE ROW EXCLUSIVE MODE`
      const live = yield* sql<{ readonly address: string }>`
        SELECT h.address
        FROM engine_hosts h LEFT JOIN engine_runners r ON r.address = h.address
        WHERE h.address <> ${address} AND h.machine <> ${machine} AND (h.loopback OR ${isLoopback(own.host)}::boolean)
          AND (h.claimed_at > now() - make_interval(secs => ${CLAIM_SECONDS})
            OR r.last_heartbeat > (now() AT TIME ZONE 'UTC') - make_interval(secs => ${SHARD_LOCK_SECONDS}))
        ORDER BY h.address
      `
      if (live.length > 0)
        return yield* outOfReach(
          own,
          live.map((row) => row.address)
        )
      yield* sql`
        DELETE FROM engine_hosts h
        WHERE h.claimed_at < now() - interval '1 hour'
          AND NOT EXISTS (SELECT 1 FROM engine_runners r WHERE r.address = h.address)
      `
      yield* sql`
        INSERT INTO engine_hosts (address, loopback, machine)
        VALUES (${address}, ${isLoopback(own.host)}, ${machine})
        ON CONFLICT (address) DO UPDATE
        SET loopback = EXCLUDED.loopback, machine = EXCLUDED.machine, claimed_at = now()
      `
    }).pipe(
      sql.withTransaction,
      Effect.catchTag("SqlError", (error) => Effect.fail(storeUnavailable(error)))
    )
    yield* Effect.acquireRelease(claim, () =>
      Effect.ignore(sql`DELETE FROM engine_hosts WHERE address = ${address} AND machine = ${machine}`)
    )
    return own
  })
