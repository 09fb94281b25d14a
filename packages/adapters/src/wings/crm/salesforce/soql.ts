import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { maybe } from "../../../providers/shape.js"
import type { VendorHttp } from "../../../providers/VendorHttp.js"

/** The version of the interface that this was written for. The vendor keeps each for years. */
export const ROOT = "/services/data/v62.0"

/** Where the vendor says that a query goes on. Nothing else is asked for in its name. */
const NEXT = /^\/services\/data\/v\d{2,3}\.\d\/query(?:All)?\/[\w-]{1,200}$/

/** A text in a query. */
export const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&").replaceAll(/[\r\n]/g, " ")}'`

/** A moment in a query, to the second. */
export const moment = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

/** All records of a query. The vendor gives them in as many parts as it likes; more than `partsMax` fail. */
export const queried = <A, I>(
  http: VendorHttp,
  record: Schema.Codec<A, I>,
  soql: string,
  { partsMax, withDeleted = false }: { readonly partsMax: number; readonly withDeleted?: boolean }
): Effect.Effect<ReadonlyArray<A>, ProviderFailure> => {
  const Part = Schema.Struct({
    records: Schema.Array(record),
    done: Schema.Boolean,
    nextRecordsUrl: maybe(Schema.String)
  })
  return Effect.gen(function* () {
    const all: Array<A> = []
    let path = `${ROOT}/${withDeleted ? "queryAll" : "query"}`
    for (let parts = 0; parts < partsMax; parts += 1) {
      const part: typeof Part.Type = yield* http.read(Part, {
        method: "GET",
        path,
        ...(parts === 0 ? { query: { q: soql } } : {})
      })
      all.push(...part.records)
      if (part.done) return all
      if (part.nextRecordsUrl === null || !NEXT.test(part.nextRecordsUrl) || part.nextRecordsUrl === path) {
        return yield* http.failed("transient", "it does not say where the records go on")
      }
      path = part.nextRecordsUrl
    }
    return yield* http.failed("transient", "its records have no end")
  })
}
