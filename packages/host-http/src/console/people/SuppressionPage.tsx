import type { ImportReport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Form, LinkLine, Note, NoteBox, type Problem, Section } from "../Parts.js"
import { titledPage, type Viewer } from "../Shell.js"

/** How many invalid lines are shown. */
const LINES_SHOWN_MAX = 50

const Report = (props: { readonly of: ImportReport }) => {
  const { added, dryRun, known, leadsRemoved, rows, unusable, unusableRows } = props.of
  const shown = unusableRows.slice(0, LINES_SHOWN_MAX)
  return (
    <Section id="report" title={dryRun ? "Preview" : "Result"}>
      <NoteBox tone={unusable === rows ? "bad" : "good"} role="status">
        <p>
          {count(rows, "line")}: {grouped(added)} {dryRun ? "would be added" : "added"}, {grouped(known)} already on the
          list or repeated, {grouped(unusable)} invalid.
        </p>
        <p>
          {count(leadsRemoved, "lead")} {dryRun ? "would be removed" : "removed"} from running campaigns.
        </p>
        {dryRun ? <p>Nothing has been changed yet.</p> : null}
      </NoteBox>
      {shown.length === 0 ? null : (
        <div class="card">
          <p>Invalid lines:</p>
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
    </Section>
  )
}

const ImportForm = (props: { readonly typed: string }) => (
  <Form class="card" action="/console/settings/suppression">
    <p class="field">
      <label for="f-addresses">Email addresses</label>
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
        One per line, at most about 30,000 lines at once.
      </span>
    </p>
    <div class="actions">
      <button type="submit" name="do" value="foresee">
        Preview
      </button>
      <button class="go" type="submit" name="do" value="import">
        Add to suppression list
      </button>
    </div>
  </Form>
)

export const suppressionPage = (options: {
  readonly viewer: Viewer
  readonly report?: ImportReport
  /** The field's content. */
  readonly typed?: string
  readonly problem?: Problem | undefined
}): Reply => {
  const { problem, report, typed = "", viewer } = options
  return titledPage(
    {
      title: "Suppression list",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "Import people who opted out elsewhere. They are removed from running campaigns at once and never emailed again. Nobody can undo this. We store only hashes of their addresses.",
      problem
    },
    <>
      {report === undefined ? null : <Report of={report} />}
      {mayLoosen(viewer) ? (
        <ImportForm typed={typed} />
      ) : (
        <Note>You are a member. Only an owner can import a suppression list.</Note>
      )}
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
}
