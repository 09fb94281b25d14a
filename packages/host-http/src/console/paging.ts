import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { After } from "@outbound/domain/control/console/ConsoleReads.js"

/** Rows a page shows: of short rows, and of cards. */
export const ROWS_MAX = 50
export const CARDS_MAX = 25

const CURSOR = /^(\d{1,15})\.([0-9a-fA-F-]{36})$/

/** Parses a list's cursor; null means the beginning. */
export const afterOf = (text: string | null): After | null => {
  const [, at = "", id = ""] = CURSOR.exec(text ?? "") ?? []
  return isUuid(id) ? { atMillis: Number(at), id: id.toLowerCase() } : null
}

export const afterWords = ({ atMillis, id }: After): string => `${atMillis}.${id}`

/** The rows after a given one, in a list that is read as a whole. */
export const rowsAfter = <Row>(rows: ReadonlyArray<Row>, after: string | null, idOf: (row: Row) => string) =>
  rows.slice(after === null ? 0 : rows.findIndex((row) => idOf(row) === after) + 1)

/** Parses the cursor of a list ordered by id. */
export const idAfterOf = (text: string | null): string | null =>
  text !== null && isUuid(text) ? text.toLowerCase() : null

/** Where a page of a list is. */
export interface Place {
  /** Whether this is not the first page. */
  readonly isLater: boolean
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
}

/** A page of a list. */
export interface Listing<Row> extends Place {
  readonly shown: ReadonlyArray<Row>
}

/** Splits a page from the extra row that tells whether another page follows. `after`: where it begins, if not first. */
export const pageOf = <Row>(
  rows: ReadonlyArray<Row>,
  max: number,
  cursorOf: (row: Row) => string,
  after: unknown
): Listing<Row> => {
  const shown = rows.slice(0, max)
  const last = shown.at(-1)
  const next = rows.length > max && last !== undefined ? cursorOf(last) : null
  return { shown, next, isLater: after !== null }
}
