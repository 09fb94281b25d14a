import { assert, describe, it } from "@effect/vitest"
import { givenValue } from "@outbound/domain/kernel/people/givenValues.js"

const NONE = [
  "#N/A",
  "#REF!",
  "#VALUE!",
  "#NAME?",
  "#DIV/0!",
  "#NULL!",
  "#NV",
  "#WERT!",
  "#¡VALOR!",
  "#N/D",
  "null",
  "NULL",
  "(null)",
  "<null>",
  "undefined",
  "NaN",
  "nan",
  "nil",
  "None",
  "[object Object]",
  "\\N",
  "N/A",
  "n/a",
  "n.a.",
  "NA",
  "na",
  "-",
  "--",
  "—",
  ".",
  "...",
  "?",
  "???",
  "_",
  "*",
  "/",
  "''",
  "()",
  "TBD",
  "tba",
  "Unknown",
  "unknown",
  "not available",
  "(blank)",
  "[empty]",
  "(not set)",
  "k.A.",
  "unbekannt",
  "{{first_name}}",
  "[First Name]",
  "*|FNAME|*",
  "{first_name}",
  "First Name",
  "first_name",
  "FIRSTNAME",
  "Vorname",
  "&nbsp;",
  "\u200b",
  "\u00a0 \t",
  "&#8203;",
  // A formula that failed or waits, in other languages and programs.
  "#N/B",
  "#Н/Д",
  "#YOK",
  "#HIÁNYZIK",
  "#ÜBERLAUF!",
  "Err:502",
  "Loading...",
  "Chargement…",
  // No value, as people write it.
  "(leer)",
  "(en blanco)",
  "(пусто)",
  "[deleted]",
  "[email protected]",
  "nicht angegeben",
  "non renseigné",
  "Sin nombre",
  "não informado",
  "n.v.t.",
  "brak danych",
  "не указано",
  "нет",
  "不明",
  "なし",
  "暂无",
  "알 수 없음",
  "غير معروف",
  "Not Found",
  "FNU",
  "Anonymous",
  // What programs made of a name.
  '{"first":"Ann"}',
  '["Ann"]',
  "b'Ann'",
  "=?UTF-8?Q?Ann?=",
  "%C3%89ric",
  "\\u00c9ric",
  "Ann\\n",
  "Fran?ois",
  "A***",
  "user_12345",
  "ann-lee-12345",
  "/in/ann-lee",
  "@annlee",
  "acme.com",
  "xxx",
  // Another column's heading, a form of address, a mailbox's purpose.
  "Имя",
  "姓名",
  "Nombre",
  "Your Name",
  "Name",
  "Herr",
  "Mr.",
  "Sales"
]

