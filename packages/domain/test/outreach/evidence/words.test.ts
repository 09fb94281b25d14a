import { assert, describe, it } from "@effect/vitest"
import { isDenial, isDoubt } from "../../../src/outreach/evidence/doubts.js"
import { partsOf, sentencesOf, wordsOf } from "../../../src/outreach/evidence/words.js"

const words = (text: string) => wordsOf(text).words.map((word) => word.text)

describe("a text as words", () => {
  it("has one form for each letter and sign, whatever it was written with", () => {
    const same: ReadonlyArray<readonly [written: string, ...ReadonlyArray<string>]> = [
      ["ÀÉÎ", "aei"],
      ["Straße", "strasse"],
      ["Øre Łódź Đà", "ore", "lodz", "da"],
      ["Ægir cœur", "aegir", "coeur"],
      ["didn’t isn't couldn`t", "didnt", "isnt", "couldnt"],
      ["Ann’s team", "ann", "team"],
      ["zero\u200Bwidth soft\u00ADhyphen", "zerowidth", "softhyphen"],
      ["R&amp;D", "r", "d"],
      ["ＦＵＬＬ １２", "full", "12"],
      ["東京へ", "東", "京", "へ"],
      ["Ab東", "ab", "東"],
      ["5% $3 €4 -7 (-8 a-9 –6", "5", "%", "$", "3", "€", "4", "-", "7", "-", "8", "a", "9", "-", "6"]
    ]
    for (const [written, ...expected] of same) assert.deepStrictEqual(words(written), expected, written)
  })

  it("has single spaces and lines without spaces around them, and says where each word begins", () => {
    const { text, words } = wordsOf("One \t two\u00A0three \n\n  Four")
    assert.strictEqual(text, "one two three\nfour")
    assert.deepStrictEqual(
      words.map(({ at }) => text.slice(at, at + 3)),
      ["one", "two", "thr", "fou"]
    )
  })

  it("is split into sentences where they end, and where lines do", () => {
    assert.deepStrictEqual(sentencesOf('One. Two! "Three?" Four; five\nSix\n\nSeven v1.2 end'), [
      "One.",
      "Two!",
      '"Three?"',
      "Four;",
      "five",
      "Six",
      "Seven v1.2 end"
    ])
  })

  it("is split where somebody left words out, and has no part without a word", () => {
    for (const mark of ["…", "...", "....", "[…]", "[ ... ]", "(...)"]) {
      assert.deepStrictEqual(
        partsOf(`${mark} one two ${mark} three ${mark}`).map((part) => part.words.map((word) => word.text)),
        [["one", "two"], ["three"]],
        mark
      )
    }
    assert.deepStrictEqual(partsOf("one.. two").length, 1)
    assert.deepStrictEqual(partsOf("- …"), [])
  })
})

describe("words that deny", () => {
  it("doubt what follows them, in each language", () => {
    const doubts =
      "not alleged postponed nicht angeblich pas nunca desmiente senza nao niet inte nigdy ikke failed fails cancelled unless ancienne"
    for (const word of doubts.split(" ")) assert.isTrue(isDoubt(word), word)
    for (const word of ["yes", "mai", "plant", "hired", "cant", "want"]) {
      assert.strictEqual(isDoubt(word), word === "cant", word)
    }
  })

  it("deny the whole clause, in each language and contracted too; what only doubts does not", () => {
    for (const word of "not never nicht nie pas jamais niet nooit inte ikke aldrig nao nigdy didnt wont".split(" ")) {
      assert.isTrue(isDenial(word), word)
      assert.isTrue(isDoubt(word), word)
    }
    for (const word of ["planned", "alleged", "former", "sans"]) assert.isFalse(isDenial(word), word)
  })
})
