/** Websites of companies and public sources, as one server of this machine shows them: by host, and by a path of each source. */
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { answerOf } from "./model.js"
import { ALL, CITY, COMPANIES, type Company } from "./world.js"

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MILLIS)
const day = (days: number): string => ago(days).toISOString().slice(0, 10)
/** As GDELT writes it. */
const stamp = (days: number): string =>
  ago(days)
    .toISOString()
    .replace(/[-:]|\.\d+/g, "")

const { forge, labs, works } = COMPANIES

interface Reply {
  readonly status?: number
  readonly type: string
  readonly body: string
}

const json = (value: unknown): Reply => ({ type: "application/json", body: JSON.stringify(value) })
const page = (body: string, head: string): Reply => ({
  type: "text/html; charset=utf-8",
  body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
})

const home = ({ about, domain, name }: Company): Reply => {
  const organization = {
    "@context": "https://schema.org",
    "@type": "Organization",
    name,
    url: `https://${domain}/`,
    foundingDate: "1998-04-01",
    address: { addressLocality: CITY, addressRegion: "IL", addressCountry: "US" }
  }
  const feed = domain === forge.domain ? `<link rel="alternate" type="application/rss+xml" href="/news.xml">` : ""
  return page(
    `<nav><a href="/about">About</a> <a href="/careers">Careers</a></nav><h1>${name}</h1><p>${about[0]}</p>`,
    `<title>${name}</title><meta property="og:site_name" content="${name}"><meta name="generator" content="WordPress 6.8">` +
      `${feed}<script type="application/ld+json">${JSON.stringify(organization)}</script>`
  )
}

/** Where each company's openings stand. */
const CAREERS: Readonly<Record<string, string>> = {
  [forge.domain]: `<a href="https://boards.greenhouse.io/northwindforge">Open positions</a>`,
  [works.domain]: `<iframe src="https://jobs.lever.co/boltworks"></iframe>`
}

const feed = (): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>Northwind Forge opens a second hall</title>` +
  `<link>https://${forge.domain}/news/2</link><pubDate>${ago(9).toUTCString()}</pubDate></item></channel></rss>`

const site = (company: Company, path: string): Reply | null => {
  const { about, domain, name } = company
  if (path === "/") return home(company)
  if (path === "/about") return page(about.map((one) => `<p>${one}</p>`).join(""), `<title>About ${name}</title>`)
  if (path === "/careers") return page(`<h1>Work here</h1>${CAREERS[domain] ?? "<p>Write to us.</p>"}`, "")
  if (path === "/news.xml" && domain === forge.domain) return { type: "application/rss+xml", body: feed() }
  return null
}

const accession = "0001234567-26-000001"

const FILER = "NORTHWIND FORGE INC"

const FILINGS = [
  { accession: `${accession.slice(0, -1)}2`, form: "8-K", days: 15, items: "5.02", file: "001-1" },
  { accession, form: "D", days: 30, items: "06B", file: "021-1" }
]

const filed = ({ accession: adsh, days, form }: (typeof FILINGS)[number]) => ({
  _source: { adsh, ciks: ["0001234567"], display_names: [`${FILER}  (CIK 0001234567)`], file_date: day(days), form }
})

/** The filer, as `data.sec.gov` has it. */
const submissions = () => ({
  cik: "0001234567",
  name: FILER,
  website: "",
  investorWebsite: "",
  phone: "2175550100",
  tickers: [],
  formerNames: [],
  addresses: { business: { city: CITY.toUpperCase(), stateOrCountry: "IL", zipCode: "62701" }, mailing: null },
  filings: {
    recent: {
      accessionNumber: FILINGS.map((one) => one.accession),
      filingDate: FILINGS.map(({ days }) => day(days)),
      form: FILINGS.map(({ form }) => form),
      items: FILINGS.map(({ items }) => items),
      fileNumber: FILINGS.map(({ file }) => file)
    },
    files: []
  }
})

