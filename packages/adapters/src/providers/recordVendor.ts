import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Redacted } from "effect"
import type { LiveVendor } from "./config/makeLive.js"
import { type ASKS, Cassette, CurrentRecording, type RecordedExchange } from "./recording/Recording.js"
import { Redaction } from "./recording/redact.js"

/** Each question that a cassette holds, as an effect on a vendor. `email`: null verifies nothing, which costs nothing. */
export const asksOf = (
  { account, sources }: LiveVendor["made"],
  email: string | null
): ReadonlyArray<readonly [(typeof ASKS)[number], Effect.Effect<unknown, ProviderFailure>]> => [
  ["account", account],
  ...(email === null || sources.email_verifier === undefined
    ? []
    : ([["verify_email", sources.email_verifier.verify(email)]] as const))
]

/** What came of it, as a cassette says it. */
export const outcomeOf = (ask: Effect.Effect<unknown, ProviderFailure>): Effect.Effect<unknown> =>
  Effect.match(ask, { onFailure: ({ reason }): unknown => ({ failed: reason }), onSuccess: (found) => found })

/** Asks a vendor and returns its answers, without the credential and without a word that names anybody. */
export const recordVendor = ({ config, facts, made }: LiveVendor, email: string | null): Effect.Effect<Cassette> =>
  Effect.gen(function* () {
    const secrets = config.credential === null ? [] : [Redacted.value(config.credential)]
    const redaction = new Redaction(secrets)
    // The first address stands for the one that is verified.
    if (email !== null) redaction.text("", email)
    const asked: Array<Cassette["asked"][number]> = []
    for (const [ask, effect] of asksOf(made, email)) {
      const exchanges: Array<RecordedExchange> = []
      const outcome = yield* Effect.provideService(outcomeOf(effect), CurrentRecording, (one) => {
        exchanges.push(redaction.exchange(one))
      })
      asked.push({ ask, outcome, exchanges: exchanges as Cassette["asked"][number]["exchanges"] })
    }
    const today = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
    return new Cassette({ format: 1, vendor: facts.name, recorded_on: today, asked })
  })
