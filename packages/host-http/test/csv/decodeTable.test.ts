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

  it("are read as the language needs it, whatever spreadsheet of whatever country wrote them", () => {
    const west = "Name;Ort\nJörg Müller;Köln\nÉlodie Lefèvre;Besançon\nJosé Peña;Málaga\nSøren Ågård;Århus\n"
    const polish = "Imię;Miasto\nŁukasz Wójcik;Łódź\nŚwiętosław Żółtowski;Gdańsk\n"
    const czech = "Jméno;Město\nŠtěpán Dvořák;Plzeň\nJiří Růžička;Ústí\n"
    const turkish = "Ad;Şehir\nAyşe Yılmaz;İstanbul\nGökçe Çağlar;Muğla\n"
    const russian = "Имя;Город\nАнна Иванова;Москва\nБорис Петров;Томск\n"
    const files: ReadonlyArray<readonly [text: string, ...encodings: ReadonlyArray<string>]> = [
      [west, "windows-1252", "iso-8859-15", "macroman", "cp850"],
      ["Name\nMüller\n", "windows-1252"],
      ["¿Quién?\nMª José Núñez, nº 5\n¡Ángel!\n", "windows-1252"],
      ["Nafn\nSigurður Þórsson\nÝmir Jónsson\n", "windows-1252"],
      [polish, "windows-1250", "iso-8859-2", "cp852"],
      [czech, "windows-1250", "iso-8859-2", "cp852"],
      ["Név\nKővári Gergő\nSzűcs Ödön\n", "windows-1250", "cp852"],
      [turkish, "windows-1254", "cp857"],
      ["Vardas\nJūratė Šiaulienė\nŽygimantas Ąžuolas\n", "windows-1257"],
      [russian, "windows-1251", "koi8-r", "iso-8859-5", "cp866", "maccyrillic"],
      ["Прізвище\nЇжак Ґудзь\nЄвген Коваленко\n", "windows-1251", "koi8-u"],
      ["Όνομα\nΓιώργος Παπαδόπουλος\nΆννα Νικολάου\n", "windows-1253"],
      ["שם;עיר\nיעל כהן;חיפה\nדוד לוי;ירושלים\n", "windows-1255"],
      ["الاسم\nأحمد القاهري\nفاطمة\n", "windows-1256"],
      ["ชื่อ\nสมชาย\nสมหญิง\n", "windows-874"],
      ["氏名,会社\n山田太郎,株式会社アクメ\n鈴木花子,ソニー\n", "shift_jis", "euc-jp"],
      ["姓名,公司\n王伟,阿里巴巴\n李娜,腾讯\n", "gb18030"],
      ["姓名,公司\n陳大文,台積電\n許功蓋,鴻海\n", "big5"],
      ["이름,회사\n김철수,삼성전자\n이영희,네이버\n", "euc-kr"]
    ]
    for (const [text, ...encodings] of files) {
      for (const encoding of encodings) {
        const written = iconv.encode(text, encoding)
        assert.strictEqual(decodeTable(written).text, text, encoding)
      }
    }
    for (const form of ["utf-16le", "utf-16be"]) {
      for (const text of [russian, "氏名,会社\n山田太郎,アクメ\n"]) {
        assert.strictEqual(decodeTable(iconv.encode(text, form, { addBOM: false })).text, text, form)
      }
    }
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
