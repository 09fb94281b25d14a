import { assert, describe, it } from "@effect/vitest"
import {
  credibleJudgement,
  credibleReading,
  EXCERPT_CHARS_MAX,
  PAGE_CHARS_MAX
} from "@outbound/domain/data/checks/credibleSite.js"
import type { JudgeAnswer, Judgement } from "@outbound/domain/sources/ports/Judge.js"
import type { SitePage, UnreadableReason } from "@outbound/domain/sources/ports/SiteReader.js"
import * as fc from "fast-check"

const page = (url: string, text = "Some words that stand there.", title: string | null = null): SitePage => ({
  url,
  text,
  title
})

/** The pages that are left; null where none is. */
const reading = (...pages: ReadonlyArray<SitePage>): ReadonlyArray<SitePage> | null => {
  const credible = credibleReading({ _tag: "Read", pages }, "acme.test", 5)
  return credible?._tag === "Read" ? credible.pages : null
}

describe("a reading of a website", () => {
  it("keeps the company's own pages, each once, and no more than were asked for", () => {
    const own = ["https://acme.test/", "http://www.acme.test/a?b=c", "https://blog.acme.test/x"]
    const others = [
      "https://rival.test/",
      "https://acme.test.rival.test/",
      "https://user:word@acme.test/",
      "ftp://acme.test/",
      "javascript:alert(1)",
      "acme.test",
      "",
      `https://acme.test/${"x".repeat(2048)}`
    ]
    const urls = (pages: ReadonlyArray<SitePage> | null) => pages?.map(({ url }) => url)
    assert.deepStrictEqual(urls(reading(...[...own, ...others, ...own].map((url) => page(url)))), own)
    assert.isNull(reading(...others.map((url) => page(url))))
    assert.isNull(reading())
    const many = Array.from({ length: 9 }, (_, index) => page(`https://acme.test/${index}`))
    assert.lengthOf(urls(reading(...many)) ?? [], 5)
  })

  it("is text that can be kept and shown: bounded, without what can't be printed, line by line", () => {
    const [kept] =
      reading(page("https://acme.test/", " a\u0000b\t \u00a0c\r\n\r\n\n d\uD800 e \u2028f", "T\u0007i\n t")) ?? []
    assert.deepStrictEqual(kept, { url: "https://acme.test/", title: "Ti t", text: "ab c\nd e\nf" })
    const [long] = reading(page("https://acme.test/", "\u{1F4EC}".repeat(PAGE_CHARS_MAX))) ?? []
    assert.isAtMost(long?.text.length ?? 0, PAGE_CHARS_MAX)
    assert.isTrue(/^\u{1F4EC}+$/u.test(long?.text ?? ""))
    assert.isNull(reading(page("https://acme.test/", " \n\u0000 ")))
  })

  it("that failed has a reason that is known", () => {
    const unreadable = { _tag: "Unreadable", reason: "forbidden" } as const
    assert.deepStrictEqual(credibleReading(unreadable, "acme.test", 5), unreadable)
    const odd = { _tag: "Unreadable", reason: "splendid" as UnreadableReason } as const
    assert.isNull(credibleReading(odd, "acme.test", 5))
  })
})

const HOME = page("https://acme.test/", "We make anvils.\nThere is a free\ntrial of 14 days.")
const ABOUT = page("https://acme.test/about", "Founded in 1950.")

const judged = (answer: string, excerpt: string | null, sourceUrl: string | null): Judgement | null =>
  credibleJudgement({ answer: answer as JudgeAnswer, excerpt, sourceUrl }, [HOME, ABOUT])

const UNCLEAR: Judgement = { answer: "unclear", excerpt: null, sourceUrl: null }

describe("a judgement", () => {
  it("is yes when what it quotes stands on the page that it names, whatever the white space", () => {
    const expected: Judgement = { answer: "yes", excerpt: "There is a free trial of 14 days.", sourceUrl: HOME.url }
    for (const excerpt of ["There is a free trial of 14 days.", " There  is a free\n\ttrial\u00a0of 14 days. "]) {
      assert.deepStrictEqual(judged("yes", excerpt, HOME.url), expected)
    }
    assert.deepStrictEqual(judged("yes", expected.excerpt, "https://ACME.test"), expected)
  })

  it.each([
    ["words that are nowhere", "There is a free trial of 30 days.", HOME.url],
    ["other letters", "there is a free trial", HOME.url],
    ["words with others left out", "There is a trial", HOME.url],
    ["words of another page", "Founded in 1950.", HOME.url],
    ["a page that was not read", "Founded in 1950.", "https://acme.test/history"],
    ["another company's page", "Founded in 1950.", "https://rival.test/"],
    ["no page", "Founded in 1950.", null],
    ["no address", "Founded in 1950.", "about"],
    ["nothing", null, HOME.url],
    ["an empty text", "", HOME.url],
    ["hardly a word", "a .", HOME.url],
    ["more than a passage", "x".repeat(EXCERPT_CHARS_MAX + 1), HOME.url]
  ] as const)("is unclear, and never yes, when it quotes %s", (_what, excerpt, sourceUrl) => {
    assert.deepStrictEqual(judged("yes", excerpt, sourceUrl), UNCLEAR)
    assert.deepStrictEqual(judged("unclear", excerpt, sourceUrl), UNCLEAR)
  })

  it("keeps what an unclear one quotes, and quotes nothing for what is not found", () => {
    assert.deepStrictEqual(judged("unclear", "Founded in", ABOUT.url), {
      answer: "unclear",
      excerpt: "Founded in",
      sourceUrl: ABOUT.url
    })
    const notFound: Judgement = { answer: "not_found", excerpt: null, sourceUrl: null }
    assert.deepStrictEqual(judged("not_found", "Founded in", ABOUT.url), notFound)
  })

  it("that is none of the answers is none", () => {
    for (const answer of ["splendid", "YES", "no", "", "toString"]) assert.isNull(judged(answer, "Founded", ABOUT.url))
  })

  it("says yes only with words that can be found on the page, whatever a judge makes up", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom(HOME.text.slice(3, 40), ABOUT.text, `${ABOUT.text} `)),
        fc.constantFrom(HOME.url, ABOUT.url, "https://rival.test/"),
        (excerpt, url) => {
          const judgement = judged("yes", excerpt, url)
          if (judgement?.answer !== "yes") return
          const source = [HOME, ABOUT].find((candidate) => candidate.url === judgement.sourceUrl)
          assert.include(source?.text.replace(/\s+/g, " "), judgement.excerpt ?? "nothing quoted")
        }
      )
    )
  })
})