describe("what stands for no value", () => {
  for (const text of NONE) {
    it(`${JSON.stringify(text)} is nobody's first name`, () => {
      assert.isNull(givenValue("first_name", text).value)
    })
  }

  it("is told from what is one: the rest is kept", () => {
    for (const name of [
      "Null",
      "Nan",
      "Na",
      "Nil",
      "Ng",
      "O",
      "X",
      "Li",
      "Ann",
      "Unna",
      "Noname Ann",
      "N",
      "李",
      "Mr. N/A Smith"
    ]) {
      assert.strictEqual(givenValue("last_name", name).value, name)
    }
    for (const text of [
      "0",
      "5",
      "no",
      "test",
      "#1",
      "#SaaS",
      "€",
      "🎉",
      "→ x",
      "C#",
      ".NET",
      "None of them",
      "N/A/B testing",
      "NULL Ltd",
      "title"
    ]) {
      assert.strictEqual(givenValue("custom.topic", text).value, text)
    }
    assert.strictEqual(givenValue("custom.region", "NA").value, "NA")
    assert.strictEqual(givenValue("custom.country", "NR").value, "NR")
    assert.strictEqual(givenValue("custom.state", "NV").value, "NV")
    assert.strictEqual(givenValue("last_name", "{{email}}").value, "{{email}}")
    assert.strictEqual(givenValue("custom.country_code", "NA").value, "NA")
    assert.isNull(givenValue("custom.topic", "NA").value)
    assert.isNull(givenValue("company_name", "N/A").value)
    assert.strictEqual(givenValue("company_name", "Nil Company").value, "Nil Company")
  })

  it("is no name where a spreadsheet made a date, a number or a formula of it, or another column stands there", () => {
    for (const text of [
      "45352",
      "3-Mar",
      "Mar-24",
      "01/03/2024",
      "01.03.2024",
      "2024-03-01T00:00:00Z",
      "12. Mai 2024",
      "1,234.50",
      "5E+10",
      "00:00",
      "0",
      "TRUE",
      "WAHR",
      "=A1&B1",
      "=VLOOKUP(A1,B:C,2)",
      "+49 30 1234567",
      "ann@acme.test",
      "https://acme.test/ann"
    ]) {
      for (const name of ["first_name", "last_name"]) {
        assert.deepStrictEqual(givenValue(name, text), { value: null, placeholder: text }, text)
      }
      assert.strictEqual(givenValue("custom.topic", text).value, text)
    }
    for (const name of ["May", "April", "June", "True", "Mars", "Juno 2", "Ann 3rd", "X Æ A-12", "José 2.0", "O'May"]) {
      assert.strictEqual(givenValue("first_name", name).value, name)
    }
    assert.strictEqual(givenValue("company_name", "1&1").value, "1&1")
  })

  it("is no reason to lose a name that only looks so", () => {
    for (const name of ["Dev", "Jean-Luc", "O’Neill", "Anne Marie", "Nguyễn", "Ann 🚀", "J.", "J", "D’Arcy", "Åsa"]) {
      assert.strictEqual(givenValue("first_name", name).value, name)
    }
    for (const name of ["Herr", "Sales", "Nic", "Nada", "Tom", "Null", "St. John", "van der Leer", "Test"]) {
      assert.strictEqual(givenValue("last_name", name).value, name)
    }
    for (const id of ["Lead 123456", "5f3a9c0b1d2e", "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"]) {
      assert.isNull(givenValue("first_name", id).value)
    }
    // Whom one invents to try the service, by the thousand.
    for (const name of ["Test", "Tester", "Zoë 100", "Lead 4999", "Name1234", "First99999", "Lead-0012"]) {
      for (const variable of ["first_name", "last_name"]) assert.strictEqual(givenValue(variable, name).value, name)
    }
    assert.strictEqual(givenValue("first_name", '"Ann"').value, "Ann")
    assert.strictEqual(givenValue("first_name", 'Ann "Annie" Lee').value, 'Ann "Annie" Lee')
    assert.strictEqual(givenValue("company_name", "Acme (UK)").value, "Acme (UK)")
    assert.strictEqual(givenValue("company_name", "Sales Force").value, "Sales Force")
    assert.strictEqual(givenValue("custom.pets", "keine").value, "keine")
    assert.strictEqual(givenValue("custom.note", "(see below)").value, "(see below)")
  })

  it("is told with what stood there, and silence for an empty cell", () => {
    assert.deepStrictEqual(givenValue("first_name", " #N/A "), { value: null, placeholder: "#N/A" })
    for (const empty of ["", "  ", null, undefined, "\u200b"]) {
      assert.deepStrictEqual(givenValue("first_name", empty), { value: null, placeholder: null })
    }
  })

  it("has its entities, edges and lines put right", () => {
    for (const [given, value] of [
      ["AT&amp;T", "AT&T"],
      ["AT&amp;amp;T", "AT&T"],
      ["Jos&eacute;", "José"],
      ["M&#252;ller", "Müller"],
      ["O&#x27;Neill", "O'Neill"],
      ["Smith &lt;Sons&gt;", "Smith <Sons>"],
      ["R&D", "R&D"],
      ["A &b; C", "A &b; C"],
      ["&#0;x", "&#0;x"],
      ["  Acme\u00a0 \n Ltd\t", "Acme Ltd"],
      ["\ufeffAcme\u200b", "Acme"]
    ] as const) {
      assert.strictEqual(givenValue("company_name", given).value, value)
    }
    assert.strictEqual(givenValue("custom.intro", " Two\nlines  here \n").value, "Two\nlines  here")
  })
})
