import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted } from "effect"
import type { ConfiguredProviders, ConfiguredUpstream } from "./Configured.js"
import type { Live, LiveVendor } from "./makeLive.js"
import { textWithin } from "../../platform/textWithin.js"

/** The time limit per check, and the most checks at once. */
const CHECK_SECONDS_MAX = 15
const CHECKS_AT_ONCE = 8

/** The longest model list to read. */
const MODELS_BYTES_MAX = 4 * 1024 * 1024

/** The check of one configured item. */
export interface ProviderCheck {
  readonly name: string
  readonly kind: "vendor" | "prober" | "upstream"
  /** `warning`: works with something missing. `untested`: can't be tested. */
  readonly state: "works" | "warning" | "fails" | "untested"
  /** In the vendor's unit. Null: not told. */
  readonly left: number | null
  readonly unit: string | null
  /** For people. */
  readonly says: ReadonlyArray<string>
}

const WORDS: Readonly<Record<ProviderFailure["reason"], string>> = {
  account: "it refuses the key, or the account is empty",
  invalid: "it does not understand the request; check the base URL",
  rate_limited: "it is rate limiting us",
  transient: "it can't be reached, or it failed",
  unknown_outcome: "it can't be reached, or it failed"
}

const wordsOf = ({ cause, reason }: ProviderFailure): string =>
  typeof cause === "string" && cause !== "" ? `${WORDS[reason]} (${cause})` : WORDS[reason]

const inTime = <A>(name: string, ask: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ProviderFailure> =>
  ask.pipe(
    Effect.timeoutOrElse({
      duration: `${CHECK_SECONDS_MAX} seconds`,
      orElse: () =>
        Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause: "no answer in time" }))
    }),
    Effect.catchDefect(() => Effect.fail(new ProviderFailure({ provider: name, reason: "transient" })))
  )

const checkVendor = ({ config, facts: { name, terms, unit }, made }: LiveVendor): Effect.Effect<ProviderCheck> => {
  const base = { name, kind: "vendor", unit } as const
  return inTime(name, made.account).pipe(
    Effect.match({
      onFailure: (failure): ProviderCheck =>
        config.credential === null && failure.concluded === "skipped"
          ? { ...base, state: "untested", left: null, says: ["only workspaces with their own key use it"] }
          : { ...base, state: "fails", left: null, says: [wordsOf(failure)] },
      onSuccess: ({ left, missing }): ProviderCheck => {
        const says = left !== null && left <= 0 ? ["the account is empty", ...missing] : missing
        const noted = terms === undefined ? [] : [`terms: ${terms}`]
        return { ...base, state: says.length === 0 ? "works" : "warning", left, says: [...says, ...noted] }
      }
    })
  )
}

const modelsIn = (text: string): ReadonlySet<string> | null => {
  try {
    const { data } = JSON.parse(text) as { readonly data?: unknown }
    return Array.isArray(data) ? new Set(data.map((one: { readonly id?: unknown }) => String(one.id))) : null
  } catch {
    return null
  }
}

/** Chat upstreams list their models for free. One that has no list isn't failed for it. */
const checkUpstream = (
  { apiKey, baseUrl, name }: ConfiguredUpstream,
  models: ReadonlyArray<string>
): Effect.Effect<ProviderCheck> => {
  const base = { name, kind: "upstream", left: null, unit: null } as const
  const listing = Effect.tryPromise({
    try: async (signal) => {
      const headers = { authorization: `Bearer ${Redacted.value(apiKey)}`, accept: "application/json" }
      const answer = await fetch(`${baseUrl}/models`, { headers, signal, redirect: "error" })
      return {
        status: answer.status,
        text:
          answer.body === null
            ? ""
            : await textWithin(answer.body as unknown as AsyncIterable<Uint8Array>, MODELS_BYTES_MAX)
      }
    },
    catch: () => new ProviderFailure({ provider: name, reason: "transient" })
  })
  return inTime(name, listing).pipe(
    Effect.match({
      onFailure: (failure): ProviderCheck => ({ ...base, state: "fails", says: [wordsOf(failure)] }),
      onSuccess: ({ status, text }): ProviderCheck => {
        if (status === 401 || status === 403) return { ...base, state: "fails", says: ["it refuses the key"] }
        if (text === null) return { ...base, state: "untested", says: ["its list of models is too long"] }
        const known = status === 200 ? modelsIn(text) : null
        if (known === null)
          return { ...base, state: "untested", says: [`it does not list its models (status ${status})`] }
        const missing = models.filter((model) => !known.has(model))
        return missing.length === 0
          ? { ...base, state: "works", says: [] }
          : { ...base, state: "warning", says: [`it does not list ${missing.join(", ")}`] }
      }
    })
  )
}

const STATES = ["works", "untested", "warning", "fails"] as const

/** Checks everything configured, for free. Never fails, and ends in bounded time. */
export const checkProviders = (
  configured: ConfiguredProviders,
  live: Live
): Effect.Effect<ReadonlyArray<ProviderCheck>> => {
  const { prober } = live
  const modelsOf = (upstream: string): ReadonlyArray<string> => [
    ...configured.chat
      .flatMap(({ targets }) => targets)
      .flatMap((target) => (target.upstream === upstream ? [target.upstreamModel] : [])),
    ...(configured.judge?.upstream === upstream ? [configured.judge.model] : [])
  ]
  const proberChecks: ReadonlyArray<Effect.Effect<ProviderCheck>> =
    prober === null
      ? []
      : [
          Effect.map(prober.check, (findings): ProviderCheck => ({
            name: "prober",
            kind: "prober",
            left: null,
            unit: null,
            state: findings.reduce<ProviderCheck["state"]>(
              (worst, { state }) => (STATES.indexOf(state) > STATES.indexOf(worst) ? state : worst),
              "works"
            ),
            says: findings.map(({ state, text, what }) => `${what} ${state}: ${text}`)
          }))
        ]
  return Effect.all(
    [
      ...live.vendors.map(checkVendor),
      ...proberChecks,
      ...configured.upstreams.map((upstream) => checkUpstream(upstream, modelsOf(upstream.name)))
    ],
    { concurrency: CHECKS_AT_ONCE }
  )
}
