import type { ProviderFailure, Source } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, type Schema, type Scope } from "effect"
import { type Spend, spending } from "./spending.js"
import { declaredOf, type MadeVendor, type VendorConfig, type VendorFacts, type VendorPort } from "./Vendor.js"
import { makeVendorHttp, type VendorHttp, type VendorHttpOptions, type VendorRequest } from "./VendorHttp.js"

/** A source's declaration, with its cost in the vendor's unit. */
interface Declared {
  readonly units: number
  readonly missRate: number
  readonly latencyMillis: number
}

/** A request that is charged. Default: `POST`. */
interface ChargedRequest extends Omit<VendorRequest, "hasEffect" | "method"> {
  readonly method?: VendorRequest["method"]
}

/** What a vendor's sources are made of. */
export interface VendorParts<Settings = unknown> {
  readonly http: VendorHttp
  readonly settings: Settings
  readonly spend: Spend
  /** Reads the answer of a charged request, and records its cost in the vendor's unit. */
  readonly charged: <A, I>(
    schema: Schema.Schema<A, I>,
    request: ChargedRequest,
    costOf: (answer: A) => number
  ) => Effect.Effect<A, ProviderFailure>
  /** What a source declares of itself, and what the operator measured instead. */
  readonly declared: (port: VendorPort, declared: Declared) => Source
}

export const partsOf = <Settings>(
  facts: VendorFacts,
  config: VendorConfig,
  settings: Settings,
  http: VendorHttp
): VendorParts<Settings> => {
  const spend = spending(facts, config)
  return {
    http,
    settings,
    spend,
    charged: (schema, request, costOf) =>
      Effect.tap(http.read(schema, { method: "POST", ...request, hasEffect: true }), (answer) => spend(costOf(answer))),
    declared: (port, { units, ...declared }) =>
      declaredOf(config, facts.name, port, { costMicros: Math.round(units * config.unitMicros), ...declared })
  }
}

/** Makes a vendor whose sources share one client. */
export const overHttp =
  <Settings>(
    facts: VendorFacts,
    options: Pick<VendorHttpOptions, "authorize" | "classify">,
    make: (parts: VendorParts<Settings>) => MadeVendor
  ) =>
  (config: VendorConfig, settings: Settings): Effect.Effect<MadeVendor, never, Scope.Scope> =>
    Effect.map(makeVendorHttp({ ...facts, ...config, ...options }), (http) =>
      make(partsOf(facts, config, settings, http))
    )
