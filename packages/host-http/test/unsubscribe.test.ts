import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { languageOf, LANGUAGES, localeOf } from "../src/unsubscribe/words/languages.js"
import { brokenWords, browser, DESKTOP, overflow, PHONE, violations } from "./support/Browser.js"
import { fileIn, GENUINE, host } from "./support/wayOutHost.js"
import { FOOTER_WORDS, RECIPIENT_LANGUAGES, type RecipientLanguage } from "@outbound/domain/kernel/words/languages.js"
import { NOTICE_TEXTS } from "@outbound/domain/kernel/words/noticeTexts.js"
import { isThorough } from "@outbound/testkit/thorough.js"

/** All, or the one with the longest words. */
const LOOKED_AT = isThorough ? RECIPIENT_LANGUAGES : (["fi"] as const)

/** Words that address the reader in the other form than ours: `Sie`, `vous`, `usted`, `lei`, `u`, `Państwo`, `vy`; `du`, `sinä`. */
const OTHER_FORM: Readonly<Record<RecipientLanguage, string>> = {
  cs: "ty|tě|tebe|tobě|ti|tvůj|tvoje|tvou|tvých|můžeš|přestaneš",
  da: "Dem|Deres|De har|De kan",
  de: "du|dich|dir|dein|deine|deiner|deinen|euch|eure|kannst|hast",
  en: "thou",
  es: "tú|ti|te|tu|tus|tuyo|vosotros|os|puedes|pulsa|pide|responde|recibirás",
  fi: "te|teitä|teille|teidän|teiltä|voitte|saatte",
  fr: "tu|te|toi|ton|ta|tes|clique|peux",
  it: "tu|ti|te|tuo|tua|tuoi|tue|fai|puoi|chiedi|rispondi|riprova|riceverai|aprilo|risponderti|Lei|Suo|Sua|Suoi",
  nl: "je|jij|jou|jouw|jullie|kunt je",
  no: "Dem|Deres|De har|De kan",
  pl: "ty|ci|cię|ciebie|tobie|twój|twoja|twoje|twoich|możesz|otrzymasz|kliknij|poproś|wypisz|Pan|Pani|Panu",
  pt: "tu|te|ti|teu|tua|teus|tuas|você|clica|podes",
  sv: "ni|er|ert|era|kan ni"
}
/** Languages whose other form differs from ours, or from a word of theirs, by its capital alone. */
const BY_CAPITAL: ReadonlySet<RecipientLanguage> = new Set(["da", "it", "no"])
const ENGLISH = "the|you|your|this|from|and|what|why|which|sent|been|not|by|before|any|more"

const wholly = (words: string, flags: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, flags)

/** Everything that a recipient reads in a language which we wrote. */
const textsOf = (language: RecipientLanguage): ReadonlyArray<string> => {
  const { sources, ...notice } = NOTICE_TEXTS[language]
  const texts = { ...notice, ...sources, ...FOOTER_WORDS[language], ...LANGUAGES[language] }
  return [...Object.values(texts), FOOTER_WORDS[language].why].map((text) => text.replace(/\{\{\w+\}\}/g, ""))
}

/** The width of most phones. */
const NARROW = { width: 390, height: 760 }

/** Where pictures of the pages go, when somebody wants to look at them. */
const pictures = process.env["OUTBOUND_TEST_PICTURES"]

const at = (base: string, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(`${base}${path}`, { redirect: "manual", ...init })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  })

const LINK = `/u/workspace/${GENUINE}`

