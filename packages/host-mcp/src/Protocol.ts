import type { CallResponse } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  UrlElicitationRequiredError
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { isObject, takesUrls } from "./http/Messages.js"
import { makeRendering } from "./text/Rendering.js"
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
  return Effect.flatMap(Effect.fork(Effect.interruptible(telling(0))), (fiber) =>
    Effect.ensuring(call, fiber.interruptAsFork(fiber.id()))
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
export interface ToolResult {
  readonly [member: string]: unknown
  readonly content: [{ readonly type: "text"; readonly text: string }]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
}

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
  const render = makeRendering(tools, marker)

  const resultOf = (verb: ToolVerb, { envelope }: Extract<ToolOutcome, { _tag: "Answered" }>): ToolResult => ({
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
    resultOf,
    serverInfo,
    server: (exchanged: Exchanged): Server => {
      const server = new Server(serverInfo, {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        jsonSchemaValidator: NO_VALIDATION,
        cacheHints: { "tools/list": { ttlMs: LIST_TTL_MILLIS, cacheScope: "public" } },
        // A server without sessions can't ask the client for input during a call.
        inputRequired: { legacyShim: false }
      })
      server.setRequestHandler("tools/list", () => ({ tools: list as never }))
      server.setRequestHandler("tools/call", (request, context) =>
        call(exchanged, request.params.name, (request.params.arguments ?? {}) as JsonObject, context)
      )
      return server
    }
  }
}

export type McpProtocol = ReturnType<typeof makeProtocol>
