import { type Context, Effect, Either } from "effect"
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
  readonly encode: (workspaceId: string, filters: JsonObject, end: PageEnd) => string
  readonly decode: (
    workspaceId: string,
    filters: JsonObject,
    cursor: string | undefined
  ) => Either.Either<PageEnd | null, AnyWireError>
}

const SHAPE = /^(\d{1,15})\.([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

const make = (crypto: Context.Tag.Service<typeof Crypto>): Cursors => {
  const seal = (workspaceId: string, filters: JsonObject, end: PageEnd) =>
    crypto.mac("cursor", canonicalJson({ workspace_id: workspaceId, filters, at: end.atMillis, id: end.id }))
  return {
    encode: (workspaceId, filters, end) => `${end.atMillis}.${end.id}.${seal(workspaceId, filters, end)}`,
    decode: (workspaceId, filters, cursor) => {
      if (cursor === undefined) return Either.right(null)
      const [, at, id, mac] = SHAPE.exec(cursor) ?? []
      const end = at === undefined || id === undefined ? null : { atMillis: Number(at), id }
      return end !== null && seal(workspaceId, filters, end) === mac
        ? Either.right(end)
        : Either.left(refuse("invalid_request", { reason: "cursor_mismatch" }))
    }
  }
}

export const cursors: Effect.Effect<Cursors, never, Crypto> = Effect.map(Crypto, make)
