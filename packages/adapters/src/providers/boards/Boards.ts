import { roleFits, roleOf } from "@outbound/domain/data/matching/Roles.js"
import { type FoundSignal, type IntentSource, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import { Clock, Effect, Schema } from "effect"
import { membersOf } from "../../platform/membersOf.js"
import { setting } from "../../platform/setting.js"
import { makeOpenHttp, unreadable } from "../open/OpenHttp.js"
import { byDate } from "../signals.js"
import { declaredOf, defineVendor, type VendorFacts } from "../Vendor.js"
import { makeHiring } from "./companies.js"
import { makeCompanyBoards } from "./CompanyBoards.js"
import type { Posting } from "./postings.js"
import { BOARD_BASE_URLS, BOARD_SYSTEMS } from "./systems.js"

const FACTS = {
  name: "boards",
  title: "Job boards",
  baseUrl: "https://boards-api.greenhouse.io/v1",
  callsPerMinute: 60,
  unit: "check",
  unitMicros: 0,
  serves: ["intent_source", "company_source"],
  isOpen: true,
  terms: "published by the companies for readers; each system's own terms are in its contract page",
  limits: [
    "Needs no account. Reads the company's own pages to find its board, then the board: Greenhouse, Lever, Ashby, Recruitee, Personio, SmartRecruiters, Workable, or `JobPosting` in the company's own pages.",
    "A board that is drawn by a script of another system is not found.",
    "Searches of hiring companies cover the companies of the workspace's own lists, the first 60 that fit.",
    "Of a board, its first 1,000 postings are read; where it has more, and none of these fits the roles asked for, it is unavailable.",
    "At most 60 requests a minute to one host."
  ],
  known: "documentation"
} as const satisfies VendorFacts

const BaseUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s?#]+$/, { message: "must be an http(s) address without query and fragment" })
)

/** Each may be left out, and has its default then. */
const BaseUrls = Schema.Struct(membersOf(Schema.optional(BaseUrl), BOARD_SYSTEMS))

const days = (usual: number) => setting(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 365 })), usual)

const Settings = Schema.Struct({
  /** Instead of the systems' own. `{board}`: the board's name. */
  base_urls: setting(BaseUrls, {}),
  /** How long we remember where a company's board is, and that it has none. */
  board_keep_days: days(7),
  no_board_keep_days: days(1)
})

const summaryOf = ({ department, places, title }: Posting): string => {
  const about = [department, places.slice(0, 3).join("; ") || null].filter((part) => part !== null)
  return `Hiring: ${title}${about.length === 0 ? "" : ` (${about.join(", ")})`}`
}

const signalOf = (companyDomain: string, posting: Posting, now: string): FoundSignal => ({
  companyDomain,
  title: posting.title,
  summary: summaryOf(posting),
  observedAt: posting.publishedAt ?? now,
  evidenceUrl: posting.url,
  newsType: null
})

/** Companies' openings, from the boards that they publish themselves. */
export const boards = defineVendor({
  ...FACTS,
  settings: Settings,
  make: (config, settings, beside) =>
    Effect.map(
      makeOpenHttp({
        name: FACTS.name,
        contact: beside.contact,
        callsPerMinute: config.callsPerMinute,
        keepSeconds: 600
      }),
      (http) => {
        const own = Object.fromEntries(Object.entries(settings.base_urls).filter(([, url]) => url !== undefined))
        const read = makeCompanyBoards({
          name: FACTS.name,
          http,
          web: beside.web,
          memory: beside.memory,
          baseUrls: { ...BOARD_BASE_URLS, ...own },
          keepDays: settings.board_keep_days,
          keepNoneDays: settings.no_board_keep_days
        })
        const intent: IntentSource = {
          ...declaredOf(config, FACTS.name, "intent_source", { costMicros: 0, missRate: 0.5, latencyMillis: 3_000 }),
          signals: ["hiring"],
          check: ({ companyDomain, limit, roles }) =>
            Effect.gen(function* () {
              const openings = yield* read.openings(companyDomain)
              if (openings.kind === "nowhere") return NOWHERE
              const now = new Date(yield* Clock.currentTimeMillis).toISOString()
              const wanted = roles.map(roleOf)
              const fits = ({ title }: FoundSignal) => wanted.some((role) => roleFits(role, title ?? ""))
              const signals = byDate(
                openings.postings.map((posting) => signalOf(companyDomain, posting, now)),
                openings.postings.length
              )
              // Those of the roles first: a large board has more newer postings than a check returns.
              const fitting = signals.filter(fits)
              // None among those that were read doesn't say that there is none.
              if (openings.isCut && wanted.length > 0 && fitting.length === 0)
                return yield* Effect.fail(unreadable(FACTS.name, "the board has more postings than are read"))
              const chosen = wanted.length === 0 ? signals : [...fitting, ...signals.filter((one) => !fits(one))]
              return byDate(chosen.slice(0, limit), limit)
            })
        }
        return {
          sources: {
            intent_source: intent,
            company_source: makeHiring(
              declaredOf(config, FACTS.name, "company_source", { costMicros: 0, missRate: 0.6, latencyMillis: 8_000 }),
              read,
              beside.companies
            )
          },
          account: Effect.succeed({ left: null, missing: [] })
        }
      }
    )
})
