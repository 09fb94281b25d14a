import { Cause, Effect, Option, Predicate, References, type Tracer } from "effect"

/** The ids on log lines and spans: our own ids and names, never an address, a secret or content. */
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
  readonly approval_id?: string
  readonly payment_id?: string
  readonly provider?: string
  readonly provider_event_id?: string
  readonly job?: string
  readonly job_key?: string
}

/** Every step that has a span. A test compares the list with `docs/operating.md`. */
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
  "job",
  "webhook.deliver",
  "notice.deliver",
  "crm.ask"
] as const
export type SpanName = (typeof SPANS)[number]

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

const annotations = References.CurrentLogAnnotations

type Annotations = (typeof annotations)["Service"]

const entriesOf = (attributes: Attributes) =>
  Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null)

const added =
  (work: Work) =>
  (before: Annotations): Annotations => ({
    ...before,
    ...Object.fromEntries(Object.entries(work).filter(([, value]) => value !== undefined))
  })

/** Puts the ids of a piece of work on every line and span within. */
export const about =
  (work: Work) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(effect, annotations, added(work))

interface SpanOptions<A> {
  /** `client`: the step calls another service. */
  readonly kind?: Tracer.SpanKind
  readonly attributes?: () => Attributes
  /** Attributes of the result. */
  readonly ended?: (value: A) => Attributes
}

/** The type of a failure: our own code, reason or tag, never another party's text. */
const typeOf = (cause: Cause.Cause<unknown>): string => {
  const failure: unknown = Option.getOrNull(Cause.findErrorOption(cause))
  if (!Predicate.isObject(failure)) return Cause.hasInterrupts(cause) ? "interrupted" : "defect"
  for (const name of ["code", "concluded", "reason", "_tag"]) {
    if (Predicate.hasProperty(failure, name) && typeof failure[name] === "string") return failure[name]
  }
  return "failure"
}

/** Replaces a failure in a span, because its text and causes may be confidential. */
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
  known: Annotations,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.tap((value) =>
      ended === undefined ? Effect.void : Effect.annotateCurrentSpan(Object.fromEntries(entriesOf(ended(value))))
    ),
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.annotateCurrentSpan("error.type", typeOf(cause)), Effect.fail(new Failed(cause)))
    ),
    Effect.withSpan(
      name,
      {
        kind,
        attributes: Object.fromEntries([
          ...Object.entries(known).map(([key, value]) => [`outbound.${key}`, value]),
          ...entriesOf(attributes?.() ?? {})
        ])
      },
      // The name says where it was made.
      { captureStackTrace: false }
    ),
    Effect.catch((failed) => Effect.failCause(failed.whole))
  ) as Effect.Effect<A, E, R>

/** A step with a span. Without a tracer no span is made and no attribute computed; the cost is one read of the fiber. */
export const inSpan =
  <A>(name: SpanName, options: SpanOptions<A> = {}) =>
  <B extends A, E, R>(effect: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.withFiber<B, E, R>((fiber) =>
      fiber.getRef(References.TracerEnabled) ? spanOf(name, options, fiber.getRef(annotations), effect) : effect
    )
