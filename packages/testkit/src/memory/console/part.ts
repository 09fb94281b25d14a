import type { Part } from "@outbound/domain/control/console/ConsoleReads.js"
import { descending } from "../Table.js"

export interface Placed {
  readonly at: number
  readonly id: string
}

/** The part of a list, newest first. */
export const part = <Row>(
  rows: ReadonlyArray<Row>,
  placeOf: (row: Row) => Placed,
  { after, limit }: Part
): ReadonlyArray<Row> => {
  const newestFirst = descending<Row>(
    (row) => placeOf(row).at,
    (row) => placeOf(row).id
  )
  const isAfter = (row: Row): boolean => {
    if (after === null) return true
    const { at, id } = placeOf(row)
    return at < after.atMillis || (at === after.atMillis && id < after.id)
  }
  return [...rows].filter(isAfter).sort(newestFirst).slice(0, limit)
}

export const tally = <K extends string>(values: ReadonlyArray<K>): Partial<Record<K, number>> => {
  const counts: Partial<Record<K, number>> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
