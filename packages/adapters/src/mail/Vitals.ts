import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"
import { codeOf } from "../platform/errors.js"

/** Default timeout per name server, and the number of tries. */
const ANSWER_MILLIS = 3_000
const TRIES_MAX = 2

/** The name has no such record or doesn't exist. That is an answer, not a failure. */
const NONE = new Set(["ENOTFOUND", "ENODATA"])

export interface VitalsOptions {
  /** Name servers as `address:port`; default: the machine's. */
  readonly servers: ReadonlyArray<string>
  /** Timeout per name server. */
  readonly answerMillis?: number
}

/** DNS look-ups. */
export const layer = (
  { answerMillis = ANSWER_MILLIS, servers }: VitalsOptions = { servers: [] }
): Layer.Layer<DomainRecords> =>
  Layer.sync(DomainRecords, () => {
    const resolver = new Resolver({ timeout: answerMillis, tries: TRIES_MAX })
    if (servers.length > 0) resolver.setServers(servers)

    const records = <A>(look: () => Promise<ReadonlyArray<A>>): Effect.Effect<ReadonlyArray<A>, RecordsUnavailable> =>
      Effect.tryPromise({ try: look, catch: (cause) => new RecordsUnavailable({ cause }) }).pipe(
        Effect.catchIf(
          ({ cause }) => NONE.has(codeOf(cause)),
          () => Effect.succeed([])
        )
      )

    return {
      mx: (domain) =>
        Effect.map(
          records(() => resolver.resolveMx(domain)),
          (found) => found.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
        ),
      txt: (name) =>
        Effect.map(
          records(() => resolver.resolveTxt(name)),
          (found) => found.map((parts) => parts.join(""))
        ),
      a: (name) => records(() => resolver.resolve4(name)),
      cname: (name) => records(() => resolver.resolveCname(name))
    }
  })