describe("the way out", () => {
  it.live("a POST unsubscribes, whatever it says, without a credential and without a redirect", () =>
    Effect.gen(function* () {
      const { asked, base } = yield* host
      const oneClick = new URLSearchParams({ "List-Unsubscribe": "One-Click" })
      const form = new FormData()
      form.set("List-Unsubscribe", "One-Click")
      const inits: ReadonlyArray<RequestInit> = [
        { body: oneClick },
        { body: form },
        { body: "{}", headers: { "content-type": "application/json" } },
        { body: Buffer.alloc(2_000_000) },
        { headers: { origin: "https://elsewhere.test", cookie: "a=b" } },
        {}
      ]
      for (const init of inits) {
        const answer = yield* at(base, LINK, { method: "POST", ...init })
        assert.strictEqual(answer.status, 200)
        assert.include(answer.body, "You are unsubscribed")
        assert.isNull(answer.headers.get("set-cookie"))
      }
      assert.deepStrictEqual(
        asked,
        inits.map(() => ({ workspaceId: "workspace", token: GENUINE }))
      )
    })
  )

  it.live("a GET, a HEAD and every other method change nothing", () =>
    Effect.gen(function* () {
      const { asked, base } = yield* host
      const page = yield* at(base, LINK)
      assert.strictEqual(page.status, 200)
      assert.include(page.body, `<form method="post" action="${LINK}">`)
      assert.strictEqual(page.headers.get("referrer-policy"), "strict-origin")
      assert.strictEqual((yield* at(base, LINK, { method: "HEAD" })).status, 200)
      const put = yield* at(base, LINK, { method: "PUT" })
      assert.deepStrictEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, POST"])
      assert.isEmpty(asked)
    })
  )

  it.live("links that are none of ours lead to one page, whatever is wrong with them", () =>
    Effect.gen(function* () {
      const { base } = yield* host
      const wrong = [
        "/u/",
        "/u/workspace",
        "/u/workspace/",
        "/u/workspace/wrong",
        `${LINK}/more`,
        "/u/workspace/wrong/access",
        "/u/workspace/wrong/erasure",
        "/u/%00/%ff",
        `/u/${"a".repeat(500)}/b`
      ]
      const bodies = new Set<string>()
      for (const path of wrong) {
        for (const method of ["GET", "POST"]) {
          const answer = yield* at(base, path, { method })
          assert.strictEqual(answer.status, 404, path)
          bodies.add(answer.body)
        }
      }
      assert.strictEqual(bodies.size, 1)
    })
  )

  it.live("says why they were written to: by whom, whence, what, and who approved it; not who they are", () =>
    Effect.gen(function* () {
      const { asked, base } = yield* host
      const { body, headers, status } = yield* at(base, `${LINK}/why`)
      assert.strictEqual(status, 200)
      for (const said of [
        "Acme &amp; Sons",
        "1 Main Street, Springfield",
        "2 March 2026: from a search in business data (overture: CDLA Permissive 2.0)",
        '<p lang="en">Acme uses your address at work.</p>',
        "2 March 2026: added to a campaign",
        "2 January 2026: news.acme.test",
        "A question about &lt;roofs>",
        "approved them"
      ])
        assert.include(body, said)
      for (const unsaid of ["ann@secret.test", "Annabel", "agent key", "verify"]) assert.notInclude(body, unsaid)
      assert.strictEqual(headers.get("vary"), "accept-language")
      assert.isEmpty(asked)
      assert.strictEqual((yield* at(base, "/u/workspace/wrong/why")).status, 404)
    })
  )

  it.live("passes a request on, by a button alone", () =>
    Effect.gen(function* () {
      const { asks, base } = yield* host
      for (const ask of ["access", "erasure"]) {
        assert.strictEqual((yield* at(base, `${LINK}/${ask}`)).status, 404)
        const answer = yield* at(base, `${LINK}/${ask}`, { method: "POST" })
        assert.strictEqual(answer.status, 200)
        assert.include(answer.body, "has a month to answer you")
      }
      assert.deepStrictEqual(asks, ["access", "erasure"])
    })
  )

  it.live("speaks the language that the browser asks for, of those in which replies are read", () =>
    Effect.gen(function* () {
      const { base } = yield* host
      for (const [language, words] of Object.entries(LANGUAGES)) {
        const init = { headers: { "accept-language": `xx, ${language}-ZZ;q=0.8, en;q=0.5` } }
        const ask = yield* at(base, LINK, init)
        assert.include(ask.body, `<html lang="${language}">`)
        const read = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
        assert.include(read(ask.body), words.unsubscribeLead)
        const why = read((yield* at(base, `${LINK}/why`, init)).body)
        for (const said of [
          words.who,
          words.found,
          words.approved.replace(/\.$/, ""),
          words.checkedWhat,
          words.access,
          words.erasure
        ])
          assert.include(why, said, language)
      }
      assert.strictEqual(Object.keys(LANGUAGES).length, 13)
      const wishes = {
        "": "en",
        "*": "en",
        "nb-NO": "no",
        "de;q=0, fr": "fr",
        "en;q=0.1, pl;q=0.9": "pl",
        "zz,sv": "sv"
      }
      for (const [wish, language] of Object.entries(wishes)) assert.strictEqual(languageOf(wish), language, wish)
      const texts = Object.values(LANGUAGES).map((words) => Object.values(words).join("\n"))
      assert.strictEqual(new Set(texts).size, texts.length)
    })
  )

  it("each language addresses the reader in one form, on the page, in the notice and in the footer", () => {
    for (const language of RECIPIENT_LANGUAGES) {
      const other = wholly(OTHER_FORM[language], BY_CAPITAL.has(language) ? "u" : "iu")
      for (const text of textsOf(language)) assert.notMatch(text, other, language)
      assert.strictEqual(FOOTER_WORDS[language].unsubscribe, LANGUAGES[language].unsubscribe, "one word for one button")
    }
  })

  it("nothing is left in English in the other languages", () => {
    for (const language of RECIPIENT_LANGUAGES) {
      if (language === "en") continue
      for (const text of textsOf(language)) assert.notMatch(text, wholly(ENGLISH, "iu"), language)
      for (const [name, said] of Object.entries(LANGUAGES[language]))
        assert.notStrictEqual(said, LANGUAGES.en[name as keyof typeof LANGUAGES.en], `${language} ${name}`)
    }
  })

  it.live("writes dates as the reader's country does", () =>
    Effect.gen(function* () {
      const { base } = yield* host
      const forms = {
        "": "2 March 2026",
        "en-GB": "2 March 2026",
        "en-US,en;q=0.9": "March 2, 2026",
        "en-u-nu-arab": "2 March 2026",
        "de-AT": "2. März 2026",
        "nb-NO": "2. mars 2026",
        "pl-PL": "2 marca 2026",
        fi: "2. maaliskuuta 2026"
      }
      for (const [wish, form] of Object.entries(forms)) {
        const { body } = yield* at(base, `${LINK}/why`, { headers: { "accept-language": wish || "*" } })
        assert.include(body, form, wish)
      }
      assert.strictEqual(localeOf("nb-NO"), "nb-no")
    })
  )

  it.live("where it can't be recorded it says so, to be tried again", () =>
    Effect.gen(function* () {
      const { base, store } = yield* host
      store.isAway = true
      const answer = yield* at(base, LINK, { method: "POST" })
      assert.deepStrictEqual([answer.status, answer.headers.get("retry-after")], [503, "30"])
      assert.include(answer.body, "not unsubscribed yet")
    })
  )

  it.live(
    "in each of the 13 languages its pages can be read by all, at any width, in light and dark",
    () =>
      Effect.gen(function* () {
        const { base, shown } = yield* host
        const { context } = yield* browser
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          for (const language of LOOKED_AT) {
            shown.file = fileIn(language)
            await page.setExtraHTTPHeaders({ "accept-language": language })
            for (const [name, path, asks] of [
              ["unsubscribe", LINK, false],
              ["why", `${LINK}/why`, false],
              ["asked", `${LINK}/why`, true]
            ] as const) {
              await page.goto(`${base}${path}`)
              if (asks) await page.locator("form[action$=erasure] button").click()
              assert.strictEqual(await page.locator("html").getAttribute("lang"), language)
              for (const viewport of [DESKTOP, NARROW]) {
                await page.setViewportSize(viewport)
                assert.strictEqual(await overflow(page), 0, `${name} ${language} ${viewport.width}`)
                assert.isEmpty(await brokenWords(page), `${name} ${language} ${viewport.width}`)
                for (const colorScheme of ["light", "dark"] as const) {
                  await page.emulateMedia({ colorScheme })
                  assert.isEmpty(await violations(page), `${name} ${language} ${viewport.width} ${colorScheme}`)
                }
              }
            }
          }
        })
      }),
    300_000
  )

  it.live("in a browser it is two clicks, readable by all", () =>
    Effect.gen(function* () {
      const { asked, base } = yield* host
      const { context } = yield* browser
      yield* Effect.promise(async () => {
        const page = await context.newPage()
        const look = async (name: string) => {
          for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
            await page.setViewportSize(viewport)
            assert.strictEqual(await overflow(page), 0)
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme })
              assert.isEmpty(await violations(page), `${name} ${size} ${colorScheme}`)
              if (pictures === undefined) continue
              mkdirSync(pictures, { recursive: true })
              await page.screenshot({ path: join(pictures, `${name}-${size}-${colorScheme}.png`) })
            }
          }
        }
        await page.goto(`${base}${LINK}`)
        await look("unsubscribe")
        assert.isEmpty(asked)
        await page.getByRole("button", { name: "Unsubscribe" }).click()
        await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor()
        await look("unsubscribed")
        assert.lengthOf(asked, 1)
        await page.goto(`${base}${LINK}/why`)
        await look("why")
        await page.getByRole("button", { name: "Ask for a copy of my data" }).click()
        await page.getByRole("heading", { name: "Your request was passed on" }).waitFor()
        await look("asked")
        await page.goto(`${base}/u/workspace/wrong`)
        await look("unknown-link")
      })
    })
  )
})
