import type { CredentialForm } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { ContactEnricher, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { SendingProvider } from "@outbound/domain/sources/ports/Providers.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import type { FollowUpSource } from "@outbound/domain/sources/Later.js"
import { type Effect, Either, type ParseResult, type Redacted, Schema, type Scope } from "effect"

/** What a vendor can serve, each by one source that carries the vendor's name. */
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
  readonly sending?: SendingProvider
}

export type VendorPort = keyof VendorSources

/** What the operator may say of any vendor. */
export interface VendorConfig {
  readonly baseUrl: string
  /** Null: only workspaces that bring their own credential are served. */
  readonly credential: Redacted.Redacted | null
  readonly callsPerMinute: number | null
  /** What one of the vendor's units costs, in micro-dollars. */
  readonly unitMicros: number
  /** Over what a source declares of itself, by port. */
  readonly declared: Readonly<Partial<Record<VendorPort, Partial<Omit<Source, "name">>>>>
}

/** What a vendor's free account endpoint says. */
export interface AccountStanding {
  /** What is left, in the vendor's unit; null where it does not tell. */
  readonly left: number | null
  /** What of it can't be used, for a person to read: a plan without a dataset, a missing payment method. */
  readonly missing: ReadonlyArray<string>
}

/** A vendor, made. */
export interface MadeVendor {
  readonly sources: VendorSources
  readonly followUps?: ReadonlyArray<FollowUpSource>
  /** Asks what costs nothing whether the credential works. */
  readonly account: Effect.Effect<AccountStanding, ProviderFailure>
}

/** What is known of a vendor before it is configured. */
export interface VendorFacts {
  /** In `snake_case`: how the configuration, logs, errors and own keys name it. */
  readonly name: string
  readonly title: string
  /** Up to the version, without a slash at its end. */
  readonly baseUrl: string
  readonly callsPerMinute: number | null
  /** What it counts (`credit`, `row`), and what one costs in micro-dollars unless the operator says otherwise. */
  readonly unit: string
  readonly unitMicros: number
  readonly serves: ReadonlyArray<VendorPort>
  /** What it can't filter by or is known to lack, a sentence each, for `docs/providers.md`. */
  readonly limits: ReadonlyArray<string>
  /** Set where it is a server of the operator's own, which may ask for no credential. */
  readonly needsNoCredential?: true
  /** Set where its credentials have a form of their own. */
  readonly credentialForm?: CredentialForm
  /** How sure we are of its interface: read in its own specification, in its documentation, or in others' code. */
  readonly known: "specification" | "documentation" | "third_party"
}

/** The ports that a vendor does not serve as it is set, and what to set so that it does. */
export type UnservedPorts = Readonly<Partial<Record<VendorPort, string>>>

interface VendorDefinition<Settings, Encoded> extends VendorFacts {
  /** Its own settings, beside what may be said of any vendor. Every one has a default. */
  readonly settings: Schema.Schema<Settings, Encoded>
  /** The ports that it serves with other settings alone, and with which. Left out: it serves all with any. */
  readonly unserved?: (settings: Settings) => UnservedPorts
  /** Its connections close with the scope. */
  readonly make: (config: VendorConfig, settings: Settings) => Effect.Effect<MadeVendor, never, Scope.Scope>
}

/** A vendor that can be configured. One folder, and one line in `vendors.ts`. */
export interface Vendor extends VendorFacts {
  /** Reads its own settings; what it gives makes the vendor. */
  readonly decode: (
    settings: unknown
  ) => Either.Either<(config: VendorConfig) => Effect.Effect<MadeVendor, never, Scope.Scope>, ParseResult.ParseError>
  /** What its own settings are where nothing is said of them. */
  readonly defaults: unknown
  /** Of settings that can be read. */
  readonly unserved: (settings: unknown) => UnservedPorts
}

export const defineVendor = <Settings, Encoded>({
  make,
  settings,
  unserved,
  ...facts
}: VendorDefinition<Settings, Encoded>): Vendor => {
  const read = Schema.decodeUnknownEither(settings, { errors: "all", onExcessProperty: "error" })
  return {
    ...facts,
    defaults: Either.getOrElse(read({}), () => ({})),
    decode: (unread) => Either.map(read(unread), (decoded) => (config: VendorConfig) => make(config, decoded)),
    unserved: (unread) =>
      unserved === undefined ? {} : Either.match(read(unread), { onLeft: () => ({}), onRight: unserved })
  }
}

/** What a source declares of itself, and what the operator measured instead. */
export const declaredOf = (
  config: VendorConfig,
  name: string,
  port: VendorPort,
  declared: Omit<Source, "name">
): Source => ({ name, ...declared, ...config.declared[port] })

/** What a source declares of itself, with its cost in the vendor's unit. */
export interface Declared {
  readonly units: number
  readonly missRate: number
  readonly latencyMillis: number
}

/** The same of a source whose answers are paid for in the vendor's unit. */
export const declaredBy = (
  config: VendorConfig,
  name: string,
  port: VendorPort,
  { latencyMillis, missRate, units }: Declared
): Source =>
  declaredOf(config, name, port, { costMicros: Math.round(units * config.unitMicros), missRate, latencyMillis })
