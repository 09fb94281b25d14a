import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"

/** How long one name server is waited for unless said, and how often it is asked. */
const ANSWER_MILLIS = 3_000
const TRIES_MAX = 2

/** The name has no such record, or is none: an answer. */
const NONE = new Set(["ENOTFOUND", "ENODATA"])

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

export interface VitalsOptions {
  /** Name servers as `address:port`; those of the machine unless said. */
  readonly servers: ReadonlyArray<string>
  /** How long one of them is waited for. */
  readonly answerMillis?: number
}

/** Looks records up in the name system. */
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
        )
    }
  })
