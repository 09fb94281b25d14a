import { assert, describe, it } from "@effect/vitest"
import { readTable } from "../../../src/kernel/tables/Table.js"
import { uploadedRows } from "../../../src/kernel/tables/UploadedRow.js"

describe("what is kept of uploaded rows", () => {
  it("is each cell as written, also beyond the heading, and what the database can hold", () => {
    const { head, rows } = readTable('Mail;Note\n a@x.test ;"\'+1; 2"\n\nb@x.test\nc@x.test;x\0y\uD800;more;;\n', {
      isHeading: (cell) => cell === "Mail"
    })
    assert.deepStrictEqual(uploadedRows(head, rows), [
      { line: 2, cells: [" a@x.test ", "'+1; 2"], headings: ["Mail", "Note", "Column 3"] },
      { line: 4, cells: ["b@x.test"], headings: null },
      { line: 5, cells: ["c@x.test", "x\uFFFDy\uFFFD", "more"], headings: null }
    ])
  })
})
