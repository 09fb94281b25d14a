import { Effect, Option, Result } from "effect"
import { type Handler, type Plan, planWithin, served, wouldSpend } from "../../calls/Handler.js"
import { times, zero } from "../../kernel/money/Credits.js"
import { credibleParagraphs, credibleText, credibleUrl } from "../people/Credible.js"
import type { Brief, BriefDepth, BriefSource, BriefWriter } from "../../sources/ports/BriefWriter.js"
import type { CompanyDatasetSource, DatasetName } from "../../sources/ports/CompanyDatasetSource.js"
import type { ProviderFailure, Source } from "../../sources/ports/Source.js"
import { type SourceError, refusalOfParts } from "../../sources/refusals.js"
import { incredible, type SourceQuery, askSources } from "../../sources/Waterfall.js"
import { released, Releases } from "../../calls/releases/Releases.js"
import { BRIEF_CHARS_MAX, BRIEF_SOURCES_MAX, type DatasetData, type EnrichCompany } from "../../verbs/EnrichCompany.js"
import { BRIEF_PRICES, DATASET_PRICE } from "../../verbs/prices.js"
import { cutTo, datasetForms } from "./credibleCompany.js"

const credibleSource = ({ title, url }: BriefSource): ReadonlyArray<BriefSource> => {
  const credible = credibleUrl(url)
  return credible === null ? [] : [{ url: credible, title: credibleText(title) }]
}

/** The brief without implausible parts; null if no text or no source page is left. */
export const credibleBrief = (brief: Brief): Brief | null => {
  const text = credibleParagraphs(brief.text)
  if (text === null) return null
  const sources = new Map(brief.sources.flatMap(credibleSource).map((source) => [source.url, source]))
  if (sources.size === 0) return null
  return { text: cutTo(BRIEF_CHARS_MAX, text), sources: [...sources.values()].slice(0, BRIEF_SOURCES_MAX) }
}

const VERB = "enrich_company"

/** The lookups: some datasets, each with its sources, or one brief. */
type Wanted =
  | {
      readonly kind: "datasets"
      readonly sources: ReadonlyMap<DatasetName, ReadonlyArray<CompanyDatasetSource>>
    }
  | { readonly kind: "brief"; readonly depth: BriefDepth; readonly sources: ReadonlyArray<BriefWriter> }

interface EnrichCompanyPlan extends Plan {
  readonly wanted: Wanted
  readonly candidateSources: number
}

interface Outcome<Data> {
  readonly status: "hit" | "empty" | "unavailable"
  readonly charged: boolean
  readonly data: Data | null
}

const EMPTY = { status: "empty", charged: false, data: null } as const
const UNAVAILABLE = { status: "unavailable", charged: false, data: null } as const

/** Asks the sources in turn. If none can answer, that is an outcome of its own, and free. */
const outcomeOf = <S extends Source, A>(
  asked: SourceQuery<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  refusals: Array<SourceError>
): Effect.Effect<Outcome<A>> =>
  askSources(asked, ask).pipe(
    Effect.map(({ answer }): Outcome<A> =>
      Option.isNone(answer) ? EMPTY : { status: "hit", charged: true, data: answer.value }
    ),
    Effect.catch((refusal) => {
      refusals.push(refusal)
      return Effect.succeed(UNAVAILABLE)
    })
  )

const lookUp = <D extends DatasetName>(
  dataset: D,
  sources: ReadonlyArray<CompanyDatasetSource>,
  companyDomain: string,
  refusals: Array<SourceError>
): Effect.Effect<Outcome<DatasetData[D]>> => {
  const { credible, isEmpty, toWire } = datasetForms[dataset]
  const request = { dataset, companyDomain }
  const ask = (source: CompanyDatasetSource): Effect.Effect<Option.Option<DatasetData[D]>, ProviderFailure> => {
    const lookup = source.lookups[dataset]
    if (lookup === null) return Effect.succeedNone
    return Effect.flatMap(lookup(companyDomain), (found) => {
      if (Option.isNone(found) || isEmpty(found.value)) return Effect.succeedNone
      const data = credible(found.value, companyDomain)
      return isEmpty(data) ? Effect.fail(incredible(source)) : Effect.succeedSome(toWire(data))
    })
  }
  return outcomeOf({ kind: "company_dataset_source", sources, request }, ask, refusals)
}

