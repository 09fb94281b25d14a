import { Effect, Option, References, Tracer } from "effect"

/** Span attributes of a request. */
export interface TracedRequest {
  readonly method: string
  readonly requestId: string
  /** A verb or a page, never the caller's text. */
  readonly label: string
  /** The `traceparent` header. */
  readonly traceparent: string | undefined
}

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The caller's span (W3C Trace Context), the parent of ours. */
const parentSpan = (traceparent: string | undefined): Option.Option<Tracer.ExternalSpan> => {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? Option.none()
    : Option.some(Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags ?? "0", 16) & 1) === 1 }))
}

const spanned = <A, E, R>(request: TracedRequest, effect: Effect.Effect<A, E, R>) =>
  Effect.withSpan(effect, `http ${request.label}`, {
    kind: "server",
    // A stack trace says nothing: every span of a host is made here.
    captureStackTrace: false,
    attributes: { "http.request.method": request.method, "outbound.request_id": request.requestId },
    ...Option.match(parentSpan(request.traceparent), { onNone: () => ({}), onSome: (parent) => ({ parent }) })
  })

/** Answers a request in a span of its own. Without a collector, not even the no-op span is made. */
export const traced = <A, E, R>(request: TracedRequest, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber<A, E, R>((fiber) =>
    fiber.getRef(References.TracerEnabled) ? (spanned(request, effect) as Effect.Effect<A, E, R>) : effect
  )
