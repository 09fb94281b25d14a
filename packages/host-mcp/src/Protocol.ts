import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import type { Json, JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type InputRequiredResult,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SERVER_INFO_META_KEY,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  UrlElicitationRequiredError
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { acceptedBy } from "./http/Accept.js"
import { revisionOf } from "./http/Envelope.js"
import { isObject, type McpExchange, paramsOf, takesUrls } from "./http/Messages.js"
import { promptList, promptOf } from "./prompts/Prompts.js"
import { makeRendering } from "./tools/Rendering.js"
import type { HumanBy, ToolCalls, ToolOutcome } from "./tools/ToolCalls.js"
import { describe, INSTRUCTIONS, type ToolVerb, toolVerbs } from "./tools/Tools.js"

/** When the first progress is sent, and how often after that. */
const FIRST_MILLIS = 1_000
const EVERY_MILLIS = 5_000

export interface Progress {
  /** Seconds since the call began; the total is unknown. */
  readonly progress: number
  readonly message: string
}

/** Sends progress while a call runs, so that the client does not give up. Nothing is sent after its end. */
const tellingProgress = <A>(
  name: string,
  tell: (progress: Progress) => Promise<void>,
  call: Effect.Effect<A>
): Effect.Effect<A> => {
  const say = (seconds: number) =>
    Effect.ignore(
      Effect.tryPromise(() => tell({ progress: seconds, message: `${name} has been running for ${seconds} s.` }))
    )
  const telling = (elapsedMillis: number): Effect.Effect<never> =>
    Effect.sleep(elapsedMillis === 0 ? FIRST_MILLIS : EVERY_MILLIS).pipe(
      Effect.as(elapsedMillis === 0 ? FIRST_MILLIS : elapsedMillis + EVERY_MILLIS),
      Effect.tap((millis) => say(millis / 1_000)),
      Effect.flatMap(telling)
    )
  return Effect.flatMap(Effect.forkChild(Effect.interruptible(telling(0))), (fiber) =>
    Effect.ensuring(
      call,
      Effect.sync(() => fiber.interruptUnsafe(fiber.id))
    )
  )
}

/** An HTTP exchange, for the handlers of its messages. */
export interface Exchanged {
  readonly bearer: string
  /** A new id for each call of the exchange, its own first. */
  readonly nextRequestId: () => string
  /** Up to 2025-11-25: whether the client can open a URL for its human. */
  readonly takesUrls: boolean
  /** Called with the pipeline's answer, for the headers and for unknown keys. */
  readonly answered: (answer: CallResponse) => void
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
}

/** The list never changes while a host runs and is the same for every key. */
const LIST_TTL_MILLIS = 60 * 60 * 1_000

const APPROVAL = "approval"

/** A tool's result: the envelope, and the same as text. */
interface ToolResult {
  readonly [member: string]: unknown
  readonly content: [{ readonly type: "text"; readonly text: string }]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
}

type Answered = Extract<ToolOutcome, { readonly _tag: "Answered" }>

/** Turns off the library's validator: only the pipeline validates. */
const NO_VALIDATION = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined })
}

const humanBy = (exchanged: Exchanged, { mcpReq }: ServerContext): HumanBy => {
  const { envelope } = mcpReq
  if (envelope === undefined) return { _tag: exchanged.takesUrls ? "Error" : "Nothing" }
  const state = mcpReq.requestState<unknown>()
  const given = mcpReq.inputResponses?.[APPROVAL]
  const action = isObject(given) && typeof given["action"] === "string" ? given["action"] : null
  const canBring = takesUrls((envelope as JsonObject)[CLIENT_CAPABILITIES_META_KEY])
  if (typeof state === "string") return { _tag: "Legs", state, action }
  return canBring ? { _tag: "Legs", state: null, action } : { _tag: "Nothing" }
}

export interface ProtocolOptions {
  readonly verbs: ReadonlyArray<AnyVerb>
  readonly callTool: ToolCalls
  /** Makes an unguessable marker. */
  readonly marker: () => string
  readonly version: string
}

