import { Effect, Result } from "effect"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { canonicalJson, type JsonObject } from "../kernel/canonical.js"

/** The last row of a page. */
export interface PageEnd {
  readonly atMillis: number
  readonly id: string
}

/** Opaque cursors. Each is bound to its workspace and filters. */
export interface Cursors {
  readonly decode: (
    workspaceId: string,
    filters: JsonObject,
    cursor: string | undefined
  ) => Result.Result<PageEnd | null, AnyWireError>
  /** The rows that a page shows of those read (up to one more than its limit), and the cursor of the next page. */
  readonly cut: <Row>(
    workspaceId: string,
    filters: JsonObject,
    read: { readonly rows: ReadonlyArray<Row>; readonly limit: number },
    endOf: (last: Row) => PageEnd
  ) => { readonly shown: ReadonlyArray<Row>; readonly nextCursor: string | null }
}

const SHAPE = /^(\d{1,15})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

const make = (crypto: Crypto["Service"]): Cursors => {
  const seal = (workspaceId: string, filters: JsonObject, end: PageEnd) =>
    crypto.mac("cursor", canonicalJson({ workspace_id: workspaceId, filters, at: end.atMillis, id: end.id }))
  const encode = (workspaceId: string, filters: JsonObject, end: PageEnd) =>
    `${end.atMillis}.${end.id}.${seal(workspaceId, filters, end)}`
  return {
    cut: (workspaceId, filters, { limit, rows }, endOf) => {
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return { shown, nextCursor: last === undefined ? null : encode(workspaceId, filters, endOf(last)) }
    },
    decode: (workspaceId, filters, cursor) => {
      if (cursor === undefined) return Result.succeed(null)
      const [, at, id, mac] = SHAPE.exec(cursor) ?? []
      const end = at === undefined || id === undefined ? null : { atMillis: Number(at), id }
      return end !== null && seal(workspaceId, filters, end) === mac
        ? Result.succeed(end)
        : Result.fail(refuse("invalid_request", { reason: "cursor_mismatch" }))
    }
  }
}

export const cursors: Effect.Effect<Cursors, never, Crypto> = Effect.map(Crypto, make)
