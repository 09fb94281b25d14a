import type { PostmasterStats, Requirement } from "@outbound/domain/wings/postmaster/Postmaster.js"
import { PostmasterApi } from "@outbound/domain/wings/postmaster/PostmasterApi.js"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { Agent, request } from "undici"
import { makeTokenEndpoint, type TokenEndpointOptions } from "../../mail/TokenEndpoint.js"
import { textWithin } from "../../platform/textWithin.js"
import { CONNECTING, doorTo, lookupThrough } from "../../site/door.js"
import { makeGate, portOf, resolveBy } from "../../site/Gate.js"

const NAME = "postmaster_tools"
export const POSTMASTER_URL = "https://gmailpostmastertools.googleapis.com"

const TIMEOUT_MILLIS = 20_000
const ANSWER_BYTES_MAX = 1024 * 1024
/** The most that the contract allows, and most pages of one list. */
const PAGE_SIZE = 200
const PAGES_MAX = 10

export interface GooglePostmasterOptions extends TokenEndpointOptions {
  /** Where the tools are; default: at Google. */
  readonly baseUrl?: string
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | null
}

const failed = (reason: ProviderFailureReason, cause: string, answer?: Answer): ProviderFailure =>
  new ProviderFailure({
    provider: NAME,
    reason,
    cause,
    ...(answer === undefined ? {} : { status: answer.status }),
    ...(answer === undefined || answer.retryAfterSeconds === null
      ? {}
      : { retryAfterSeconds: answer.retryAfterSeconds })
  })

const Text = Schema.optional(Schema.NullOr(Schema.String))

const Domains = Schema.fromJsonString(
  Schema.Struct({
    domains: Schema.optional(
      Schema.NullOr(Schema.Array(Schema.Struct({ name: Schema.String, permission: Text, verificationState: Text })))
    ),
    nextPageToken: Text
  })
)

const Compliance = Schema.optional(
  Schema.NullOr(
    Schema.Struct({
      rowData: Schema.optional(
        Schema.NullOr(
          Schema.Array(
            Schema.Struct({
              requirement: Text,
              status: Schema.optional(Schema.NullOr(Schema.Struct({ status: Text })))
            })
          )
        )
      )
    })
  )
)

const ComplianceStatus = Schema.fromJsonString(
  Schema.Struct({ complianceData: Compliance, subdomainComplianceData: Compliance })
)

const Day = Schema.Struct({ year: Schema.Int, month: Schema.Int, day: Schema.Int })

const Stats = Schema.fromJsonString(
  Schema.Struct({
    domainStats: Schema.optional(
      Schema.NullOr(
        Schema.Array(
          Schema.Struct({
            metric: Text,
            date: Schema.optional(Schema.NullOr(Day)),
            value: Schema.optional(
              Schema.NullOr(
                Schema.Struct({
                  doubleValue: Schema.optional(Schema.NullOr(Schema.Number)),
                  floatValue: Schema.optional(Schema.NullOr(Schema.Number))
                })
              )
            )
          })
        )
      )
    ),
    nextPageToken: Text
  })
)

const REQUIREMENT = /^[A-Z][A-Z0-9_]{0,60}$/
const REQUIREMENTS_MAX = 40

const STATUSES: Readonly<Record<string, Requirement["status"]>> = { COMPLIANT: "compliant", NEEDS_WORK: "needs_work" }

/** What is asked for, under names of our own. */
const METRICS = {
  spamRate: { standardMetric: "SPAM_RATE" },
  rejectRate: { standardMetric: "DELIVERY_ERROR_RATE", filter: 'error_type = "reject"' },
  tempFailRate: { standardMetric: "DELIVERY_ERROR_RATE", filter: 'error_type = "temp_fail"' }
} as const
type Metric = keyof typeof METRICS
const isMetric = (name: string): name is Metric => Object.hasOwn(METRICS, name)

