import { Cause, type Exit, Layer, Logger, Option, References, Tracer } from "effect"

export interface CollectedLine {
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

export interface CollectedSpan {
  readonly name: string
  readonly spanId: string
  readonly parentId: string | null
  readonly kind: Tracer.SpanKind
  readonly attributes: ReadonlyMap<string, unknown>
  /** What an exporter would say of a failure; null where it went well, or has not ended. */
  failure: string | null
}

/** Keeps the log lines and spans of what runs with its layer. */
export const makeCollected = () => {
  const lines: Array<CollectedLine> = []
  const spans: Array<CollectedSpan> = []

  const logger = Logger.make(({ cause, fiber, message }) => {
    const words = [message].flat().map(String)
    const failure = cause.reasons.length === 0 ? [] : [Cause.pretty(cause)]
    lines.push({
      message: [...words, ...failure].join(" "),
      annotations: fiber.getRef(References.CurrentLogAnnotations)
    })
  })

  const tracer = Tracer.make({
    span: ({ annotations, kind, links, name, parent, startTime }) => {
      const attributes = new Map<string, unknown>()
      const spanId = String(spans.length + 1)
      const parentId = Option.match(parent, { onNone: () => null, onSome: (above) => above.spanId })
      const collected: CollectedSpan = { name, spanId, parentId, kind, attributes, failure: null }
      spans.push(collected)
      return {
        _tag: "Span",
        name,
        spanId,
        traceId: "trace",
        parent,
        annotations,
        status: { _tag: "Started", startTime },
        attributes,
        links,
        sampled: true,
        kind,
        end: (_endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
          if (exit._tag === "Failure") collected.failure = Cause.pretty(exit.cause)
        },
        attribute: (key: string, value: unknown) => void attributes.set(key, value),
        event: () => undefined,
        addLinks: () => undefined
      }
    }
  })

  return {
    lines,
    spans,
    named: (name: string) => spans.filter((span) => span.name === name),
    layer: Layer.merge(Logger.layer([logger]), Layer.succeed(Tracer.Tracer, tracer))
  }
}
