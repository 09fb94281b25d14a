import { assert, describe, it } from "@effect/vitest"
import { earlierForms, emailFlaw, untagged, usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import * as fc from "fast-check"

/** Spellings of one mailbox. */
const ANN: ReadonlyArray<string> = [
  "ann@acme.test",
  " Ann@ACME.test ",
  '"ann"@acme.test',
  '"ANN"@acme.test',
  '"a\\nn"@acme.test',
  '"\\a\\n\\n"@acme.test',
  "<ann@acme.test>",
  '<"ann"@acme.test>',
  "mailto:ann@acme.test",
  "mailto://ann@acme.test",
  "\uFEFFann@acme.test",
  "ann@acme.test\u200B",
  "an\u200Bn@acme.test",
  "ann\u00AD@acme.test",
  "ann@ac\u00ADme.test",
  "ann@acme.te\u2060st",
  "\u202Aann@acme.test\u202C",
  "\u00A0ann@acme.test\u00A0",
  "\uFF41\uFF4E\uFF4E@acme.test",
  "ann\uFF20acme.test",
  "ann@acme\u3002test",
  "ann@\uFF41cme.test",
  "a\uFE0Fnn@acme.test",
  "an\u200Dn@acme.test",
  "ann\u2800@acme.test"
]

/** What is no address, and the words that name the mistake. */
const WRONG: ReadonlyArray<readonly [string, string]> = [
  ["", "is empty"],
  ["ann", 'no "@"'],
  ["@acme.test", "nothing before"],
  ['""@acme.test', "nothing before"],
  ["ann@acme.test\nSales", "line break"],
  ["ann@ac\tme.test", "line break or a tab"],
  ["an\nn@acme.test", "line break"],
  ["ann@12.5", "IP address or a number"],
  ["ann@127.0.0.1", "IP address"],
  ["ann@acme.0x7f", "IP address"],
  ["ann@[127.0.0.1]", "IP address"],
  ["ann@[IPv6:::1]", "IP address"],
  ["ann@2130706433", "IP address"],
  ["ann@acme.test/sales", "slash"],
  ["ann@acme.test\\sales", "slash"],
  ["ann@acme.test:25", "port"],
  ["ann@acme.test?subject=x", '"?"'],
  ["ann@acme.test#x", '"#"'],
  ["ann@acme%2etest", '"%"'],
  ["ann@acme..test", "two dots"],
  ["ann@.acme.test", "two dots"],
  ["ann@acme.test.", "ends with a dot"],
  ["ann@ac_me.test", "underscore"],
  ["ann@-acme.test", "hyphen"],
  ["ann@acme-.test", "hyphen"],
  ["ann@localhost", "no dot"],
  ["ann@", "is missing"],
  [`ann@${"a".repeat(64)}.test`, "63"],
  [`ann@${"a.".repeat(130)}test`, "253"],
  ["ann@xn--999999999.test", "IDNA"],
  ["ann@xn--bung-fna.test", "IDNA"],
  ["ann@ac me.test", "space"],
  ["an n@acme.test", "space"],
  ["ann@acme.test, bob@acme.test", 'more than one "@"'],
  ["Ann Lee <ann@acme.test>", "name beside it"],
  ["ann@bob@acme.test", 'more than one "@"'],
  ["ann(sales)@acme.test", "brackets"],
  ["ann@acme.test(sales)", "brackets"],
  ["ann..lee@acme.test", "dot too many"],
  [".ann@acme.test", "dot too many"],
  ["ann.@acme.test", "dot too many"],
  ["ann;lee@acme.test", "sign"],
  ['"ann@acme.test', "nothing closes|quotation"],
  ['"ann lee"@acme.test', "quotation marks"],
  ['"ann..lee"@acme.test', "quotation marks"],
  ['"ann@home"@acme.test', "quotation marks"],
  [`${"a".repeat(65)}@acme.test`, "64"],
  [`${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(20)}.test`, "254"],
  ["ann@acme.test\0", "no text"],
  ["ann@\uD800cme.test", "no text"]
]

describe("an address", () => {
  it("has a tag or none: what follows the first plus, in its local part alone", () => {
    assert.deepStrictEqual(untagged("pat+news@b.test"), ["pat@b.test"])
    assert.deepStrictEqual(untagged("pat+a+b@b.test"), ["pat@b.test"])
    for (const none of ["pat@b.test", "+pat@b.test", '"pat+x"@b.test']) assert.deepStrictEqual(untagged(none), [])
  })

  it("has one form, however it is spelled", () => {
    for (const spelled of ANN) assert.strictEqual(usableEmail(spelled), "ann@acme.test", JSON.stringify(spelled))
    for (const spelled of [
      "ann.lee@acme.test",
      '"ann.lee"@acme.test',
      '"ann".lee@acme.test',
      'ann."l\\ee"@acme.test'
    ]) {
      assert.strictEqual(usableEmail(spelled), "ann.lee@acme.test", spelled)
    }
    assert.strictEqual(usableEmail("JOS\u0045\u0301@acme.test"), usableEmail("jos\u00E9@acme.test"))
    assert.strictEqual(usableEmail("ann@b\u00FCcher.test"), usableEmail("ann@xn--bcher-kva.test"))
    assert.strictEqual(usableEmail("ann@BU\u0308CHER.test"), "ann@xn--bcher-kva.test")
  })

  it("has one form, whichever apostrophes, hyphens and capitals a word processor made of it", () => {
    for (const [plain, ...others] of [
      [
        "pat.o'brien@acme.test",
        "pat.o\u2019brien@acme.test",
        "pat.o\u2018brien@acme.test",
        "Pat.O\u02BCBrien@acme.test"
      ],
      ["anne-marie@acme.test", "anne\u2011marie@acme.test", "Anne\u2013Marie@acme.test", '"anne\u2010marie"@acme.test'],
      ["\u03BD\u03AF\u03BA\u03BF\u03C2.x@acme.test", "\u039D\u038A\u039A\u039F\u03A3.X@acme.test"]
    ] as const) {
      for (const spelled of others) assert.strictEqual(usableEmail(spelled), plain, spelled)
      assert.strictEqual(usableEmail(plain), plain)
    }
  })

  it("is asked for in the forms that earlier releases made of its spellings", () => {
    assert.deepStrictEqual(earlierForms("ann@acme.test"), ['"ann"@acme.test'])
    assert.includeMembers([...earlierForms("pat.o'brien@acme.test")], ["pat.o\u2019brien@acme.test"])
    assert.includeMembers(
      [...earlierForms("anne-marie@acme-it.test")],
      ["anne\u2010marie@acme-it.test", "anne\u2013marie@acme-it.test"]
    )
    assert.includeMembers(
      [...earlierForms("\u03BD\u03AF\u03BA\u03BF\u03C2.x@acme.test")],
      ["\u03BD\u03AF\u03BA\u03BF\u03C3.x@acme.test"]
    )
  })

  it.each(WRONG.map(([text, words]) => [JSON.stringify(text), text, words] as const))(
    "%s is none, and its mistake is named",
    (_, text, words) => {
      assert.isNull(usableEmail(text))
      assert.match(emailFlaw(text) ?? "", new RegExp(words.replaceAll(/[?"#%]/g, "\\$&")))
    }
  )

  it("quoted, letter by letter escaped or with unseen signs, is the same person", () => {
    const atom = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/)
    const local = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join("."))
    const unseen = fc.constantFrom("", "\u200B", "\u00AD", "\uFEFF", "\u202E", "\u2066", "\u200E", "\u180E", "\uFE0F")
    fc.assert(
      fc.property(local, fc.array(fc.tuple(fc.boolean(), fc.boolean(), unseen), { maxLength: 40 }), (plain, how) => {
        const spelled = [...plain].map((sign, at) => {
          const [escapes, raises, sneaks] = how[at] ?? [false, false, ""]
          return `${escapes ? "\\" : ""}${raises ? sign.toUpperCase() : sign}${sneaks}`
        })
        assert.strictEqual(usableEmail(`"${spelled.join("")}"@acme.test`), `${plain}@acme.test`)
      })
    )
  })

  it("in its one form stays as it is, and has nothing quoted in it", () => {
    const unit = fc.oneof(
      fc.constantFrom(...'aZ09."\\@-+ \t(<>):;,'),
      fc.constantFrom(
        "\u00DF",
        "\u0130",
        "\u017F",
        "\u212A",
        "\u03A3",
        "\uFF21",
        "\uFB01",
        "\u200D",
        "\u3002",
        "\u00B2"
      ),
      fc.string({ unit: "binary", maxLength: 1 })
    )
    const text = fc.array(unit, { maxLength: 5 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, text, (local, host) => {
        const email = usableEmail(`${local}@${host}a.test`)
        if (email === null) return
        assert.strictEqual(usableEmail(email), email)
        assert.match(email, /^[^\s"\\()<>,;:@]+@[a-z0-9.-]+$/u)
      }),
      { numRuns: 1_000 }
    )
  })

  it("is read in bounded time, whatever the text", () => {
    const before = performance.now()
    for (const unit of ["a", '"', "\\", "@", ".", '"\\', 'a"', '".', "\u200B", "\u00E4.", "<"]) {
      const long = unit.repeat(200_000)
      for (const text of [long, `${long}@acme.test`, `a@${long}`, `"${unit.repeat(300)}"@a.test`]) usableEmail(text)
    }
    assert.isBelow(performance.now() - before, 5_000)
  })
})
