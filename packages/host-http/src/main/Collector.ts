import { Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"

// These modules of Effect are unstable: only this file of the host imports them.

/** The tracer of a collector at this address. */
export const layer = (url: string): Layer.Layer<never> =>
  OtlpTracer.layer({ url: `${url}/v1/traces`, resource: { serviceName: "outbound" } }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(FetchHttpClient.layer)
  )
