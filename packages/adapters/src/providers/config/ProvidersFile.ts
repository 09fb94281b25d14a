import { membersOf } from "../../platform/membersOf.js"
import { LISTED_PORT_NAMES } from "./ports.js"
import { CHAT_TIERS } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { Schema } from "effect"
import { ProberSettings } from "../../prober/ProberSettings.js"
import type { Salvaged } from "./salvage.js"

const NAME = /^[a-z][a-z0-9_]{0,62}$/

const Name = Schema.String.pipe(
  Schema.pattern(NAME, { message: () => "must be a name of small letters, digits and _" })
)

const isHttp = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (
    /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.search === "" && url.hash === ""
  )
}

const HttpUrl = Schema.String.pipe(
  Schema.filter((text) => isHttp(text) || "must be an http(s) address without user, query and fragment")
)

const Usd = Schema.Number.pipe(Schema.between(0, 1_000))

const SourceNames = Schema.Array(Name).pipe(Schema.maxItems(32))

const Declared = Schema.Struct({
  cost_usd: Schema.optional(Usd),
  miss_rate: Schema.optional(Schema.Number.pipe(Schema.between(0, 1))),
  latency_ms: Schema.optional(Schema.Int.pipe(Schema.between(0, 120_000)))
})

/** A secret is a reference to the environment. It is checked separately, so that no message shows a literal. */
const SecretReference = Schema.Unknown

const VendorEntry = Schema.Struct({
  key: SecretReference,
  base_url: Schema.optional(HttpUrl),
  calls_per_minute: Schema.optional(Schema.NullOr(Schema.Int.pipe(Schema.between(1, 1_000_000)))),
  unit_usd: Schema.optional(Usd),
  declared: Schema.optional(Schema.Record({ key: Schema.String, value: Declared })),
  settings: Schema.optional(Schema.Unknown)
})

const FieldName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9_.-]{1,64}$/, { message: () => "must be the name of a request field" })
)

const Upstream = Schema.Struct({
  base_url: HttpUrl,
  key: SecretReference,
  limit_field: Schema.optional(Schema.Literal("max_tokens", "max_completion_tokens")),
  fields: Schema.optional(Schema.Array(FieldName).pipe(Schema.maxItems(200)))
})

const ModelName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))

const ChatTarget = Schema.Struct({
  upstream: Name,
  upstream_model: ModelName,
  order: Schema.optional(Schema.Int.pipe(Schema.between(0, 100))),
  weight: Schema.optional(Schema.Int.pipe(Schema.between(1, 1_000))),
  timeout_seconds: Schema.optional(Schema.Number.pipe(Schema.between(1, 300)))
})

/** Either one upstream or a list of them; `readChat` checks which. */
const ChatEntry = Schema.Struct({
  model: ModelName,
  tier: Schema.Literal(...CHAT_TIERS),
  upstream: Schema.optional(Name),
  upstream_model: Schema.optional(ModelName),
  upstreams: Schema.optional(Schema.Array(ChatTarget).pipe(Schema.minItems(1), Schema.maxItems(8))),
  context_length: Schema.optional(Schema.Int.pipe(Schema.between(1, 100_000_000)))
})

const JudgeEntry = Schema.Struct({
  upstream: Name,
  model: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)),
  timeout_seconds: Schema.optional(Schema.Number.pipe(Schema.between(1, 60))),
  cost_usd: Schema.optional(Usd),
  latency_ms: Schema.optional(Schema.Int.pipe(Schema.between(0, 120_000))),
  parameters: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
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
  chat: Schema.Array(ChatEntry).pipe(Schema.maxItems(100)),
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
