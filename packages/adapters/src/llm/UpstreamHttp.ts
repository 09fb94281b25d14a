import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted, type Scope } from "effect"
import { type Dispatcher, Pool } from "undici"
import { callback } from "../platform/callback.js"
import { type Arriving, ByFirstBytes, LEFT, type Receiver, TextReceiver } from "./Arriving.js"
import { ContentReceiver } from "./ContentReceiver.js"
import { type Headers, readRefusal, readUnstreamed, type Refusal } from "./upstreamRefusal.js"

/** An upstream's address and our credential. */
export interface UpstreamAddress {
  /** The owner of its models for callers, and the provider in logs. */
  readonly name: string
  /** Includes the version, such as `https://models.example/v1`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

/** Connections are kept open between calls. A stream holds one while it runs. */
const CONNECTIONS_MAX = 512
const KEEP_ALIVE_MILLIS = 30_000
const CONNECT_MILLIS_MAX = 10_000

/** A backstop beyond the callers' own time limits. */
const SILENCE_MILLIS_MAX = 330_000

/** The largest answer to read, and the largest refusal. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const REFUSAL_BYTES_MAX = 64 * 1024
/**
 * Posts JSON to one upstream over kept connections, and classifies its failures. A request ends by its signal, not by
 * interruption (see `ChatUpstream`).
 */
export interface UpstreamHttp {
  /** The whole answer. */
  readonly post: (path: string, body: unknown, signal: AbortSignal) => Effect.Effect<string, ProviderFailure>
  /** The body as it arrives, once its first bytes have come. A body in one piece of JSON is a refusal. */
  readonly open: <R extends Receiver>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    receiver: (arriving: Arriving) => R
  ) => Effect.Effect<R, ProviderFailure>
  readonly failed: (cause: unknown) => ProviderFailure
}

/** Whether a body begins as JSON does, perhaps behind the mark of its encoding. Events never begin so. */
const isJson = (first: Buffer): boolean => /^(?:\xef\xbb\xbf)?\s{0,16}[[{]/.test(first.toString("latin1", 0, 24))

/** Its connections close with the scope. */
export const makeUpstreamHttp = (address: UpstreamAddress): Effect.Effect<UpstreamHttp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const base = new URL(address.baseUrl)
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool(base.origin, {
            connections: CONNECTIONS_MAX,
            connect: { timeout: CONNECT_MILLIS_MAX },
            keepAliveTimeout: KEEP_ALIVE_MILLIS,
            headersTimeout: SILENCE_MILLIS_MAX,
            bodyTimeout: SILENCE_MILLIS_MAX
          })
      ),
      (one) => Effect.promise(() => one.destroy())
    )
    const root = base.pathname.replace(/\/$/, "")
    const failed = (cause: unknown, reason: ProviderFailureReason = "transient") =>
      new ProviderFailure({ provider: address.name, reason, cause })

    const headersOf = (accept: string) => ({
      authorization: `Bearer ${Redacted.value(address.apiKey)}`,
      "content-type": "application/json",
      accept,
      // To encode costs both sides more than it saves, and holds back what should come at once.
      "accept-encoding": "identity",
      "user-agent": "outbound"
    })
    const headers = { json: headersOf("application/json"), events: headersOf("text/event-stream") }

    const secret = Redacted.value(address.apiKey)
    const refused = (status: number, refusal: Refusal): ProviderFailure =>
      new ProviderFailure({ provider: address.name, status, cause: `status ${status}`, ...refusal })

    /** `begun` gives the receiver of the body of a success. */
    const request = <A>(
      path: string,
      accepts: keyof typeof headers,
      body: unknown,
      signal: AbortSignal,
      begun: (
        arriving: Arriving,
        received: Headers,
        resume: (result: Effect.Effect<A, ProviderFailure>) => void
      ) => Receiver
    ): Effect.Effect<A, ProviderFailure> =>
      callback<A, ProviderFailure>((resume) => {
        let controller: Dispatcher.DispatchController | null = null
        let receiver: Receiver | null = null
        const fail = (cause: unknown): void => resume(Effect.fail(failed(cause)))
        const leave = (): void => {
          if (receiver !== null) return receiver.leave()
          const cause = new Error(LEFT)
          controller?.abort(cause)
          fail(cause)
        }
        if (signal.aborted) return leave()
        signal.addEventListener("abort", leave)
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: (started) => {
            controller = started
            // It waited for a connection.
            if (signal.aborted) started.abort(new Error(LEFT))
          },
          onResponseStart: (arriving, status, received) => {
            // Others come before it (RFC 9110 §15.2).
            if (status < 200) return
            const refuse = (text: string): void =>
              resume(Effect.fail(refused(status, readRefusal(status, received, text, secret))))
            const coding = received["content-encoding"] ?? ""
            receiver = new ContentReceiver(arriving, String(coding), (body) =>
              status < 300
                ? begun(body, received, resume)
                : new TextReceiver(REFUSAL_BYTES_MAX, body, refuse, () => refuse(""))
            )
          },
          onResponseData: (_arriving, bytes) => receiver?.data(bytes),
          onResponseEnd: () => receiver?.over(null),
          onResponseError: (_arriving, cause) => (receiver === null ? fail(cause) : receiver.over(cause))
        }
        const options = { method: "POST", path: `${root}${path}`, headers: headers[accepts] } as const
        pool.dispatch({ ...options, body: JSON.stringify(body) }, handler)
      })

    return {
      failed,
      post: (path, body, signal) =>
        request<string>(path, "json", body, signal, (arriving, _received, resume) => {
          const done = (text: string): void => resume(Effect.succeed(text))
          const broken = (cause: unknown): void => resume(Effect.fail(failed(cause)))
          return new TextReceiver(ANSWER_BYTES_MAX, arriving, done, broken)
        }),
      open: (path, body, signal, receiver) =>
        request<ReturnType<typeof receiver>>(path, "events", body, signal, (arriving, received, resume) => {
          const broken = (cause: unknown): void => resume(Effect.fail(failed(cause)))
          const done = (text: string): void => resume(Effect.fail(refused(200, readUnstreamed(received, text, secret))))
          const choose = (first: Buffer): Receiver => {
            if (isJson(first)) return new TextReceiver(ANSWER_BYTES_MAX, arriving, done, broken)
            const made = receiver(arriving)
            resume(Effect.succeed(made))
            return made
          }
          return new ByFirstBytes(arriving, choose, broken)
        })
    }
  })
