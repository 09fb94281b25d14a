import { readSuppressible } from "../../kernel/people/Domain.js"
import { Result } from "effect"
import { readEmail } from "../../kernel/people/EmailAddress.js"
import { behindSign, cellAddresses, shownText } from "../../kernel/tables/cellAddresses.js"
import { isFailedFormula } from "../../kernel/text/sheetErrors.js"
import { readTable, type TableHead, type TableRow } from "../../kernel/tables/Table.js"
import { chooseColumns, isKnownHeading } from "./chooseColumns.js"

/** What is wrong with a row, or was changed in it. */
export interface RowMistake {
  readonly line: number
  /** The column's heading; null: the row as a whole. */
  readonly column: string | null
  readonly value: string
  readonly reason: string
  /** What to do about it. */
  readonly remedy: string
}

/** One row of a list of people and domains who must never be emailed. */
export interface ListedRow {
  /** Counted from 1. */
  readonly line: number
  readonly emails: ReadonlyArray<string>
  /** Hosts: everybody with an address in them or below. */
  readonly domains: ReadonlyArray<string>
  /** Why it can't be taken, or only in part. */
  readonly mistakes: ReadonlyArray<RowMistake>
  /** What was changed so that it could be taken. */
  readonly notes: ReadonlyArray<RowMistake>
  /** It says nothing: no cell holds anything, or it is the heading again. */
  readonly isEmpty: boolean
  /** As written. */
  readonly written: ReadonlyArray<string>
}

const ENTER = "Enter one email address, such as ann@acme.com, or a domain, such as @acme.com."

