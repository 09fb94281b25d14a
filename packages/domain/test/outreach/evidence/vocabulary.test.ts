import { assert, describe, it } from "@effect/vitest"
import {
  ABOUT,
  AT_LEAST,
  isLegalForm,
  isNeutral,
  isPolite,
  saysSame,
  type Writing
} from "../../../src/outreach/evidence/vocabulary.js"

const pairs = (is: boolean, ...all: ReadonlyArray<readonly [one: string, other: string, writing?: Writing]>) => {
  for (const [one, other, writing] of all) {
    assert.strictEqual(saysSame(one, other, writing), is, `${one} ${other} ${writing ?? "word"}`)
    assert.strictEqual(saysSame(other, one, writing), is, `${other} ${one} ${writing ?? "word"}`)
  }
}

describe("words that state nothing", () => {
  it("are articles, courtesies and the like, in each language", () => {
    const neutral =
      "their congrats round kudos article gratulation felicitations felicidades complimenti gefeliciteerd parabens tillykke gratulacje"
    for (const word of neutral.split(" ")) assert.isTrue(isNeutral(word), word)
  })

  it("are none that state something: denials, times, deeds", () => {
    for (const word of ["not", "never", "yesterday", "hired", "nicht", "fired"]) assert.isFalse(isNeutral(word), word)
  })

  it("are how somebody is addressed, and what form a company has", () => {
    for (const word of ["sie", "vous", "usted"]) assert.isTrue(isPolite(word), word)
    for (const word of ["gmbh", "inc", "sarl"]) assert.isTrue(isLegalForm(word), word)
    assert.isFalse(isPolite("hired") || isLegalForm("hired"))
  })

  it("say how a figure is meant", () => {
    for (const word of ["over", "mehr", "least"]) assert.isTrue(AT_LEAST.has(word), word)
    for (const word of ["about", "rund", "environ"]) assert.isTrue(ABOUT.has(word), word)
    assert.isFalse(AT_LEAST.has("about") || ABOUT.has("over"))
  })
})

describe("what says the same", () => {
  it("is a word and those that mean the same", () => {
    const same = `
      $ dollars, € euros, £ gbp, % prozent, raised funding, hiring vacancy, office standort, staff mitarbeiter, acquired bought,
      rose hausse, fell baisse, took taken, went gone, got getting, gave given, came come, brought bring, sent send,
      taught teach, saw seen, knew known, shown show, met meeting, ran run, began started, sold sale, won gewann,
      built build, made make, left leave, paid pay, found find, spent spend, held hold, kept keep, became become,
      chose picked, wrote written, doubled twice, partnered partenariat, clients kunden, launched unveiled, opened eroffnet,
      expanded expandiert, grew wachstum, led leiter, appointed joined, founded since, used nutzt, hq siege, vp vice, ceo chief,
      series serie, api apis, german deutschland, french france, uk british, usa american`
    for (const pair of same.split(",")) {
      const [one = "", other = ""] = pair.trim().split(" ")
      pairs(true, [one, other])
    }
    // A word of several meanings has each of them, and they are not each other's.
    pairs(true, ["open", "offen"], ["open", "eroffnet"], ["run", "uses"], ["run", "ran"])
    pairs(false, ["offen", "eroffnet"], ["raised", "hired"], ["up", "down"], ["ceo", "vp"])
  })

  it("is a word in another form, and no other word that begins alike", () => {
    pairs(
      true,
      ["moves", "moving"],
      ["planned", "planning"],
      ["plan", "planning"],
      ["company", "companies"],
      ["modify", "modification"],
      ["deliver", "delivery"],
      ["produkt", "produkten"],
      ["relies", "relying"],
      ["store", "stores"],
      ["used", "using"],
      ["plan", "planned"],
      ["organiseerde", "organiseert"]
    )
    pairs(
      false,
      ["care", "cars"],
      ["market", "marvel"],
      ["form", "formula"],
      ["cat", "car"],
      ["ab", "abs"],
      ["plane", "planet2"],
      ["station", "stationary"],
      ["contract", "contrast"],
      ["small", "smalt"],
      ["crossy", "crose"],
      ["moving", "loving"],
      ["taking", "makes"],
      ["bases", "baser"]
    )
  })

  it("is a word in both spellings of English", () => {
    pairs(
      true,
      ["organisation", "organization"],
      ["organisations", "organizations"],
      ["optimise", "optimize"],
      ["optimised", "optimized"],
      ["optimising", "optimizing"],
      ["colour", "color"],
      ["favourite", "favorite"],
      ["centre", "center"],
      ["theatres", "theaters"],
      ["licence", "license"],
      ["defences", "defenses"],
      ["programme", "program"],
      ["programmes", "programs"],
      ["cancelled", "canceled"],
      ["modelling", "modeling"],
      ["traveller", "traveler"]
    )
    pairs(
      true,
      ["organisation", "organization", "full_name"],
      ["centre", "center", "full_name"],
      ["cancelled", "canceled", "full_name"]
    )
  })

  it("is a name in another case, and never another name that begins alike", () => {
    pairs(true, ["anna", "annas", "name"], ["berlin", "berlins", "name"], ["hans", "hansen", "name"])
    pairs(
      false,
      ["maria", "mario", "name"],
      ["dan", "dana", "name"],
      ["anna", "berns", "name"],
      ["markt", "markting", "name"],
      ["anna", "annas", "full_name"],
      ["moves", "moving", "full_name"]
    )
    pairs(true, ["anna", "anna", "full_name"])
  })

  it("is never a short word or one with a figure that is another", () => {
    pairs(false, ["a", "b"], ["abc", "abd"], ["v2s1", "v2s1s"], ["area51", "area51s"], ["abcd", "ab"])
    pairs(true, ["area51", "area51"])
    // Of the word that is looked for the length decides.
    assert.deepStrictEqual([saysSame("abcs", "abc"), saysSame("abc", "abcs")], [true, false])
    assert.isFalse(saysSame("try", "trying"))
    assert.isFalse(saysSame("abcd", "ab") || saysSame("ados", "ad"))
  })
})
