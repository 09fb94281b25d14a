import { Records } from "./Records.js"

const DELIMITERS = [",", ";", "\t", "|"] as const

/** What databases and old programs write between cells. Such signs stand in addresses too, so they must divide every line. */
const OTHERS = ["\u0001", "\u001F", "\u0007", "^", "~", "¦", "§", ":", "#", "!", "*", "$", "%", "`"] as const

/** Records of the beginning that decide. */
const RECORDS_MAX = 200

/** A delimiter must divide this share of the records alike. */
const SHARE_MIN = 0.5

export interface Dialect {
  /** Empty: each line is one cell. */
  readonly delimiter: string
  /** The first line only names the delimiter, as some spreadsheets write it. */
  readonly isSaid: boolean
}

const SAID = /^sep=(.)[\t ,;|]*(?:\r|\n|$)/i

/** How many cells the record has, without empty ones at its end. */
export const widthOf = (cells: ReadonlyArray<string>): number => {
  let width = cells.length
  while (width > 0 && (cells[width - 1] ?? "").trim() === "") width -= 1
  return width
}

interface Divided {
  readonly share: number
  /** Cells that are an address and nothing else. */
  readonly addresses: number
  readonly width: number
}

const ADDRESS_CHARS_MAX = 340
const ADDRESS = /^"?[^\s"<>,;|@]+@[^\s"<>,;|@]+\.[^\s"<>,;|@]+"?$/

/**
 * The most frequent width above one, and the share of the records that have it or lack only cells at their end. Words
 * above a heading don't count.
 */
const dividedBy = (delimiter: string, head: string): Divided => {
  const records = new Records(delimiter)
  const found = [...records.push(head), ...records.end()]
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .slice(0, RECORDS_MAX)
    .map(({ cells }) => cells)
  const counts = new Map<number, number>()
  for (const { length } of found) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  let width = 1
  for (const [one, count] of counts) if (count > (counts.get(width) ?? 0)) width = one
  if (width === 1) return { share: 0, addresses: 0, width }
  const shareOf = (some: typeof found) =>
    some.filter((cells) => cells.length > 1 && widthOf(cells) <= width).length / some.length
  const hasAt = (cells: ReadonlyArray<string>) => cells.some((cell) => cell.includes("@"))
  const from = found.findIndex(({ length }) => length === width)
  const heads = widthOf(found[from] ?? []) > 1 && !hasAt(found[from] ?? [])
  // The words of an export below its rows.
  const until = found.findLastIndex((cells) => cells.length > 1 || hasAt(cells)) + 1
  const addresses = found.flat().filter((cell) => cell.length <= ADDRESS_CHARS_MAX && ADDRESS.test(cell.trim())).length
  return { share: Math.max(shareOf(found), heads ? shareOf(found.slice(from, until)) : 0), addresses, width }
}

/** A sign that is no usual delimiter, but divides every line of the beginning alike, into an address and more. */
const otherDelimiter = (head: string): string => {
  const lines = head.split(/[\r\n]+/, RECORDS_MAX + 1).filter((line) => line.trim() !== "")
  // The last line of the beginning may be cut.
  const whole = lines.length > 2 ? lines.slice(0, -1) : lines
  return (
    OTHERS.find((delimiter) => {
      const cells = whole.map((line) => line.split(delimiter).filter((cell) => cell.trim() !== ""))
      const width = cells[0]?.length ?? 0
      const holding = cells.filter((row) => row.some((cell) => ADDRESS.test(cell.trim()))).length
      return width > 1 && holding * 2 >= cells.length && cells.every(({ length }) => length === width)
    }) ?? ""
  )
}

/** How the table's text, of which this is the beginning, divides its cells: by what divides most of its records alike. */
export const dialectOf = (head: string): Dialect => {
  const said = SAID.exec(head)?.[1]
  if (said !== undefined) return { delimiter: said, isSaid: true }
  const [best] = DELIMITERS.filter((delimiter) => head.includes(delimiter))
    .map((delimiter) => ({ delimiter, ...dividedBy(delimiter, head) }))
    .filter(({ share }) => share >= SHARE_MIN)
    .sort((a, b) => b.share - a.share || b.addresses - a.addresses || b.width - a.width)
  return { delimiter: best?.delimiter ?? otherDelimiter(head), isSaid: false }
}
