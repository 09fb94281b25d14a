import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Layer, Option } from "effect"

/** Sends traces to a collector. Without one, no spans are made, because each one costs. */
export const layer = (endpoint: Option.Option<string>): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (url) =>
      OtlpTracer.layer({ url: `${url}/v1/traces`, resource: { serviceName: "outbound" } }).pipe(
        Layer.provide(OtlpSerialization.layerJson),
        Layer.provide(NodeHttpClient.layerUndici)
      )
  })
