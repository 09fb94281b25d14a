import type { CallResponse, Calls, IncomingCall } from "@outbound/domain/calls/Calls.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { isSuccess } from "@outbound/domain/calls/envelope.js"
import { traced } from "@outbound/domain/calls/tracing.js"
import { type AnyWireError, invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { bearerOf } from "@outbound/domain/calls/keys/bearer.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Effect, Result } from "effect"
import { noRoom, notJson, replyHeaders, tooLarge } from "../http/Answers.js"
import { declaredLength } from "../http/Body.js"
import type { Exchange, Surface } from "../http/Exchange.js"
import { LIMITS, type Limits } from "../http/Limits.js"
import { json, type Reply } from "../http/Reply.js"
import { objectOf, queryOf, unknownParameters } from "../rest/Input.js"
import { namesNothing } from "../rest/Routes.js"

/*
 * The messages of `effect/rpc`, one JSON object per line. A body contains one request; the answer is one line, its exit.
 * The pipeline's answer is inserted as text, unchanged.
 */

const NDJSON_TYPE = "application/ndjson"

/** The message nests its payload two levels deep. */
const MESSAGE_DEPTH = 2
const MESSAGE_ID_CHARS_MAX = 64

/** Clients number their messages, or name them. */
type MessageId = string | number

/** A request message. */
interface Requested {
  /** The sender's id for the answer. */
  readonly id: MessageId
  readonly tag: string
  /** Null if it is not an object. */
  readonly payload: JsonObject | null
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const headersOf = (pairs: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    (Array.isArray(pairs) ? pairs : []).flatMap((pair): ReadonlyArray<readonly [string, string]> => {
      const [name, value] = Array.isArray(pair) ? pair : []
      return typeof name === "string" && typeof value === "string" ? [[name.toLowerCase(), value]] : []
    })
  )

const notOne = invalid([{ path: "", message: "must be one Request message of effect/rpc, on one line" }])

const isMessageId = (id: Json | undefined): id is MessageId =>
  typeof id === "string" ? id.length <= MESSAGE_ID_CHARS_MAX : Number.isSafeInteger(id)

const requestedOf = (message: JsonObject): Result.Result<Requested, AnyWireError> => {
  const { _tag, headers, id, payload, tag } = message
  return _tag === "Request" && isMessageId(id) && typeof tag === "string"
    ? Result.succeed({ id, tag, payload: isObject(payload) ? payload : null, headers: headersOf(headers) })
    : Result.fail(notOne)
}

const LINE_FEED = 0x0a

const oneLine = (bytes: Buffer): Buffer | null => {
  const text = bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes
  return text.length === 0 || text.includes(LINE_FEED) ? null : text
}

/** Reads the request from a body. */
const readRequest = (bytes: Buffer, depthMax: number): Result.Result<Requested, AnyWireError> => {
  const line = oneLine(bytes)
  return line === null ? Result.fail(notOne) : Result.flatMap(objectOf(line, depthMax + MESSAGE_DEPTH), requestedOf)
}

const ERROR_HEAD = '{"error":'

/** The `error` of an envelope, as text. */
const errorText = (body: string): string => body.slice(ERROR_HEAD.length, -1)

/**
 * The answer to a request: its exit with the envelope or the envelope's error. Without a request id the protocol requires a
 * defect, which contains the same error.
 */
const answerLine = (id: MessageId | null, { body, status }: CallResponse): string => {
  if (id === null) return `{"_tag":"Defect","defect":${errorText(body)}}\n`
  const exit = isSuccess(status)
    ? `{"_tag":"Success","value":${body}}`
    : `{"_tag":"Failure","cause":[{"_tag":"Fail","error":${errorText(body)}}]}`
  return `{"_tag":"Exit","requestId":${JSON.stringify(id)},"exit":${exit}}\n`
}

const unknownProcedure = (tag: string): AnyWireError =>
  refuse("not_found", {}, `Procedure ${JSON.stringify(tag.slice(0, MESSAGE_ID_CHARS_MAX))} not found.`)

export const RPC_PATH = "/rpc"

/** The library's own client puts a slash after the address that it is given. */
const isRpcPath = (path: string): boolean => path === RPC_PATH || path === `${RPC_PATH}/`

/** The largest REST request, with its message. */
const MESSAGE_BYTES = 64 * 1024

const MEDIA = /^application\/(?:x-)?ndjson *(?:; *charset *= *"?utf-8"? *)?;? *$/i

/** The called verb and its input; `id` is null if the message has none. */
type Incoming = Pick<IncomingCall, "verb" | "input" | "reject"> & {
  readonly id: MessageId | null
  readonly headers: ReadonlyMap<string, string>
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map()

const unread = (reject: AnyWireError | null): Incoming => ({
  id: null,
  verb: null,
  input: {},
  reject,
  headers: NO_HEADERS
})

/** The verb's path parameters. As in REST, one that is no id is `not_found`. */
const pathNames = (verb: AnyVerb): ReadonlyArray<string> =>
  verb.route.path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []))

const incomingOf = (verbs: ReadonlyMap<string, AnyVerb>, requested: Requested): Incoming => {
  const { headers, id, payload, tag } = requested
  const verb = verbs.get(tag) ?? null
  const call = { id, verb, input: payload ?? {}, headers }
  if (verb === null) return { ...call, reject: unknownProcedure(tag) }
  if (payload === null) return { ...call, reject: invalid([{ path: "", message: "must be a JSON object" }]) }
  const parameters = pathNames(verb).flatMap((name) => (typeof payload[name] === "string" ? [payload[name]] : []))
  return { ...call, reject: namesNothing(verb.route, parameters) ? refuse("not_found", {}) : null }
}

/** Refuses a request before its body is read, in the same order as REST. */
const refusalOfHead = (exchange: Exchange, bytesMax: number): AnyWireError | null => {
  if (exchange.method !== "POST") return refuse("invalid_request", { reason: "method_not_allowed" })
  if ((declaredLength(exchange.request) ?? 0) > bytesMax) return tooLarge(bytesMax)
  if (
    !MEDIA.test((exchange.header("content-type") ?? "").trim()) ||
    exchange.header("content-encoding") !== undefined
  ) {
    return notJson(`Send the message as ${NDJSON_TYPE}.`)
  }
  const names = Object.keys(queryOf(exchange.search))
  return names.length > 0 ? unknownParameters(names) : null
}

const toReply = (id: MessageId | null, answer: CallResponse): Reply =>
  json(answer.status, answerLine(id, answer), { ...replyHeaders(answer, "POST"), "content-type": NDJSON_TYPE })

/**
 * Every verb as a procedure of `effect/rpc`: one request per `POST`, with the pipeline, statuses and headers of REST.
 * Failures are wire errors; a defect reveals nothing.
 */
export const rpcSurface = (
  calls: Calls["Service"],
  verbList: ReadonlyArray<AnyVerb>,
  limits: Limits = LIMITS
): Surface => {
  const verbs = new Map(verbList.map((verb) => [verb.name, verb]))
  const bytesMax = limits.bodyBytesMax + MESSAGE_BYTES

  const answer = (exchange: Exchange, bearer: string | null, incoming: Incoming): void => {
    const { headers, id, input, reject, verb } = incoming
    const call = calls.answer({
      requestId: exchange.requestId,
      bearer,
      verb,
      input,
      reject,
      idempotencyKey: headers.get("idempotency-key") ?? exchange.header("idempotency-key") ?? null,
      runId: headers.get("svc-run-id") ?? exchange.header("svc-run-id") ?? null
    })
    const { label, method, requestId } = exchange
    const reply = Effect.map(call, (done) => toReply(id, done))
    exchange.run(traced({ label, method, requestId, traceparent: exchange.header("traceparent") }, reply))
  }

  const handle = (exchange: Exchange): void => {
    exchange.label = "rpc"
    const bearer = bearerOf(exchange.header("authorization"))
    const refusal = refusalOfHead(exchange, bytesMax)
    if (bearer === null || refusal !== null) return answer(exchange, bearer, unread(refusal))
    exchange.readBody(bytesMax, (body) => {
      if (body._tag === "TooLarge") return answer(exchange, bearer, unread(tooLarge(bytesMax)))
      if (body._tag === "NoRoom") return answer(exchange, bearer, unread(noRoom()))
      const incoming = Result.match(readRequest(body.bytes, limits.jsonDepthMax), {
        onFailure: unread,
        onSuccess: (requested) => incomingOf(verbs, requested)
      })
      if (incoming.verb !== null) exchange.label = incoming.verb.name
      answer(exchange, bearer, incoming)
    })
  }

  return { name: "rpc", owns: isRpcPath, handle }
}
