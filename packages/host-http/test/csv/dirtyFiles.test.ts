import { assert, describe, it } from "@effect/vitest"
import {
  chooseColumns,
  DECIDING_ROWS,
  isKnownHeading
} from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { type ListedRow, listedRow } from "@outbound/domain/control/suppressionImport/listedRows.js"
import { readTable } from "@outbound/domain/kernel/tables/Table.js"
import { AddSuppressions } from "@outbound/domain/verbs/AddSuppressions.js"
import { Result, Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { decodeTable } from "../../src/csv/decodeTable.js"
import { openTable } from "../../src/csv/openTable.js"

interface Dirty {
  readonly file: string | Buffer
  /** Everybody whom the file names. */
  readonly taken: ReadonlyArray<string>
  /** The lines that can't be taken, or only in part. */
  readonly unusable?: ReadonlyArray<number>
}

const utf16 = (text: string, isBig: boolean, mark = "\uFEFF"): Buffer => {
  const bytes = Buffer.from(mark + text, "utf16le")
  return isBig ? bytes.swap16() : bytes
}

const FILES: Readonly<Record<string, Dirty>> = {
  "UTF-16, little end first": {
    file: utf16("Email\tName\r\nann@a.test\tAnn\r\nbob@a.test\tBöb\r\n", false),
    taken: ["ann@a.test", "bob@a.test"]
  },
  "UTF-16, big end first, without a mark": {
    file: utf16("Email,Name\r\nann@a.test,Ann\r\n", true, ""),
    taken: ["ann@a.test"]
  },
  "two files one after the other, each with its mark": {
    file: "\uFEFFEmail,Name\nann@a.test,Ann\n\uFEFFEmail,Name\nbob@a.test,Bob\n",
    taken: ["ann@a.test", "bob@a.test"]
  },
  "sep= and semicolons in quotes": {
    file: 'sep=;\r\nEmail;Name\r\nann@a.test;"North; Ann"\r\n',
    taken: ["ann@a.test"]
  },
  "sep= in quotes": { file: '"sep=,"\nEmail,Name\nann@a.test,Ann\n', taken: ["ann@a.test"] },
  NUL: { file: "Email,Name\nann@a.test,A\0nn\nbo\0b@a.test,Bob\n", taken: ["ann@a.test", "bob@a.test"] },
  "five kinds of line ends": {
    file: "Email,Name\rann@a.test,Ann\r\nbob@a.test,Bob\ncid@a.test,Cid\r\r\ndan@a.test,Dan\n\reve@a.test,Eve",
    taken: ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test", "eve@a.test"]
  },
  "FileMaker's and other separators within a cell": {
    file: "Email,Name\nann@a.test\u001Dann@b.test,Ann\nbob@a.test\u000Bbob@b.test,Bob\ncid@a.test\u2028cid@b.test,Cid\n",
    taken: ["ann@a.test", "ann@b.test", "bob@a.test", "bob@b.test", "cid@a.test", "cid@b.test"]
  },
  "merged headings above the heading": {
    file: "Contacts,,,\n,,,\nEmail,First,Last,Company\nann@a.test,Ann,North,Acme\n",
    taken: ["ann@a.test"]
  },
  "headings that stand twice": {
    file: "Email,Email,Name\nann@a.test,ann@b.test,Ann\n,bob@a.test,Bob\n",
    taken: ["ann@a.test", "ann@b.test", "bob@a.test"]
  },
  "quotes out of place": {
    file: 'Email,Name\nann@a.test,Ann "the" North\nbob@a.test,"Bob" South\n"cid@a.test" ,Cid\ndan@a.test,"Dan\neve@a.test,Eve\n',
    taken: ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test", "eve@a.test"]
  },
  "quotes of other kinds": {
    file: "Email,Name\n'ann@a.test','Ann'\n“bob@a.test”,“Bob”\n'cid@a.test,Cid\n",
    taken: ["ann@a.test", "bob@a.test", "cid@a.test"]
  },
  "tabs and hard spaces around values": {
    file: "Email,Name\n\tann@a.test\t,Ann\n\u00A0bob@a.test\u00A0,Bob\n",
    taken: ["ann@a.test", "bob@a.test"]
  },
  "several addresses in a cell": {
    file: "Email,Note\nann@a.test;ann@b.test,x\nbob@a.test / bob@b.test,y\ncid@a.test|cid@b.test,z\n",
    taken: ["ann@a.test", "ann@b.test", "bob@a.test", "bob@b.test", "cid@a.test", "cid@b.test"]
  },
  "a cell of 120,000 characters": {
    file: `Email,Note\nann@a.test,${"x".repeat(120_000)}\nbob@a.test,y\n`,
    taken: ["bob@a.test"],
    unusable: [2]
  },
  "marks of formulas and bullets": {
    file: 'Email,Name\n=HYPERLINK("mailto:ann@a.test"),Ann\n="bob@a.test",Bob\n•cid@a.test,Cid\n@dan,Dan\n',
    taken: ["ann@a.test", "bob@a.test", "cid@a.test"],
    unusable: [5]
  },
  "dates and numbers in the column of addresses": {
    file: "Email,Name\nann@a.test,3-Mar\n45352,Mar\n",
    taken: ["ann@a.test"],
    unusable: [3]
  },
  "HTML entities": {
    file: "Email,Name\nann&#64;a.test,Ann\nbob@a.test,Bob\ncid@a&period;test,Cid\ndan@a.test,Dan\n",
    taken: ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test"]
  },
  "tags of other systems": {
    file: "Email,Name\n{{email}},{{first_name}}\n%EMAIL%,x\n*|EMAIL|*,y\nann@a.test,{{name|there}}\n",
    taken: ["ann@a.test"],
    unusable: [2, 3, 4]
  },
  "rows without anything": { file: 'Email,Name\n,,\n,\n\n   \nann@a.test,Ann\n"",""\n', taken: ["ann@a.test"] },
  "delimiters of databases and old programs": {
    file: "id^email\n1^ann@a.test\n2^bob@a.test\n",
    taken: ["ann@a.test", "bob@a.test"]
  },
  "Hive's delimiter": {
    file: "id\u0001email\u0001note\n1\u0001ann@a.test\u0001x\n2\u0001bob@a.test\u0001y\n",
    taken: ["ann@a.test", "bob@a.test"]
  },
  "colons, and no heading": { file: "Ann: ann@a.test\nBob: bob@a.test\n", taken: ["ann@a.test", "bob@a.test"] },
  "a report of few rows above the words of its program": {
    file: 'First Name,Email,Opt Out,Owner Email\nAnn,ann@a.test,1,max@us.test\nBob,bob@a.test,1,max@us.test\n\n\n"Leads"\n"Copyright (c) 2000-2024 a program, inc. All rights reserved."\n"Confidential Information"\n"Generated By:  Max  01/01/2024"\n"Acme"\n',
    taken: ["ann@a.test", "bob@a.test"],
    unusable: [6, 7, 8, 9, 10]
  },
  "addresses torn by a control character": {
    file: 'Email,Name\nann\u0085@a.test,Ann\nbob\u0001@a.test,Bob\n"cid\n@a.test",Cid\n1\u0002dan@a.test,Dan\n',
    taken: ["dan@a.test"],
    unusable: [2, 3, 4]
  },
  "what a workbook's control characters become": {
    file: "Email,Name\nann@a.test_x000D_,Ann\n_x000D_bob@a.test,Bob\ncid@a.test_x000A_cid@b.test,Cid\n",
    taken: ["ann@a.test", "bob@a.test", "cid@a.test", "cid@b.test"]
  },
  "words with dots, and an address that somebody hid": {
    file: "Email,Name\nn.a.,Ann\nann_at_acme.com,Ann\nk.A.,Bob\nbob@a.test,Bob\n",
    taken: ["bob@a.test"],
    unusable: [2, 3, 4]
  },
  "addresses of a directory of accounts, and of links": {
    file: "Email,Name\nSMTP:ann@a.test;smtp:ann.north@a.test,Ann\nmailto://bob@a.test,Bob\n",
    taken: ["ann@a.test", "ann.north@a.test", "bob@a.test"]
  },
  "totals and the words of an export": {
    file: "Email,Credits\nann@a.test,1\nbob@a.test,2\nTotal,3\n\nExported on 2024-01-01,\n",
    taken: ["ann@a.test", "bob@a.test"],
    unusable: [4, 6]
  },
  "what a database prints": {
    file: " id | email \n----+-------\n 1 | ann@a.test\n 2 | bob@a.test\n(2 rows)\n",
    taken: ["ann@a.test", "bob@a.test"],
    unusable: [2, 5]
  },
  "torn addresses": {
    file: 'Email,Name\nann@,acme.test\n"bob@\nacme.test",Bob\ncid@a.test,Cid\n',
    taken: ["cid@a.test"],
    unusable: [2, 3]
  },
  "comments and a heading in the middle": {
    file: "# do not mail\nEmail,Name\nann@a.test,Ann\nEmail,Name\nbob@a.test,Bob\n",
    taken: ["ann@a.test", "bob@a.test"]
  }
}

/** As the console reads what a browser sends. */
const inConsole = (bytes: Buffer): ReadonlyArray<ListedRow> => {
  const text = decodeTable(bytes).text.replace(/\r+\n|\r/g, "\n")
  const { head, rows } = readTable(text, { isHeading: isKnownHeading })
  return rows.map((row) => listedRow(head, chooseColumns(head, rows).chosen, row))
}

/** As the command reads a file, piece by piece. */
const byCommand = async (path: string): Promise<ReadonlyArray<ListedRow>> => {
  const { first, head, rows } = await openTable(path, { isHeading: isKnownHeading, firstMax: DECIDING_ROWS })
  const { chosen } = chooseColumns(head, first)
  const found: Array<ListedRow> = []
  for await (const row of rows) found.push(listedRow(head, chosen, row))
  return found
}

const peopleIn = (rows: ReadonlyArray<ListedRow>) => rows.flatMap(({ emails }) => emails)

describe("a list that nobody tidied", () => {
  for (const [name, { file, taken, unusable = [] }] of Object.entries(FILES)) {
    it(`loses nobody and adds nobody, in the console, the command and the verb alike: ${name}`, async () => {
      const bytes = Buffer.isBuffer(file) ? file : Buffer.from(file, "utf8")
      const folder = mkdtempSync(join(tmpdir(), "outbound-dirt-"))
      try {
        const path = join(folder, "list.csv")
        writeFileSync(path, bytes)
        const shown = inConsole(bytes)
        assert.deepStrictEqual(await byCommand(path), shown)
        assert.sameMembers([...peopleIn(shown)], [...taken])
        assert.deepStrictEqual(
          shown.flatMap(({ domains }) => domains),
          []
        )
        const mistaken = shown.filter(({ mistakes }) => mistakes.length > 0)
        assert.deepStrictEqual(
          mistaken.map(({ line }) => line),
          [...unusable]
        )
        for (const { mistakes } of mistaken)
          for (const { reason, remedy } of mistakes) assert.isTrue(reason !== "" && remedy !== "")
        // Of the verb, an agent reads the list: it takes the same people, under the same names.
        const given = Schema.decodeUnknownResult(AddSuppressions.request)({ emails: peopleIn(shown) })
        assert.deepStrictEqual(Result.getOrThrow(given).emails, peopleIn(shown))
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
})
