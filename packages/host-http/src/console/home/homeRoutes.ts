import { type Credits, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect } from "effect"
import { dayStartOf } from "../../web/Words.js"
import { waitingFor } from "../approvals/waiting.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { referralsOf } from "../referrals/ReferralsSection.js"
import { homePage, INTERESTED_DAYS, SHOWN_MAX, SPENT_DAYS } from "./HomePage.js"

const DAY_MILLIS = 86_400_000

export const homeRoutes = ({ credits, reads, replies }: ConsoleServices): ReadonlyArray<Route> => {
  const show = ({ nowMillis, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const today = dayStartOf(nowMillis)
      const first = { after: null, limit: SHOWN_MAX }
      const [pending, interested, referred, sending, campaigns, balance, days] = yield* Effect.all(
        [
          waitingFor(reads, { viewer, workspaceId }, first),
          replies.page({
            workspaceId,
            sinceMillis: nowMillis - INTERESTED_DAYS * DAY_MILLIS,
            campaignId: null,
            classification: "interested",
            ...first
          }),
          replies.page({
            workspaceId,
            sinceMillis: null,
            campaignId: null,
            classification: null,
            referral: "open",
            ...first
          }),
          reads.sending(workspaceId, today, nowMillis),
          reads.campaigns(workspaceId, first, { state: "active", sinceMillis: null }),
          credits.balance(workspaceId),
          reads.usageByDay(workspaceId, today - (SPENT_DAYS - 1) * DAY_MILLIS)
        ],
        { concurrency: "unbounded" }
      )
      const named = [...new Set([...interested, ...referred].map(({ campaignId }) => campaignId))]
      const names = yield* reads.campaignNames(workspaceId, named, 0)
      const nameOf = new Map(names.map(({ campaignId, name }) => [campaignId, name]))
      const charged = (of: typeof days): Credits => of.reduce((sum, day) => plus(sum, day.charged), zero)
      return homePage({
        viewer,
        pending,
        interested,
        names: nameOf,
        referrals: referralsOf(referred, nameOf),
        sending,
        campaigns,
        balance,
        spentToday: charged(days.filter(({ dayMillis }) => dayMillis === today)),
        spent: charged(days),
        nowMillis
      })
    })

  return [{ access: "member", path: "/console/home", get: show }]
}
