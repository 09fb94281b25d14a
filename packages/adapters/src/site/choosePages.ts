import type { Link } from "./extract.js"

/** Where companies describe their offer. */
const TELLING =
  /(?:^|[/_-])(?:products?|platform|features?|solutions?|services?|pricing|prices?|plans?|about(?:-us)?|company|faqs?|integrations?|security|customers?|industries|how-it-works|overview|capabilities|produkte?|leistungen|preise|ueber-uns|produits?|tarifs|productos?|precios)(?:[/_-]|$)/

/** Where they hardly do. */
const IDLE =
  /(?:^|[/_-])(?:log-?in|sign-?(?:in|up)|register|account|cart|checkout|privacy|terms|legal|cookies?|imprint|impressum|datenschutz|careers?|jobs?|news|press|events?|search|sitemap|status|unsubscribe|feed|rss|tags?|category|author)(?:[/_-]|$)/

const FILE = /\.(?!html?$|php$|aspx?$|jsp$)[a-z][a-z0-9]{1,4}$/

/** Links below this aren't worth a request. */
const SCORE_MIN = -5

const WORDS_OF_QUESTION_MAX = 30
const WORD_CHARS_MIN = 3

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= WORD_CHARS_MIN)
      .map((word) => (word.length > WORD_CHARS_MIN + 1 && word.endsWith("s") ? word.slice(0, -1) : word))
      .slice(0, WORDS_OF_QUESTION_MAX)
  )

const decodedPath = (url: URL): string => {
  try {
    return decodeURIComponent(url.pathname).toLowerCase()
  } catch {
    return url.pathname.toLowerCase()
  }
}

const scoreOf = (url: URL, words: string, questionWords: ReadonlySet<string>): number => {
  const path = decodedPath(url)
  const linkWords = wordsOf(`${path} ${words}`)
  const shared = [...questionWords].filter((word) => linkWords.has(word)).length
  const depth = path.split("/").filter((part) => part !== "").length
  return shared * 4 + (TELLING.test(path) ? 3 : 0) - (IDLE.test(path) ? 6 : 0) - depth - (url.search === "" ? 0 : 1)
}

/**
 * A page's links, the most promising for the question first: those that share its words, then those where companies
 * usually describe their offer. Each page once, without its fragment.
 */
export const rankLinks = (page: URL, links: ReadonlyArray<Link>, question: string): ReadonlyArray<URL> => {
  const questionWords = wordsOf(question)
  const best = new Map<string, { readonly url: URL; readonly score: number }>()
  for (const { href, words } of links) {
    if (!URL.canParse(href, page.href)) continue
    const url = new URL(href, page)
    url.hash = ""
    if (!/^https?:$/.test(url.protocol) || FILE.test(url.pathname.toLowerCase())) continue
    const score = scoreOf(url, words, questionWords)
    const existing = best.get(url.href)
    if (existing === undefined || existing.score < score) best.set(url.href, { url, score })
  }
  return [...best.values()]
    .filter(({ score }) => score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score)
    .map(({ url }) => url)
}
