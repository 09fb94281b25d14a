import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/ports/providers/ProviderFailure.js"
import { Duration, Effect, Option, Redacted, Schema } from "effect"

/** A service that speaks the common third-party form of chat completions. */
export interface ChatEndpointConfig {
  /** How failures name it. */
  readonly name: string
  /** What `/chat/completions` is appended to. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly model: string
  /** One call, a repeat and its wait included. */
  readonly timeout: Duration.DurationInput
}

export interface ChatMessage {
  readonly role: "system" | "user"
  readonly content: string
}

const ANSWER_BYTES_MAX = 256 * 1024

/** A refusal for being asked too often, or too busy, is tried once more where the wait is short. */
const REPEATS_MAX = 1
const WAIT_SECONDS_MAX = 2
const WAIT_SECONDS_DEFAULT = 0.5

const Completion = Schema.parseJson(
  Schema.Struct({
    choices: Schema.NonEmptyArray(
      Schema.Struct({
        message: Schema.Struct({ content: Schema.NullishOr(Schema.String), refusal: Schema.NullishOr(Schema.String) }),
        finish_reason: Schema.NullishOr(Schema.String)
      })
    )
  })
)

const Refusal = Schema.parseJson(
  Schema.Struct({
    error: Schema.Struct({ code: Schema.NullishOr(Schema.Unknown), type: Schema.NullishOr(Schema.Unknown) })
  })
)

/** An answer of HTTP, whatever it says. */
interface HttpAnswer {
  readonly status: number
  readonly retryAfterSeconds: number | null
  readonly body: string
}

const retryAfterOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d{1,6}(?:\.\d+)?$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

const readBody = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) throw new Error("its answer is too long")
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Out of credit is told by code where it shares its status with being asked too often. */
const isUnpaid = (body: string): boolean =>
  Option.exists(Schema.decodeOption(Refusal)(body), ({ error }) =>
    [error.code, error.type].some((value) => typeof value === "string" && /quota|billing|credit/.test(value))
  )

const reasonOf = ({ body, status }: HttpAnswer): ProviderFailureReason => {
  if (status === 401 || status === 402 || status === 403) return "account"
  if (status === 429) return isUnpaid(body) ? "account" : "rate_limited"
  return status === 408 || status >= 500 ? "transient" : "invalid"
}

/** Asks for one completion and takes its text. What is no completion is a transient failure of the endpoint. */
export const makeChatEndpoint = (config: ChatEndpointConfig) => {
  const url = `${config.baseUrl.replace(/\/+$/, "")}/chat/completions`
  const failure = (reason: ProviderFailureReason, cause?: unknown, retryAfterSeconds?: number) =>
    new ProviderFailure({
      provider: config.name,
      reason,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause })
    })

  const post = (body: string) =>
    Effect.tryPromise({
      try: async (signal): Promise<HttpAnswer> => {
        const response = await fetch(url, {
          method: "POST",
          headers: { authorization: `Bearer ${Redacted.value(config.apiKey)}`, "content-type": "application/json" },
          body,
          redirect: "error",
          signal
        })
        const retryAfterSeconds = retryAfterOf(response.headers.get("retry-after"))
        return { status: response.status, retryAfterSeconds, body: await readBody(response) }
      },
      catch: (cause) => failure("transient", cause)
    })

  const textOf = (answer: HttpAnswer): Effect.Effect<string, ProviderFailure> =>
    Schema.decode(Completion)(answer.body).pipe(
      Effect.mapError(() => failure("transient", "its answer is no completion")),
      Effect.flatMap(({ choices: [{ finish_reason, message }] }) =>
        typeof message.content === "string" && (finish_reason ?? "stop") === "stop"
          ? Effect.succeed(message.content)
          : Effect.fail(failure("transient", `its answer is not whole: ${finish_reason}`))
      )
    )

  /** Turned away at the door, nothing was done there. Of other failures nobody knows whether they were billed. */
  const ask = (body: string, repeatsLeft: number): Effect.Effect<string, ProviderFailure> =>
    Effect.gen(function* () {
      const answer = yield* post(body)
      if (answer.status === 200) return yield* textOf(answer)
      const reason = reasonOf(answer)
      const wait = answer.retryAfterSeconds ?? WAIT_SECONDS_DEFAULT
      const turnedAway = reason === "rate_limited" || answer.status === 503
      if (turnedAway && repeatsLeft > 0 && wait <= WAIT_SECONDS_MAX) {
        yield* Effect.sleep(Duration.seconds(wait))
        return yield* ask(body, repeatsLeft - 1)
      }
      const retryAfter = answer.retryAfterSeconds === null ? undefined : Math.ceil(answer.retryAfterSeconds)
      return yield* Effect.fail(failure(reason, `status ${answer.status}`, retryAfter))
    })

  return {
    /** `parameters` are fields of the wire form that go along as they are. */
    complete: (
      messages: ReadonlyArray<ChatMessage>,
      parameters: Readonly<Record<string, unknown>>
    ): Effect.Effect<string, ProviderFailure> =>
      ask(JSON.stringify({ ...parameters, model: config.model, messages, stream: false }), REPEATS_MAX).pipe(
        Effect.timeoutFail({ duration: config.timeout, onTimeout: () => failure("transient", "timed out") })
      )
  }
}
