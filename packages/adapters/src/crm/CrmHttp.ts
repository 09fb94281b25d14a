import type { Crm, CrmVendor } from "@outbound/domain/outreach/crm/Crm.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { CurrentSourceAccess, noAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, type Redacted, Schema, type Scope } from "effect"
import { makeVendorHttp, type VendorAnswer, type VendorHttp, type VendorHttpOptions } from "../providers/VendorHttp.js"
import { classifiedWithSaying } from "../providers/saying.js"
import type { Classified } from "../providers/classify.js"

/** The facts about a CRM, and how it is spoken to. */
export interface CrmDefinition extends CrmVendor {
  readonly baseUrl: string
  readonly callsPerMinute: number
  readonly authorize: VendorHttpOptions["authorize"]
  readonly classify?: (answer: VendorAnswer) => Classified | null
  readonly make: (http: VendorHttp) => Omit<Crm, "name">
}

const NOT_FOUND = "not found"

/** By status; tells "not found" apart from other errors. */
const classify =
  (own: CrmDefinition["classify"]) =>
  (answer: VendorAnswer): Classified | null =>
    answer.status === 404 ? { reason: "invalid", cause: NOT_FOUND } : (own?.(answer) ?? classifiedWithSaying(answer))

export const isNotFound = ({ cause, reason }: ProviderFailure): boolean => reason === "invalid" && cause === NOT_FOUND

/** Every request of an account carries its key. Connections close with the scope, and are shared by all accounts. */
export const makeCrm = (
  definition: CrmDefinition,
  baseUrl: string
): Effect.Effect<(secret: Redacted.Redacted) => Crm, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { authorize, callsPerMinute, make, name } = definition
    const http = yield* makeVendorHttp({
      name,
      baseUrl,
      credential: null,
      authorize,
      callsPerMinute,
      classify: classify(definition.classify)
    })
    return (secret) => {
      const access = { ...noAccess, ownKey: () => Effect.succeedSome(secret) }
      return { name, ...make({ ...http, ...underKey(http, access) }) }
    }
  })

const underKey = (http: VendorHttp, access: typeof noAccess): Pick<VendorHttp, "send" | "read"> => ({
  send: (request) => Effect.provideService(http.send(request), CurrentSourceAccess, access),
  read: (schema, request) => Effect.provideService(http.read(schema, request), CurrentSourceAccess, access)
})

/** A number or its text, as text: vendors write ids in both ways. */
export const Id = Schema.transform(Schema.Union(Schema.String, Schema.Number), Schema.String, {
  strict: true,
  decode: String,
  encode: (text) => text
})

/** A place in a reading of several kinds of records, one after the other. */
export interface Place<Kind extends string> {
  readonly kind: Kind
  /** Null: its first page. */
  readonly after: string | null
}

/** Reads a cursor of ours; null: it is none. */
export const placeOf = <const Kind extends string>(
  kinds: ReadonlyArray<Kind>,
  cursor: string | null
): Place<Kind> | null => {
  if (cursor === null) return { kind: kinds[0] as Kind, after: null }
  const at = cursor.indexOf(":")
  const kind = kinds.find((one) => one === cursor.slice(0, at))
  return kind === undefined ? null : { kind, after: cursor.slice(at + 1) || null }
}

/** The cursor behind a page: the rest of its kind, or the next kind; null: that was the last. */
export const cursorAfter = <Kind extends string>(
  kinds: ReadonlyArray<Kind>,
  { kind }: Place<Kind>,
  next: string | null
): string | null => {
  if (next !== null) return `${kind}:${next}`
  const following = kinds[kinds.indexOf(kind) + 1]
  return following === undefined ? null : `${following}:`
}

/** Plain text as the rich text that notes are kept in. */
export const htmlOf = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/\r?\n/g, "<br>")

/** In lists of at most `size`. */
export const chunksOf = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
