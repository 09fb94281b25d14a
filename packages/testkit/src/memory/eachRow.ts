import type { Table } from "./Table.js"

/** The rows of a table, changed where the change says so. */
export const each = <Row>(table: Pick<Table<Row>, "keysWhere" | "update">, change: (row: Row) => Row): void => {
  for (const key of table.keysWhere((row) => change(row) !== row)) table.update(key, change)
}

/** The row with these members changed, and the row itself where none is another. */
export const withMembers = <Row extends object>(row: Row, members: Partial<Row>): Row =>
  Object.entries(members).some(([name, value]) => row[name as keyof Row] !== value) ? { ...row, ...members } : row
