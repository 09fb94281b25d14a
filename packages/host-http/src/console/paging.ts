import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { After } from "@outbound/domain/control/console/ConsoleReads.js"

/** How many rows a page shows of a list whose rows are short, and of one whose rows are tall. */
export const ROWS_MAX = 50
export const CARDS_MAX = 25

const CURSOR = /^(\d{1,15})\.([0-9a-fA-F-]{36})$/

/** The place in a list that a page's address names; null, the beginning, where it names none. */
export const afterOf = (text: string | null): After | null => {
  const [, at = "", id = ""] = CURSOR.exec(text ?? "") ?? []
  return isUuid(id) ? { atMillis: Number(at), id: id.toLowerCase() } : null
}

export const afterWords = ({ atMillis, id }: After): string => `${atMillis}.${id}`

/** The id after which a list goes on that runs by ids alone. */
export const idAfterOf = (text: string | null): string | null =>
  text !== null && isUuid(text) ? text.toLowerCase() : null

/** Of one row more than a page shows: what it shows, and where the next page goes on. */
export const pageOf = <Row>(
  rows: ReadonlyArray<Row>,
  max: number,
  cursorOf: (row: Row) => string
): { readonly shown: ReadonlyArray<Row>; readonly next: string | null } => {
  const shown = rows.slice(0, max)
  const last = shown.at(-1)
  return { shown, next: rows.length > max && last !== undefined ? cursorOf(last) : null }
}