/** A part of a cell's address that has Latin letters beside those of another script that look like them; null: none has. */
const mixedScripts = (cell: string): string | null => {
  if (!/[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(cell)) return null
  const addresses = cell.slice(0, CELL_CHARS_LOOKED).split(/[\s<>,;|"']+/u)
  return (
    addresses.find(
      (one) =>
        one.includes("@") &&
        one.split(/[@._+-]/u).some((word) => /\p{sc=Latin}/u.test(word) && /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(word))
    ) ?? null
  )
}

const CELL_CHARS_LOOKED = 4_000

/** What one cell says. */
const readCell = (line: number, column: string, cell: string) => {
  const read = cellAddresses(cell)
  const mistakes: Array<RowMistake> = []
  const notes: Array<RowMistake> = []
  const say = (to: Array<RowMistake>, value: string, reason: string, remedy: string) =>
    to.push({ line, column, value, reason, remedy })
  for (const { flaw, text } of read.wrong)
    say(mistakes, text, `${shownText(text)} is not an email address: it ${flaw}`, ENTER)
  const domains: Array<string> = []
  for (const host of read.domains) {
    const allowed = readSuppressible(host)
    // The host alone, not all of its company: what is barred is barred for ever.
    if (Result.isSuccess(allowed)) domains.push(host)
    else
      say(
        mistakes,
        host,
        `${shownText(host)} can't be barred as a whole: it ${allowed.failure}`,
        "List the people one by one."
      )
  }
  if (read.emails.length + domains.length + mistakes.length === 0) {
    const flaw = Result.match(readEmail(cell), { onFailure: (words) => `: it ${words}`, onSuccess: () => "" })
    const reason = isFailedFormula(cell)
      ? `${shownText(cell)} is what a spreadsheet writes where a formula failed`
      : `${shownText(cell)} is not an email address${flaw}`
    say(mistakes, cell, reason, ENTER)
  } else if (read.words.length > 0 && !cell.includes("<")) {
    const words = read.words.join(" ")
    say(
      notes,
      words,
      `the words ${shownText(words)} beside the address were left out`,
      "Nothing, if they are no address."
    )
  }
  const alike = mixedScripts(cell)
  if (alike !== null) {
    const reason = `${shownText(alike)} has letters of two scripts in one word, so that it looks like another address`
    say(mistakes, alike, reason, "Enter the address as it is typed on a keyboard.")
  }
  for (const email of read.emails) {
    const behind = behindSign(email)
    if (behind === null) continue
    say(
      notes,
      email,
      `${shownText(email)} begins with a sign, and ${behind} is somebody else`,
      "If they are meant, add them."
    )
  }
  if (read.wasRepaired) {
    say(notes, cell, "invisible characters were removed from the address", "Nothing, if the address is right.")
  }
  return { emails: read.emails, domains, mistakes, notes }
}

const holdsAddress = (cell: string): boolean => {
  const { domains, emails } = cellAddresses(cell)
  return emails.length + domains.length > 0
}

/** A row of the table as a row of this list. `chosen`: the columns whose addresses count, from 0. */
export const listedRow = (head: TableHead, chosen: ReadonlyArray<number>, row: TableRow): ListedRow => {
  const { cells, flaw, kind, line, written } = row
  const common = { line, emails: [], domains: [], mistakes: [], notes: [], isEmpty: false, written }
  if (kind === "empty" || kind === "heading") return { ...common, isEmpty: true }
  if (flaw !== null) {
    return { ...common, mistakes: [{ line, column: null, value: "", reason: flaw.what, remedy: flaw.mend }] }
  }
  const found = chosen.flatMap((index) => {
    const cell = cells[index] ?? ""
    return cell === "" ? [] : [readCell(line, head.columns[index] ?? "", cell)]
  })
  const emails = [...new Set(found.flatMap((one) => one.emails))]
  const domains = [...new Set(found.flatMap((one) => one.domains))]
  const mistakes = found.flatMap((one) => one.mistakes)
  if (found.length === 0) {
    const elsewhere = head.columns.findIndex((_, index) => cellAddresses(cells[index] ?? "").emails.length > 0)
    const beyond =
      row.width > head.columns.length ? `; it has ${row.width} cells, but the heading has ${head.columns.length}` : ""
    const name = head.columns[elsewhere]
    mistakes.push({
      line,
      column: head.columns[chosen[0] ?? 0] ?? null,
      value: "",
      reason: `no address${name === undefined ? "" : `, though "${name}" holds one`}${beyond}`,
      remedy: ENTER
    })
  } else if (row.width > head.columns.length) {
    // Nobody named them, so they are not taken; but people in them must not be lost in silence.
    const beyond = written.slice(head.columns.length).filter(holdsAddress)
    if (mistakes.length > 0 || beyond.length > 0) {
      const unread = beyond.length === 0 ? "" : `, so ${beyond.map(shownText).join(", ")} was not read`
      const reason = `the row has ${row.width} cells, but the heading has ${head.columns.length}${unread}`
      const remedy = "Quote cells that contain the delimiter, and give each address a row of its own."
      mistakes.push({ line, column: null, value: beyond.join("; "), reason, remedy })
    }
  }
  return { ...common, emails, domains, mistakes, notes: found.flatMap((one) => one.notes) }
}

/** A cell that is the domain of an address whose beginning may be elsewhere. */
const DOMAIN_ALONE = /^@[^\s@]+$/u
const LOCAL_ALONE = /^[^\s@.,;:]{1,64}$/u

/**
 * Rows of this list, one after the other. A line break may have torn an address into two rows, `ann` and `@acme.com`: then
 * the second doesn't bar everybody there.
 */
export const rowLister = (head: TableHead, chosen: ReadonlyArray<number>): ((row: TableRow) => ListedRow) => {
  let before: TableRow | null = null
  return (row) => {
    const listed = listedRow(head, chosen, row)
    const last = before
    before = row
    const torn = chosen.find(
      (index) =>
        DOMAIN_ALONE.test(row.cells[index] ?? "") &&
        LOCAL_ALONE.test(last?.kind === "row" ? (last.cells[index] ?? "") : "")
    )
    if (torn === undefined || last === null || listed.domains.length === 0) return listed
    const value = row.cells[torn] ?? ""
    const reason = `${shownText(value)} may be the end of ${shownText(last.cells[torn] ?? "")} on line ${last.line}, so nobody was barred`
    const mistake = { line: row.line, column: head.columns[torn] ?? null, value, reason, remedy: ENTER }
    return { ...listed, domains: [], mistakes: [...listed.mistakes, mistake] }
  }
}

/** The rows of a pasted text or a list at hand, by the columns that hold addresses. */
export const listedAddresses = (text: string): ReadonlyArray<ListedRow> => {
  const { head, rows } = readTable(text, { isHeading: isKnownHeading })
  const { chosen } = chooseColumns(head, rows)
  return rows.map(rowLister(head, chosen))
}