/** Makes the server of one exchange, which lists and calls the tools. */
export const makeProtocol = ({ callTool, marker, verbs, version }: ProtocolOptions) => {
  const tools = toolVerbs(verbs)
  const byName = new Map(tools.map((verb) => [verb.name, verb]))
  const list = tools.map(describe)
  const serverInfo = { name: "outbound", title: "outbound", version }
  const newerMeta = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`
  const render = makeRendering(tools, marker)

  const resultOf = (verb: ToolVerb, { envelope }: Answered): ToolResult => ({
    content: [{ type: "text", text: render(verb, envelope) }],
    structuredContent: envelope as unknown as Record<string, unknown>,
    ...(envelope.error === undefined ? {} : { isError: true })
  })

  const outcomeOf = (verb: ToolVerb, outcome: ToolOutcome): ToolResult | InputRequiredResult => {
    switch (outcome._tag) {
      case "Answered":
        return resultOf(verb, outcome)
      case "NextLeg":
        return inputRequired({
          requestState: outcome.state,
          ...(outcome.url === null
            ? {}
            : {
                inputRequests: { [APPROVAL]: inputRequired.elicitUrl({ message: outcome.message, url: outcome.url }) }
              })
        })
      case "AsksHuman":
        throw new UrlElicitationRequiredError(
          [{ mode: "url", elicitationId: outcome.approvalId, url: outcome.url, message: outcome.message }],
          `A human must first approve this at ${outcome.url}. Then repeat exactly the same call.`
        )
      case "ForgedState":
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          "Invalid requestState: it was issued for another call."
        )
    }
  }

  const call = async (exchanged: Exchanged, name: string, given: JsonObject, context: ServerContext) => {
    const verb = byName.get(name)
    if (verb === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
    const request = {
      verb,
      given,
      bearer: exchanged.bearer,
      requestId: exchanged.nextRequestId(),
      human: humanBy(exchanged, context)
    }
    const token = context.mcpReq._meta?.progressToken
    const tell = (told: { readonly progress: number; readonly message: string }) =>
      context.mcpReq.notify({ method: "notifications/progress", params: { progressToken: token ?? "", ...told } })
    const called = callTool(request)
    const outcome = await exchanged.run(token === undefined ? called : tellingProgress(verb.name, tell, called))
    if (outcome._tag === "Answered") exchanged.answered(outcome.answer)
    return outcomeOf(verb, outcome)
  }

  return {
    tool: (name: unknown): ToolVerb | undefined => (typeof name === "string" ? byName.get(name) : undefined),
    plainAnswer: (call: PlainCall, outcome: Answered): string =>
      plainAnswer(call, resultOf(call.verb, outcome), outcome.answer.body, call.era === "newer" ? newerMeta : ""),
    server: (exchanged: Exchanged): Server => {
      const server = new Server(serverInfo, {
        capabilities: { tools: {}, prompts: {} },
        instructions: INSTRUCTIONS,
        jsonSchemaValidator: NO_VALIDATION,
        cacheHints: {
          "tools/list": { ttlMs: LIST_TTL_MILLIS, cacheScope: "public" },
          "prompts/list": { ttlMs: LIST_TTL_MILLIS, cacheScope: "public" }
        },
        // A server without sessions can't ask the client for input during a call.
        inputRequired: { legacyShim: false }
      })
      server.setRequestHandler("tools/list", () => ({ tools: list as never }))
      server.setRequestHandler("prompts/list", () => ({ prompts: promptList }))
      server.setRequestHandler("prompts/get", (request) => promptOf(request.params.name, request.params.arguments))
      server.setRequestHandler("tools/call", (request, context) =>
        call(exchanged, request.params.name, (request.params.arguments ?? {}) as JsonObject, context)
      )
      return server
    }
  }
}

export type McpProtocol = ReturnType<typeof makeProtocol>

/*
 * A fast path. Most requests are one call of one tool without progress or approval. They need none of the library's
 * streams, legs, batches or negotiation, which cost more than the call itself. The answer is the same. Anything else,
 * errors included, goes to the library.
 */

const NEWER_REVISION = "2026-07-28"
const OLDER_REVISIONS = new Set(SUPPORTED_PROTOCOL_VERSIONS)

type Era = "older" | "newer"

/** A call that the fast path can answer. */
export interface PlainCall {
  readonly id: string | number
  readonly era: Era
  readonly verb: ToolVerb
  readonly given: JsonObject
}

const hasOnly = (value: JsonObject, names: ReadonlyArray<string>): boolean =>
  Object.keys(value).every((name) => names.includes(name))

const MESSAGE_MEMBERS = ["jsonrpc", "id", "method", "params"]
const PARAMS_MEMBERS = ["name", "arguments", "_meta"]
const META_MEMBERS = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY]

const isInfo = (value: Json | undefined): boolean =>
  isObject(value) &&
  hasOnly(value, ["name", "version"]) &&
  typeof value["name"] === "string" &&
  typeof value["version"] === "string"

/** The protocol revision of a request, if its headers and body agree. */
const eraOf = (exchange: McpExchange, name: string, meta: Json | undefined): Era | null => {
  if (!acceptedBy(exchange.header("accept")).json) return null
  const revision = revisionOf(exchange)
  if (meta === undefined) {
    return revision !== undefined && OLDER_REVISIONS.has(revision) && revision < NEWER_REVISION ? "older" : null
  }
  const agrees =
    isObject(meta) &&
    hasOnly(meta, META_MEMBERS) &&
    revision === NEWER_REVISION &&
    meta[PROTOCOL_VERSION_META_KEY] === NEWER_REVISION &&
    isObject(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isInfo(meta[CLIENT_INFO_META_KEY]) &&
    exchange.header("mcp-method") === "tools/call" &&
    exchange.header("mcp-name") === name
  return agrees ? "newer" : null
}

/** The message as a plain call, or null if the library must handle it. */
export const plainCall = (exchange: McpExchange, message: JsonObject, verb: ToolVerb): PlainCall | null => {
  const { id, jsonrpc } = message
  const params = paramsOf(message)
  const given = params["arguments"] ?? {}
  const isPlain =
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    hasOnly(message, MESSAGE_MEMBERS) &&
    hasOnly(params, PARAMS_MEMBERS) &&
    isObject(given) &&
    verb.approval === "none"
  const era = isPlain ? eraOf(exchange, verb.name, params["_meta"]) : null
  return era === null ? null : { id: id as string | number, era, verb, given: given as JsonObject }
}

/**
 * The result as a message, as the library would write it. The envelope's text becomes the structured content as it is: it
 * was written once already.
 */
const plainAnswer = (
  { id }: PlainCall,
  { content: [{ text }], isError }: ToolResult,
  envelope: string,
  meta: string
): string =>
  `{"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${envelope}` +
  `${isError === true ? ',"isError":true' : ""}${meta}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
