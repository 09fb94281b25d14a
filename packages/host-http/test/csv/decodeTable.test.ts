import { assert, describe, it } from "@effect/vitest"
import iconv from "iconv-lite"
import { decodeTable, NotText, TableDecoder } from "../../src/csv/decodeTable.js"

describe("the bytes of a table", () => {
  it("become text whatever program wrote them, and it says what they were", () => {
    for (const [encoding, text, said] of [
      ["utf-8", "\u00FC,Jürg\n", "UTF-8"],
      ["windows-1252", "nom;email\r\nRené Lefèvre – “Chef”;r@x.test\r\n", "windows-1252"],
      ["windows-1250", "imię;email\nŁukasz Gąsior;l@x.test\nMałgorzata Święch;x@x.test\n", "windows-1250"],
      ["windows-1251", "имя;почта\nИван Петров;i@x.test\nАнна Смирнова;a@x.test\n", "windows-1251"],
      ["shift_jis", "氏名,メール\n山田太郎,yamada@x.test\n鈴木花子,s@x.test\n", "shift_jis"],
      ["utf-16le", "name,email\nJürg,j@x.test\n", "UTF-16LE"],
      ["utf-16be", "name,email\nJürg,j@x.test\n", "UTF-16BE"]
    ] as const) {
      const read = decodeTable(iconv.encode(text, encoding))
      assert.strictEqual(read.text, text)
      assert.include(read.encoding, said)
    }
    const marked = iconv.encode("name\nJürg\n", "utf-16le", { addBOM: true })
    assert.strictEqual(decodeTable(marked).text, "name\nJürg\n")
    assert.strictEqual(decodeTable(Buffer.from("\uFEFFname\n")).text.replace("\uFEFF", ""), "name\n")
  })

  it("of a merged file are read line by line", () => {
    const merged = Buffer.concat([Buffer.from("name\nŁucja Müller\n"), iconv.encode("Jürg\nRené\n", "windows-1252")])
    assert.deepStrictEqual(decodeTable(merged), {
      text: "name\nŁucja Müller\nJürg\nRené\n",
      encoding: "windows-1252 (2 lines are not UTF-8)"
    })
  })

  it("are read the same in pieces of any size", () => {
    const long = "Jürg,j@x.test\r\n".repeat(20_000)
    for (const [bytes, text] of [
      [Buffer.from(long), long],
      [iconv.encode(long, "windows-1252"), long],
      [iconv.encode(long, "utf-16le", { addBOM: true }), long]
    ] as const) {
      for (const size of [4_097, 70_001]) {
        const decoder = new TableDecoder()
        let read = ""
        for (let at = 0; at < bytes.length; at += size) read += decoder.push(bytes.subarray(at, at + size))
        assert.isTrue(read + decoder.end() === text, `pieces of ${size}`)
      }
    }
  })

  it("that are no text are refused with what they are", () => {
    for (const [bytes, words] of [
      [Buffer.from("PK\u0003\u0004\u0014\u0000", "latin1"), "Excel workbook"],
      [Buffer.from("%PDF-1.7", "latin1"), "PDF"],
      [Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "UTF-32"],
      [Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at % 3 === 0 ? 0 : at % 256))), "bytes are zero"]
    ] as const) {
      assert.throws(() => decodeTable(bytes), NotText)
      try {
        decodeTable(bytes)
      } catch (fault) {
        assert.include(fault instanceof NotText ? fault.message : "", words)
        assert.include(fault instanceof NotText ? fault.message : "", "CSV UTF-8")
      }
    }
    assert.include(decodeTable(Buffer.from("name,email\nNo\u0000rth,a@x.test\n")).text, "\u0000")
  })
})
