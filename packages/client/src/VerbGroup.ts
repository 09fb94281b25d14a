import { WIRE } from "@outbound/domain/kernel/errors/Wire.js"
import { Route } from "@outbound/domain/verbs/fields.js"
import type { AnyVerb, ResultOf, WouldOf } from "@outbound/domain/verbs/Verb.js"
import { verbList, type VerbName, type Verbs } from "@outbound/domain/verbs/verbs.js"
import { Effect, Schema, type SchemaAST, SchemaParser, SchemaTransformation } from "effect"
import { type AnyRefusal, RefusalFromWire, type WireRefusal } from "./Refusal.js"
import { Rpc, RpcGroup } from "./Rpc.js"

/** What a call cost. Credits are decimal strings. */
export const Billing = Schema.Struct({
  request_id: Schema.String,
  credits_charged: Schema.String,
  credits_available: Schema.String,
  replayed: Schema.optional(Schema.Boolean),
  route: Schema.optional(
    Schema.Struct({ used: Route, source: Schema.Literals(["request", "key", "guess", "default"]) })
  )
})
export type Billing = typeof Billing.Type

/** Every success: what was asked for, and what it cost. */
export interface Answered<Result> {
  readonly result: Result
  readonly svc: Billing
}

/** The plan of a dry run: nothing was looked up, reserved, charged or sent. */
export interface Planned<Would> {
  readonly dry_run: true
  readonly advisory: true
  readonly evaluated_at: string
  readonly plan: {
    readonly verb: string
    readonly plan_version: number
    readonly input_version: string
    readonly credits_estimate: string
    readonly would_exceed: ReadonlyArray<string>
    readonly warnings: ReadonlyArray<string>
    readonly would: Would
  }
}

/** A verb's request as it is sent. */
export type RequestWire<V extends AnyVerb> = V["request"]["Encoded"]

/** Whether a verb has dry runs. */
export type HasDryRun<V extends AnyVerb> = unknown extends WouldOf<V> ? false : true

/** What a verb answers: of one with dry runs, its result or a plan. */
export type SuccessOf<V extends AnyVerb> = Answered<
  HasDryRun<V> extends true ? ResultOf<V> | Planned<WouldOf<V>> : ResultOf<V>
>

/** A verb as a remote procedure: the request, the result and the refusals of REST, under the verb's name. */
export type VerbRpc<V extends AnyVerb> = Rpc.Rpc<
  V["name"],
  Schema.declare<RequestWire<V>>,
  Schema.declare<SuccessOf<V>>,
  Schema.Codec<AnyRefusal, WireRefusal>
>

type EveryRpc = { readonly [N in VerbName]: VerbRpc<Verbs[N]> }[VerbName]

/**
 * What the schema accepts, as it is. Members that this version does not know are kept: the service alone refuses unknown
 * ones in a request, and its answers may grow.
 */
const asItIs = (schema: Schema.Codec<unknown>, own: SchemaAST.ParseOptions = {}) => {
  const accept = SchemaParser.decodeUnknownEffect(schema)
  return Schema.declareConstructor<unknown>()(
    [],
    () => (given, _self, options) => Effect.as(accept(given, { ...options, ...own }), given),
    { toCodecJson: () => undefined }
  )
}

/** Any request. The service alone says what is wrong with it, in the same words for every surface. */
const AnyRequest = Schema.declare((given: unknown): given is object => typeof given === "object" && given !== null)

/** The wire form of a schema, without its checks: those are the service's. */
const wireOf = (schema: Schema.Top) => asItIs(Schema.toEncoded(schema), { disableChecks: true })

const planOf = (would: Schema.Top) =>
  Schema.Struct({
    dry_run: Schema.Literal(true),
    advisory: Schema.Literal(true),
    evaluated_at: Schema.String,
    plan: Schema.Struct({
      verb: Schema.String,
      plan_version: Schema.Int,
      input_version: Schema.String,
      credits_estimate: Schema.String,
      would_exceed: Schema.Array(Schema.String),
      warnings: Schema.Array(Schema.String),
      would: wireOf(would)
    })
  })

const resultOf = ({ result, would }: AnyVerb): Schema.Codec<unknown> =>
  would === null ? wireOf(result) : Schema.Union([planOf(would), wireOf(result)])

/** A defect reveals nothing but its existence, also when the group is served by other means. */
const MaskedDefect = Schema.Struct({ message: Schema.String }).pipe(
  Schema.decodeTo(
    Schema.Unknown,
    SchemaTransformation.transform<unknown, { readonly message: string }>({
      decode: ({ message }) => new Error(message),
      encode: () => ({ message: WIRE.internal.message({}) })
    })
  )
)

const rpcOf = (verb: AnyVerb) =>
  Rpc.make(verb.name, {
    payload: AnyRequest,
    success: asItIs(Schema.Struct({ result: resultOf(verb), svc: Billing })),
    error: RefusalFromWire,
    defect: MaskedDefect
  })

/** Every verb, for any client or server of `effect/rpc`. Derived from the list of verbs and from nothing else. */
export const verbGroup = RpcGroup.make(...verbList.map(rpcOf)) as unknown as RpcGroup.RpcGroup<EveryRpc>
