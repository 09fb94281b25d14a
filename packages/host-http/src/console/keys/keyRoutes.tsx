import { pages } from "../pages.js"
import { type RunOverview, Control } from "@outbound/domain/control/Control.js"
import { Effect, Result } from "effect"
import { owner } from "@outbound/domain/control/access.js"
import { confirmPage } from "../control/ConfirmPage.js"
import { acting, allOf, creditsOf, mayLoosen, nameOf, typed } from "../control/acting.js"
import { CARDS_MAX, idAfterOf, type Listing, pageOf, rowsAfter } from "../paging.js"
import {
  Cards,
  Field,
  Form,
  Note,
  Pager,
  type Problem,
  Section,
  Select,
  StateBadge,
  type StateWords
} from "../Parts.js"
import { type Inside, member, type Page } from "../Visit.js"
import { keyMadePage, keyPage, keysPage, newKeyPage } from "./KeysPage.js"
import { newKeyOf, policyChangeOf } from "./PolicyFields.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, creditWords, Moment } from "../../web/Words.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

const HOUR = 3_600_000

/** How long a run can be open. */
const RUN_TIMES: ReadonlyArray<readonly [value: string, words: string, millis: number]> = [
  ["1h", "1 hour", HOUR],
  ["8h", "8 hours", 8 * HOUR],
  ["24h", "1 day", 24 * HOUR],
  ["7d", "1 week", 7 * 24 * HOUR],
  ["30d", "30 days", 30 * 24 * HOUR]
]

const RUN_STATE: Readonly<Record<RunOverview["state"], StateWords>> = {
  open: ["Open", "good"],
  closed: ["Closed", undefined],
  expired: ["Expired", undefined]
}

const Run = (props: { readonly of: RunOverview }) => {
  const { run, spent, state: standing } = props.of
  return (
    <li class="card">
      <strong>{run.name}</strong>
      <StateBadge of={RUN_STATE[standing]} />
      <p>
        {amountWords(spent)} of {creditWords(run.budget)} used
      </p>
      <p class="soft">
        {standing === "open" ? "Open until" : "Was open until"} <Moment atMillis={run.expiresAtMillis} /> ·{" "}
        <code>{run.runId}</code>
      </p>
      {standing === "open" ? (
        <div class="actions">
          <Form action={`/console/runs/${run.runId}/close`} button="Close" />
        </div>
      ) : null}
    </li>
  )
}

const runsPage = (
  options: Listing<RunOverview> & {
    readonly viewer: Viewer
    readonly made: string | null
    readonly problem?: Problem | undefined
  }
): Reply => {
  const { isLater, made, problem, shown, viewer } = options
  return titledPage(
    {
      title: "Runs",
      viewer,
      at: "keys",
      isNarrow: true,
      lead: (
        <>
          A run is a budget for one piece of work. A call joins a run with the header <code>Svc-Run-Id</code>.
        </>
      ),
      problem
    },
    <>
      {made === null ? null : (
        <Note tone="good" role="status">
          The run is open. Give the agent its id: <code>{made}</code>
        </Note>
      )}
      {mayLoosen(viewer) ? (
        <Form class="card" action="/console/runs" button="Open a run" tone="go">
          <Field label="Name" name="name" required maxLength={120} />
          <Field label="Budget, in credits" name="budget" required inputMode="decimal" />
          <Select
            label="Open for"
            name="expires_in"
            value="24h"
            options={RUN_TIMES.map(([value, words]) => [value, words] as const)}
          />
        </Form>
      ) : (
        <Note>Only an owner can open a run. Any member can close one.</Note>
      )}
      <Section id="runs" title="All runs">
        <Cards of={shown} none={isLater ? "No more runs." : "No runs yet."} each={(of) => <Run of={of} />} />
        <Pager path="/console/runs" of={options} />
      </Section>
    </>
  )
}

/** How many decided change requests the page shows. */
const DECIDED_SHOWN_MAX = 10

