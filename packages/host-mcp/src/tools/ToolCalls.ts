import type { ApprovalWatch } from "@outbound/domain/calls/approvals/ApprovalWatch.js"
import { confirmationToken } from "@outbound/domain/calls/approvals/token.js"
import type { CallResponse, Calls, IncomingCall } from "@outbound/domain/calls/Calls.js"
import { canonicalJson, type Json, type JsonObject } from "@outbound/domain/kernel/canonical.js"
import { decodeCall } from "@outbound/domain/calls/decode.js"
import { errorResponse } from "@outbound/domain/calls/envelope.js"
import { invalid, type Issue, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { type Ids, isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { approvalUrl, type Settings } from "@outbound/domain/kernel/Settings.js"
import { Clock, Effect, Result } from "effect"
import { timingSafeEqual } from "node:crypto"
import { isObject } from "../http/Messages.js"
import type { Envelope } from "./Rendering.js"
import { refusalInToolWords } from "../text/toolWords.js"
import { withoutNulls } from "./Nulls.js"
import type { ToolVerb } from "./Tools.js"

/** The state that a client carries between the legs of a call, so that any host can continue it. */
interface RequestState {
  readonly approvalId: string
  readonly expiresAt: string
  /** The key of the confirmed call. */
  readonly idempotencyKey: string
  /** How many legs have waited for the human. */
  readonly waits: number
}

/** A state is valid only for this key, tool and arguments. */
interface BoundTo {
  readonly bearer: string
  readonly tool: string
  readonly given: JsonObject
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const read = (text: string): RequestState | null => {
  const value = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<Record<string, unknown>>
  const { approvalId, expiresAt, idempotencyKey, waits } = value
  const isWhole =
    typeof approvalId === "string" &&
    isUuid(approvalId) &&
    typeof expiresAt === "string" &&
    typeof idempotencyKey === "string" &&
    isCount(waits)
  return isWhole ? { approvalId, expiresAt, idempotencyKey, waits } : null
}

const isSame = (given: string, own: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * `<state>.<mac>`: signed, not encrypted; it contains no secrets. It proves that this service requested the approval for
 * this key. It is not an approval: the confirmed call checks that in the store.
 */
const makeRequestStates = (crypto: Crypto["Service"]) => {
  const macOf = (text: string, { bearer, given, tool }: BoundTo): string => {
    const request = crypto.sha256Hex(canonicalJson(given))
    return crypto.mac("mcp", ["request_state", crypto.sha256Hex(bearer), tool, request, text].join("\n"))
  }
  return {
    write: (state: RequestState, boundTo: BoundTo): string => {
      const text = Buffer.from(JSON.stringify(state)).toString("base64url")
      return `${text}.${macOf(text, boundTo)}`
    },
    /** Null if it is forged or belongs to another call. */
    read: (state: string, boundTo: BoundTo): RequestState | null => {
      const [text = "", mac = "", ...more] = state.split(".")
      return more.length === 0 && isSame(mac, macOf(text, boundTo)) ? read(text) : null
    }
  }
}

type ToolCall = Pick<IncomingCall, "input" | "reject" | "idempotencyKey" | "runId">

/** The verb's path parameters. As in REST, one that is not a UUID is `not_found` (contract: calls, requests). */
const pathNames = (verb: ToolVerb): ReadonlyArray<string> =>
  verb.route.path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []))

const textIssues = (given: JsonObject, names: ReadonlyArray<string>): ReadonlyArray<Issue> =>
  names.flatMap((path) =>
    given[path] === undefined || typeof given[path] === "string" ? [] : [{ path, message: "must be a string" }]
  )

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A tool's arguments as a call: the verb's own request, and what by REST are headers. */
const toolCall = (verb: ToolVerb, given: JsonObject): ToolCall => {
  const { idempotency_key, run_id, ...input } = given
  const idempotencyKey = verb.idempotency === "none" ? null : textOf(idempotency_key)
  const call = { input, idempotencyKey, runId: textOf(run_id) }
  const namesNothing =
    verb.route.path.includes(":") &&
    pathNames(verb).some((name) => typeof input[name] === "string" && !isUuid(input[name]))
  if (namesNothing) return { ...call, reject: refuse("not_found", {}) }

  const issues = textIssues(given, verb.idempotency === "none" ? ["run_id"] : ["idempotency_key", "run_id"])
  if (issues.length === 0) return { ...call, reject: null }
  // All mistakes are named at once, those of the request among them.
  const decoded = decodeCall({ ...call, requestId: "", bearer: null, verb, reject: null }, verb)
  const more =
    Result.isFailure(decoded) && decoded.failure.code === "invalid_request" ? decoded.failure.details.issues : []
  return { ...call, reject: invalid([...issues, ...(more ?? [])]) }
}

/** How long one leg waits for a human. Clients wait at least 30 s for an answer. */
export const WAIT_MILLIS = 20_000
/** How often it checks for a decision. */
const LOOK_MILLIS = 1_000
/** The most legs that wait; clients follow ten. After these, the call fails with `confirmation_required`. */
const WAITS_MAX = 8

/** How a client can bring its human to the approval page. */
export type HumanBy =
  | { readonly _tag: "Nothing" }
  /** 2025-11-25: the call fails with an error that names the page; the client then repeats it. */
  | { readonly _tag: "Error" }
  /** 2026-07-28: the client continues the call with the previous leg's state and the human's action. */
  | {
      readonly _tag: "Legs"
      readonly state: string | null
      /** Null if the client reports none. */
      readonly action: string | null
    }

interface Answered {
  readonly _tag: "Answered"
  readonly answer: CallResponse
  readonly envelope: Envelope
}

export type ToolOutcome =
  | Answered
  | { readonly _tag: "AsksHuman"; readonly url: string; readonly message: string; readonly approvalId: string }
  /** `url`: null if the human was already sent there. */
  | { readonly _tag: "NextLeg"; readonly url: string | null; readonly message: string; readonly state: string }
  | { readonly _tag: "ForgedState" }

export interface ToolRequest {
  readonly verb: ToolVerb
  readonly given: JsonObject
  readonly bearer: string
  /** The exchange's id; its further calls get their own. */
  readonly requestId: string
  readonly human: HumanBy
}

export interface ToolCallsOptions {
  readonly calls: Calls["Service"]
  readonly crypto: Crypto["Service"]
  readonly ids: Ids["Service"]
  readonly watch: ApprovalWatch["Service"]
  readonly settings: Settings["Service"]
  readonly waitMillis: number
}

/** The approval that an answer needs, or null. */
const askedFor = (envelope: Envelope): Pick<RequestState, "approvalId" | "expiresAt"> | null => {
  const said: Json | undefined =
    envelope.error === undefined
      ? envelope.result["confirmation_token"] === undefined
        ? null
        : envelope.result
      : envelope.error.code === "confirmation_required"
        ? envelope.error["details"]
        : null
  if (!isObject(said)) return null
  const { approval_url: url, expires_at: expiresAt } = said
  return typeof url === "string" && typeof expiresAt === "string"
    ? { approvalId: url.slice(url.lastIndexOf("/") + 1), expiresAt }
    : null
}

/** A refusal names a tool's arguments, also in its structured content. */
const answered = (answer: CallResponse): Answered => {
  const envelope = JSON.parse(answer.body) as Envelope
  if (envelope.error === undefined) return { _tag: "Answered", answer, envelope }
  const refusal = { error: refusalInToolWords(envelope.error) }
  return { _tag: "Answered", answer: { ...answer, body: JSON.stringify(refusal) }, envelope: refusal }
}

const messageOf = (verb: ToolVerb): string =>
  `${verb.tool.title}: open this page, review the request, and approve or decline it. Nothing happens before you decide.`

/** Calls tools through the pipeline, and waits for approvals if the client supports it. */
export const makeToolCalls = ({ calls, crypto, ids, settings, waitMillis, watch }: ToolCallsOptions) => {
  const states = makeRequestStates(crypto)

  const call = ({ bearer, verb }: ToolRequest, requestId: string, parts: ReturnType<typeof toolCall>) =>
    Effect.map(calls.answer({ requestId, bearer, takesTokens: true, verb, ...parts }), answered)

  const freshId = Effect.map(Clock.currentTimeMillis, (nowMillis) => ids.next(nowMillis))

  /** The confirmed call. Its token is derived from the approval, not taken from the client. */
  const confirmed = (request: ToolRequest, requestId: string, approvalId: string, idempotencyKey: string) => {
    const parts = toolCall(request.verb, request.given)
    const input = { ...parts.input, confirmation_token: confirmationToken(crypto, approvalId) }
    return call(request, requestId, { ...parts, input, idempotencyKey })
  }

  /** If the store fails, the confirmed call will report it. */
  const isDecided = (bearer: string, approvalId: string): Effect.Effect<boolean> =>
    watch
      .isDecided(bearer, approvalId)
      .pipe(Effect.catch((error) => Effect.as(Effect.logWarning("mcp: checking an approval failed", error), true)))

  const untilDecided = (bearer: string, approvalId: string): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const looksMax = Math.ceil(waitMillis / LOOK_MILLIS)
      for (let looks = 0; looks < looksMax; looks++) {
        if (yield* isDecided(bearer, approvalId)) return true
        yield* Effect.sleep(Math.min(LOOK_MILLIS, waitMillis))
      }
      return yield* isDecided(bearer, approvalId)
    })

  const boundTo = ({ bearer, given, verb }: ToolRequest): BoundTo => ({ bearer, given, tool: verb.name })

  const nextLeg = (request: ToolRequest, state: RequestState, isBrought: boolean): ToolOutcome => ({
    _tag: "NextLeg",
    url: isBrought ? null : approvalUrl(settings, state.approvalId),
    message: messageOf(request.verb),
    state: states.write(state, boundTo(request))
  })

  const goOn = (request: ToolRequest, state: RequestState, action: string | null): Effect.Effect<ToolOutcome> =>
    Effect.gen(function* () {
      const { approvalId, expiresAt, idempotencyKey, waits } = state
      if (waits === 0 && action === null) return nextLeg(request, state, false)
      if (action !== null && action !== "accept") {
        // Declining to open the page decides nothing, but it stops the call.
        const error = refuse("confirmation_required", {
          approval_url: approvalUrl(settings, approvalId),
          expires_at: expiresAt
        })
        return answered(errorResponse(request.requestId, error, null))
      }
      const isDecided = yield* untilDecided(request.bearer, approvalId)
      return isDecided || waits + 1 >= WAITS_MAX
        ? yield* confirmed(request, request.requestId, approvalId, idempotencyKey)
        : nextLeg(request, { ...state, waits: waits + 1 }, true)
    })

  const isRepeat = ({ envelope }: Answered): boolean =>
    envelope.error === undefined && envelope.svc["replayed"] === true

  /**
   * Sends the human to the approval page. A repeated call that was already decided continues at once: one key serves both
   * phases of the call.
   */
  const bring = (
    request: ToolRequest,
    asked: Answered,
    approval: Pick<RequestState, "approvalId" | "expiresAt">,
    givenKey: string | null
  ): Effect.Effect<ToolOutcome> =>
    Effect.gen(function* () {
      const { approvalId } = approval
      // Without the caller's key, a repeat looks like a new request.
      if (request.human._tag === "Error" && givenKey === null) return asked
      const idempotencyKey = givenKey ?? `mcp-${approvalId}`
      if (isRepeat(asked) && (yield* isDecided(request.bearer, approvalId))) {
        return yield* confirmed(request, yield* freshId, approvalId, idempotencyKey)
      }
      if (request.human._tag === "Legs") return nextLeg(request, { ...approval, idempotencyKey, waits: 0 }, false)
      return { _tag: "AsksHuman", approvalId, url: approvalUrl(settings, approvalId), message: messageOf(request.verb) }
    })

  const start = (request: ToolRequest): Effect.Effect<ToolOutcome> => {
    const { human, verb } = request
    const parts = toolCall(verb, request.given)
    const first = call(request, request.requestId, parts)
    if (verb.approval === "none" || human._tag === "Nothing") return first
    return Effect.flatMap(first, (answered) => {
      const approval = askedFor(answered.envelope)
      return approval === null
        ? Effect.succeed<ToolOutcome>(answered)
        : bring(request, answered, approval, parts.idempotencyKey)
    })
  }

  /** Never fails: refusals are answers. */
  return (asked: ToolRequest): Effect.Effect<ToolOutcome> => {
    const request = { ...asked, given: withoutNulls(asked.verb, asked.given) }
    const { human } = request
    if (human._tag !== "Legs" || human.state === null) return start(request)
    const state = states.read(human.state, boundTo(request))
    return state === null ? Effect.succeed<ToolOutcome>({ _tag: "ForgedState" }) : goOn(request, state, human.action)
  }
}

export type ToolCalls = ReturnType<typeof makeToolCalls>