const video = (id: string, title: string) => ({
  id,
  snippet: {
    publishedAt: ago(12).toISOString(),
    channelId: "UC1",
    channelTitle: "Workshop Talk",
    title,
    description: "Which anvil to buy, and why."
  },
  statistics: { likeCount: "12", commentCount: "3" }
})

/** What each public source answers, by its name and path. */
const SOURCES: Readonly<Record<string, (query: URLSearchParams) => Reply>> = {
  "greenhouse/boards/northwindforge/jobs": () =>
    json({
      jobs: [
        {
          id: 1,
          title: "Sales Engineer",
          absolute_url: "https://boards.greenhouse.io/northwindforge/jobs/1",
          first_published: ago(5).toISOString(),
          location: { name: CITY },
          departments: [{ id: 1, name: "Sales" }]
        }
      ]
    }),
  "lever/postings/boltworks": () =>
    json([
      {
        id: "a1",
        text: "Welder",
        hostedUrl: "https://jobs.lever.co/boltworks/a1",
        createdAt: ago(20).getTime(),
        categories: { location: CITY }
      }
    ]),
  "gdelt/doc/doc": (query) =>
    json({
      articles: query.get("query")?.includes(labs.domain)
        ? [
            {
              url: "https://news.test/cedar",
              title: "Cedar Labs raises $5 million in seed funding",
              seendate: stamp(12),
              domain: "news.test"
            }
          ]
        : []
    }),
  "edgar-search/search-index": (query) => {
    const named = query.get("q")?.includes("Northwind") === true
    const hits = FILINGS.filter(({ form }) => named && form === query.get("forms")).map(filed)
    return json({ hits: { total: { value: hits.length }, hits } })
  },
  "edgar-data/submissions/CIK0001234567.json": () => json(submissions()),
  [`edgar-archives/edgar/data/1234567/${accession.replaceAll("-", "")}/primary_doc.xml`]: () => ({
    type: "application/xml",
    body: "<edgarSubmission><totalAmountSold>2500000</totalAmountSold></edgarSubmission>"
  }),
  "youtube/search": () => json({ items: [{ id: { videoId: "v1" } }] }),
  "youtube/videos": () => json({ items: [video("v1", "How an anvil is made")] }),
  "youtube/videoCategories": () => json({ kind: "youtube#videoCategoryListResponse", items: [] })
}

const text = async (request: IncomingMessage): Promise<string> => {
  let all = ""
  for await (const part of request.setEncoding("utf8")) all += part
  return all
}

const replyTo = async (request: IncomingMessage): Promise<Reply> => {
  const url = new URL(request.url ?? "/", "http://here")
  const [, source] = /^\/_source\/(.+)$/.exec(url.pathname) ?? []
  if (source === "model/chat/completions") return json(answerOf(JSON.parse(await text(request))))
  if (source !== undefined) return SOURCES[source]?.(url.searchParams) ?? { status: 404, type: "text/plain", body: "" }
  const host = (request.headers.host ?? "").replace(/:\d+$/, "").replace(/^www\./, "")
  const company = ALL.find(({ domain }) => domain === host)
  return (company === undefined ? null : site(company, url.pathname)) ?? { status: 404, type: "text/plain", body: "" }
}

export interface OpenSources {
  readonly port: number
  /** The base address of a source. */
  readonly at: (source: string) => string
  /** Who was asked, by host or source, with how many requests. */
  readonly asked: () => ReadonlyMap<string, number>
}

export const openSources: Effect.Effect<OpenSources, never, Scope.Scope> = Effect.gen(function* () {
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const who = /^\/_source\/([^/]+)/.exec(request.url ?? "")?.[1] ?? (request.headers.host ?? "").replace(/:\d+$/, "")
    asked.set(who, (asked.get(who) ?? 0) + 1)
    response.on("error", () => undefined)
    void replyTo(request).then(
      ({ body, status = 200, type }) => response.writeHead(status, { "content-type": type }).end(body),
      () => response.writeHead(500).end()
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return { port, at: (source) => `http://127.0.0.1:${port}/_source/${source}`, asked: () => asked }
})
