import { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import { pages } from "../pages.js"
import type { ListedAlert } from "@outbound/domain/control/alerts/AlertStore.js"
import { alertPath, alertWords } from "@outbound/domain/control/alerts/alertWords.js"
import { type Credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { acting, creditsOf, mayLoosen, typed } from "../control/acting.js"
import { Badge, Cards, Field, Form, Note, Pager, type Problem } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { CARDS_MAX, idAfterOf, type Listing, pageOf } from "../paging.js"
import { type Inside, member, type Page } from "../Visit.js"

const One = (props: { readonly of: ListedAlert }) => (
  <li class="card">
    <p>
      {alertWords(props.of)} {props.of.isOpen ? <Badge tone="bad">Open</Badge> : <Badge>Resolved</Badge>}
    </p>
    <p class="soft">
      <Moment atMillis={props.of.raisedAtMillis} /> ·{" "}
      {props.of.mailedAtMillis === null ? "not emailed" : "emailed to owners"} ·{" "}
      <a href={alertPath(props.of)}>
        View<span class="unseen">: {alertWords(props.of)}</span>
      </a>
    </p>
  </li>
)

const alertsPage = (
  options: Listing<ListedAlert> & {
    readonly viewer: Viewer
    readonly threshold: Credits | null
    readonly problem?: Problem | undefined
  }
): Reply => {
  const { isLater, problem, shown, threshold, viewer } = options
  return titledPage(
    {
      title: "Alerts",
      viewer,
      at: "alerts",
      isNarrow: true,
      lead: "What needs your attention. Owners also get an email, at most once a day per subject, if this service has a mail server.",
      problem
    },
    <>
      <Cards of={shown} none={isLater ? "No more alerts." : "No alerts."} each={(of) => <One of={of} />} />
      <Pager path="/console/alerts" name="before" of={options} />
      {mayLoosen(viewer) ? (
        <Form class="card" action="/console/alerts" button="Save">
          <Field
            label="Alert when the balance falls below, in credits"
            name="alert_below"
            inputMode="decimal"
            value={threshold === null ? "" : format(threshold)}
            hint="Leave empty for a fifth of your last top-up, at least 50."
          />
        </Form>
      ) : (
        <Note>Only an owner can change the balance alert.</Note>
      )}
    </>
  )
}

const ALERTS = "/console/alerts"

export const alertPages = pages({ alerts: Alerts }, ({ alerts }) => {
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

  return [member(ALERTS, { get: (visit) => list(visit), post: save })]
})
