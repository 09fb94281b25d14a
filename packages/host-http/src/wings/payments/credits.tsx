import type { ControlRefused } from "@outbound/domain/control/Control.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Payments } from "@outbound/domain/wings/payments/Payments.js"
import type { Payment } from "@outbound/domain/wings/payments/PaymentStore.js"
import { Effect } from "effect"
import { acting, countOf, typed } from "../../console/control/acting.js"
import { maybe } from "../../console/pages.js"
import type { Problem } from "../../console/Parts.js"
import { type Inside, member, type Page, type Route } from "../../console/Visit.js"
import type { WingCredits } from "../WingCredits.js"
import { paymentPage, PaymentTable, TopUp } from "./PaymentPage.js"

const CREDITS = "/console/credits"

const pathOf = ({ paymentId }: Payment): `/${string}` => `/console/payments/${paymentId}`

/** Removes commas and spaces between groups of digits. */
const ungrouped = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams({ credits: (form.get("credits") ?? "").trim().replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, "") })

const paymentRoutes = (
  payments: Payments["Service"],
  again: (visit: Inside, problem: Problem) => Page
): ReadonlyArray<Route> => {
  const shown = (visit: Inside, work: Effect.Effect<Payment, ControlRefused | StoreUnavailable>): Page =>
    acting(visit, CREDITS, work, { done: (payment) => paymentPage({ viewer: visit.viewer, payment }) })

  return [
    member(`${CREDITS}/top-up`, {
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
    }),
    member("/console/payments/:id", {
      // Coming back from the payment provider's page, refresh the payment first.
      get: (visit) =>
        visit.query.has("returned")
          ? acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
          : shown(visit, payments.payment(visit.by, visit.id))
    }),
    member("/console/payments/:id/look", {
      formOn: CREDITS,
      post: (visit) => acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
    })
  ]
}

/** The form to buy credits, and the latest payments. */
export const paymentCredits: Effect.Effect<WingCredits, never, Ids> = Effect.gen(function* () {
  const ids = yield* Ids
  const payments = yield* maybe(Payments)
  if (payments === null) return { above: () => Effect.succeed(null), routes: () => [] }
  const added: WingCredits = {
    above: ({ by, nowMillis, viewer }, problem) =>
      Effect.map(payments.overview(by), (of) => (
        <>
          <TopUp viewer={viewer} paymentId={ids.next(nowMillis)} isOffered={of.isOffered} problem={problem} />
          <PaymentTable payments={of.payments} />
        </>
      )),
    routes: (again) => paymentRoutes(payments, again)
  }
  return added
})
