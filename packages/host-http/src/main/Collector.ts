import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Layer } from "effect"

/** The tracer of a collector at this address. */
export const layer = (url: string): Layer.Layer<never> =>
  OtlpTracer.layer({ url: `${url}/v1/traces`, resource: { serviceName: "outbound" } }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(NodeHttpClient.layerUndici)
  )
