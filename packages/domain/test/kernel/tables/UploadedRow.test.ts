import { assert, describe, it } from "@effect/vitest"
import { readTable } from "../../../src/kernel/tables/Table.js"
import { fileNameOf, uploadedRows } from "../../../src/kernel/tables/UploadedRow.js"

describe("what is kept of uploaded rows", () => {
  it("is each cell as written, also beyond the heading, and what the database can hold", () => {
    const { head, rows } = readTable('Mail;Note\n a@x.test ;"\'+1; 2"\n\nb@x.test\nc@x.test;x\0y\uD800;more;;\n', {
      isHeading: (cell) => cell === "Mail"
    })
    assert.deepStrictEqual(uploadedRows(head, rows, "fair.csv"), [
      { line: 2, file: "fair.csv", cells: [" a@x.test ", "'+1; 2"], headings: ["Mail", "Note", "Column 3"] },
      { line: 4, file: "fair.csv", cells: ["b@x.test"], headings: null },
      { line: 5, file: "fair.csv", cells: ["c@x.test", "x\uFFFDy\uFFFD", "more"], headings: null }
    ])
  })

  it("names the file without its folders and what can't be seen, and nothing where it has no name", () => {
    for (const [given, kept] of [
      ["C:\\Lists\\Fair 2026.csv", "Fair 2026.csv"],
      ["/home/ada/fair.csv", "fair.csv"],
      [" fa\0ir\u202e.csv ", "fair.csv"],
      ["", null],
      [null, null],
      ["x".repeat(500), 200]
    ] as const) {
      const name = fileNameOf(given)
      assert.strictEqual(typeof kept === "number" ? name?.length : name, kept)
    }
  })
})
