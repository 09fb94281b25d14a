import { columnNamed } from "../../data/directory/columns.js"
import { asksYesOrNo, isOfStatus, mailWord } from "../../kernel/people/mailRefusals.js"
import { cellAddresses } from "../../kernel/tables/cellAddresses.js"
import { headingKey, namesColleague, namesEmail } from "../../kernel/tables/headings.js"
import type { TableHead, TableRow } from "../../kernel/tables/Table.js"

/** Whether a heading of any list has a known meaning. */
export const isKnownHeading = (cell: string): boolean =>
  columnNamed("people", cell) !== null || columnNamed("companies", cell) !== null

/** Rows that decide which columns hold addresses. */
export const DECIDING_ROWS = 1_000

/** What one column of the list holds. */
export interface ColumnFound {
  readonly name: string
  /** From 0. */
  readonly index: number
  /** Of the rows looked at: cells with an address, and cells that are not empty. */
  readonly addresses: number
  readonly filled: number
  readonly isChosen: boolean
  /** Why it is taken or left. */
  readonly why: string
}

export interface ColumnsChosen {
  readonly columns: ReadonlyArray<ColumnFound>
  /** The columns whose addresses are taken, from 0. */
  readonly chosen: ReadonlyArray<number>
  /** Why somebody must look first; empty: the list's meaning is certain. */
  readonly doubts: ReadonlyArray<string>
}

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")

interface Counted {
  readonly addresses: number
  readonly domains: number
  readonly filled: number
}

const counted = (rows: ReadonlyArray<TableRow>, index: number): Counted => {
  let [addresses, domains, filled] = [0, 0, 0]
  for (const { cells, kind } of rows) {
    const cell = cells[index] ?? ""
    if (kind !== "row" || cell === "") continue
    filled += 1
    if (!cell.includes("@") && !cell.includes(".")) continue
    const read = cellAddresses(cell)
    if (read.emails.length > 0) addresses += 1
    else if (read.domains.length > 0 && read.words.length === 0) domains += 1
  }
  return { addresses, domains, filled }
}

/** Whether a column holds no address but those that its row has in these columns, as a bounce's words do. */
const repeats = (
  rows: ReadonlyArray<TableRow>,
  column: number,
  named: ReadonlyArray<{ readonly index: number }>
): boolean =>
  rows.every(({ cells }) => {
    const { emails } = cellAddresses(cells[column] ?? "")
    const meant = new Set(named.flatMap(({ index }) => cellAddresses(cells[index] ?? "").emails))
    return emails.every((email) => meant.has(email))
  })

/** A column of addresses may hold others too. */
const SHARE_MIN = 0.5

/**
 * Which columns of a list of people hold their addresses, by what they hold and then by their headings. Every column
 * that a heading names counts. Addresses below another heading may be a colleague's: then somebody must look.
 */
export const chooseColumns = (head: TableHead, rows: ReadonlyArray<TableRow>): ColumnsChosen => {
  const isAlone = head.columns.length === 1
  const all = head.columns.map((name, index) => {
    const found = counted(rows, index)
    const isNamed = head.headingLine !== null && namesEmail(name)
    const isOurs = head.headingLine !== null && !isNamed && namesColleague(name)
    const holds = found.addresses > 0 && found.addresses >= found.filled * SHARE_MIN
    return { name, index, ...found, isNamed, isOurs, holds, some: found.addresses > 0 }
  })
  const named = all.filter(({ addresses, domains, isNamed }) => isNamed && addresses + domains > 0)
  const other = all.filter(
    // A column that is named repeats itself.
    ({ holds, index, isOurs }) => holds && !isOurs && !repeats(rows, index, named)
  )
  const ours = all.filter(({ isOurs, some }) => isOurs && some)
  // Where nothing holds an address, those that a heading names are what the mistakes are about.
  const found = named.length > 0 ? named : other.length > 0 ? other : all.filter(({ isNamed }) => isNamed)
  const taken = isAlone ? all : found
  const doubts: Array<string> = []
  if (taken.length === 0) {
    doubts.push(
      all.some(({ domains }) => domains > 0)
        ? `No column holds email addresses. ${quoted(all.filter(({ domains }) => domains > 0).map(({ name }) => name))} holds domains: taking it would bar everybody there.`
        : "No column holds email addresses."
    )
  }
  if (named.length > 0 && other.length > 0) {
    doubts.push(
      `${quoted(other.map(({ name }) => name))} holds addresses too, beside ${quoted(named.map(({ name }) => name))}. Whose are they?`
    )
  }
  if (named.length === 0 && other.length > 1) {
    doubts.push(`${quoted(other.map(({ name }) => name))} hold addresses, and no heading says which are meant.`)
  }
  if (taken.length === 0 && ours.length > 0) {
    doubts.push(
      `${quoted(ours.map(({ name }) => name))} holds addresses, but names whose record it is, not who is meant.`
    )
  }
  const chosen = taken.map(({ index }) => index)
  return {
    chosen,
    doubts,
    columns: all.map(({ addresses, filled, index, isNamed, isOurs, name }) => ({
      name,
      index,
      addresses,
      filled,
      isChosen: chosen.includes(index),
      why: isNamed
        ? "its heading names addresses"
        : isOurs && addresses > 0
          ? "its heading names somebody else, as an owner"
          : addresses > 0
            ? `${addresses} of ${filled} cells hold an address`
            : "it holds no addresses"
    }))
  }
}

