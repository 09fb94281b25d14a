import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import { LIST_ROWS_MAX } from "@outbound/domain/verbs/Lists.js"
import type { ComponentChildren } from "preact"
import { delimiterWords } from "../../csv/openTable.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { Marked } from "../approvals/Marked.js"
import { Field, fitted, Form, Note, NoteBox, type Problem, Section, Select, Table } from "../Parts.js"
import { SUPPRESSION } from "../people/SuppressionPage.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import {
  doubtsOf,
  FIELDS_OF,
  fieldWordsOf,
  KIND_WORDS,
  LIST_KINDS,
  type ListKind,
  type ListRows,
  type Mapping
} from "./listKinds.js"
import { type Csv, CSV_BYTES_MAX } from "./readCsv.js"

const PATH = "/console/lists"

/** How many rows a preview shows, how many columns, and how many bytes of a cell. */
const ROWS_SHOWN_MAX = 5
const COLUMNS_SHOWN_MAX = 12
const CELL_BYTES_MAX = 120

/** How many bad lines a page names; their export has all. */
const LINES_SHOWN_MAX = 200

/** What the list would cost. */
export interface Quote {
  /** The most, in credits. */
  readonly most: string
  readonly available: string
  /** Names of the refusals that the start would meet. */
  readonly wouldExceed: ReadonlyArray<string>
}

/** The first page: what is wanted, and the CSV. */
export const listPage = (options: {
  readonly viewer: Viewer
  readonly kind: ListKind
  readonly problem: Problem | undefined
}): Reply => {
  const { kind, problem, viewer } = options
  return titledPage(
    {
      title: "A list from a CSV",
      viewer,
      at: "sending",
      isNarrow: true,
      lead: "Check addresses, or find people’s addresses and numbers. The next page shows what your columns hold, what is wrong with which line, and the most that it can cost. Nothing is charged before you start it there.",
      problem
    },
    <Form class="card" action={PATH} encType="multipart/form-data" button="Continue" tone="go">
      <Select
        label="What you want"
        name="kind"
        value={kind}
        options={LIST_KINDS.map((one) => [one, KIND_WORDS[one]] as const)}
      />
      <p class="field">
        <label for="f-file">CSV file</label>
        <input id="f-file" name="file" type="file" accept=".csv,.txt,.tsv,text/csv" aria-describedby="f-file-hint" />
        <span class="hint" id="f-file-hint">
          As your program exports it, at most {grouped(LIST_ROWS_MAX)} rows and {CSV_BYTES_MAX / 1024} KiB.
        </span>
      </p>
      <p class="field">
        <label for="f-csv">Or paste the rows</label>
        <textarea id="f-csv" name="csv" rows={10} spellcheck={false} autocomplete="off">
          {problem?.form.get("csv") ?? ""}
        </textarea>
      </p>
    </Form>
  )
}

const First = (props: { readonly of: Csv }) => {
  const columns = props.of.columns.slice(0, COLUMNS_SHOWN_MAX)
  return (
    <Table
      label="The first rows"
      head={["Line", ...columns.map((name, index) => `${index + 1}. ${name}`)]}
      numbers={[0]}
      rows={props.of.rows
        .filter(({ kind }) => kind === "row")
        .slice(0, ROWS_SHOWN_MAX)
        .map(({ cells, line }) => [
          grouped(line),
          ...columns.map((_, index) => <Marked text={fitted(cells[index] ?? "", CELL_BYTES_MAX).text} />)
        ])}
    />
  )
}

const Bad = (props: { readonly of: ListRows; readonly children: ComponentChildren }) => {
  const { bad, empty } = props.of
  const shown = bad.slice(0, LINES_SHOWN_MAX)
  return shown.length === 0 && empty === 0 ? null : (
    <Section id="bad" title={<>{count(bad.length, "line")} left out</>}>
      {empty === 0 ? null : <p>{count(empty, "further line")} without anything, or the heading again.</p>}
      <Table
        label="Lines left out"
        head={["Line", "Column", "Value", "What", "Remedy"]}
        numbers={[0]}
        none="None."
        rows={shown.map(({ column, line, reason, remedy, value }) => [
          grouped(line),
          <Marked text={fitted(column ?? "–", CELL_BYTES_MAX).text} />,
          <Marked text={fitted(value, CELL_BYTES_MAX).text} />,
          <Marked text={fitted(`Line ${grouped(line)} ${reason}`, 4 * CELL_BYTES_MAX).text} />,
          remedy
        ])}
      />
      {bad.length > shown.length ? <p>and {grouped(bad.length - shown.length)} more.</p> : null}
      {shown.length === 0 ? null : props.children}
    </Section>
  )
}

/** A list stops nobody's mail: the list of those who said no does, once somebody adds them. */
const Refusing = (props: { readonly of: ListRows }) => {
  const { refusing } = props.of
  return refusing.length === 0 ? null : (
    <Section id="refusing" title={<>{count(refusing.length, "person", "people")} said no</>}>
      <p>
        Nothing is asked about them, and the list changes nothing else. If one of them is a lead, their mail goes on
        until you add them to the suppression list. The next page shows the addresses, and how many leads would leave
        running campaigns, before anything changes.
      </p>
      <Form
        action={SUPPRESSION}
        button={`Preview the suppression of ${count(refusing.length, "address", "addresses")}…`}
      >
        <input type="hidden" name="addresses" value={refusing.join("\n")} />
      </Form>
    </Section>
  )
}

