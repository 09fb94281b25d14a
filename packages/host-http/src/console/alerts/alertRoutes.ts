import { Effect } from "effect"
import { acting } from "../control/acting.js"
import { creditsOf } from "../control/fields.js"
import { typed } from "../keys/keyRoutes.js"
import { CARDS_MAX, idAfterOf, pageOf } from "../paging.js"
import type { Problem } from "../Fields.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import type { Inside, Page, Route } from "../Visit.js"
import { alertsPage } from "./AlertsPage.js"

const ALERTS = "/console/alerts"

export const alertRoutes = ({ alerts }: Pick<ConsoleServices, "alerts">): ReadonlyArray<Route> => {
  const list = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      const before = idAfterOf(query.get("before"))
      const found = yield* alerts.list(by, before)
      return alertsPage({
        viewer,
        ...pageOf(found, CARDS_MAX, ({ alertId }) => alertId, before),
        threshold: yield* alerts.threshold(by),
        problem
      })
    })

  const save = (visit: Inside): Page => {
    const { by, form } = visit
    const isDefault = (form.get("alert_below") ?? "").trim() === ""
    const saved = Effect.flatMap(isDefault ? Effect.succeed(null) : typed(creditsOf(form, "alert_below")), (below) =>
      alerts.setThreshold(by, below)
    )
    return acting(visit, ALERTS, saved, { again: (problem) => list(visit, problem) })
  }

  return [{ access: "member", path: ALERTS, get: (visit) => list(visit), post: save }]
}
