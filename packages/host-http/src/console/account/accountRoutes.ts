import type { DayUsage, LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import { LEDGER_KINDS, type LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { dayStartOf } from "../../web/Words.js"
import { acting, countOf } from "../control/acting.js"
import { typed } from "../keys/keyRoutes.js"
import { pageOf, ROWS_MAX } from "../paging.js"
import type { Problem } from "../Parts.js"
import type { ConsoleServices, Inside, Page, Route } from "../Visit.js"
import { creditsPage, paymentPage } from "./CreditsPage.js"
import { KEYS_SHOWN_MAX, usagePage } from "./UsagePage.js"

const CREDITS = "/console/credits"

const pathOf = ({ paymentId }: Payment): `/${string}` => `/console/payments/${paymentId}`

/** Removes commas and spaces between groups of digits. */
const ungrouped = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams({ credits: (form.get("credits") ?? "").trim().replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, "") })

const paymentRoutes = (
  { payments }: ConsoleServices,
  /** Shows the form's page again. */
  again: (visit: Inside, problem: Problem) => Page
): ReadonlyArray<Route> => {
  if (payments === null) return []

  const shown = (visit: Inside, work: Effect.Effect<Payment, ControlRefused | StoreUnavailable>): Page =>
    acting(visit, CREDITS, work, { done: (payment) => paymentPage({ viewer: visit.viewer, payment }) })

  return [
    {
      access: "member",
      path: `${CREDITS}/top-up`,
      formOn: CREDITS,
      post: (visit) =>
        acting(
          visit,
          CREDITS,
          Effect.flatMap(typed(countOf(ungrouped(visit.form), "credits")), (credits) =>
            payments.topUp(visit.by, { credits, paymentId: visit.form.get("payment_id") ?? "" })
          ),
          { done: pathOf, again: (problem) => again(visit, problem) }
        )
    },
    {
      access: "member",
      path: "/console/payments/:id",
      // Coming back from the payment provider's page, refresh the payment first.
      get: (visit) =>
        visit.query.has("returned")
          ? acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
          : shown(visit, payments.payment(visit.by, visit.id))
    },
    {
      access: "member",
      path: "/console/payments/:id/look",
      formOn: CREDITS,
      post: (visit) => acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
    }
  ]
}

const USAGE_DAYS = 30
const DAY_MILLIS = 86_400_000

const cursorOf = ({ entryId, kind }: LedgerLine): string => `${entryId}.${kind}`

const entryOf = (text: string | null): { readonly entryId: string; readonly kind: LedgerKind } | null => {
  const [entryId = "", given] = (text ?? "").split(".")
  const kind = LEDGER_KINDS.find((one) => one === given)
  return isUuid(entryId) && kind !== undefined ? { entryId: entryId.toLowerCase(), kind } : null
}

/** One entry per day, including days without use. */
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
        ...pageOf(found, ROWS_MAX, cursorOf, after)
      })
    })

  return [
    { access: "member", path: "/console/usage", get: usage },
    { access: "member", path: "/console/credits", get: (visit) => balance(visit) },
    ...paymentRoutes(services, balance)
  ]
}
