import type { ImportReport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Csrf, Note, type Problem, ProblemNote } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

/** How many unusable lines are shown; the rest is a count. */
const LINES_SHOWN_MAX = 50

const Report = (props: { readonly of: ImportReport }) => {
  const { added, dryRun, known, leadsRemoved, rows, unusable, unusableRows } = props.of
  const shown = unusableRows.slice(0, LINES_SHOWN_MAX)
  return (
    <section aria-labelledby="report">
      <h2 id="report">{dryRun ? "What would happen" : "What happened"}</h2>
      <Note tone={unusable === rows ? "bad" : "good"} role="status">
        <p>
          Of {count(rows, "line", "lines")}, {grouped(added)} {dryRun ? "would be added" : "were added"};{" "}
          {grouped(known)} {dryRun ? "are" : "were"} known or repeated, and {grouped(unusable)} can’t be used.
        </p>
        <p>
          {count(leadsRemoved, "lead", "leads")} {dryRun ? "would leave" : "left"} the campaigns they{" "}
          {dryRun ? "are" : "were"} in.
        </p>
        {dryRun ? <p>Nothing was changed yet.</p> : null}
      </Note>
      {shown.length === 0 ? null : (
        <div class="card">
          <p>What can’t be used:</p>
          <ul>
            {shown.map(({ line, reason }) => (
              <li key={line}>
                Line {grouped(line)}: {reason}
              </li>
            ))}
          </ul>
          {unusable > shown.length ? <p>and {grouped(unusable - shown.length)} more.</p> : null}
        </div>
      )}
    </section>
  )
}

const Form = (props: { readonly viewer: Viewer; readonly typed: string }) => (
  <form class="card" method="post" action="/console/settings/suppression">
    <Csrf viewer={props.viewer} />
    <p class="field">
      <label for="f-addresses">Addresses</label>
      <textarea
        id="f-addresses"
        name="addresses"
        rows={12}
        required
        spellcheck={false}
        autocomplete="off"
        aria-describedby="f-addresses-hint"
      >
        {props.typed}
      </textarea>
      <span class="hint" id="f-addresses-hint">
        One on each line. Of some 30,000 lines and more, make several lists.
      </span>
    </p>
    <div class="actions">
      <button type="submit" name="do" value="foresee">
        Say what would happen
      </button>
      <button class="go" type="submit" name="do" value="import">
        Never write to them again
      </button>
    </div>
  </form>
)

export const suppressionPage = (options: {
  readonly viewer: Viewer
  readonly report?: ImportReport
  /** What is in the field. */
  readonly typed?: string
  readonly problem?: Problem | undefined
}): Reply => {
  const { problem, report, typed = "", viewer } = options
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "People never to write to",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>People never to write to</h1>
        <p class="lead">
          Whoever said no elsewhere is never written to from here: no key and no person can undo it. They leave the
          campaigns that run at once. Their addresses are kept as hashes alone.
        </p>
        <ProblemNote of={problem} />
        {report === undefined ? null : <Report of={report} />}
        {mayLoosen(viewer) ? (
          <Form viewer={viewer} typed={typed} />
        ) : (
          <Note>
            <p>You are a member. Only an owner may bring a list along.</p>
          </Note>
        )}
        <p>
          <a href="/console/settings">Back to settings</a>
        </p>
      </>
    )
  })
}
