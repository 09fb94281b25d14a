import type { RunOverview } from "@outbound/domain/control/Control.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, creditWords, Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
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
import { titledPage, type Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"

const HOUR = 3_600_000

/** How long a run can be open. */
export const RUN_TIMES: ReadonlyArray<readonly [value: string, words: string, millis: number]> = [
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

export const runsPage = (
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
