import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { listOf, maybe } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"

/** Most records of a page: older servers give no more. */
export const LIMIT = 60

const PageInfo = Schema.Struct({ hasNextPage: maybe(Schema.Boolean), endCursor: maybe(Schema.String) })

export interface Listing<A> {
  readonly records: ReadonlyArray<A>
  /** Null: that was all. */
  readonly next: string | null
}

export interface ListOptions {
  readonly filter?: string
  readonly after?: string | null
  /** 1: with the records that each names. */
  readonly depth?: 0 | 1
}

/** One page of the records of a kind, in the order of their ids. */
export const listed = <A, I>(
  http: VendorHttp,
  kind: string,
  record: Schema.Codec<A, I>,
  { after = null, depth = 0, filter }: ListOptions
): Effect.Effect<Listing<A>, ProviderFailure> => {
  const Listed = Schema.Struct({
    data: Schema.Record(Schema.String, Schema.NullOr(Schema.Array(record))),
    pageInfo: maybe(PageInfo)
  })
  return Effect.flatMap(
    http.get(Listed, `/rest/${kind}`, {
      limit: LIMIT,
      depth,
      order_by: "id[AscNullsFirst]",
      filter: filter ?? null,
      starting_after: after
    }),
    ({ data, pageInfo }) => {
      const records = data[kind]
      if (records === undefined) return Effect.fail(http.failed("transient", `its answer holds no ${kind}`))
      return Effect.succeed({
        records: records ?? [],
        next: pageInfo?.hasNextPage === true ? pageInfo.endCursor || null : null
      })
    }
  )
}

/** Every record, over at most so many pages. What is behind them fails, because it must not be taken for absent. */
export const allListed = <A, I>(
  http: VendorHttp,
  kind: string,
  record: Schema.Codec<A, I>,
  options: Omit<ListOptions, "after">,
  pagesMax: number
): Effect.Effect<ReadonlyArray<A>, ProviderFailure> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    let after: string | null = null
    for (let pages = 0; pages < pagesMax; pages += 1) {
      const page: Listing<A> = yield* listed(http, kind, record, { ...options, after })
      all.push(...page.records)
      if (page.next === null) return all
      after = page.next
    }
    return yield* http.failed("transient", `it lists ${kind} without an end`)
  })

/** A text of a filter. What can't be quoted is in no address or id. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "")}"`

const Addresses = Schema.Struct({ primaryEmail: maybe(Schema.String), additionalEmails: listOf(Schema.String) })

export const Emails = maybe(Addresses)

export const emailsIn = (emails: typeof Addresses.Type | null): ReadonlyArray<string> =>
  emails === null
    ? []
    : [emails.primaryEmail, ...emails.additionalEmails].filter(
        (email): email is string => email !== null && email !== ""
      )
