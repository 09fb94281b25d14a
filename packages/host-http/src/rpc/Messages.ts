import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type AnyWireError, invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { Either } from "effect"
import { objectOf } from "../rest/Input.js"

/*
 * The messages of `@effect/rpc`, one JSON object to a line. A body holds the message of one request, and the answer's
 * only line is its exit. Answers are put into their message as text: what the pipeline wrote is what is sent.
 */

export const NDJSON_TYPE = "application/ndjson"

/** The message around a payload may nest two levels. */
const MESSAGE_DEPTH = 2
const MESSAGE_ID_CHARS_MAX = 64

/** A request as its message says it. */
export interface Requested {
  /** By which its sender knows the answer. */
  readonly id: string
  readonly tag: string
  /** Null: it is no object, so that no verb can take it. */
  readonly payload: JsonObject | null
  /** By their names in lower case. */
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

const notOne = invalid([{ path: "", message: "must be one message, a Request of @effect/rpc, on one line" }])

const requestedOf = (message: JsonObject): Either.Either<Requested, AnyWireError> => {
  const { _tag, headers, id, payload, tag } = message
  return _tag === "Request" && typeof id === "string" && id.length <= MESSAGE_ID_CHARS_MAX && typeof tag === "string"
    ? Either.right({ id, tag, payload: isObject(payload) ? payload : null, headers: headersOf(headers) })
    : Either.left(notOne)
}

const LINE_FEED = 0x0a

const oneLine = (bytes: Buffer): Buffer | null => {
  const text = bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes
  return text.length === 0 || text.includes(LINE_FEED) ? null : text
}

/** The request in a body. */
export const readRequest = (bytes: Buffer, depthMax: number): Either.Either<Requested, AnyWireError> => {
  const line = oneLine(bytes)
  return line === null ? Either.left(notOne) : Either.flatMap(objectOf(line, depthMax + MESSAGE_DEPTH), requestedOf)
}

const ERROR_HEAD = '{"error":'

/** The error of a failure's envelope, as text. */
const errorText = (body: string): string => body.slice(ERROR_HEAD.length, -1)

/**
 * The line that answers a request: its exit, with the envelope as its value, or the envelope's error. An answer to what
 * names no request is a defect by the protocol; it holds the same error.
 */
export const answerLine = (id: string | null, { body, status }: CallResponse): string => {
  if (id === null) return `{"_tag":"Defect","defect":${errorText(body)}}\n`
  const exit =
    status === 200
      ? `{"_tag":"Success","value":${body}}`
      : `{"_tag":"Failure","cause":{"_tag":"Fail","error":${errorText(body)}}}`
  return `{"_tag":"Exit","requestId":${JSON.stringify(id)},"exit":${exit}}\n`
}

export const unknownProcedure = (tag: string): AnyWireError =>
  refuse("not_found", {}, `There is no procedure ${JSON.stringify(tag.slice(0, MESSAGE_ID_CHARS_MAX))}.`)
