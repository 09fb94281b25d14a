import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Layer, Option } from "effect"

/**
 * Sends traces to a collector. Without one no span is made at all: a span for each call costs, and nobody would see
 * it.
 */
export const layer = (endpoint: Option.Option<string>): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (url) =>
      OtlpTracer.layer({ url: `${url}/v1/traces`, resource: { serviceName: "outbound" } }).pipe(
        Layer.provide(OtlpSerialization.layerJson),
        Layer.provide(NodeHttpClient.layerUndici)
      )
  })
