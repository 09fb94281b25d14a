/** Cloudflare's API v4. Its token needs Zone:Read and DNS:Edit for the zone. */
import type { DnsZones, Zone, ZoneAccess, ZoneChange, ZoneFailure } from "@outbound/domain/outreach/domains/DnsZones.js"
import { added, removed } from "@outbound/domain/outreach/domains/planRecords.js"
import { isBetween, isSet } from "@outbound/domain/outreach/domains/standing.js"
import { canonical, type RecordSet } from "@outbound/domain/outreach/domains/Wishes.js"
import { Clock, Effect, Redacted, Result, Schema } from "effect"
import { readTxt, writeTxt } from "./txtText.js"
import { candidatesOf, failure, send } from "./zoneHttp.js"

export const CLOUDFLARE_URL = "https://api.cloudflare.com/client/v4"

const PAGE_RECORDS = 100
const PAGES_MAX = 20

/** Records of Cloudflare with this TTL follow the zone's own. */
const TTL_AUTOMATIC = 1

/** The record, or the very same one, is there already. */
const EXISTS = new Set([81_057, 81_058])
/** A record of another type is in the way. */
const BLOCKED = new Set([81_053, 81_054, 81_055])
const NOT_FOUND = new Set([81_044, 7_003])
const TOO_MANY = new Set([971, 10_429])

const Errors = Schema.Array(Schema.Struct({ code: Schema.Number, message: Schema.String }))

const Envelope = Schema.fromJsonString(
  Schema.Struct({
    success: Schema.Boolean,
    errors: Errors.pipe(Schema.withDecodingDefault(Effect.succeed([]))),
    result: Schema.Unknown,
    result_info: Schema.optional(Schema.NullOr(Schema.Struct({ total_pages: Schema.optional(Schema.Number) })))
  })
)

const Zones = Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, status: Schema.String }))

const Records = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    type: Schema.String,
    content: Schema.String.pipe(Schema.withDecodingDefault(Effect.succeed(""))),
    priority: Schema.optional(Schema.NullOr(Schema.Number))
  })
)
type CloudflareRecord = (typeof Records.Type)[number]

const valueOf = ({ content, priority, type }: CloudflareRecord): string => {
  if (type === "TXT") return readTxt(content)
  return type === "MX" ? `${priority ?? 0} ${content}` : content
}

const contentOf = ({ name, type }: ZoneChange, value: string) => {
  const common = { name, type, ttl: TTL_AUTOMATIC }
  if (type === "TXT") return { ...common, content: writeTxt(value) }
  if (type === "CNAME") return { ...common, content: value, proxied: false }
  const [priority = "10", host = ""] = value.split(" ")
  return { ...common, content: host, priority: Number(priority) }
}

