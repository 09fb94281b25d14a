import { Effect, Option } from "effect"
import { credibleJudgement } from "../checks/credibleSite.js"
import { cutTo } from "../companies/credibleCompany.js"
import type { Judge, Judgement } from "../../sources/ports/Judge.js"
import type { SitePage } from "../../sources/ports/SiteReader.js"
import { incredible, askSourcesOrFail } from "../../sources/Waterfall.js"
import type { CheckedCompany } from "./checkCompany.js"
import type { Signal } from "./Signal.js"

/** The time limit of all judges per company. */
export const GOAL_SECONDS_MAX = 15

/** The part of a goal that is read. */
export const GOAL_CHARS_MAX = 1000

/** A judge's view of a company's signals for a goal. */
export interface GoalJudgement {
  /** `unsure`: undecidable, or no judge answered. */
  readonly fit: "yes" | "no" | "unsure"
  /** The supporting signal. */
  readonly because: Signal | null
}

const UNSURE: GoalJudgement = { fit: "unsure", because: null }

/** The goal on one line, without unprintable characters; null if empty. */
export const goalOf = (audience: string | undefined): string | null => {
  const goal = audience?.replace(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim() ?? ""
  return goal === "" ? null : cutTo(GOAL_CHARS_MAX, goal)
}

/** Each signal as its own page, so that a quote identifies the signal. */
const pageOf = ({ companyDomain, summary, title }: Signal, index: number): SitePage => ({
  url: `https://${companyDomain}/#signal-${index}`,
  title,
  text: title === null || summary.includes(title) ? summary : `${title}\n${summary}`
})

const judgementOf = ({ answer, sourceUrl }: Judgement, company: CheckedCompany, pages: ReadonlyArray<SitePage>) => {
  if (answer === "not_found") return { fit: "no", because: null } as const
  if (answer === "unclear") return UNSURE
  return { fit: "yes", because: company.signals[pages.findIndex(({ url }) => url === sourceUrl)] ?? null } as const
}

/** Asks whether a company's signals are useful for the goal. None: no judge answered. */
export const judgeGoal = (
  judges: ReadonlyArray<Judge>,
  goal: string,
  company: CheckedCompany
): Effect.Effect<Option.Option<GoalJudgement>> => {
  const pages = company.signals.map(pageOf)
  const question = `Is this of use for what we have to do: ${goal}`
  const request = { question, companyDomain: company.companyDomain, pages }
  const query = { kind: "judge", sources: judges, request, secondsMax: GOAL_SECONDS_MAX } as const
  const asked = askSourcesOrFail(query, (judge) =>
    Effect.flatMap(judge.judge(request), (judgement) => {
      const credible = credibleJudgement(judgement, pages)
      return credible === null ? Effect.fail(incredible(judge)) : Effect.succeedSome(credible)
    })
  )
  return asked.pipe(
    Effect.match({
      onFailure: () => Option.none(),
      onSuccess: ({ answer }) =>
        Option.orElseSome(
          Option.map(answer, (judgement): GoalJudgement => judgementOf(judgement, company, pages)),
          () => UNSURE
        )
    })
  )
}
