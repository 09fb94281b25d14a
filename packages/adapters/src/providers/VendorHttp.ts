import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { CredentialForm } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Clock, Effect, Option, Redacted, Schema, SchemaIssue, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"
import { parseRepaired } from "@outbound/domain/kernel/text.js"
import { textWithin } from "../platform/textWithin.js"
import { CallRates } from "./CallRate.js"
import { type Classified, classifiedByStatus, headerOf, retryAfterOf } from "./classify.js"
import { safely, sayingOf } from "./saying.js"
import { CurrentRecording, type RecordedExchange } from "./recording/Recording.js"
import { codeOf, connector, isNeverSent, NO_PUBLIC_ADDRESS } from "./connecting.js"

/** Connections are kept open between calls. */
const CONNECTIONS_MAX = 64

/** The longest silence of a vendor, and the longest whole answer. Callers set tighter bounds. */
const SILENCE_MILLIS_MAX = 75_000

/** How long connections wait for bytes, from vendors and from accounts at their own addresses. */
export const WAITING = {
  keepAliveTimeout: 30_000,
  headersTimeout: SILENCE_MILLIS_MAX,
  bodyTimeout: SILENCE_MILLIS_MAX,
  pipelining: 1
} as const

const ANSWER_MILLIS_MAX = 90_000

/** The largest answer to read. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/** The longest description of a decoding error. */
const CAUSE_CHARS_MAX = 300

/** A credential must fit into a header. Nothing else is known about its form. */
const SENDABLE = /^[\x20-\x7e]+$/

type QueryValue = string | number | boolean | null | ReadonlyArray<string | number>

export interface VendorRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below the base address, with a leading slash. */
  readonly path: string
  /** Null values are left out; a list repeats its name. */
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form instead. It may hold secrets, so it is never recorded. */
  readonly form?: Readonly<Record<string, string>>
  /**
   * Marks a request that buys, sends, changes something there, or is charged each time. Once a byte may have reached
   * the vendor, any failure is an `unknown_outcome`, and the client never resends it.
   */
  readonly hasEffect?: true
}

/** A complete answer of any status. */
export interface VendorAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
  /** The parsed body; undefined if it isn't JSON. */
  readonly json: unknown
}

export interface VendorHttpOptions {
  /** The vendor's name, in `snake_case`. */
  readonly name: string
  /** Includes the version, such as `https://api.vendor.example/v2`. */
  readonly baseUrl: string
  /** The service's own credential. Null: only workspaces with their own are served. */
  readonly credential: Redacted.Redacted | null
  /** A server of the operator's own, which may need no credential. */
  readonly needsNoCredential?: true
  /** The form of its credentials, if it has one. */
  readonly credentialForm?: CredentialForm
  /** Puts the credential into the request. */
  readonly authorize: (credential: string) => {
    readonly headers?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
  }
  /** The most calls a minute from this host with one credential. Null: no known limit. */
  readonly callsPerMinute: number | null
  /** The vendor's own error signs. Null: go by the status. `"answer"`: not a failure. */
  readonly classify?: (answer: VendorAnswer) => Classified | "answer" | null
}

/** Talks to one vendor and classifies its failures. */
export interface VendorHttp {
  readonly name: string
  /** Returns 2xx answers, and those that the vendor's rule accepts. */
  readonly send: (request: VendorRequest) => Effect.Effect<VendorAnswer, ProviderFailure>
  /** `send`, decoded by a schema. A mismatch fails as `transient`, or as `unknown_outcome` after an effect. */
  readonly read: <A, I>(schema: Schema.Codec<A, I>, request: VendorRequest) => Effect.Effect<A, ProviderFailure>
  /** `read` of what is at a path. */
  readonly get: <A, I>(
    schema: Schema.Codec<A, I>,
    path: string,
    query?: VendorRequest["query"]
  ) => Effect.Effect<A, ProviderFailure>
  /** `read` of the answer to a question that changes nothing there. */
  readonly ask: <A, I>(schema: Schema.Codec<A, I>, path: string, body: unknown) => Effect.Effect<A, ProviderFailure>
  /** `read` of what was made there (`hasEffect`). */
  readonly make: <A, I>(schema: Schema.Codec<A, I>, path: string, body: unknown) => Effect.Effect<A, ProviderFailure>
  /** `send` of what changes something there (`hasEffect`). */
  readonly change: (
    method: VendorRequest["method"],
    path: string,
    body?: unknown
  ) => Effect.Effect<VendorAnswer, ProviderFailure>
  /** Decodes an answer of `send`, for schemas that depend on its status. */
  readonly understand: <A, I>(
    schema: Schema.Codec<A, I>,
    request: VendorRequest,
    answer: VendorAnswer
  ) => Effect.Effect<A, ProviderFailure>
  readonly failed: (reason: ProviderFailureReason, cause: unknown) => ProviderFailure
}

