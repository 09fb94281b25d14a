import { Effect } from "effect"
import { type CallResponse, call } from "./Client.js"
import type { Host } from "./Host.js"
import type { Tenant } from "./Tenant.js"

/** A call of a load, and what its caller knows of it. */
export interface Attempted {
  readonly key: string
  readonly email: string
  /** Null: the connection broke. */
  readonly answer: CallResponse | null
}

/** Every eighth takes three seconds, so that some are always under way. */
const emailOf = (index: number): string => `${index % 8 === 0 ? "slow" : "valid"}+${index}@magic.test`

/** One call under a key of its own; a broken connection is an outcome too. */
export const attempt = (host: Pick<Host, "port">, { apiKey }: Tenant, key: string, email: string) =>
  call(host, apiKey, "verify_email", { email }, key).pipe(
    Effect.catch(() => Effect.succeed(null)),
    Effect.map((answer): Attempted => ({ key, email, answer }))
  )

/**
 * A closed loop: `workers` callers, each with a new key for every call, until `isOver` says so. `hostOf` tells where
 * the next call goes.
 */
export const load = (
  tenant: Tenant,
  options: {
    readonly workers: number
    readonly callsMax: number
    readonly hostOf: (index: number) => Pick<Host, "port">
    readonly isOver: () => boolean
    readonly seen?: (attempted: Attempted, index: number) => void
  }
): Effect.Effect<ReadonlyArray<Attempted>> =>
  Effect.suspend(() => {
    const attempts: Array<Attempted> = []
    let begun = 0
    const worker = Effect.gen(function* () {
      while (begun < options.callsMax && !options.isOver()) {
        const index = begun++
        const attempted = yield* attempt(options.hostOf(index), tenant, `load ${index}`, emailOf(index))
        attempts.push(attempted)
        options.seen?.(attempted, index)
      }
    })
    return Effect.as(
      Effect.replicateEffect(worker, options.workers, { concurrency: "unbounded", discard: true }),
      attempts
    )
  })

export const succeeded = ({ answer }: Attempted): boolean => answer?.status === 200
