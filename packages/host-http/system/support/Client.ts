import { hadNoRoom } from "@outbound/testkit/service/AsksAgain.js"
import { Data, Effect, Schedule } from "effect"
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import type { Host } from "./Host.js"

/** What a client reads. Tests look into it by the names on the wire. */
export interface CallResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly json: any
}

/** The connection broke before the whole answer was there: the caller knows nothing. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly cause: unknown }> {}

export interface Request {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** One request over HTTP, to its answer. */
export const send = (
  { port }: Pick<Host, "port">,
  { body, headers, method = "GET", path }: Request
): Effect.Effect<CallResponse, Unanswered> =>
  Effect.callback((resume) => {
    const fail = (cause: unknown) => resume(new Unanswered({ cause }))
    const call = request({ host: "127.0.0.1", port, path, method, agent, headers: { ...headers } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", fail)
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers["content-type"]?.startsWith("application/json") === true
        resume(
          Effect.succeed({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== "" ? JSON.parse(text) : null
          })
        )
      })
    })
    call.on("error", fail)
    call.end(body)
  })

const CAPACITY_TRIES_MAX = 60

/** Asks again a second later where the service had no room, as clients do. */
const whereThereIsRoom = <E>(
  ask: Effect.Effect<CallResponse, E>,
  triesMax: number = CAPACITY_TRIES_MAX
): Effect.Effect<CallResponse, E> =>
  Effect.flatMap(ask, (answer) =>
    hadNoRoom(answer.status, answer.json?.error?.details) && triesMax > 1
      ? Effect.delay(whereThereIsRoom(ask, triesMax - 1), "1 second")
      : Effect.succeed(answer)
  )

/** Calls a verb with a key. */
export const call = (
  host: Pick<Host, "port">,
  apiKey: string,
  verb: string,
  body: unknown,
  idempotencyKey?: string
): Effect.Effect<CallResponse, Unanswered> =>
  whereThereIsRoom(
    send(host, {
      method: "POST",
      path: verb === "create_campaign" ? "/v1/campaigns" : `/v1/${verb}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      },
      body: JSON.stringify(body)
    })
  )

/** A read of the service's state. */
export const read = (host: Pick<Host, "port">, apiKey: string, path: string): Effect.Effect<CallResponse, Unanswered> =>
  send(host, { path, headers: { authorization: `Bearer ${apiKey}` } })

const POLL = "50 millis"

/** Asks until it holds; fails with the last thing that was seen once the time is over. */
export const until = <A, E, R>(
  question: Effect.Effect<A, E, R>,
  holds: (answer: A) => boolean,
  secondsMax: number
): Effect.Effect<A, E | Error, R> =>
  Effect.suspend(() => {
    let last: A | undefined
    return question.pipe(
      Effect.tap((answer) => Effect.sync(() => (last = answer))),
      Effect.repeat({ schedule: Schedule.spaced(POLL), until: holds }),
      Effect.map(() => last as A),
      Effect.timeoutOrElse({
        duration: secondsMax * 1_000,
        orElse: () =>
          Effect.fail(
            new Error(
              `not within ${secondsMax} s: ${JSON.stringify(last, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`
            )
          )
      })
    )
  })

/** The numbers from 0, `count` of them. */
export const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)