const brief = (
  sources: ReadonlyArray<BriefWriter>,
  companyDomain: string,
  depth: BriefDepth,
  refusals: Array<SourceError>
) =>
  Effect.map(
    outcomeOf(
      { kind: "brief_writer", sources, request: { companyDomain, depth } },
      (source) =>
        Effect.flatMap(source.write({ companyDomain, depth }), (written) => {
          if (Option.isNone(written)) return Effect.succeedNone
          const credible = credibleBrief(written.value)
          return credible === null ? Effect.fail(incredible(source)) : Effect.succeedSome(credible)
        }),
      refusals
    ),
    ({ charged, data, status }) => ({
      status,
      depth,
      text: data?.text ?? null,
      sources: data?.sources ?? [],
      charged
    })
  )

/** Fails if no part was answered and only the workspace or the operator can fix that. */
const answerable = (refusals: ReadonlyArray<SourceError>, parts: number): Effect.Effect<void, SourceError> => {
  const refused = refusalOfParts(refusals, parts)
  return refused === null ? Effect.void : Effect.fail(refused)
}

const lookUpAll = (
  sources: ReadonlyMap<DatasetName, ReadonlyArray<CompanyDatasetSource>>,
  companyDomain: string,
  refusals: Array<SourceError>
) => {
  const one = <D extends DatasetName>(dataset: D) => {
    const own = sources.get(dataset)
    return own === undefined ? Effect.succeed(undefined) : lookUp(dataset, own, companyDomain, refusals)
  }
  return Effect.all(
    {
      profile: one("profile"),
      technologies: one("technologies"),
      funding: one("funding"),
      relationships: one("relationships")
    },
    { concurrency: "unbounded" }
  )
}

export const enrichCompany = Effect.map(Releases, (closed): Handler<typeof EnrichCompany, EnrichCompanyPlan> => ({
  plan: (request, { providers }) =>
    Result.gen(function* () {
      if (request.brief !== undefined) {
        const { depth } = request.brief
        yield* released(closed, VERB, [`brief_${depth}`])
        const sources = yield* served(
          VERB,
          providers.briefWriters.filter(({ depths }) => depths.includes(depth)),
          providers.briefWriters
        )
        const plan = yield* planWithin(request, BRIEF_PRICES[depth])
        return { ...plan, wanted: { kind: "brief", depth, sources }, candidateSources: sources.length }
      }
      const datasets = [...new Set(request.datasets)]
      yield* released(closed, VERB, datasets)
      const sources = new Map<DatasetName, ReadonlyArray<CompanyDatasetSource>>()
      for (const dataset of datasets) {
        const own = providers.companyDatasetSources.filter(({ lookups }) => lookups[dataset] !== null)
        sources.set(dataset, yield* served(VERB, own, providers.companyDatasetSources))
      }
      const plan = yield* planWithin(request, times(DATASET_PRICE, datasets.length))
      const candidateSources = new Set([...sources.values()].flat()).size
      return { ...plan, wanted: { kind: "datasets", sources }, candidateSources }
    }),
  would: (request, plan) => Effect.succeed({ candidate_sources: plan.candidateSources, ...wouldSpend(request, plan) }),
  perform: (request, call) =>
    Effect.gen(function* () {
      const { company_domain } = request
      const { wanted } = call.plan
      const refusals: Array<SourceError> = []
      if (wanted.kind === "brief") {
        const written = yield* brief(wanted.sources, company_domain, wanted.depth, refusals)
        yield* answerable(refusals, 1)
        return yield* call.settle({
          result: { company_domain, brief: written },
          charge: written.charged ? BRIEF_PRICES[wanted.depth] : zero
        })
      }
      const datasets = yield* lookUpAll(wanted.sources, company_domain, refusals)
      yield* answerable(refusals, wanted.sources.size)
      const hits = Object.values(datasets).filter((outcome) => outcome?.charged === true)
      return yield* call.settle({
        result: { company_domain, datasets },
        charge: times(DATASET_PRICE, hits.length)
      })
    })
}))
