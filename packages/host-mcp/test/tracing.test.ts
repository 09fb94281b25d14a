import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Tracer } from "effect"
import { withHost } from "./support/Host.js"
import { apiKey, bearer, OLDER, post } from "./support/Raw.js"

const TRACE = "0af7651916cd43dd8448eb211c80319c"

/** Keeps the spans that are made. */
const collecting = (made: Array<{ readonly name: string; readonly traceId: string }>) =>
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: ({ annotations, kind, links, name, parent, sampled, startTime }) => {
        const traceId = Option.match(parent, { onNone: () => "own", onSome: (span) => span.traceId })
        made.push({ name, traceId })
        const attributes = new Map<string, unknown>()
        return {
          _tag: "Span",
          name,
          spanId: `${made.length}`,
          traceId,
          parent,
          annotations,
          status: { _tag: "Started", startTime },
          attributes,
          links,
          sampled,
          kind,
          end: () => undefined,
          attribute: (key, value) => void attributes.set(key, value),
          event: () => undefined,
          addLinks: () => undefined
        }
      }
    })
  )

it.live("a call stands below its caller's span, whichever way it is answered", () => {
  const made: Array<{ readonly name: string; readonly traceId: string }> = []
  return withHost(
    Effect.gen(function* () {
      const headers = { ...bearer(yield* apiKey), ...OLDER, traceparent: `00-${TRACE}-b7ad6b7169203331-01` }
      for (const meta of [undefined, { anything: 1 }]) {
        const params = { name: "verify_email", arguments: { email: "valid@magic.test" } }
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call" }
        yield* post({ ...message, params: meta === undefined ? params : { ...params, _meta: meta } }, headers)
      }
      const spans = made.filter(({ traceId }) => traceId === TRACE)
      assert.strictEqual(spans.filter(({ name }) => name === "http verify_email").length, 2)
    })
  ).pipe(Effect.provide(collecting(made)))
})