/** Of the rows looked at, whom one column names as people who must not be mailed, and the first whom it does not. */
const standingOf = (name: string, index: number, rows: ReadonlyArray<TableRow>) => {
  let [refused, others] = [0, 0]
  let first: { readonly line: number; readonly value: string } | null = null
  const isAsked = asksYesOrNo(name)
  const statuses: Array<TableRow> = []
  for (const row of rows) {
    const value = row.cells[index] ?? ""
    const word = mailWord(name, value)
    if (word === "opted_out" || word === "bounced") refused += 1
    else if (word === "allowed") {
      others += 1
      first ??= { line: row.line, value }
    } else if (isAsked || (isOfStatus(name) && value !== "")) statuses.push(row)
  }
  // Where some say no, an empty cell or another status doesn't.
  const [unsaid] = refused > 0 ? statuses : []
  if (unsaid !== undefined && first === null) first = { line: unsaid.line, value: unsaid.cells[index] ?? "" }
  return { others: others + (refused > 0 ? statuses.length : 0), first }
}

/**
 * Why a list may hold people who are not meant: an export of everybody says in a column who said no. Whom it names is
 * suppressed for ever, so somebody must look.
 */
const othersAmong = (head: TableHead, rows: ReadonlyArray<TableRow>): ReadonlyArray<string> => {
  const people = rows.filter(({ kind }) => kind === "row")
  return head.columns.flatMap((name, index) => {
    const { first, others } = standingOf(name, index, people)
    if (first === null) return []
    const said = first.value === "" ? "is empty" : `says ${JSON.stringify(first.value.slice(0, VALUE_CHARS_SHOWN))}`
    return [
      `"${name}" ${said} on line ${first.line}, and does not say of ${others} of ${people.length} rows that they must not be mailed. Are all of them meant?`
    ]
  })
}

const VALUE_CHARS_SHOWN = 60

/** The same for a list of people who must not be mailed, with what makes it doubtful that all in it are meant. */
export const chooseListed = (head: TableHead, rows: ReadonlyArray<TableRow>): ColumnsChosen => {
  const found = chooseColumns(head, rows)
  return { ...found, doubts: [...found.doubts, ...othersAmong(head, rows)] }
}

/** The columns that somebody named, by heading or by number from 1; or what is wrong with the names. */
export const columnsGiven = (
  head: TableHead,
  given: ReadonlyArray<string>
): { readonly chosen: ReadonlyArray<number>; readonly unknown: ReadonlyArray<string> } => {
  const chosen = new Set<number>()
  const unknown: Array<string> = []
  for (const name of given) {
    const same = head.columns.flatMap((column, index) => (column === name ? [index] : []))
    const alike = head.columns.flatMap((column, index) => (headingKey(column) === headingKey(name) ? [index] : []))
    const byNumber = /^\d{1,4}$/.test(name) && Number(name) >= 1 && Number(name) <= head.columns.length
    const found = same.length > 0 ? same : alike.length > 0 ? alike : byNumber ? [Number(name) - 1] : []
    for (const index of found) chosen.add(index)
    if (found.length === 0) unknown.push(name)
  }
  return { chosen: [...chosen].sort((a, b) => a - b), unknown }
}
