import { abortable } from "@outbound/domain/sources/abortable.js"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import type {
  CompanyDatasets,
  CompanyDatasetSource,
  DatasetLookup,
  DatasetName
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { ChatCall, ChatModel, ChatTarget, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { ContactEnricher, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { IntentSource } from "@outbound/domain/sources/ports/IntentSource.js"
import type { Judge } from "@outbound/domain/sources/ports/Judge.js"
import type { LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { OutboundScheduled } from "@outbound/domain/sources/ports/SendingProvider.js"
import type { SiteReader } from "@outbound/domain/sources/ports/SiteReader.js"
import { Array as Arr, Data, type Duration, Effect, type Option, Ref } from "effect"
import {
  LEADS,
  COMPANIES,
  PROFILE,
  TECHNOLOGIES,
  FUNDING,
  RELATIONSHIPS,
  BRIEF,
  POSTS,
  PROFILE_POSTS,
  SIGNALS,
  CONTACT,
  MOBILE,
  CHECK,
  SITE,
  JUDGEMENT,
  NAMED_PAGES,
  NAMES,
  PROGRESS,
  COMPLETION,
  CHUNKS,
  FATE,
  NOTHING,
  type Spoil
} from "./nonsense.js"

/**
 * What a source does with one request.
 *
 * - `Answer`: what the source beneath does.
 * - `Fail`: fails before anything happens, with that reason.
 * - `Late`: answers after that time of the `Clock`.
 * - `Never`: never answers.
 * - `Garbage`: answers something of the right shape that makes no sense.
 * - `Twice`: does what it was asked twice, and lists everything it lists twice.
 * - `ActThenFail`: does what it was asked, and then fails: what an unknown outcome looks like from here.
 * - `Die`: a defect in the adapter.
 */
export type Behaviour = Data.TaggedEnum<{
  Answer: {}
  Fail: {
    readonly reason: ProviderFailureReason
    readonly retryAfterSeconds?: number
    readonly status?: number
    readonly said?: string
  }
  Late: { readonly after: Duration.Input }
  Never: {}
  Garbage: {}
  Twice: {}
  ActThenFail: { readonly reason: ProviderFailureReason }
  Die: { readonly defect: unknown }
}>
export const Behaviour = Data.taggedEnum<Behaviour>()

/** One request that reached a source. */
export interface Call {
  readonly source: string
  readonly method: string
  readonly request: unknown
}

/** Sources that behave as they are told. Names are those of the sources beneath. */
export interface FaultyProviders {
  readonly providers: ProviderSet
  /** From now on, until told otherwise. */
  readonly behave: (source: string, behaviour: Behaviour) => Effect.Effect<void>
  /** For the next requests, one each; then as `behave` said. */
  readonly script: (source: string, behaviours: ReadonlyArray<Behaviour>) => Effect.Effect<void>
  /** What a source was asked, oldest first. Without a name: all of them. */
  readonly calls: (source?: string) => Effect.Effect<ReadonlyArray<Call>>
  readonly forgetCalls: Effect.Effect<void>
}

interface State {
  readonly standing: ReadonlyMap<string, Behaviour>
  readonly scripted: ReadonlyMap<string, ReadonlyArray<Behaviour>>
  readonly calls: ReadonlyArray<Call>
}

/** Takes note of the call, and takes the behaviour that is due. */
const take = (state: State, call: Call): readonly [Behaviour, State] => {
  const calls = [...state.calls, call]
  const [next, ...rest] = state.scripted.get(call.source) ?? []
  return next === undefined
    ? [state.standing.get(call.source) ?? Behaviour.Answer(), { ...state, calls }]
    : [next, { ...state, calls, scripted: new Map(state.scripted).set(call.source, rest) }]
}

/** Puts a set of sources under control. Without orders they answer as they always do. */
export const makeFaulty = (beneath: ProviderSet): Effect.Effect<FaultyProviders> =>
  Effect.map(Ref.make<State>({ standing: new Map(), scripted: new Map(), calls: [] }), (state) => {
    const through =
      <Args extends ReadonlyArray<unknown>, A>(
        source: string,
        method: string,
        spoil: Spoil<A>,
        run: (...args: Args) => Effect.Effect<A, ProviderFailure>
      ) =>
      (...args: Args): Effect.Effect<A, ProviderFailure> => {
        const failure = (how: Omit<Behaviour & { readonly _tag: "Fail" }, "_tag">) =>
          new ProviderFailure({ provider: source, ...how })
        return Effect.flatMap(
          Ref.modify(state, (before) => take(before, { source, method, request: args[0] })),
          Behaviour.$match({
            Answer: () => run(...args),
            Fail: ({ _tag, ...how }) => Effect.fail(failure(how)),
            Late: ({ after }) => Effect.delay(run(...args), after),
            Never: () => Effect.never,
            Garbage: () => Effect.succeed(spoil.garbage),
            Twice: () => Effect.map(Effect.andThen(run(...args), run(...args)), spoil.twice),
            ActThenFail: ({ reason }) => Effect.andThen(run(...args), Effect.fail(failure({ reason }))),
            Die: ({ defect }) => Effect.die(defect)
          })
        )
      }

    const leads = (source: LeadSource): LeadSource => ({
      ...source,
      search: through(source.name, "search", LEADS, source.search)
    })
    const companies = (source: CompanySource): CompanySource => ({
      ...source,
      search: through(source.name, "search", COMPANIES, source.search)
    })
    const datasets = (source: CompanyDatasetSource): CompanyDatasetSource => {
      const spoiled = <D extends DatasetName>(
        dataset: D,
        spoil: Spoil<Option.Option<CompanyDatasets[D]>>,
        lookup: DatasetLookup<D> | null
      ) => (lookup === null ? null : through(source.name, dataset, spoil, lookup))
      const { funding, profile, relationships, technologies } = source.lookups
      return {
        ...source,
        lookups: {
          profile: spoiled("profile", PROFILE, profile),
          technologies: spoiled("technologies", TECHNOLOGIES, technologies),
          funding: spoiled("funding", FUNDING, funding),
          relationships: spoiled("relationships", RELATIONSHIPS, relationships)
        }
      }
    }
    const briefs = (source: BriefWriter): BriefWriter => ({
      ...source,
      write: through(source.name, "write", BRIEF, source.write)
    })
    const posts = (source: PostSource): PostSource => ({
      ...source,
      search: through(source.name, "search", POSTS, source.search),
      ofProfile: through(source.name, "ofProfile", PROFILE_POSTS, source.ofProfile)
    })
    const intents = (source: IntentSource): IntentSource => ({
      ...source,
      check: through(source.name, "check", SIGNALS, source.check)
    })
    const contacts = (source: ContactEnricher): ContactEnricher => ({
      ...source,
      lookup: through(source.name, "lookup", CONTACT, source.lookup)
    })
    const mobiles = (source: MobileFinder): MobileFinder => ({
      ...source,
      find: through(source.name, "find", MOBILE, source.find)
    })
    const verifiers = (source: EmailVerifier): EmailVerifier => ({
      ...source,
      verify: through(source.name, "verify", CHECK, source.verify)
    })
    const target = (one: ChatTarget): ChatTarget => {
      const { complete, name, stream } = one.upstream
      const left = () => new ProviderFailure({ provider: name, reason: "transient" })
      const begin = (call: ChatCall, signal: AbortSignal) => Effect.succeed(stream(call, signal))
      const opened = through(name, "stream", CHUNKS, begin)
      const completed = through(name, "complete", COMPLETION, complete)
      const upstream: ChatUpstream = {
        name,
        complete: (call, signal) => abortable(completed(call, signal), signal, left),
        stream: (call, signal) => abortable(Effect.flatten(opened(call, signal)), signal, left)
      }
      return { ...one, upstream }
    }
    const chats = (model: ChatModel): ChatModel => ({ ...model, targets: Arr.map(model.targets, target) })
    const sites = (source: SiteReader): SiteReader => ({
      ...source,
      pages: through(source.name, "pages", NAMED_PAGES, source.pages),
      read: through(source.name, "read", SITE, source.read)
    })
    const judges = (source: Judge): Judge => ({
      ...source,
      judge: through(source.name, "judge", JUDGEMENT, source.judge)
    })
    const sending = (source: OutboundScheduled): OutboundScheduled => ({
      ...source,
      suggestDomains: through(source.name, "suggestDomains", NAMES, source.suggestDomains),
      order: through(source.name, "order", NOTHING, source.order),
      progress: through(source.name, "progress", PROGRESS, source.progress),
      pauseCampaign: through(source.name, "pauseCampaign", NOTHING, source.pauseCampaign),
      deliver: through(source.name, "deliver", NOTHING, source.deliver),
      reply: through(source.name, "reply", NOTHING, source.reply),
      findSent: through(source.name, "findSent", FATE, source.findSent),
      setInterest: through(source.name, "setInterest", NOTHING, source.setInterest)
    })

    return {
      providers: {
        leadSources: beneath.leadSources.map(leads),
        companySources: beneath.companySources.map(companies),
        companyDatasetSources: beneath.companyDatasetSources.map(datasets),
        briefWriters: beneath.briefWriters.map(briefs),
        intentSources: beneath.intentSources.map(intents),
        postSources: beneath.postSources.map(posts),
        contactEnrichers: beneath.contactEnrichers.map(contacts),
        mobileFinders: beneath.mobileFinders.map(mobiles),
        emailVerifiers: beneath.emailVerifiers.map(verifiers),
        chatModels: beneath.chatModels.map(chats),
        siteReaders: beneath.siteReaders.map(sites),
        judges: beneath.judges.map(judges),
        // A vendor that schedules has misbehaviours of its own.
        sending: beneath.sending?.schedules === "outbound" ? sending(beneath.sending) : beneath.sending,
        followUps: beneath.followUps
      },
      behave: (source, behaviour) =>
        Ref.update(state, (before) => ({ ...before, standing: new Map(before.standing).set(source, behaviour) })),
      script: (source, behaviours) =>
        Ref.update(state, (before) => ({ ...before, scripted: new Map(before.scripted).set(source, behaviours) })),
      calls: (source) =>
        Effect.map(Ref.get(state), ({ calls }) =>
          calls.filter((call) => source === undefined || call.source === source)
        ),
      forgetCalls: Ref.update(state, (before) => ({ ...before, calls: [] }))
    }
  })
