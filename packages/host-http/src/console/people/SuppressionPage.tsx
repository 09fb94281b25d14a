import type { ColumnsChosen } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import type { RowMistake } from "@outbound/domain/control/suppressionImport/listedRows.js"
import type { ImportReport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { TableHead, TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { delimiterWords } from "../../csv/openTable.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { Marked } from "../approvals/Marked.js"
import { mayLoosen } from "../control/acting.js"
import { fitted, Form, LinkLine, Note, NoteBox, type Problem, Section, Table } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

export const SUPPRESSION = "/console/settings/suppression"

/** How many mistakes, columns and first rows a page shows; the export has every mistake. */
const MISTAKES_SHOWN_MAX = 200
const ROWS_SHOWN_MAX = 5
const COLUMNS_SHOWN_MAX = 30
const CELL_BYTES_MAX = 120

/** A list as it was read. */
export interface ReadList {
  readonly text: string
  /** What the file's bytes were; null: it was pasted. */
  readonly encoding: string | null
  readonly head: TableHead
  readonly rows: ReadonlyArray<TableRow>
  readonly found: ColumnsChosen
  /** The columns that count, from 0. */
  readonly chosen: ReadonlyArray<number>
}

const Cell = (props: { readonly text: string }) => <Marked text={fitted(props.text, CELL_BYTES_MAX).text} />

const Mistakes = (props: { readonly id: string; readonly title: string; readonly of: ReadonlyArray<RowMistake> }) => {
  const shown = props.of.slice(0, MISTAKES_SHOWN_MAX)
  return shown.length === 0 ? null : (
    <Section id={props.id} title={props.title}>
      <Table
        label={props.title}
        head={["Line", "Column", "Value", "What", "Remedy"]}
        numbers={[0]}
        rows={shown.map(({ column, line, reason, remedy, value }) => [
          grouped(line),
          <Cell text={column ?? "–"} />,
          <Cell text={value} />,
          <Cell text={reason} />,
          remedy
        ])}
      />
      {props.of.length > shown.length ? <p>and more: the export has every line.</p> : null}
    </Section>
  )
}

/** What the page carries on: the list's text, and the columns that were shown. */
const Carried = (props: { readonly of: ReadList }) => (
  <>
    <input type="hidden" name="addresses" value={props.of.text} />
    <input type="hidden" name="shown" value="yes" />
  </>
)

const LeftOutButton = (props: { readonly of: ReadList }) => (
  <Form action={SUPPRESSION}>
    <Carried of={props.of} />
    {props.of.chosen.map((index) => (
      <input type="hidden" name="column" value={String(index)} key={index} />
    ))}
    <button type="submit" name="do" value="left_out">
      Export what is left out (CSV)
    </button>
  </Form>
)

const Report = (props: { readonly of: ImportReport; readonly list: ReadList }) => {
  const { added, domains, dryRun, empty, known, leadsRemoved, mistakes, notes, people, rows, unusable } = props.of
  return (
    <>
      <Section id="report" title={dryRun ? "Preview" : "Result"}>
        <NoteBox tone={unusable > 0 || rows === 0 ? "bad" : "good"} role="status">
          <p>
            {count(rows, "line")}: {grouped(added)} {dryRun ? "would be added" : "added"}, {grouped(known)} already on
            the list or repeated, {grouped(unusable)} invalid, {grouped(empty)} empty.
          </p>
          <p>
            {count(people, "address", "addresses")} and {count(domains, "domain")}{" "}
            {dryRun ? "would be new" : "were new"}.
          </p>
          <p>
            {count(leadsRemoved, "lead")} {dryRun ? "would be removed" : "removed"} from running campaigns.
          </p>
          {dryRun ? <p>Nothing has been changed yet.</p> : null}
          {unusable > 0 ? (
            <p>People in the invalid lines can still be emailed. Mend those lines and import them again.</p>
          ) : null}
        </NoteBox>
        {unusable > 0 ? <LeftOutButton of={props.list} /> : null}
      </Section>
      <Mistakes id="invalid" title="Invalid lines" of={mistakes} />
      <Mistakes id="changed" title="Lines that were changed to be read" of={notes} />
    </>
  )
}

/** How the list is read: what divides it, its columns and why each counts, its first rows, and the start. */
const Preview = (props: { readonly of: ReadList }) => {
  const { chosen, encoding, found, head, rows } = props.of
  const columns = found.columns.slice(0, COLUMNS_SHOWN_MAX)
  return (
    <Section id="reading" title="How the list is read">
      <NoteBox tone={found.doubts.length > 0 ? "bad" : undefined}>
        {found.doubts.map((doubt) => (
          <p key={doubt}>
            <Marked text={doubt} />
          </p>
        ))}
        <p>
          {encoding === null ? "" : `${encoding}, `}
          {delimiterWords(head)};{" "}
          {head.headingLine === null ? "no heading" : `the heading is on line ${grouped(head.headingLine)}`}.
        </p>
        {head.above.map(({ line, text }) => (
          <p key={line}>
            Line {grouped(line)} is above the heading: <Cell text={text} />
          </p>
        ))}
      </NoteBox>
      <Form class="card" action={SUPPRESSION}>
        <Carried of={props.of} />
        <fieldset>
          <legend>Columns whose addresses are added</legend>
          {columns.map(({ index, name, why }) => (
            <p key={index}>
              <label>
                <input type="checkbox" name="column" value={String(index)} checked={chosen.includes(index)} />{" "}
                {index + 1}. <Cell text={name} />
              </label>{" "}
              <span class="hint">{why}</span>
            </p>
          ))}
        </fieldset>
        <div class="actions">
          <button type="submit" name="do" value="foresee">
            Preview again
          </button>
          <button class="go" type="submit" name="do" value="import">
            Add to suppression list
          </button>
          <a href={SUPPRESSION}>Another list</a>
        </div>
      </Form>
      <Table
        label="The first rows"
        head={["Line", ...columns.map(({ index, name }) => `${index + 1}. ${fitted(name, CELL_BYTES_MAX).text}`)]}
        numbers={[0]}
        rows={rows
          .filter(({ kind }) => kind === "row")
          .slice(0, ROWS_SHOWN_MAX)
          .map(({ cells, line }) => [grouped(line), ...columns.map(({ index }) => <Cell text={cells[index] ?? ""} />)])}
      />
    </Section>
  )
}

const ListForm = (props: { readonly typed: string }) => (
  <Form class="card" action={SUPPRESSION} encType="multipart/form-data" button="Preview…" tone="go">
    <p class="field">
      <label for="f-file">CSV file</label>
      <input id="f-file" name="file" type="file" accept=".csv,.txt,.tsv,text/csv" aria-describedby="f-file-hint" />
      <span class="hint" id="f-file-hint">
        As your program exports it, at most about 30,000 lines. The next page shows how it is read before anything
        changes.
      </span>
    </p>
    <p class="field">
      <label for="f-addresses">Or paste email addresses</label>
      <textarea
        id="f-addresses"
        name="addresses"
        rows={12}
        spellcheck={false}
        autocomplete="off"
        aria-describedby="f-addresses-hint"
      >
        {props.typed}
      </textarea>
      <span class="hint" id="f-addresses-hint">
        One per line, or with a heading and further columns. A domain such as @acme.com bars everybody there.
      </span>
    </p>
  </Form>
)

export const suppressionPage = (options: {
  readonly viewer: Viewer
  readonly report?: ImportReport
  readonly list?: ReadList
  /** Whether somebody must choose the columns before anything is added. */
  readonly asks?: boolean
  readonly problem?: Problem | undefined
}): Reply => {
  const { asks = false, list, problem, report, viewer } = options
  const isPreview = list !== undefined && (asks || report?.dryRun === true)
  return titledPage(
    {
      title: "Suppression list",
      viewer,
      at: "settings",
      isNarrow: !isPreview,
      lead: "Import people who opted out elsewhere. They are removed from running campaigns at once and never emailed again. Nobody can undo this. We store only hashes of their addresses.",
      problem
    },
    <>
      {report === undefined || list === undefined ? null : <Report of={report} list={list} />}
      {isPreview && mayLoosen(viewer) ? <Preview of={list} /> : null}
      {!mayLoosen(viewer) ? (
        <Note>You are a member. Only an owner can import a suppression list.</Note>
      ) : isPreview ? null : (
        <ListForm typed={problem?.form.get("addresses") ?? ""} />
      )}
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
}
