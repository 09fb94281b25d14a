import { type JsonLd, type Markup, markupOf, ofType, textIn } from "./markup.js"

/** Metadata that says when a page was published, the surest first. A change later than that makes no statement newer. */
const META = [
  "article:published_time",
  "og:article:published_time",
  "datepublished",
  "parsely-pub-date",
  "sailthru.date",
  "dc.date.issued",
  "dc.date",
  "dcterms.created",
  "pubdate",
  "date"
] as const

const ARTICLES: ReadonlySet<string> = new Set([
  "Article",
  "NewsArticle",
  "BlogPosting",
  "Report",
  "PressRelease",
  "TechArticle",
  "JobPosting",
  "SocialMediaPosting",
  "WebPage"
])

/** `<time itemprop="datePublished" datetime="…">`, or one with the attribute `pubdate`. */
const TIME =
  /<time\b(?=[^>]{0,500}(?:itemprop\s*=\s*["']?datePublished|\bpubdate\b))[^>]{0,500}?datetime\s*=\s*["']([^"']{4,40})["']/iu

/** A longer text is no date, and is not parsed as one. */
const DATE_CHARS_MAX = 100

const isoOf = (text: string | null): string | null => {
  const isNone = text === null || text.length > DATE_CHARS_MAX || !/\d{4}/.test(text)
  const millis = isNone ? Number.NaN : Date.parse(text)
  return Number.isNaN(millis) ? null : new Date(millis).toISOString()
}

const inData = ({ data }: Markup): string | null => {
  const dated = ofType(data, ARTICLES).flatMap(
    (one: JsonLd) => isoOf(textIn(one, "datePublished") ?? textIn(one, "datePosted")) ?? []
  )
  return dated[0] ?? null
}

/** When a page says that it was published (ISO 8601); null: it doesn't say. */
export const publishedOn = (html: string): string | null => {
  if (html === "") return null
  const markup = markupOf(html)
  return (
    META.flatMap((name) => isoOf(markup.meta.get(name) ?? null) ?? [])[0] ??
    inData(markup) ??
    isoOf(TIME.exec(html)?.[1] ?? null)
  )
}
