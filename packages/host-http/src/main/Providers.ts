import { checkProviders } from "@outbound/adapters/providers/config/checkProviders.js"
import { type ConfiguredProviders, ProvidersMistakes } from "@outbound/adapters/providers/config/Configured.js"
import type { Live, makeLive } from "@outbound/adapters/providers/config/makeLive.js"
import { LISTED_PORT_NAMES, LISTED_PORTS, type ListedPort } from "@outbound/adapters/providers/config/ports.js"
import { Cassette } from "@outbound/adapters/providers/recording/Recording.js"
import { recordVendor } from "@outbound/adapters/providers/recordVendor.js"
import { readProviders } from "@outbound/adapters/providers/config/readProviders.js"
import { DIRECTORY_DECLARED, directorySources } from "@outbound/domain/data/directory/directorySources.js"
import { knownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import { sourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import { OwnKeyVendors } from "@outbound/domain/sources/ownKeys/OwnKeyVendors.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { noProviders, Providers, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import { providerSet } from "@outbound/sandbox/providers/Sandbox.js"
import { overWire } from "@outbound/sandbox/providers/SandboxMail.js"
import { makeSandboxSending } from "@outbound/sandbox/providers/SandboxSending.js"
import { Data, Effect, Layer, Result, Schema } from "effect"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Asked, ProvidersReport } from "../commands/Actions.js"
import { type OutboundConfig, SANDBOX } from "../Config.js"
import { wingDeclared, wingSources } from "../wings/sources.js"

/** The longest configuration file. */
const FILE_CHARS_MAX = 1024 * 1024

/** The vendors' code, loaded only when needed. */
const knownVendors = Effect.promise(() => import("@outbound/adapters/providers/vendors.js"))
const making = Effect.promise(() => import("@outbound/adapters/providers/config/makeLive.js"))

/** Makes the providers of live workspaces. Their connections close with the scope. */
export const liveOf = (...given: Parameters<typeof makeLive>) =>
  Effect.flatMap(making, (loaded) => loaded.makeLive(...given))

/** The vendors that accept a workspace's own key. */
export const ownKeyVendorsOf = (configured: ConfiguredProviders | null) =>
  Layer.effect(
    OwnKeyVendors,
    configured === null ? Effect.succeed([]) : Effect.map(making, (loaded) => loaded.ownKeyVendors(configured))
  )

/** The configuration of live workspaces' providers, or null. */
export const readConfigured = (
  { providers, workers }: Pick<OutboundConfig, "providers"> & Partial<Pick<OutboundConfig, "workers">>,
  environment: Readonly<Record<string, string | undefined>> = process.env
): Effect.Effect<ConfiguredProviders | null, ProvidersMistakes> =>
  providers === SANDBOX
    ? Effect.succeed(null)
    : Effect.tryPromise({
        try: () => readFile(providers, "utf8"),
        catch: (cause) =>
          new ProvidersMistakes(providers, [
            `can't be read (${cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"})`
          ])
      }).pipe(
        Effect.zip(knownVendors),
        Effect.flatMap(([text, { VENDORS }]) =>
          Effect.fromResult(
            Result.mapError(
              text.length > FILE_CHARS_MAX
                ? Result.fail(["is too large"])
                : readProviders(text, environment, VENDORS, workers),
              (mistakes) => new ProvidersMistakes(providers, mistakes)
            )
          )
        )
      )

/** The directory's sources, by their ports. */
const directory = Effect.map(directorySources, ({ companySource, contactEnricher, leadSource }) => ({
  lead_source: leadSource,
  company_source: companySource,
  contact_enricher: contactEnricher
}))

/** Every host has the sandbox; live workspaces have the configured providers. */
export const layer = (
  config: Pick<OutboundConfig, "baseUrl" | "sandboxDayMillis">,
  configured: ConfiguredProviders | null
) =>
  Layer.merge(
    Layer.effect(
      Providers,
      Effect.gen(function* () {
        const inbound = yield* Inbound
        // Sandbox mail goes through a real mail server on this host.
        const sandbox = providerSet(inbound, yield* overWire(makeSandboxSending(inbound, config.sandboxDayMillis)))
        if (configured === null) return Providers.of({ sandbox, live: noProviders })
        const { set } = yield* liveOf(configured, {
          aboutUrl: config.baseUrl,
          directory: yield* directory,
          wings: yield* wingSources,
          known: yield* knownPeople,
          memory: yield* sourceMemory
        })
        return Providers.of({ sandbox, live: set })
      })
    ),
    ownKeyVendorsOf(configured)
  )

type SourcesOfPorts = Readonly<Record<ListedPort, ReadonlyArray<Source>>>

const sourcesOf = (set: ProviderSet): SourcesOfPorts => ({
  lead_source: set.leadSources.filter(({ tier }) => tier === undefined),
  premium_lead_source: set.leadSources.filter(({ tier }) => tier !== undefined),
  company_source: set.companySources,
  company_dataset_source: set.companyDatasetSources,
  brief_writer: set.briefWriters,
  intent_source: set.intentSources,
  post_source: set.postSources,
  contact_enricher: set.contactEnrichers,
  mobile_finder: set.mobileFinders,
  email_verifier: set.emailVerifiers,
  site_reader: set.siteReaders
})

/** Adds the sources that need a database, the directory and those of wings, to the listed ones. */
const reported = (configured: ConfiguredProviders | null, set: ProviderSet): SourcesOfPorts => {
  const sources = sourcesOf(set)
  const listed = LISTED_PORT_NAMES.map((port) => {
    const stored = [DIRECTORY_DECLARED, ...wingDeclared].filter(({ name }) => configured?.ports[port].includes(name))
    const order = (source: Source) => configured?.ports[port].indexOf(source.name) ?? -1
    return [
      port,
      stored.length === 0 ? sources[port] : [...sources[port], ...stored].sort((a, b) => order(a) - order(b))
    ]
  })
  return Object.fromEntries(listed) as SourcesOfPorts
}

/** Notes on tools without a source, and on vendors without a port. */
const notesOn = (
  configured: ConfiguredProviders | null,
  set: ProviderSet,
  sources: SourcesOfPorts
): ReadonlyArray<string> => {
  const missing = (tool: string, what: string) => `${tool} is not available in live workspaces: ${what}.`
  const listed = new Set([...Object.values(configured?.ports ?? {}).flat(), configured?.sending])
  return [
    ...LISTED_PORT_NAMES.flatMap((port) =>
      sources[port].length > 0 || port === "premium_lead_source" || port === "mobile_finder"
        ? []
        : port === "lead_source" && sources.premium_lead_source.length > 0
          ? ["find_leads finds nobody in live workspaces without premium sources: lead_source lists no source."]
          : port === "brief_writer"
            ? ["enrich_company writes no briefs in live workspaces: brief_writer lists no source."]
            : [missing(LISTED_PORTS[port][0], `${port} lists no source`)]
    ),
    ...(set.judges.length === 0 ? [missing("check_companies", "no judge is configured")] : []),
    ...(set.chatModels.length === 0 ? [missing("llm_chat", "chat lists no model")] : []),
    ...(set.sending === null
      ? ["setup_sending is not available in live workspaces: sending names no vendor, so only own mailboxes can send."]
      : []),
    ...(configured?.vendors ?? []).flatMap(({ facts: { name } }) =>
      listed.has(name) ? [] : [`${name} is configured, but no port uses it.`]
    )
  ]
}

const NOTHING: Live = { set: noProviders, vendors: [], prober: null }

/** Files can't be written there. */
export class UnwritableFolder extends Data.TaggedError("UnwritableFolder")<{ readonly message: string }> {}

/** Writes a cassette for each vendor. Returns the files. */
const record = ({ vendors }: Live, { folder, verify }: Extract<Asked, { _tag: "Recorded" }>) =>
  Effect.forEach(vendors, (vendor) =>
    Effect.gen(function* () {
      const cassette = yield* recordVendor(vendor, verify)
      const file = join(resolve(folder), `${vendor.facts.name}.json`)
      yield* Effect.tryPromise({
        try: async () => {
          await mkdir(resolve(folder), { recursive: true })
          await writeFile(file, `${JSON.stringify(Schema.encodeSync(Cassette)(cassette), undefined, 2)}\n`)
        },
        catch: (cause) => new UnwritableFolder({ message: `${file} can't be written: ${String(cause)}` })
      })
      return file
    })
  )

/** `outbound providers list` and `check`. */
export const reportProviders = (
  config: Pick<OutboundConfig, "baseUrl" | "providers">,
  asked: Asked
): Effect.Effect<ProvidersReport, ProvidersMistakes | UnwritableFolder> =>
  Effect.scoped(
    Effect.gen(function* () {
      const configured = yield* readConfigured(config)
      const made =
        configured === null
          ? NOTHING
          : yield* liveOf(configured, { aboutUrl: config.baseUrl, directory: {}, wings: {}, known: null, memory: null })
      const sources = reported(configured, made.set)
      return {
        configuration: config.providers,
        ports: LISTED_PORT_NAMES.map((port) => ({
          port,
          tools: LISTED_PORTS[port],
          sources: sources[port].map(({ costMicros, latencyMillis, missRate, name }) => ({
            name,
            costMicros,
            missRate,
            latencyMillis
          }))
        })),
        sending: made.set.sending?.name ?? null,
        chat: made.set.chatModels.map(({ model, targets, tier }) => ({
          model,
          tier,
          upstreams: targets.map(({ upstream }) => upstream.name)
        })),
        vendors: (yield* knownVendors).VENDORS.map(({ known, name, serves, title, unit, unitMicros }) => ({
          name,
          title,
          serves,
          unit,
          unitMicros,
          known,
          isConfigured: configured?.vendors.some(({ facts }) => facts.name === name) === true
        })),
        checks: asked._tag !== "Nothing" && configured !== null ? yield* checkProviders(configured, made) : [],
        recorded: asked._tag === "Recorded" ? yield* record(made, asked) : [],
        notes: notesOn(configured, made.set, sources)
      }
    })
  )
