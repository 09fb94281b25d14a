import type { Crm, CrmRecord, CrmVendor } from "@outbound/domain/wings/crm/Crm.js"
import type { CrmAccess } from "@outbound/domain/wings/crm/CrmAccess.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { CurrentSourceAccess, noAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect, Option, type Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { CallRates } from "../../providers/CallRate.js"
import { type Classified, classifiedNotFound } from "../../providers/classify.js"
import { guardedConnector } from "../../providers/connecting.js"
import { classifiedWithSaying } from "../../providers/saying.js"
import {
  makeVendorHttp,
  sendingBy,
  type VendorAnswer,
  type VendorHttp,
  type VendorHttpOptions,
  vendorHttpOver,
  WAITING
} from "../../providers/VendorHttp.js"
import { type CrmsOptions, doorToCrm } from "./doorToCrm.js"

/** How one account is spoken to. */
export interface CrmAccount {
  readonly access: CrmAccess
  /** Every request carries the account's key. */
  readonly http: VendorHttp
  /** The same with another key, or at another address; null: without a key. */
  readonly under: (key: Redacted.Redacted | null, baseUrl?: string) => VendorHttp
}

/** The facts about a CRM, and how it is spoken to. */
export interface CrmDefinition extends CrmVendor {
  /** Null: each account has its own, which its owner names. */
  readonly baseUrl: string | null
  readonly callsPerMinute: number
  readonly authorize: VendorHttpOptions["authorize"]
  readonly classify?: (answer: VendorAnswer) => Classified | null
  /** Made once, for all accounts. */
  readonly make: () => (account: CrmAccount) => Omit<Crm, "name">
}

/** What is read of a CRM and written to it. */
export interface CrmParts {
  readonly makePages: (http: VendorHttp) => Crm["page"]
  readonly makeOwners: (http: VendorHttp) => Crm["owners"]
  readonly makeNotes: (http: VendorHttp) => Pick<Crm, "find" | "create" | "write" | "holds">
}

export const crmOver = (http: VendorHttp, { makeNotes, makeOwners, makePages }: CrmParts): Omit<Crm, "name"> => ({
  page: makePages(http),
  owners: Effect.suspend(() => makeOwners(http)),
  ...makeNotes(http)
})

/** A CRM whose accounts are spoken to by their key alone. */
export const byKey =
  (parts: CrmParts): CrmDefinition["make"] =>
  () =>
  ({ http }) =>
    crmOver(http, parts)

/** Connections that are kept open to one account's own address. */
const CONNECTIONS_MAX = 4

/** By status; tells "not found" apart from other errors. */
const classify =
  (own: CrmDefinition["classify"]) =>
  (answer: VendorAnswer): Classified | null =>
    classifiedNotFound(answer) ?? own?.(answer) ?? classifiedWithSaying(answer)

const underKey = (http: VendorHttp, key: Redacted.Redacted | null): VendorHttp => {
  const access = { ...noAccess, ownKey: () => Effect.succeed(Option.fromNullishOr(key)) }
  return sendingBy(http, (request) => Effect.provideService(http.send(request), CurrentSourceAccess, access))
}

/** The way to accounts: one address of all, or each to its own through the gate of addresses that people name. */
const makeWay = (
  { authorize, baseUrl, callsPerMinute, classify: own, name }: CrmDefinition,
  options: CrmsOptions
): Effect.Effect<(baseUrl: string) => VendorHttp, never, Scope.Scope> => {
  const known = { name, credential: null, needsNoCredential: true as const, authorize, classify: classify(own) }
  if (baseUrl !== null) return Effect.map(makeVendorHttp({ ...known, baseUrl, callsPerMinute }), (http) => () => http)
  const rates = new CallRates(callsPerMinute)
  return Effect.map(
    Effect.acquireRelease(
      Effect.sync(
        () => new Agent({ connections: CONNECTIONS_MAX, connect: guardedConnector(doorToCrm(options)), ...WAITING })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    ),
    (agent) => (address) => vendorHttpOver(agent, rates, { ...known, baseUrl: address })
  )
}

/** Connections close with the scope, and are shared by all accounts. Null: an account that lacks its address. */
export const makeCrm = (
  definition: CrmDefinition,
  options: CrmsOptions
): Effect.Effect<(access: CrmAccess) => Crm | null, never, Scope.Scope> =>
  Effect.map(makeWay(definition, options), (way) => {
    const { baseUrl, name } = definition
    const open = definition.make()
    return (access) => {
      const at = baseUrl ?? access.address
      if (at === null) return null
      const under: CrmAccount["under"] = (key, elsewhere = at) => underKey(way(elsewhere), key)
      return { name, ...open({ access, http: under(access.secret), under }) }
    }
  })

/** What says nothing of anybody. */
export const NOTHING: Omit<CrmRecord, "ref"> = {
  emails: [],
  domains: [],
  isCustomer: false,
  hasOpenDeal: false,
  ownerRef: null,
  fields: []
}

/** The fields that are filled in, as a record writes them. */
export const filledFields = (record: object, names: ReadonlyArray<string> = Object.keys(record)): CrmRecord["fields"] =>
  names.flatMap((name) => {
    const value: unknown = Reflect.get(record, name)
    const text = Array.isArray(value) ? value.filter((one) => typeof one === "string").join(", ") : value
    return ["string", "boolean", "number"].includes(typeof text) && text !== "" ? [[name, String(text)] as const] : []
  })

/** A page of records of one kind. `after` and `next`: null for the first page, and after the last one. */
type ReadKind = (
  after: string | null,
  sinceMillis: number | null
) => Effect.Effect<{ readonly records: ReadonlyArray<CrmRecord>; readonly next: string | null }, ProviderFailure>

/** Reads several kinds of records, one after the other, each from its first page to its last. */
export const pagesOf = (
  http: VendorHttp,
  kinds: Readonly<Record<string, ReadKind>>,
  /** Asked once for each reading. */
  first: Effect.Effect<void, ProviderFailure> = Effect.void
): Crm["page"] => {
  const names = Object.keys(kinds)
  return ({ cursor, sinceMillis }) =>
    Effect.gen(function* () {
      // A cursor of ours is a kind, a colon, and the place within it.
      const [kind = "", ...place] = (cursor ?? `${names[0]}:`).split(":")
      const read = names.includes(kind) ? kinds[kind] : undefined
      if (read === undefined || place.length === 0) return yield* http.failed("invalid", "its place is none of ours")
      if (cursor === null) yield* first
      const { next, records } = yield* read(place.join(":") || null, sinceMillis)
      const following = names[names.indexOf(kind) + 1]
      if (next !== null) return { records, cursor: `${kind}:${next}` }
      return { records, cursor: following === undefined ? null : `${following}:` }
    })
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

/** The host of a company's website, which may be written without its scheme; null: it has none. */
export const domainOf = (website: string | null): string | null => {
  const text = website?.trim() ?? ""
  if (text === "") return null
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).hostname || null : null
}
