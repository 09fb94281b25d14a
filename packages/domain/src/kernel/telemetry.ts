import { Cause, type Context, Effect, FiberRef, HashMap, identity, Option, Predicate, type Tracer } from "effect"

/**
 * What log lines and spans say of the work at hand: ids and names that we gave ourselves. Never an address, a secret, or
 * what somebody wrote.
 */
export interface Work {
  readonly request_id?: string
  readonly verb?: string
  readonly workspace_id?: string
  readonly key_id?: string
  readonly campaign_id?: string
  readonly campaign_lead_id?: string
  readonly mailbox_id?: string
  readonly message_id?: string
  readonly operation_id?: string
  readonly endpoint_id?: string
  readonly event_id?: string
  readonly follow_up_id?: string
  readonly alert_id?: string
  readonly payment_id?: string
  readonly provider?: string
  readonly provider_event_id?: string
}

/** Every step that has a span. `docs/operating.md` lists them, which a test holds. */
export const SPANS = [
  "call",
  "call.admit",
  "call.look",
  "call.perform",
  "call.settle",
  "source.ask",
  "follow_up.ask",
  "mail.send",
  "mail.connect",
  "mail.recipient",
  "mail.data",
  "reply.send",
  "vendor.turn",
  "vendor.push",
  "mailbox.read",
  "inbound.apply",
  "interest.mirror",
  "operation.step",
  "webhook.deliver"
] as const
export type SpanName = (typeof SPANS)[number]

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

const annotations = FiberRef.currentLogAnnotations

const entriesOf = (attributes: Attributes) =>
  Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null)

const added = (work: Work) => (before: HashMap.HashMap<string, unknown>) =>
  HashMap.mutate(before, (all) => {
    for (const [key, value] of Object.entries(work)) if (value !== undefined) HashMap.set(all, key, value)
  })

/** Every line and span within says what it is about. */
export const about =
  (work: Work) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locallyWith(effect, annotations, added(work))

/**
 * The same for the hot path, with services of the call's own: what stands on the fiber is set, and put back at the end,
 * for a fraction of what `about` and `Effect.provide` cost. Only for what can't be interrupted: nothing is put back then.
 */
export const aboutCall = <A, E, R>(
  work: Work,
  effect: Effect.Effect<A, E, R>,
  provide: (context: Context.Context<never>) => Context.Context<never> = identity
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) => {
    const lines = fiber.getFiberRef(annotations)
    const context = fiber.getFiberRef(FiberRef.currentContext)
    const provided = provide(context)
    const put = (annotated: typeof lines, services: typeof context) =>
      provided === context
        ? FiberRef.set(annotations, annotated)
        : Effect.zipRight(FiberRef.set(annotations, annotated), FiberRef.set(FiberRef.currentContext, services))
    return Effect.flatMap(Effect.zipRight(put(added(work)(lines), provided), Effect.exit(effect)), (exit) =>
      Effect.zipRight(put(lines, context), exit)
    )
  })

interface SpanOptions<A> {
  /** `client`: somebody else is asked. */
  readonly kind?: Tracer.SpanKind
  readonly attributes?: () => Attributes
  /** What it came to. */
  readonly ended?: (value: A) => Attributes
}

/** By what name a failure is counted: a code, a reason or a tag of ours, never words of somebody else's. */
const typeOf = (cause: Cause.Cause<unknown>): string => {
  const failure: unknown = Option.getOrNull(Cause.failureOption(cause))
  if (!Predicate.isObject(failure)) return Cause.isInterrupted(cause) ? "interrupted" : "defect"
  for (const name of ["code", "concluded", "reason", "_tag"]) {
    if (Predicate.hasProperty(failure, name) && typeof failure[name] === "string") return failure[name]
  }
  return "failure"
}

/** What a span is told in place of a failure, whose words and causes may hold what is never to be shown. */
class Failed<E> extends Error {
  readonly #cause: Cause.Cause<E>
  constructor(cause: Cause.Cause<E>) {
    super(typeOf(cause))
    this.name = "Failed"
    this.#cause = cause
  }
  get whole(): Cause.Cause<E> {
    return this.#cause
  }
}

const spanOf = <A, E, R>(
  name: SpanName,
  { attributes, ended, kind = "internal" }: SpanOptions<A>,
  known: HashMap.HashMap<string, unknown>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.tap((value) => ended && Effect.annotateCurrentSpan(Object.fromEntries(entriesOf(ended(value))))),
    Effect.catchAllCause((cause) =>
      Effect.zipRight(Effect.annotateCurrentSpan("error.type", typeOf(cause)), Effect.fail(new Failed(cause)))
    ),
    Effect.withSpan(name, {
      kind,
      // The name says where it was made.
      captureStackTrace: false,
      attributes: Object.fromEntries([
        ...Array.from(known, ([key, value]) => [`outbound.${key}`, value]),
        ...entriesOf(attributes?.() ?? {})
      ])
    }),
    Effect.catchAll((failed) => Effect.failCause(failed.whole))
  ) as Effect.Effect<A, E, R>

/**
 * A step, below a span that knows what the work is about. Where nobody collects spans none is made, its attributes are
 * not worked out, and the step costs one look at the fiber.
 */
export const inSpan =
  <A>(name: SpanName, options: SpanOptions<A> = {}) =>
  <B extends A, E, R>(effect: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiberRuntime<B, E, R>((fiber) =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled)
        ? spanOf(name, options, fiber.getFiberRef(annotations), effect)
        : effect
    )