const queryText = (query: Readonly<Record<string, QueryValue>>): string => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null) continue
    if (typeof value === "object") for (const one of value) text.append(name, String(one))
    else text.append(name, String(value))
  }
  return text.size === 0 ? "" : `?${text.toString()}`
}

const jsonOf = (text: string): unknown => {
  try {
    return parseRepaired(text)
  } catch {
    return undefined
  }
}

/** What a vendor says of a refused request, fit for its caller. A page of a proxy says nothing. */
const wordsOf = ({ json, text }: VendorAnswer): string =>
  json === undefined && !text.includes("<") ? safely(text) : sayingOf(json)

/** Removes the credential, which some vendors echo. */
const withoutCredential = (credential: string | null, text: string): string =>
  credential === null || credential === "" ? text : text.replaceAll(credential, "[credential]")

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

/** Where an answer doesn't fit. Leaves out the values: they are third-party data and must not be logged. */
const placesOf = (error: Schema.SchemaError): string => {
  const places = formatted(error.issue).issues.map(({ path }) => path?.map(String).join(".") || "its root")
  return [...new Set(places)].join(", ").slice(0, CAUSE_CHARS_MAX)
}

const contentTypeOf = ({ body, form }: VendorRequest): Readonly<Record<string, string>> => {
  if (form !== undefined) return { "content-type": "application/x-www-form-urlencoded" }
  return body === undefined ? {} : { "content-type": "application/json" }
}

const sentBodyOf = ({ body, form }: VendorRequest): string | null => {
  if (form !== undefined) return new URLSearchParams(form).toString()
  return body === undefined ? null : JSON.stringify(body)
}

/** Its connections close with the scope. */
export const makeVendorHttp = (options: VendorHttpOptions): Effect.Effect<VendorHttp, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool(new URL(options.baseUrl).origin, {
            connections: CONNECTIONS_MAX,
            connect: connector(),
            ...WAITING
          })
      ),
      (one) => Effect.promise(() => one.destroy())
    ),
    (pool) => vendorHttpOver(pool, new CallRates(options.callsPerMinute), options)
  )

