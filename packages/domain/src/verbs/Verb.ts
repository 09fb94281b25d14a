import type { Schema } from "effect"
import type { WireCode } from "../kernel/errors/Wire.js"
import type { Scope } from "./Policy.js"

/** How a success is encoded: as `{result, svc}`, or the result's own members with `svc` added. */
export type AnswerForm = "envelope" | "top_level"

/** A verb's REST route. Path parameters are written `:name`. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  /** The form of a success. Default: the envelope. */
  readonly form?: AnswerForm
  /** What its path parameters are. Default: ids, so that another text names nothing. */
  readonly names?: "ids" | "words"
}

/** Hints for tool clients (MCP). Null: the verb is no tool. */
export interface ToolHints {
  readonly title: string
  readonly destructive: boolean
  /** Repeating the same arguments without an Idempotency-Key changes and costs nothing more. */
  readonly idempotent: boolean
  /** Whether it reaches people or systems outside. */
  readonly openWorld: boolean
}

/**
 * A verb. REST endpoints, RPC, tools, OpenAPI and the reference derive from it. `Request` is the decoded request;
 * `Result` and `Would` are wire values.
 */
/* oxlint-disable typescript/no-explicit-any -- the defaults stand for "some verb", over which surfaces loop */
export interface Verb<
  Name extends string = string,
  Request = any,
  RequestWire = any,
  Result = any,
  ResultWire = any,
  Would = any,
  WouldWire = any
> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly name: Name
  readonly route: Route
  /** Further routes of the same call. */
  readonly aliases: ReadonlyArray<Route>
  readonly summary: string
  /** More than the summary: price, approval, retry rule. Markdown. */
  readonly description: string
  /** `read`: changes nothing and costs nothing. */
  readonly mode: "read" | "act"
  /** Null: any key of the workspace. */
  readonly scope: Scope | null
  readonly idempotency: "optional" | "required" | "required_when_confirmed" | "none"
  /** What a human approves before it acts. */
  readonly approval: "none" | "purchase" | "launch" | "reply" | "leads"
  readonly request: Schema.Codec<Request, RequestWire>
  readonly result: Schema.Codec<Result, ResultWire>
  /** The verb's part of a dry-run plan; null if it has no dry run. */
  readonly would: Schema.Codec<Would, WouldWire> | null
  /** 3 for the data verbs, 1 for the sending verbs. */
  readonly planVersion: 1 | 3
  /** Its error codes beyond the common ones. */
  readonly errors: ReadonlyArray<WireCode>
  readonly tool: ToolHints | null
  readonly answersPausedKeys: boolean
  /** Whether `stream: true` answers with server-sent events. */
  readonly streams: boolean
  /** Whether its answer may contain an offer, accepted by the same request with `offer_token`. */
  readonly makesOffers: boolean
  /** Whether it answers 202: what it began goes on as an operation. */
  readonly accepts: boolean
}

export type AnyVerb = Verb
export type RequestOf<V extends Verb> = V["request"]["Type"]
export type ResultOf<V extends Verb> = V["result"]["Encoded"]
export type WouldOf<V extends Verb> = NonNullable<V["would"]>["Encoded"]

/** The error codes of every verb. */
export const COMMON_ERRORS = [
  "unauthorized",
  "invalid_request",
  "rate_limited",
  "provider_unavailable",
  "agent_paused",
  "forbidden",
  "internal"
] as const satisfies ReadonlyArray<WireCode>

/** The error codes of verbs that take a confirmation token. */
export const CONFIRMATION_ERRORS = [
  "confirmation_required",
  "not_found",
  "approval_declined",
  "approval_expired",
  "approval_superseded",
  "approval_cancelled",
  "approval_changed",
  "agent_suspended"
] as const satisfies ReadonlyArray<WireCode>

/** The error codes of verbs that act. */
const SPENDING_ERRORS = [
  "payment_required",
  "insufficient_credits",
  "run_required",
  "run_unavailable",
  "run_budget_exceeded"
] as const satisfies ReadonlyArray<WireCode>

/** What the verbs that only read have in common, and their hints. */
export const READS = { mode: "read", idempotency: "none", planVersion: 1 } as const
export const READ_HINTS = { destructive: false, idempotent: true, openWorld: false } as const

/** What the data verbs have in common. */
export const DATA_CALL = { mode: "act", scope: "data:read", idempotency: "optional", planVersion: 3 } as const

/** What most other verbs that act have in common. */
export const ACTS = { mode: "act", idempotency: "required", planVersion: 1 } as const

/** All routes of a verb, its own first. */
export const routesOf = (verb: Verb): ReadonlyArray<Route> => [verb.route, ...verb.aliases]

const errorsOf = (verb: Verb): ReadonlyArray<WireCode> => [
  ...COMMON_ERRORS,
  ...(verb.idempotency === "none" ? [] : ["idempotency_conflict" as const]),
  ...(verb.mode === "read" ? ["run_unavailable" as const] : SPENDING_ERRORS),
  ...verb.errors
]

export const allErrorsOf = (verb: Verb): ReadonlyArray<WireCode> => [...new Set(errorsOf(verb))]

/** The error codes that a verb can answer, as a type: `allErrorsOf`. */
export type ErrorsOf<V extends Pick<Verb, "errors" | "idempotency" | "mode">> =
  | (typeof COMMON_ERRORS)[number]
  | ("none" extends V["idempotency"] ? never : "idempotency_conflict")
  | ("read" extends V["mode"] ? "run_unavailable" : (typeof SPENDING_ERRORS)[number])
  | V["errors"][number]

/** What of a verb says which errors it can answer. */
export interface Answering<Code extends WireCode, Mode extends Verb["mode"], Idempotency extends Verb["idempotency"]> {
  readonly errors: ReadonlyArray<Code>
  readonly mode: Mode
  readonly idempotency: Idempotency
}

interface Spec<Name extends string, Request, RequestWire, Result, ResultWire, Would, WouldWire> extends Omit<
  Verb<Name, Request, RequestWire, Result, ResultWire, Would, WouldWire>,
  | "aliases"
  | "approval"
  | "answersPausedKeys"
  | "streams"
  | "makesOffers"
  | "accepts"
  | "would"
  | "errors"
  | "mode"
  | "idempotency"
> {
  readonly aliases?: Verb["aliases"]
  readonly approval?: Verb["approval"]
  readonly answersPausedKeys?: boolean
  readonly streams?: boolean
  readonly makesOffers?: boolean
  readonly accepts?: boolean
  readonly would?: Schema.Codec<Would, WouldWire>
}

export const defineVerb = <
  const Name extends string,
  Request,
  RequestWire,
  Result,
  ResultWire,
  Would,
  WouldWire,
  const Code extends WireCode,
  const Mode extends Verb["mode"],
  const Idempotency extends Verb["idempotency"]
>(
  spec: Spec<Name, Request, RequestWire, Result, ResultWire, Would, WouldWire> & Answering<Code, Mode, Idempotency>
): Verb<Name, Request, RequestWire, Result, ResultWire, Would, WouldWire> & Answering<Code, Mode, Idempotency> => ({
  aliases: [],
  approval: "none",
  answersPausedKeys: false,
  streams: false,
  makesOffers: false,
  accepts: false,
  ...spec,
  would: spec.would ?? null
})
