import {
  answerHeaders,
  type CallResponse,
  type Calls,
  type EventsHead,
  type IncomingCall
} from "@outbound/domain/calls/Calls.js"
import { traced } from "@outbound/domain/calls/tracing.js"
import { type AnyWireError, invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { bearerOf } from "@outbound/domain/calls/keys/bearer.js"
import type { NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Result } from "effect"
import { noRoom, notJson, replyHeaders, tooLarge } from "../http/Answers.js"
import { type Body, declaredLength, hasBody } from "../http/Body.js"
import { type Exchange, isUnder, type Surface } from "../http/Exchange.js"
import { LIMITS, type Limits } from "../http/Limits.js"
import { formFlaws } from "../http/FormText.js"
import { EVENT_STREAM, json, type Reply } from "../http/Reply.js"
import { isJson, objectOf, queryOf, unknownParameters } from "./Input.js"
import { makeRoutes, type Match } from "./Routes.js"

/** Everything below this path is REST. */
export const REST_ROOT = "/v1"

/** A request as read: the verb and its input, or a refusal. */
type Incoming = Pick<IncomingCall, "verb" | "input" | "reject" | "form" | "sink">

const rejected = (verb: AnyVerb | null, reject: AnyWireError): Incoming => ({ verb, input: {}, reject })

/** Server-sent events (WHATWG HTML §9.2), each with one line of data. */
const sinkOf = (exchange: Exchange): NonNullable<IncomingCall["sink"]> => {
  const write = (head: EventsHead, text: string): NowOrLater<boolean> =>
    exchange.writeNow(() => ({ "content-type": EVENT_STREAM, ...answerHeaders(head) }), text)
  return {
    onLeft: exchange.onLeft,
    send: (head, data) => write(head, data.map((one) => `data: ${one.replaceAll("\n", " ")}\n\n`).join("")),
    // A comment: clients pass over it, and proxies see that the answer lives.
    beat: (head) => void write(head, ": keep-alive\n\n")
  }
}

const toReply = (answer: CallResponse, allow: string | null): Reply =>
  json(answer.status, answer.body, replyHeaders(answer, allow))

/** A `GET`: path and query parameters. A path parameter must not also be in the query. */
const readInput = (exchange: Exchange, match: Extract<Match, { _tag: "Verb" }>): Incoming => {
  const { verb, parameters } = match
  const flaws = formFlaws(exchange.search)
  if (flaws.length > 0) return rejected(verb, invalid(flaws))
  const query = queryOf(exchange.search)
  const twice = Object.keys(parameters).filter((name) => Object.hasOwn(query, name))
  return twice.length > 0
    ? rejected(verb, unknownParameters(twice))
    : { verb, input: { ...query, ...parameters }, reject: null }
}

/** Refuses a body before it is read. 413 comes before 415. */
const refusalOfHeaders = (exchange: Exchange, limits: Limits): AnyWireError | null => {
  if ((declaredLength(exchange.request) ?? 0) > limits.bodyBytesMax) return tooLarge(limits.bodyBytesMax)
  return !hasBody(exchange.request) || isJson(exchange.header("content-type"), exchange.header("content-encoding"))
    ? null
    : notJson("Send the body as application/json in UTF-8, without compression.")
}

/** A body with the path's parameters, which must not also be in the body. */
const bodyInput = (
  { parameters, verb }: Extract<Match, { _tag: "Verb" }>,
  exchange: Exchange,
  body: Exclude<Body, { _tag: "Gone" }>,
  limits: Limits
): Incoming => {
  if (body._tag === "TooLarge") return rejected(verb, tooLarge(limits.bodyBytesMax))
  if (body._tag === "NoRoom") return rejected(verb, noRoom())
  const names = Object.keys(queryOf(exchange.search))
  return Result.match(objectOf(body.bytes, limits.jsonDepthMax), {
    onFailure: (reject) => rejected(verb, reject),
    onSuccess: (input) => {
      if (names.length > 0) return rejected(verb, unknownParameters(names))
      const twice = Object.keys(parameters).filter((name) => Object.hasOwn(input, name))
      return twice.length > 0
        ? rejected(verb, invalid(twice.map((path) => ({ path, message: "unknown field" }))))
        : { verb, input: { ...input, ...parameters }, reject: null }
    }
  })
}

/**
 * Every verb over REST. Errors of the transport go to the pipeline as `reject`, because it knows the order of the checks.
 * Only a request without a credential is refused before its body is read.
 */
export const restSurface = (
  calls: Calls["Service"],
  verbs: ReadonlyArray<AnyVerb>,
  limits: Limits = LIMITS
): Surface => {
  const find = makeRoutes(verbs)

  const answer = (exchange: Exchange, bearer: string | null, incoming: Incoming, allow: string | null = null): void => {
    const call = calls.answer({
      requestId: exchange.requestId,
      bearer,
      ...incoming,
      idempotencyKey: exchange.header("idempotency-key") ?? null,
      runId: exchange.header("svc-run-id") ?? null
    })
    const { label, method, requestId } = exchange
    exchange.run(traced({ label, method, requestId, traceparent: exchange.header("traceparent") }, call), (done) =>
      toReply(done, allow)
    )
  }

  const handle = (exchange: Exchange): void => {
    const bearer = bearerOf(exchange.header("authorization"))
    const match = find(exchange.method, exchange.path)
    if (match._tag === "NoPath") {
      return answer(exchange, bearer, rejected(null, refuse("not_found", {}, "Path not found.")))
    }
    if (match._tag === "NoMethod") {
      const reject = refuse("invalid_request", { reason: "method_not_allowed" })
      return answer(exchange, bearer, rejected(null, reject), match.allow)
    }
    const { route, verb } = match
    const described = (incoming: Incoming): Incoming => ({
      ...incoming,
      ...(route.form === undefined ? {} : { form: route.form }),
      ...(verb.streams ? { sink: sinkOf(exchange) } : {})
    })
    exchange.label = verb.name
    if (match.namesNothing) return answer(exchange, bearer, rejected(verb, refuse("not_found", {})))
    if (route.method === "GET") return answer(exchange, bearer, described(readInput(exchange, match)))
    if (bearer === null) return answer(exchange, null, { verb, input: {}, reject: null })
    const refusal = refusalOfHeaders(exchange, limits)
    if (refusal !== null) return answer(exchange, bearer, rejected(verb, refusal))
    exchange.readBody(limits.bodyBytesMax, (body) =>
      answer(exchange, bearer, described(bodyInput(match, exchange, body, limits)))
    )
  }

  return { name: "rest", owns: (path) => isUnder(REST_ROOT, path), handle }
}