export const keyPages = pages({ control: Control }, ({ control }) => {
  const list = ({ by, query, viewer }: Inside): Page =>
    Effect.gen(function* () {
      const after = idAfterOf(query.get("after"))
      const keys = rowsAfter(yield* control.listKeys(by), after, ({ key }) => key.keyId)
      const open = yield* control.changeRequests(by, "open")
      const closed = yield* control.changeRequests(by, "closed")
      return keysPage({
        viewer,
        ...pageOf(keys, CARDS_MAX, ({ key }) => key.keyId, after),
        open,
        closed: closed.slice(0, DECIDED_SHOWN_MAX)
      })
    })

  const show = (visit: Inside, problem?: Problem): Page => {
    const { by, id, query, viewer } = visit
    const before = idAfterOf(query.get("before"))
    const found = Effect.all({ of: control.key(by, id), history: control.keyHistory(by, id, before) })
    return acting(visit, "/console/keys", found, {
      done: ({ history, of }) =>
        keyPage({
          viewer,
          of,
          history: pageOf(history, CARDS_MAX, ({ controlLogId }) => controlLogId, before),
          problem
        })
    })
  }

  const create = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const made = Effect.flatMap(typed(newKeyOf(form)), (key) => control.createKey(by, key))
    return acting(visit, "/console/keys/new", made, {
      done: ({ apiKey, keyId }) => keyMadePage(viewer, keyId, apiKey),
      again: (problem) => Effect.succeed(newKeyPage({ viewer, problem }))
    })
  }

  const setPolicy = (visit: Inside): Page => {
    const { by, form, id } = visit
    const changed = Effect.flatMap(typed(policyChangeOf(form)), (change) => control.setPolicy(by, id, change))
    return acting(visit, `/console/keys/${id}`, changed, { again: (problem) => show(visit, problem) })
  }

  const changeState =
    (change: "pauseKey" | "resumeKey" | "revokeKey") =>
    (visit: Inside): Page =>
      acting(visit, `/console/keys/${visit.id}`, control[change](visit.by, visit.id))

  const askRevoke = (visit: Inside): Page => {
    const back = `/console/keys/${visit.id}` as const
    return acting(visit, back, Effect.andThen(owner(visit.by), control.key(visit.by, visit.id)), {
      done: ({ key }) =>
        confirmPage({
          viewer: visit.viewer,
          title: `Revoke the key “${key.name}”?`,
          at: "keys",
          effects: [
            "Every call with it is refused from now on, and nobody can lift that: an agent that goes on needs another key.",
            "Its open approvals are cancelled, those that were approved and not used too. Its change requests are closed.",
            "Campaigns that it launched go on. To stop one, pause it on its page."
          ],
          action: `${back}/revoke`,
          button: "Revoke permanently",
          back
        })
    })
  }

  const decide =
    (decision: "approve" | "decline") =>
    (visit: Inside): Page =>
      acting(visit, "/console/keys", control.decideChangeRequest(visit.by, visit.id, decision))

  const runs = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      const after = idAfterOf(query.get("after"))
      const all = rowsAfter(yield* control.listRuns(by), after, ({ run }) => run.runId)
      const page = pageOf(all, CARDS_MAX, ({ run }) => run.runId, after)
      return runsPage({ viewer, ...page, made: idAfterOf(query.get("made")), problem })
    })

  const createRun = (visit: Inside): Page => {
    const { by, form } = visit
    const time = RUN_TIMES.find(([value]) => value === form.get("expires_in"))
    const wanted = allOf({
      name: nameOf(form),
      budget: creditsOf(form, "budget"),
      expiresInMillis:
        time === undefined
          ? Result.fail([{ path: "expires_in", message: "must be one of the times in the list" }])
          : Result.succeed(time[2])
    })
    const made = Effect.flatMap(typed(wanted), (run) => control.createRun(by, run))
    return acting(visit, "/console/runs", made, {
      done: ({ runId }) => `/console/runs?made=${runId}`,
      again: (problem) => runs(visit, problem)
    })
  }

  return [
    member("/console/keys", { formOn: "/console/keys/new", get: list, post: create }),
    member("/console/keys/new", { get: ({ viewer }) => Effect.succeed(newKeyPage({ viewer })) }),
    member("/console/keys/:id", { get: (visit) => show(visit) }),
    member("/console/keys/:id/policy", { post: setPolicy }),
    member("/console/keys/:id/pause", { post: changeState("pauseKey") }),
    member("/console/keys/:id/resume", { post: changeState("resumeKey") }),
    member("/console/keys/:id/revoke", { get: askRevoke, post: changeState("revokeKey") }),
    member("/console/change-requests/:id/approve", { formOn: "/console/keys", post: decide("approve") }),
    member("/console/change-requests/:id/decline", { formOn: "/console/keys", post: decide("decline") }),
    member("/console/runs", { get: (visit) => runs(visit), post: createRun }),
    member("/console/runs/:id/close", {
      formOn: "/console/runs",
      post: (visit) => acting(visit, "/console/runs", control.closeRun(visit.by, visit.id))
    })
  ]
})
