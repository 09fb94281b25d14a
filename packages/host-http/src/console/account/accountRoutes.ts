import { LEDGER_KINDS, type LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import type { DayUsage, LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect } from "effect"
import { dayStartOf } from "../../web/Words.js"
import { pageOf, ROWS_MAX } from "../paging.js"
import type { Problem } from "../Parts.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { creditsPage } from "./CreditsPage.js"
import { paymentRoutes } from "./paymentRoutes.js"
import { KEYS_SHOWN_MAX, usagePage } from "./UsagePage.js"

const USAGE_DAYS = 30
const DAY_MILLIS = 86_400_000

const cursorOf = ({ entryId, kind }: LedgerLine): string => `${entryId}.${kind}`

const entryOf = (text: string | null): { readonly entryId: string; readonly kind: LedgerKind } | null => {
  const [entryId = "", given] = (text ?? "").split(".")
  const kind = LEDGER_KINDS.find((one) => one === given)
  return isUuid(entryId) && kind !== undefined ? { entryId: entryId.toLowerCase(), kind } : null
}

/** Every day from then on, also those on which nothing was used. */
const withEveryDay = (used: ReadonlyArray<DayUsage>, fromDayMillis: number): ReadonlyArray<DayUsage> => {
  const byDay = new Map(used.map((day) => [day.dayMillis, day]))
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const dayMillis = fromDayMillis + index * DAY_MILLIS
    return byDay.get(dayMillis) ?? { dayMillis, calls: 0, charged: zero }
  })
}

export const accountRoutes = (services: ConsoleServices): ReadonlyArray<Route> => {
  const { credits, ids, payments, reads } = services

  const usage = ({ nowMillis, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const fromDayMillis = dayStartOf(nowMillis) - (USAGE_DAYS - 1) * DAY_MILLIS
      const days = withEveryDay(yield* reads.usageByDay(workspaceId, fromDayMillis), fromDayMillis)
      const verbs = yield* credits.usageSince(workspaceId, fromDayMillis)
      const keys = yield* reads.usageByKey(workspaceId, fromDayMillis, KEYS_SHOWN_MAX)
      return usagePage({ viewer, days, verbs, keys })
    })

  const balance = ({ by, nowMillis, query, viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      const after = entryOf(query.get("after"))
      const found = yield* reads.ledger(workspaceId, after, ROWS_MAX + 1)
      return creditsPage({
        viewer,
        balance: yield* credits.balance(workspaceId),
        topUp: payments === null ? null : { ...(yield* payments.overview(by)), paymentId: ids.next(nowMillis) },
        problem,
        ...pageOf(found, ROWS_MAX, cursorOf),
        isLater: after !== null
      })
    })

  return [
    { access: "member", path: "/console/usage", get: usage },
    { access: "member", path: "/console/credits", get: (visit) => balance(visit) },
    ...paymentRoutes(services, balance)
  ]
}
