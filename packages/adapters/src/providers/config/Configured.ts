import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ChatTarget, ChatTier } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { Effect, Redacted, Scope } from "effect"
import type { ProberSettings } from "../open/ProberSettings.js"
import type { Beside } from "../Beside.js"
import type { MadeVendor, VendorConfig, VendorFacts } from "../Vendor.js"
import type { ListedPort } from "./ports.js"

export interface ConfiguredVendor {
  readonly facts: VendorFacts
  readonly config: VendorConfig
  /** Its own settings, as read. */
  readonly settings: unknown
  /** Its connections close with the scope. */
  readonly make: (beside: Beside) => Effect.Effect<MadeVendor, never, Scope.Scope>
}

export interface ConfiguredUpstream {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly limitField: "max_tokens" | "max_completion_tokens"
  /** The callers' fields that it gets; null: all but those that are withheld. */
  readonly fields: ReadonlySet<string> | null
}

/** An upstream of a model, and the model's name there. */
export interface ConfiguredTarget extends Pick<ChatTarget, "upstreamModel" | "order" | "weight" | "secondsMax"> {
  readonly upstream: string
}

export interface ConfiguredModel {
  readonly model: string
  readonly tier: ChatTier
  readonly targets: readonly [ConfiguredTarget, ...ReadonlyArray<ConfiguredTarget>]
  readonly contextLength: number | null
}

export interface ConfiguredJudge {
  readonly upstream: string
  readonly model: string
  readonly timeoutSeconds: number
  readonly costMicros: number
  readonly latencyMillis: number
  readonly parameters: JsonObject | null
}

/** A valid configuration with its secrets. */
export interface ConfiguredProviders {
  /** The source names of each port, in tie-breaking order. */
  readonly ports: Readonly<Record<ListedPort, ReadonlyArray<string>>>
  readonly sending: string | null
  readonly vendors: ReadonlyArray<ConfiguredVendor>
  readonly prober: ProberSettings
  readonly upstreams: ReadonlyArray<ConfiguredUpstream>
  readonly chat: ReadonlyArray<ConfiguredModel>
  readonly judge: ConfiguredJudge | null
}

/** All mistakes of a configuration file: where, and how to fix them. */
export class ProvidersMistakes extends Error {
  constructor(
    readonly path: string,
    readonly mistakes: ReadonlyArray<string>
  ) {
    super(`The providers' configuration ${path} can't be used:\n${mistakes.map((text) => `  ${text}`).join("\n")}`)
    this.name = "ProvidersMistakes"
  }
}
