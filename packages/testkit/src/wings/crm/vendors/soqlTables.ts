/** Queries of Salesforce's language over rows in memory: as much of it as adapters speak. */

export type Cell = string | number | boolean | null | { readonly [name: string]: Cell } | ReadonlyArray<Cell>
export type Row = Readonly<Record<string, Cell>>

/** Null: it is no query that the vendor understands. */
export interface Query {
  readonly table: string
  /** Those of the record itself that it asks for, or through which it asks for another record's. */
  readonly fields: ReadonlyArray<string>
  /** The record with these alone. */
  readonly select: (row: Row) => Row
  readonly where: (row: Row) => boolean
  readonly isDescending: boolean
  readonly limit: number
}

const cellAt = (row: Row, path: string): Cell => {
  let cell: Cell = row
  for (const name of path.split(".")) {
    if (typeof cell !== "object" || cell === null || Array.isArray(cell)) return null
    cell = (cell as Row)[name] ?? null
  }
  return cell
}

/** Ids are compared as numbers, text without regard to case. */
const compared = (a: Cell, b: string): number => {
  const [left, right] = [String(a).toLowerCase(), b.toLowerCase()]
  return left.length === right.length || !/^\d+$/.test(left + right)
    ? left.localeCompare(right)
    : left.length - right.length
}

const CONDITION = /^([\w.]+) (=|!=|>=|>|IN) (.+)$/

type Test = (row: Row) => boolean

const testOf = (text: string, texts: ReadonlyArray<string>, isStuck: boolean): Test | null => {
  const found = CONDITION.exec(text.trim())
  if (found === null) return null
  const [, path = "", operator = "", value = ""] = found
  const valueOf = (word: string): string | null => {
    const at = /^§(\d+)§$/.exec(word.trim())?.[1]
    return at === undefined ? (word.trim() === "null" ? null : word.trim()) : (texts[Number(at)] ?? "")
  }
  if (operator === "IN") {
    const wanted = value.replaceAll(/[()]/g, "").split(",").map(valueOf)
    return (row) => wanted.includes(String(cellAt(row, path)))
  }
  const wanted = valueOf(value)
  if (operator === ">" && isStuck) return () => true
  if (operator === ">=") {
    const at = Date.parse(wanted ?? "")
    return Number.isNaN(at) ? null : (row) => Number(cellAt(row, path) ?? 0) >= at
  }
  return (row) => {
    const cell = cellAt(row, path)
    const order = wanted === null || cell === null ? (wanted === cell ? 0 : 1) : compared(cell, wanted)
    if (operator === "=") return order === 0
    return operator === "!=" ? order !== 0 : order > 0
  }
}

/** `isStuck`: takes no notice of where a page begins. */
export const queryOf = (soql: string, isStuck: boolean): Query | null => {
  const texts: Array<string> = []
  const plain = soql.replaceAll(/'((?:\\.|[^'\\])*)'/g, (_, inside: string) => {
    texts.push(inside.replaceAll(/\\(.)/g, "$1"))
    return `§${texts.length - 1}§`
  })
  if (plain.includes("'")) return null
  const shape = /^SELECT (.+) FROM (\w+)(?: WHERE (.+?))?(?: ORDER BY ([\w, ]+?))?(?: LIMIT (\d+))?$/.exec(plain)
  if (shape === null) return null
  const [, selected = "", table = "", conditions, order = "", limit] = shape
  const tests: Array<Test> = []
  for (const part of conditions?.split(" AND ") ?? []) {
    const inside = part.startsWith("(") && part.endsWith(")") ? part.slice(1, -1) : part
    const either = inside.split(" OR ").map((one) => testOf(one, texts, isStuck))
    if (either.includes(null)) return null
    tests.push((row) => either.some((test) => test?.(row) === true))
  }
  // A query within the query asks for the records that name this one.
  const fields = selected
    .replaceAll(/\(SELECT .+? FROM (\w+)\)/g, "$1")
    .split(",")
    .map((name) => name.trim().split(".")[0] ?? "")
  return {
    table,
    fields,
    select: (row) => Object.fromEntries(fields.map((name) => [name, row[name] ?? null])),
    where: (row) => tests.every((test) => test(row)),
    isDescending: order.endsWith(" DESC"),
    limit: Number(limit ?? 50_000)
  }
}
