import type { KnownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import type { ChatModel, ChatTarget, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { Judge } from "@outbound/domain/sources/ports/Judge.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import type { SourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import type { OwnKeyVendor } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import { Duration, Effect, type Scope } from "effect"
import { askingModel } from "../../llm/askingModel.js"
import { makeLlmJudge } from "../../llm/LlmJudge.js"
import { makeOpenAiChat } from "../../llm/OpenAiChat.js"
import { loadO200k, tokensO200k } from "../../llm/TokensO200k.js"
import { mailHostsBy } from "../../dns/mailHosts.js"
import { resolveBy } from "../../site/Gate.js"
import { makeWebVisitor } from "../../site/WebVisitor.js"
import type { Beside } from "../Beside.js"
import { webSettingsOf } from "../open/webSettings.js"
import type { Prober } from "../open/OwnSource.js"
import { OWN_SOURCES } from "../ownSources.js"
import type { MadeVendor, VendorSources } from "../Vendor.js"
import type { ConfiguredProviders, ConfiguredTarget, ConfiguredVendor } from "./Configured.js"
import type { AnyPort, BuiltInName, ListedPort } from "./ports.js"

/** The judge's name in logs. */
const JUDGE = "judge"

export interface LiveOptions {
  /** A page that tells website owners who reads their site. */
  readonly aboutUrl: string
  /** The directory's sources. */
  readonly directory: VendorSources
  /** Those of wings, by their names. */
  readonly wings: Readonly<Record<string, VendorSources>>
  /** Null: there are no workspaces, as where a configuration is only checked. */
  readonly known: KnownPeople | null
  /** Null: there is no store, as there. */
  readonly memory: SourceMemory | null
}

export interface LiveVendor extends ConfiguredVendor {
  readonly made: MadeVendor
}

/** The sources of live workspaces and their parts. */
export interface Live {
  readonly set: ProviderSet
  readonly vendors: ReadonlyArray<LiveVendor>
  /** Null: no port lists it. */
  readonly prober: Prober | null
}

const isListed = ({ ports }: ConfiguredProviders, name: string): boolean =>
  Object.values(ports).some((names) => names.includes(name))

/** The vendors that accept workspaces' own credentials: those asked for data on behalf of workspaces. */
export const ownKeyVendors = (configured: ConfiguredProviders): ReadonlyArray<OwnKeyVendor> =>
  configured.vendors
    .filter(({ facts }) => isListed(configured, facts.name) && facts.isOpen !== true)
    .map(({ config, facts: { credentialForm, name, needsNoCredential, title } }) => ({
      name,
      title,
      hasServiceKey: config.credential !== null || needsNoCredential === true,
      ...(credentialForm === undefined ? {} : { credentialForm })
    }))

const makeChat = (configured: ConfiguredProviders) =>
  Effect.gen(function* () {
    const upstreams = new Map<string, ChatUpstream>()
    for (const upstream of configured.upstreams) upstreams.set(upstream.name, yield* makeOpenAiChat(upstream))
    const fields = new Map(configured.upstreams.map((upstream) => [upstream.name, upstream.fields]))
    const targets = ({ upstream, ...target }: ConfiguredTarget): ReadonlyArray<ChatTarget> => {
      const made = upstreams.get(upstream)
      return made === undefined ? [] : [{ ...target, upstream: made, fields: fields.get(upstream) ?? null }]
    }
    const models = configured.chat.flatMap(({ targets: named, ...model }): ReadonlyArray<ChatModel> => {
      const [first, ...others] = named.flatMap(targets)
      return first === undefined ? [] : [{ ...model, targets: [first, ...others], tokens: tokensO200k }]
    })
    // The first chat, and every call beside it, would wait for it.
    if (models.length > 0) yield* loadO200k
    const { judge } = configured
    const upstream = judge === null ? undefined : upstreams.get(judge.upstream)
    const judges: ReadonlyArray<Judge> =
      judge === null || upstream === undefined
        ? []
        : [
            makeLlmJudge({
              name: JUDGE,
              upstream,
              model: judge.model,
              timeout: Duration.seconds(judge.timeoutSeconds),
              costMicros: judge.costMicros,
              latencyMillis: judge.latencyMillis,
              ...(judge.parameters === null ? {} : { parameters: judge.parameters })
            })
          ]
    const model = judge === null || upstream === undefined ? null : askingModel(upstream, judge.model)
    return { models, model, judges }
  })

/** The settings of the reader of websites, which every source that reads them shares. */
const webSettingsIn = ({ vendors }: ConfiguredProviders) =>
  webSettingsOf(vendors.find(({ facts }) => facts.name === "web")?.settings ?? {})

/**
 * Builds the configured sources when the service starts. They keep the order of their port's list, which breaks ties of
 * a route. Connections close with the scope.
 */
export const makeLive = (
  configured: ConfiguredProviders,
  { aboutUrl, directory, known, memory, wings }: LiveOptions
): Effect.Effect<Live, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { models, model, judges } = yield* makeChat(configured)
    const { allow_private_targets: allowedRanges, contact, private_port: privatePort } = webSettingsIn(configured)
    const { resolvers } = configured.prober
    const resolve = resolveBy(resolvers)
    const web = makeWebVisitor({ aboutUrl: contact ?? aboutUrl, allowedRanges, privatePort, resolve })
    const isProbing = isListed(configured, "prober") || isListed(configured, "finder")
    const makeProber = isProbing ? OWN_SOURCES.makeProber : undefined
    const prober = makeProber === undefined ? null : yield* makeProber(configured.prober)
    const beside: Beside = {
      web,
      contact: contact ?? `+${aboutUrl}`,
      companies: directory.company_source ?? null,
      verifier: prober?.verifier ?? null,
      model,
      judge: judges[0] ?? null,
      mailHosts: mailHostsBy(resolvers),
      known,
      memory
    }
    const vendors = yield* Effect.forEach(configured.vendors, (vendor) =>
      Effect.map(vendor.make(beside), (made): LiveVendor => ({ ...vendor, made }))
    )
    const followUps: Array<FollowUpSource> = vendors.flatMap(({ made }) => made.followUps ?? [])
    if (prober !== null) followUps.push(prober.followUp)

    const builtIn: Readonly<Record<BuiltInName, VendorSources>> = {
      directory,
      open_directory: wings["open_directory"] ?? {},
      prober: prober === null ? {} : { email_verifier: prober.verifier }
    }
    const byName = new Map<string, VendorSources>([
      ...Object.entries(builtIn),
      ...vendors.map(({ facts, made }) => [facts.name, made.sources] as const)
    ])
    const named = <P extends AnyPort>(
      port: P,
      names: ReadonlyArray<string>
    ): ReadonlyArray<NonNullable<VendorSources[P]>> => names.flatMap((name) => byName.get(name)?.[port] ?? [])
    const listed = <P extends ListedPort>(port: P) => named(port, configured.ports[port])

    const set: ProviderSet = {
      leadSources: [
        ...listed("lead_source"),
        ...listed("premium_lead_source").map((source): LeadSource => ({ ...source, tier: "premium" }))
      ],
      companySources: listed("company_source"),
      companyDatasetSources: listed("company_dataset_source"),
      briefWriters: listed("brief_writer"),
      intentSources: listed("intent_source"),
      postSources: listed("post_source"),
      contactEnrichers: listed("contact_enricher"),
      mobileFinders: listed("mobile_finder"),
      emailVerifiers: listed("email_verifier"),
      chatModels: models,
      siteReaders: listed("site_reader"),
      judges,
      sending: (configured.sending === null ? undefined : named("sending", [configured.sending])[0]) ?? null,
      followUps
    }
    return { set, vendors, prober }
  })
