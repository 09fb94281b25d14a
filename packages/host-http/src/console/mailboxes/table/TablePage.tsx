import { MAILBOX_ROWS_MAX } from "@outbound/domain/outreach/sending/mailboxTable.js"
import { renderToString } from "preact-render-to-string"
import type { Reply } from "../../../http/Reply.js"
import { count, grouped } from "../../../web/Words.js"
import { Marked } from "../../approvals/Marked.js"
import { mayLoosen, MayNote } from "../../control/acting.js"
import { Badge, Form, LinkLine, Note, NoteBox, type Problem, Table, type Tone } from "../../Parts.js"
import { titledPage } from "../../Shell.js"
import type { Viewer } from "../../Viewer.js"

export const TABLE = "/console/mailboxes/table"

/** Characters of a cell that are shown. */
const CELL_CHARS_MAX = 120

export const tablePage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly problem?: Problem | undefined
}): Reply => {
  const { isLive, problem, viewer } = options
  return titledPage(
    {
      title: "Many mailboxes from a table",
      viewer,
      at: "sending",
      isNarrow: true,
      problem,
      lead: "One row for each mailbox. Each is tested and, if it works, stored; the next page has one result for each row. Secrets are not shown again, and the table is not kept."
    },
    <>
      {isLive ? (
        <>
          <MayNote path={TABLE} loosening="add mailboxes" />
          {mayLoosen(viewer) ? (
            <Form class="card" action={TABLE} encType="multipart/form-data" button="Test and add" tone="go">
              <p class="field">
                <label for="f-file">CSV file</label>
                <input
                  id="f-file"
                  name="file"
                  type="file"
                  required
                  accept=".csv,.txt,.tsv,text/csv"
                  aria-describedby="f-file-hint"
                />
                <span class="hint" id="f-file-hint">
                  At most {grouped(MAILBOX_ROWS_MAX)} rows. Columns: email, name (or first name and last name),
                  password, and smtp host, smtp port, imap host, imap port, or provider (google, fastmail, zoho, yahoo,
                  icloud). User name, if it is not the address. Exports of other senders have these columns.
                </span>
              </p>
              <p class="soft">
                A mailbox takes up to two minutes, four at a time. Leave the page open: rows that were not reached when
                it closes are not tried. Bring the table again then; mailboxes that are there already keep their
                history.
              </p>
            </Form>
          ) : null}
        </>
      ) : (
        <Note>
          This is a sandbox workspace. It never sends real email, so you can’t connect your own mailboxes. Ask the
          operator of this service for a live workspace.
        </Note>
      )}
      <LinkLine to="/console/mailboxes/new" text="One mailbox by itself" />
    </>
  )
}

/** What came of a row. */
export interface RowResult {
  readonly line: number
  readonly address: string
  readonly outcome: "added" | "not_added" | "left_out"
  readonly column: string | null
  readonly value: string
  readonly says: string
  readonly remedy: string
}

const OUTCOME: Readonly<Record<RowResult["outcome"], readonly [string, Tone]>> = {
  added: ["Works", "good"],
  not_added: ["Not added", "bad"],
  left_out: ["Not tried", "wait"]
}

const cut = (text: string): string => (text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text)

const ResultRow = ({ address, column, line, outcome, remedy, says, value }: RowResult) => {
  const [words, tone] = OUTCOME[outcome]
  return (
    <tr>
      <td class="number">{grouped(line)}</td>
      <td class="firm">{address === "" ? "–" : <Marked text={cut(address)} />}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td>{column === null ? "–" : <Marked text={cut(column)} />}</td>
      <td>{value === "" ? "–" : <Marked text={cut(value)} />}</td>
      <td>{says === "" ? "–" : <Marked text={says} />}</td>
      <td>{remedy === "" ? "–" : remedy}</td>
    </tr>
  )
}

export const resultRow = (of: RowResult): string => renderToString(<ResultRow {...of} />)

/** How many rows came to what. Together they are all lines of the table. */
export interface Counts {
  readonly added: number
  readonly not_added: number
  readonly left_out: number
  readonly empty: number
}

export const summary = ({ added, empty, left_out, not_added }: Counts): string =>
  renderToString(
    <NoteBox tone={not_added + left_out === 0 ? "good" : "bad"} role="status">
      <p>
        {count(added, "mailbox works and is", "mailboxes work and are")} added, {grouped(not_added)} not added,{" "}
        {grouped(left_out)} not tried. {empty === 0 ? "" : `${count(empty, "line")} had nothing or the heading again.`}
      </p>
      {not_added + left_out === 0 ? null : <p>Correct these rows and bring them in a new table.</p>}
    </NoteBox>
  )

/** Where the rows and the summary go. The text is no markup, and nobody else writes it. */
const ROWS_HERE = "rows-of-the-table-go-here"
const END_HERE = "end-of-the-table-goes-here"

/** The page of results, cut where its rows come in one by one. */
export const resultsPage = (
  viewer: Viewer,
  options: { readonly rows: number; readonly ignored: ReadonlyArray<string> }
): {
  readonly headers: Reply["headers"]
  readonly pieces: readonly [before: string, between: string, after: string]
} => {
  const { body, headers } = titledPage(
    { title: "Mailboxes from a table", viewer, at: "sending", lead: `${count(options.rows, "row")}, each as it ends.` },
    <>
      {options.ignored.length === 0 ? null : (
        <Note>
          Nothing is read from: <Marked text={options.ignored.map(cut).join(", ")} />
        </Note>
      )}
      <Table
        label="Results by row"
        head={["Line", "Email", "Result", "Column", "Value", "What", "Remedy"]}
        numbers={[0]}
      >
        <tr>
          <td>{ROWS_HERE}</td>
        </tr>
      </Table>
      <p>{END_HERE}</p>
      <LinkLine to={TABLE} text="Another table" />
      <LinkLine to="/console/sending" text="Go to sending" />
    </>
  )
  const [before = "", rest = ""] = String(body).split(`<tr><td>${ROWS_HERE}</td></tr>`)
  const [between = "", after = ""] = rest.split(`<p>${END_HERE}</p>`)
  return { headers, pieces: [before, between, after] }
}