const Cost = (props: { readonly rows: number; readonly of: Quote }) => {
  const { available, most, wouldExceed } = props.of
  return (
    <NoteBox tone={wouldExceed.length === 0 ? "good" : "bad"} role="status">
      <p>
        {count(props.rows, "row")}, for at most <strong>{most} credits</strong>; {available} are available.
      </p>
      {wouldExceed.length === 0 ? (
        <p>So much is set aside when you start it. Each row is charged when it ends, and the rest is free again.</p>
      ) : (
        <p>The start would be refused: {wouldExceed.join(", ").replaceAll("_", " ")}.</p>
      )}
    </NoteBox>
  )
}

/** The second page: what each column holds, what is wrong with which line, the cost, and the start. */
export const mappingPage = (options: {
  readonly viewer: Viewer
  readonly kind: ListKind
  readonly text: string
  readonly csv: Csv
  readonly mapping: Mapping
  readonly rows: ListRows
  /** The keys that the list may run as. */
  readonly keys: ReadonlyArray<Pick<ApiKey, "keyId" | "name">>
  readonly key: Pick<ApiKey, "keyId"> | null
  /** Made with the form, so that sending it twice starts one list. */
  readonly listId: string
  readonly form: URLSearchParams
  readonly quote: Quote | null
  /** Why the service refused the list. */
  readonly refusal: string | null
}): Reply => {
  const { csv, form, key, keys, kind, listId, mapping, quote, refusal, rows, viewer } = options
  const columns = csv.columns.map((name, index) => [String(index), `${index + 1}. ${fitted(name, 100).text}`] as const)
  const doubts = doubtsOf(csv, mapping)
  const encoding = form.get("file_encoding")
  const mayStart = quote !== null && quote.wouldExceed.length === 0
  return titledPage(
    { status: refusal === null ? 200 : 400, title: KIND_WORDS[kind], viewer, at: "sending" },
    <>
      {refusal === null ? null : (
        <Note tone="bad" role="alert">
          Nothing was started. {refusal}
        </Note>
      )}
      {key === null ? (
        <Note tone="bad">
          A list runs as a key with the scope <code>data:read</code>, within its caps, and no active key has it.{" "}
          <a href="/console/keys">Go to the keys</a>
        </Note>
      ) : rows.asked.length === 0 ? (
        <Note tone="bad" role="status">
          No row can be asked about. Choose what the columns hold.
        </Note>
      ) : null}
      {quote === null ? null : <Cost rows={rows.asked.length} of={quote} />}
      <NoteBox tone={doubts.length > 0 ? "bad" : undefined}>
        {doubts.map((doubt) => (
          <p key={doubt}>
            <Marked text={doubt} />
          </p>
        ))}
        <p>
          {encoding === null ? "" : `Read as ${encoding}, `}
          {delimiterWords(csv.head)};{" "}
          {csv.head.headingLine === null ? "no heading" : `the heading is on line ${grouped(csv.head.headingLine)}`}.
        </p>
        {csv.head.above.map(({ line, text }) => (
          <p key={line}>
            Line {grouped(line)} is above the heading: <Marked text={fitted(text, CELL_BYTES_MAX).text} />
          </p>
        ))}
      </NoteBox>
      <First of={csv} />
      <Form class="card" action={PATH} encType="multipart/form-data">
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="csv" value={options.text} />
        <input type="hidden" name="file_name" value={form.get("file_name") ?? ""} />
        <input type="hidden" name="mapped" value="yes" />
        <input type="hidden" name="list_id" value={listId} />
        <div class="pairs">
          {FIELDS_OF[kind].map((field) => (
            <Select
              key={field}
              label={fieldWordsOf(field)}
              name={`column_${field}`}
              value={String(mapping[field] ?? "")}
              options={[["", "No column"], ...columns]}
            />
          ))}
        </div>
        <div class="pairs">
          {kind === "enrich_people" ? (
            <Select
              label="What to find"
              name="want"
              value={form.get("want") ?? "all"}
              options={[
                ["all", "Work address and mobile number"],
                ["work_email", "Work address only"]
              ]}
            />
          ) : null}
          {key === null ? null : (
            <Select
              label="Runs as the key"
              name="key"
              value={key.keyId}
              options={keys.map(({ keyId, name }) => [keyId, name] as const)}
            />
          )}
          <Field
            label="Spend at most (credits)"
            name="budget_credits"
            inputMode="decimal"
            maxLength={20}
            value={form.get("budget_credits") ?? ""}
          />
        </div>
        <div class="actions">
          <button type="submit" name="do" value="preview">
            Preview again
          </button>
          {mayStart ? (
            <button class="go" type="submit" name="do" value="start">
              Start
            </button>
          ) : null}
          <a href={`${PATH}?kind=${kind}`}>Another file</a>
        </div>
      </Form>
      <Bad of={rows}>
        <Form action={PATH} encType="multipart/form-data">
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="csv" value={options.text} />
          <input type="hidden" name="mapped" value="yes" />
          {FIELDS_OF[kind].map((field) => (
            <input type="hidden" name={`column_${field}`} value={String(mapping[field] ?? "")} key={field} />
          ))}
          <button type="submit" name="do" value="left_out">
            Export what is left out (CSV)
          </button>
        </Form>
      </Bad>
      <Refusing of={rows} />
    </>
  )
}