export const makeCloudflare = (baseUrl: string = CLOUDFLARE_URL): DnsZones["Service"] => {
  const ask = (
    { secret }: ZoneAccess,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: unknown
  ): Effect.Effect<typeof Envelope.Type, ZoneFailure> =>
    Effect.gen(function* () {
      const answer = yield* send(
        {
          method,
          url: `${baseUrl}${path}`,
          headers: { authorization: `Bearer ${Redacted.value(secret)}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        },
        yield* Clock.currentTimeMillis
      )
      const { retryAfterMillis, status, text } = answer
      if (status === 429) return yield* failure("rate_limited", "too many requests", retryAfterMillis)
      const read = Schema.decodeResult(Envelope)(text)
      if (Result.isFailure(read)) {
        return yield* failure(method === "GET" ? "unavailable" : "unknown", "an answer that isn’t Cloudflare’s")
      }
      if (status < 300 && read.success.success) return read.success
      const says = read.success.errors.map(({ code, message }) => `${message} (${code})`).join("; ")
      const has = (codes: ReadonlySet<number>) => read.success.errors.some(({ code }) => codes.has(code))
      if (has(TOO_MANY)) return yield* failure("rate_limited", says, retryAfterMillis)
      if (has(EXISTS) || has(BLOCKED) || has(NOT_FOUND) || status === 404 || status === 409) {
        return yield* failure("changed", says)
      }
      return yield* failure(
        status === 401 || status === 403 || has(new Set([6_003, 10_000])) ? "refused" : "invalid",
        says
      )
    })

  const decoded = <A, I>(schema: Schema.Codec<A, I>, result: unknown): Effect.Effect<A, ZoneFailure> =>
    Effect.mapError(Schema.decodeUnknownEffect(schema)(result), () =>
      failure("unavailable", "an answer of unknown form")
    )

  /** Every record at the name, of each page. */
  const recordsAt = (access: ZoneAccess, { zoneId }: Zone, name: string) =>
    Effect.gen(function* () {
      const found: Array<CloudflareRecord> = []
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const query = new URLSearchParams({
          "name.exact": name,
          page: String(page),
          per_page: String(PAGE_RECORDS),
          order: "type"
        })
        const answer = yield* ask(access, "GET", `/zones/${encodeURIComponent(zoneId)}/dns_records?${query}`)
        found.push(...(yield* decoded(Records, answer.result)).filter((one) => one.name.toLowerCase() === name))
        if (page >= (answer.result_info?.total_pages ?? 1)) return found
      }
      return yield* failure("unavailable", `more records at ${name} than we read`)
    })

  const setsOf = (name: string, found: ReadonlyArray<CloudflareRecord>): ReadonlyArray<RecordSet> =>
    [...new Set(found.map(({ type }) => type))].map((type) => ({
      name,
      type,
      values: found.filter((one) => one.type === type).map(valueOf)
    }))

  return {
    find: (access, domain) =>
      Effect.gen(function* () {
        for (const name of candidatesOf(domain)) {
          const { result } = yield* ask(access, "GET", `/zones?${new URLSearchParams({ name, per_page: "50" })}`)
          const zones = (yield* decoded(Zones, result)).filter((zone) => zone.name.toLowerCase() === name)
          const active = zones.filter(({ status }) => status === "active")
          const [zone] = active
          if (active.length > 1) return yield* failure("no_zone", `there are ${active.length} zones of ${name}`)
          if (zone !== undefined) return { zoneId: zone.id, name }
          if (zones.length > 0) return yield* failure("no_zone", `the zone ${name} is ${zones[0]?.status ?? "off"}`)
        }
        return yield* failure("no_zone", `no zone of ${domain} or above it`)
      }),

    read: (access, zone, names) =>
      Effect.map(
        Effect.forEach(names, (name) => Effect.map(recordsAt(access, zone, name), (found) => setsOf(name, found))),
        (sets) => sets.flat()
      ),

    // One record after the other: Cloudflare has no change that depends on what stands there. We read just before.
    change: (access, zone, change) =>
      Effect.gen(function* () {
        const { name, type } = change
        const all = yield* recordsAt(access, zone, name)
        const here = all.filter((one) => one.type === type)
        const values = here.map(valueOf)
        if (isSet(change, values)) return
        if (!isBetween(change, values)) return yield* failure("changed", `other records at ${name}`)
        const holds = (value: string) => values.some((one) => canonical(type, one) === canonical(type, value))
        const coming = added(change).filter((value) => !holds(value))
        const going = removed(change)
          .map((value) => here.find((one) => canonical(type, valueOf(one)) === canonical(type, value)))
          .filter((one) => one !== undefined)
        const path = `/zones/${encodeURIComponent(zone.zoneId)}/dns_records`
        for (const [at, value] of coming.entries()) {
          const old = going[at]
          yield* old === undefined
            ? ask(access, "POST", path, contentOf(change, value))
            : ask(access, "PATCH", `${path}/${encodeURIComponent(old.id)}`, contentOf(change, value))
        }
        for (const old of going.slice(coming.length)) {
          yield* ask(access, "DELETE", `${path}/${encodeURIComponent(old.id)}`)
        }
      })
  }
}
