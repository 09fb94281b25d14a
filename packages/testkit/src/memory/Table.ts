import { Option } from "effect"

/** How to take back what a transaction wrote, newest last. */
export class UndoLog {
  private readonly steps: Array<() => void> = []

  get length(): number {
    return this.steps.length
  }

  push(step: () => void): void {
    this.steps.push(step)
  }

  /** Takes back everything written since the log had this length. */
  undoTo(length: number): void {
    while (this.steps.length > length) this.steps.pop()?.()
  }

  /** What was written stands. */
  forget(): void {
    this.steps.length = 0
  }
}

/** Rows by key. Rows are never changed in place, so that the log need only keep the row before. */
export class Table<Row, Index extends string = never> {
  private readonly rows = new Map<string, Row>()
  private readonly found: ReadonlyMap<string, Map<string, Map<string, Row>>>
  /** How often something was written, or taken back: who derived something from the rows sees whether it still holds. */
  writes = 0

  /** `indexes`: by what else than their key rows are found, see `where`. */
  constructor(
    private readonly log: UndoLog,
    private readonly indexes: Readonly<Record<Index, (row: Row) => string>> = {} as Record<Index, never>
  ) {
    this.found = new Map(Object.keys(indexes).map((name) => [name, new Map()]))
  }

  get(key: string): Row | undefined {
    return this.rows.get(key)
  }

  find(key: string): Option.Option<Row> {
    return Option.fromNullishOr(this.rows.get(key))
  }

  has(key: string): boolean {
    return this.rows.has(key)
  }

  set(key: string, row: Row): void {
    this.write(key, row)
  }

  /** A new row; a second one under its key is a defect, as a unique constraint would have it. */
  insert(key: string, row: Row): void {
    if (this.rows.has(key)) throw new Error(`there is a row under ${key} already`)
    this.write(key, row)
  }

  /** The row that must be there, changed. */
  update(key: string, change: (row: Row) => Row): void {
    const before = this.rows.get(key)
    if (before === undefined) throw new Error(`there is no row under ${key}`)
    this.write(key, change(before))
  }

  /** False: there was none. */
  delete(key: string): boolean {
    const isFound = this.rows.has(key)
    this.write(key, undefined)
    return isFound
  }

  /** Deletes the first `limit` rows of an order, of those that match. How many they were. */
  deleteFirst(limit: number, matches: (row: Row) => boolean, order?: (a: Row, b: Row) => number): number {
    const found = [...this.rows].filter(([, row]) => matches(row))
    if (order !== undefined) found.sort(([, a], [, b]) => order(a, b))
    const first = found.slice(0, limit)
    for (const [key] of first) this.delete(key)
    return first.length
  }

  filter(keep: (row: Row) => boolean): Array<Row> {
    return [...this.rows.values()].filter(keep)
  }

  /** The keys of these rows. */
  keysWhere(matches: (row: Row) => boolean): Array<string> {
    return [...this.rows].flatMap(([key, row]) => (matches(row) ? [key] : []))
  }

  some(matches: (row: Row) => boolean): boolean {
    for (const row of this.rows.values()) if (matches(row)) return true
    return false
  }

  /** The rows that an index has under a value. */
  where(index: Index, value: string): Array<Row> {
    return [...(this.found.get(index)?.get(value)?.values() ?? [])]
  }

  private write(key: string, row: Row | undefined): void {
    const before = this.rows.get(key)
    this.log.push(() => this.replace(key, before))
    this.replace(key, row)
  }

  private replace(key: string, row: Row | undefined): void {
    const before = this.rows.get(key)
    this.writes += 1
    if (row === undefined) this.rows.delete(key)
    else this.rows.set(key, row)
    for (const [name, rows] of this.found) {
      const valueOf = this.indexes[name as Index]
      const value = row === undefined ? undefined : valueOf(row)
      const valueBefore = before === undefined ? undefined : valueOf(before)
      if (valueBefore !== undefined && valueBefore !== value) rows.get(valueBefore)?.delete(key)
      if (row === undefined || value === undefined) continue
      const there = rows.get(value)
      if (there === undefined) rows.set(value, new Map([[key, row]]))
      else there.set(key, row)
    }
  }
}

/** The key of a row that belongs to a workspace. */
export const keyOf = (...parts: ReadonlyArray<string | number>): string => JSON.stringify(parts)

type Comparable = string | number

/** Orders by the first of the given values that differs, ascending. */
export const ascending =
  <Row>(...by: ReadonlyArray<(row: Row) => Comparable>) =>
  (a: Row, b: Row): number => {
    for (const value of by) {
      const [x, y] = [value(a), value(b)]
      if (x !== y) return x < y ? -1 : 1
    }
    return 0
  }

export const descending =
  <Row>(...by: ReadonlyArray<(row: Row) => Comparable>) =>
  (a: Row, b: Row): number =>
    ascending(...by)(b, a)
