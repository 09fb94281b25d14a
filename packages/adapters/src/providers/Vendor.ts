import type { CredentialForm } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { ContactEnricher, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import type { ProviderFailure, Source } from "@outbound/domain/sources/ports/Source.js"
import type { SiteReader } from "@outbound/domain/sources/ports/SiteReader.js"
import type { SendingProvider } from "@outbound/domain/sources/ports/Providers.js"
import type { FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import { Effect, Option, type Redacted, Result, Schema, type Scope } from "effect"
import { type Beside, NOTHING_BESIDE } from "./Beside.js"
import { makeVendorHttp, type VendorHttp, type VendorHttpOptions, type VendorRequest } from "./VendorHttp.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"

/** Records the cost of an answer, in the vendor's unit. */
export type Spend = (amount: number) => Effect.Effect<void>

/** A workspace's own credential is charged to the workspace, so it costs the service nothing. */
export const spending =
  ({ name, unit }: Pick<VendorFacts, "name" | "unit">, { unitMicros }: Pick<VendorConfig, "unitMicros">): Spend =>
  (amount) =>
    amount <= 0
      ? Effect.void
      : Effect.gen(function* () {
          const access = yield* CurrentSourceAccess
          const own = yield* Effect.orElseSucceed(access.ownKey(name), Option.none)
          const micros = Option.isSome(own) ? 0 : Math.round(amount * unitMicros)
          yield* access.spent({ vendor: name, unit, amount, micros })
        })

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
    schema: Schema.Codec<A, I>,
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

/** The sources of a vendor by port, each named after the vendor. */
export interface VendorSources {
  readonly lead_source?: LeadSource
  readonly premium_lead_source?: LeadSource
  readonly company_source?: CompanySource
  readonly company_dataset_source?: CompanyDatasetSource
  readonly brief_writer?: BriefWriter
  readonly intent_source?: IntentSource
  readonly post_source?: PostSource
  readonly contact_enricher?: ContactEnricher
  readonly mobile_finder?: MobileFinder
  readonly email_verifier?: EmailVerifier
  readonly site_reader?: SiteReader
  readonly sending?: SendingProvider
}

export type VendorPort = keyof VendorSources

/** Settings that every vendor has. */
export interface VendorConfig {
  readonly baseUrl: string
  /** Null: only workspaces with their own credential are served. */
  readonly credential: Redacted.Redacted | null
  readonly callsPerMinute: number | null
  /** The price of the vendor's unit, in micro-dollars. */
  readonly unitMicros: number
  /** Replaces what a source declares of itself, by port. */
  readonly declared: Readonly<Partial<Record<VendorPort, Partial<Omit<Source, "name">>>>>
}

/** The answer of a vendor's free account endpoint. */
export interface AccountStanding {
  /** The balance in the vendor's unit. Null: not told. */
  readonly left: number | null
  /** What the account can't use, for people: a plan without a dataset, a missing payment method. */
  readonly missing: ReadonlyArray<string>
}

export interface MadeVendor {
  readonly sources: VendorSources
  readonly followUps?: ReadonlyArray<FollowUpSource>
  /** Checks the credential, for free. */
  readonly account: Effect.Effect<AccountStanding, ProviderFailure>
}

/** The facts about a vendor, known before it is configured. */
export interface VendorFacts {
  /** The name in configuration, logs, errors and own keys, in `snake_case`. */
  readonly name: string
  readonly title: string
  /** Includes the version, without a trailing slash. */
  readonly baseUrl: string
  readonly callsPerMinute: number | null
  /** The billing unit (`credit`, `row`), and its default price in micro-dollars. */
  readonly unit: string
  readonly unitMicros: number
  readonly serves: ReadonlyArray<VendorPort>
  /** Filters and data it lacks, one sentence each, for `docs/providers.md`. */
  readonly limits: ReadonlyArray<string>
  /** A server of the operator's own, which may need no credential. */
  readonly needsNoCredential?: true
  /** A public source or a part of ours: it takes no credential, and its ports may list it without an entry. */
  readonly isOpen?: true
  /** What its publisher asks of readers, in a sentence, for `providers check`. */
  readonly terms?: string
  /** The form of its credentials, if it has one. */
  readonly credentialForm?: CredentialForm
  /** The source of our knowledge of its interface: its specification, its documentation, or third-party code. */
  readonly known: "specification" | "documentation" | "third_party"
}

/** The ports that the current settings don't serve, and what to set instead. */
export type UnservedPorts = Readonly<Partial<Record<VendorPort, string>>>

interface VendorDefinition<Settings, Encoded> extends VendorFacts {
  /** Its own settings. Each has a default. */
  readonly settings: Schema.Codec<Settings, Encoded>
  /** The ports that need other settings, and which. Absent: none. */
  readonly unserved?: (settings: Settings) => UnservedPorts
  /** Its connections close with the scope. */
  readonly make: (config: VendorConfig, settings: Settings, beside: Beside) => MakesVendor
}

type MakesVendor = Effect.Effect<MadeVendor, never, Scope.Scope>

/** A vendor that can be configured: one folder, and one line in `vendors.ts`. */
export interface Vendor extends VendorFacts {
  /** Reads its own settings and returns what makes the vendor. */
  readonly decode: (
    settings: unknown
  ) => Result.Result<(config: VendorConfig, beside?: Beside) => MakesVendor, Schema.SchemaError>
  /** Its own settings' defaults. */
  readonly defaults: unknown
  /** For decoded settings. */
  readonly unserved: (settings: unknown) => UnservedPorts
}

/** Of a vendor that has none of its own. */
export const NoSettings = Schema.Record(Schema.String, Schema.Never)

export const defineVendor = <Settings, Encoded>({
  make,
  settings,
  unserved,
  ...facts
}: VendorDefinition<Settings, Encoded>): Vendor => {
  const read = Schema.decodeUnknownResult(settings, { errors: "all", onExcessProperty: "error" })
  return {
    ...facts,
    defaults: Result.getOrElse(read({}), () => ({})),
    decode: (unread) =>
      Result.map(
        read(unread),
        (decoded) =>
          (config: VendorConfig, beside: Beside = NOTHING_BESIDE) =>
            make(config, decoded, beside)
      ),
    unserved: (unread) =>
      unserved === undefined ? {} : Result.match(read(unread), { onFailure: () => ({}), onSuccess: unserved })
  }
}

/** What a source declares of itself, and what the operator measured instead. */
export const declaredOf = (
  config: VendorConfig,
  name: string,
  port: VendorPort,
  declared: Omit<Source, "name">
): Source => ({ name, ...declared, ...config.declared[port] })
