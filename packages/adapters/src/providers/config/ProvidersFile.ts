import { membersOf } from "../../platform/membersOf.js"
import { LISTED_PORT_NAMES } from "./ports.js"
import { CHAT_TIERS } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { Schema } from "effect"
import { ProberSettings } from "../open/ProberSettings.js"
import type { Salvaged } from "./salvage.js"

const NAME = /^[a-z][a-z0-9_]{0,62}$/

const Name = Schema.String.check(Schema.isPattern(NAME, { message: "must be a name of small letters, digits and _" }))

const isHttp = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (
    /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.search === "" && url.hash === ""
  )
}

const HttpUrl = Schema.String.check(
  Schema.makeFilter((text) => isHttp(text) || "must be an http(s) address without user, query and fragment")
)

const Usd = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))

const SourceNames = Schema.Array(Name).check(Schema.isMaxLength(32))

const Declared = Schema.Struct({
  cost_usd: Schema.optional(Usd),
  miss_rate: Schema.optional(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  latency_ms: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120_000 })))
})

/** A secret is a reference to the environment. It is checked separately, so that no message shows a literal. */
const SecretReference = Schema.Unknown

const VendorEntry = Schema.Struct({
  key: Schema.optional(SecretReference),
  base_url: Schema.optional(HttpUrl),
  calls_per_minute: Schema.optional(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })))
  ),
  unit_usd: Schema.optional(Usd),
  declared: Schema.optional(Schema.Record(Schema.String, Declared)),
  settings: Schema.optional(Schema.Unknown)
})

const FieldName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/, { message: "must be the name of a request field" })
)

const Upstream = Schema.Struct({
  base_url: HttpUrl,
  key: SecretReference,
  limit_field: Schema.optional(Schema.Literals(["max_tokens", "max_completion_tokens"])),
  fields: Schema.optional(Schema.Array(FieldName).check(Schema.isMaxLength(200)))
})

const ModelName = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200))

const ChatTarget = Schema.Struct({
  upstream: Name,
  upstream_model: ModelName,
  order: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))),
  weight: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))),
  timeout_seconds: Schema.optional(Schema.Number.check(Schema.isBetween({ minimum: 1, maximum: 300 })))
})

/** Either one upstream or a list of them; `readChat` checks which. */
const ChatEntry = Schema.Struct({
  model: ModelName,
  tier: Schema.Literals(CHAT_TIERS),
  upstream: Schema.optional(Name),
  upstream_model: Schema.optional(ModelName),
  upstreams: Schema.optional(Schema.Array(ChatTarget).check(Schema.isMinLength(1), Schema.isMaxLength(8))),
  context_length: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000_000 })))
})

const JudgeEntry = Schema.Struct({
  upstream: Name,
  model: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  timeout_seconds: Schema.optional(Schema.Number.check(Schema.isBetween({ minimum: 1, maximum: 60 }))),
  cost_usd: Schema.optional(Usd),
  latency_ms: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120_000 }))),
  parameters: Schema.optional(Schema.Record(Schema.String, Schema.Unknown))
})

const Ports = Schema.Struct({
  ...membersOf(Schema.optional(SourceNames), LISTED_PORT_NAMES),
  sending: Schema.optional(Name)
})

/** The schema of each member; for `vendors` and `upstreams`, of each named entry. */
export const SECTIONS = {
  ports: Ports,
  vendors: VendorEntry,
  prober: ProberSettings,
  upstreams: Upstream,
  chat: Schema.Array(ChatEntry).check(Schema.isMaxLength(100)),
  judge: JudgeEntry
} as const

export const MEMBERS = Object.keys(SECTIONS) as ReadonlyArray<keyof typeof SECTIONS>

export type VendorEntry = Salvaged<typeof VendorEntry.Type>

/** The file named by `OUTBOUND_PROVIDERS`, without the parts that could not be read. */
export interface ProvidersFile {
  readonly ports: Salvaged<typeof Ports.Type> | undefined
  readonly vendors: Readonly<Record<string, VendorEntry | undefined>>
  readonly prober: ProberSettings | undefined
  readonly upstreams: Readonly<Record<string, Salvaged<typeof Upstream.Type> | undefined>>
  readonly chat: ReadonlyArray<Salvaged<typeof ChatEntry.Type> | undefined>
  readonly judge: Salvaged<typeof JudgeEntry.Type> | undefined
}