const dateOf = (millis: number) => {
  const date = new Date(millis)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const isoDay = ({ day, month, year }: typeof Day.Type): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

const queryOf = (days: { readonly fromMillis: number; readonly toMillis: number }, pageToken: string | null) => ({
  metricDefinitions: Object.entries(METRICS).map(([name, { standardMetric, ...filter }]) => ({
    name,
    baseMetric: { standardMetric },
    ...filter
  })),
  timeQuery: { dateRanges: { dateRanges: [{ start: dateOf(days.fromMillis), end: dateOf(days.toMillis) }] } },
  aggregationGranularity: "DAILY",
  pageSize: PAGE_SIZE,
  ...(pageToken === null ? {} : { pageToken })
})

type Row = NonNullable<NonNullable<typeof Stats.Type.domainStats>>[number]

/** The rates of the newest day that has one. A rate outside 0 to 1 makes no sense. */
const newestOf = (rows: ReadonlyArray<Row>): PostmasterStats => {
  const found = rows.flatMap(({ date, metric, value }) => {
    const rate = value?.doubleValue ?? value?.floatValue ?? null
    const isRate = rate !== null && Number.isFinite(rate) && rate >= 0 && rate <= 1
    return isRate && date != null && metric != null && isMetric(metric) ? [{ day: isoDay(date), metric, rate }] : []
  })
  const day =
    found
      .map((one) => one.day)
      .sort()
      .at(-1) ?? null
  const of = (metric: Metric): number | null =>
    found.find((one) => one.metric === metric && one.day === day)?.rate ?? null
  return { day, spamRate: of("spamRate"), rejectRate: of("rejectRate"), tempFailRate: of("tempFailRate") }
}

/** Google's Postmaster Tools over HTTP (contract.md). Every answer is bounded and read as data. */
export const layer = (options: GooglePostmasterOptions): Layer.Layer<PostmasterApi> =>
  Layer.sync(PostmasterApi, () => {
    const base = options.baseUrl ?? POSTMASTER_URL
    const gate = makeGate(options.resolve ?? resolveBy(), [])
    const tokens = makeTokenEndpoint(options)

    const ask = (token: Redacted.Redacted, path: string, body?: unknown): Effect.Effect<Answer, ProviderFailure> =>
      Effect.suspend(() => {
        const url = new URL(`${base}/${path}`)
        const door = doorTo(url, options.isAtHome, gate)
        if (door === null) return Effect.fail(failed("transient", "it is at no public address"))
        const send = async (signal: AbortSignal): Promise<Answer> => {
          const agent = new Agent({
            connect: { lookup: lookupThrough(door, portOf(url)), allowH2: false, ...CONNECTING }
          })
          try {
            const answer = await request(url, {
              dispatcher: agent,
              method: body === undefined ? "GET" : "POST",
              headers: {
                authorization: `Bearer ${Redacted.value(token)}`,
                accept: "application/json",
                ...(body === undefined ? {} : { "content-type": "application/json" })
              },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
              signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMillis ?? TIMEOUT_MILLIS)])
            })
            const text = await textWithin(answer.body as AsyncIterable<Buffer>, ANSWER_BYTES_MAX)
            const after = Number(answer.headers["retry-after"])
            return {
              status: text === null ? 502 : answer.statusCode,
              text: text ?? "",
              retryAfterSeconds: Number.isFinite(after) && after > 0 ? Math.min(after, 86_400) : null
            }
          } finally {
            void agent.destroy()
          }
        }
        // The library's own words may hold the request.
        return Effect.tryPromise({ try: send, catch: () => failed("transient", "it can't be reached") })
      })

    /** A whole answer; null: it has nothing to say of this domain, or not to this person. */
    const answered = <A>(answer: Answer, codec: Schema.Codec<A, string>): Effect.Effect<A | null, ProviderFailure> => {
      const { status } = answer
      if (status === 403 || status === 404) return Effect.succeed(null)
      if (status === 401) return Effect.fail(failed("account", "the token is refused", answer))
      if (status === 429) return Effect.fail(failed("rate_limited", "the quota is used up", answer))
      if (status !== 200) return Effect.fail(failed("transient", `it answered ${status}`, answer))
      const read = Schema.decodeUnknownResult(codec)(answer.text)
      return Result.isSuccess(read)
        ? Effect.succeed(read.success)
        : Effect.fail(failed("transient", "no such answer is known"))
    }

    /** The pages of a list, bounded; null: the first one has nothing. A server that repeats a page's token is not followed. */
    const pages = <A extends { readonly nextPageToken?: string | null | undefined }>(
      page: (pageToken: string | null) => Effect.Effect<A | null, ProviderFailure>
    ): Effect.Effect<ReadonlyArray<A> | null, ProviderFailure> =>
      Effect.gen(function* () {
        const found: Array<A> = []
        let token: string | null = null
        while (found.length < PAGES_MAX) {
          const one: A | null = yield* page(token)
          if (one === null) return found.length === 0 ? null : found
          found.push(one)
          const next: string = one.nextPageToken ?? ""
          if (next === "" || next === token) break
          token = next
        }
        return found
      })

    const pathOf = (domain: string): string => `v2/domains/${encodeURIComponent(domain)}`

    return PostmasterApi.of({
      token: tokens,
      domains: (token, limit) =>
        pages((pageToken) => {
          const query = new URLSearchParams({
            pageSize: String(PAGE_SIZE),
            ...(pageToken === null ? {} : { pageToken })
          })
          return Effect.flatMap(ask(token, `v2/domains?${query}`), (answer) =>
            // Without permission for the list itself, the consent lacks its scope.
            answer.status === 403
              ? Effect.fail(failed("account", "the consent lacks a scope", answer))
              : answered(answer, Domains)
          )
        }).pipe(
          Effect.map((found) =>
            (found ?? [])
              .flatMap(({ domains }) => domains ?? [])
              .filter(
                ({ permission, verificationState }) =>
                  (permission === "OWNER" || permission === "READER") && verificationState === "VERIFIED"
              )
              .flatMap(({ name }) => {
                const domain = hostOf(name.replace(/^domains\//, ""))
                return domain === null ? [] : [domain]
              })
              .slice(0, limit)
          )
        ),
      requirements: (token, domain) =>
        Effect.gen(function* () {
          const answer = yield* ask(token, `${pathOf(domain)}/complianceStatus`)
          const found = yield* answered(answer, ComplianceStatus)
          if (found === null) return null
          const rows = (found.subdomainComplianceData ?? found.complianceData)?.rowData ?? []
          return rows
            .slice(0, REQUIREMENTS_MAX)
            .flatMap(({ requirement, status }): ReadonlyArray<Requirement> =>
              requirement != null && REQUIREMENT.test(requirement)
                ? [{ requirement, status: STATUSES[status?.status ?? ""] ?? "unknown" }]
                : []
            )
        }),
      stats: (token, domain, days) =>
        pages((pageToken) =>
          Effect.flatMap(ask(token, `${pathOf(domain)}/domainStats:query`, queryOf(days, pageToken)), (answer) =>
            answered(answer, Stats)
          )
        ).pipe(
          Effect.map((found) =>
            found === null ? null : newestOf(found.flatMap(({ domainStats }) => domainStats ?? []))
          )
        )
    })
  })
