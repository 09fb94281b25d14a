import type { ControlRefused } from "@outbound/domain/control/Control.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { acting } from "../control/acting.js"
import { countOf } from "../control/fields.js"
import { typed } from "../keys/keyRoutes.js"
import type { Problem } from "../Parts.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { paymentPage } from "./PaymentPage.js"

const CREDITS = "/console/credits"

const pathOf = ({ paymentId }: Payment): `/${string}` => `/console/payments/${paymentId}`

/** Commas and spaces between groups of digits are none of the number. */
const ungrouped = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams({ credits: (form.get("credits") ?? "").trim().replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, "") })

export const paymentRoutes = (
  { payments }: ConsoleServices,
  /** The page of the form. */
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
      // Whoever comes back from the provider's page learns how it stands now.
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