/** Over connections, and under rates, that others may share. */
export const vendorHttpOver = (
  connections: Dispatcher,
  rates: CallRates,
  options: Omit<VendorHttpOptions, "callsPerMinute">
): VendorHttp => {
  const { name } = options
  const base = new URL(options.baseUrl)
  const root = base.pathname.replace(/\/$/, "")

  const failed = (reason: ProviderFailureReason, cause: unknown) =>
    new ProviderFailure({
      provider: name,
      reason,
      cause,
      // What an adapter concludes of a request, in our own words.
      ...(reason === "invalid" && typeof cause === "string" ? { said: cause } : {})
    })

  const exchange = async (request: VendorRequest, credential: string | null, signal: AbortSignal) => {
    const authority = credential === null ? {} : options.authorize(credential)
    const answer = await connections.request({
      origin: base.origin,
      method: request.method,
      path: `${root}${request.path}${queryText({ ...request.query, ...authority.query })}`,
      headers: {
        accept: "application/json",
        // No compression: a few bytes could expand without limit.
        "accept-encoding": "identity",
        "user-agent": "outbound/1",
        ...contentTypeOf(request),
        ...authority.headers,
        ...request.headers
      },
      body: sentBodyOf(request),
      signal
    })
    const text = await textWithin(answer.body, ANSWER_BYTES_MAX)
    if (text === null) throw new Error("the answer is too large")
    return {
      status: answer.statusCode,
      headers: answer.headers,
      header: headerOf(answer.headers),
      text,
      json: jsonOf(text)
    }
  }

  /** As it was, without what `authorize` added. A vendor may echo the credential. */
  const recorded = (
    { body, method, path, query = {} }: VendorRequest,
    { headers, json, status, text }: Awaited<ReturnType<typeof exchange>>,
    credential: string | null
  ): RecordedExchange => {
    const clean = withoutCredential(credential, text)
    return {
      request: { method, path, query, body },
      answer: {
        status,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body: json === undefined ? clean : jsonOf(clean)
      }
    }
  }

  /** The failure of an exchange without a complete answer. Logs only the code, since an address may hold the key. */
  const broken = (request: VendorRequest) => (cause: unknown) => {
    const code = codeOf(cause)
    const isUnknown = request.hasEffect === true && !isNeverSent(cause)
    if (code === NO_PUBLIC_ADDRESS) {
      return new ProviderFailure({ provider: name, reason: "transient", concluded: "not_allowed", cause: code })
    }
    return failed(isUnknown ? "unknown_outcome" : "transient", code === "" ? "the exchange broke off" : code)
  }

  const failureIn = (
    request: VendorRequest,
    answer: VendorAnswer,
    credential: string | null
  ): ProviderFailure | null => {
    const own = options.classify?.(answer) ?? null
    if (own === "answer") return null
    const classified = own ?? classifiedByStatus(answer)
    if (classified === null) return null
    // A failing server may have acted before.
    const reason =
      classified.reason === "transient" && request.hasEffect === true ? "unknown_outcome" : classified.reason
    return new ProviderFailure({
      provider: name,
      reason,
      status: answer.status,
      cause: withoutCredential(credential, classified.cause ?? `status ${answer.status}`),
      ...(reason === "invalid" ? { said: withoutCredential(credential, wordsOf(answer)) } : {}),
      ...(reason === "rate_limited" ? retryAfterOf(answer, classified) : {})
    })
  }

  /** Chooses the credential, and marks a failure if the workspace's own was refused. */
  const withCredential = <A>(
    use: (credential: string | null) => Effect.Effect<A, ProviderFailure>
  ): Effect.Effect<A, ProviderFailure> =>
    Effect.flatMap(CurrentSourceAccess, (reach) =>
      Effect.flatMap(reach.ownKey(name), (own) => {
        if (Option.isSome(own)) {
          if (options.credentialForm?.pattern.test(Redacted.value(own.value)) === false) {
            const cause = "the credential has not the vendor's form"
            return Effect.fail(new ProviderFailure({ provider: name, reason: "account", ownKey: "unusable", cause }))
          }
          return Effect.mapError(use(Redacted.value(own.value)), (failure) =>
            failure.reason === "account"
              ? new ProviderFailure({ provider: name, reason: "account", cause: failure.cause, ownKey: "refused" })
              : failure
          )
        }
        if (options.credential !== null) return use(Redacted.value(options.credential))
        return options.needsNoCredential === true
          ? use(null)
          : Effect.fail(
              new ProviderFailure({ provider: name, reason: "account", concluded: "skipped", cause: "no credential" })
            )
      })
    )

  const send = (request: VendorRequest): Effect.Effect<VendorAnswer, ProviderFailure> =>
    withCredential((credential) =>
      Effect.gen(function* () {
        if (credential !== null && !SENDABLE.test(credential)) {
          return yield* Effect.fail(failed("account", "the credential holds what can't be sent"))
        }
        const wait = rates.enter(credential, yield* Clock.currentTimeMillis)
        if (wait > 0) {
          return yield* Effect.fail(
            new ProviderFailure({ provider: name, reason: "rate_limited", retryAfterSeconds: wait / 1000 })
          )
        }
        const sent = Effect.tryPromise({
          try: (signal) => exchange(request, credential, signal),
          catch: broken(request)
        })
        const answer = yield* Effect.timeoutOrElse(sent, {
          duration: ANSWER_MILLIS_MAX,
          orElse: () => Effect.fail(broken(request)(null))
        })
        const record = yield* CurrentRecording
        if (record !== null) record(recorded(request, answer, credential))
        const failure = failureIn(request, answer, credential)
        return failure === null ? answer : yield* Effect.fail(failure)
      })
    )

  const understand = <A, I>(schema: Schema.Codec<A, I>, { hasEffect }: VendorRequest, { json }: VendorAnswer) =>
    Effect.mapError(Schema.decodeUnknownEffect(schema)(json), (error) =>
      failed(
        hasEffect === true ? "unknown_outcome" : "transient",
        `its answer is not as documented at ${placesOf(error)}`
      )
    )

  return sendingBy({ name, failed, understand }, send)
}

/** Everything that follows from how requests are sent. */
export const sendingBy = (
  { failed, name, understand }: Pick<VendorHttp, "failed" | "name" | "understand">,
  send: VendorHttp["send"]
): VendorHttp => {
  const read: VendorHttp["read"] = (schema, request) =>
    Effect.flatMap(send(request), (answer) => understand(schema, request, answer))
  return {
    name,
    failed,
    understand,
    send,
    read,
    get: (schema, path, query = {}) => read(schema, { method: "GET", path, query }),
    ask: (schema, path, body) => read(schema, { method: "POST", path, body }),
    make: (schema, path, body) => read(schema, { method: "POST", path, body, hasEffect: true }),
    change: (method, path, body) => send({ method, path, body, hasEffect: true })
  }
}

/** A JSON object with any members. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
