/** Companies' websites and public sources at their worst, on one loopback port: by host, and by a path of each source. */
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"

type Answer = (response: ServerResponse) => void | Promise<void>

const MEGABYTE = 1024 * 1024

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MILLIS)

const sent =
  (type: string, body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": type, ...headers }).end(body)

const page = (body: string, head = "", type = "text/html; charset=utf-8"): Answer =>
  sent(type, `<!doctype html><html><head>${head}</head><body>${body}</body></html>`)

const json = (value: unknown): Answer => sent("application/json", JSON.stringify(value))

/** A company whose home page has its name, a sentence and a link to where it hires. */
const company = (name: string, careers: string): Answer =>
  page(
    `<h1>${name}</h1><p>${name} is a maker of anvils for smiths in Bavaria.</p>${careers}`,
    `<title>${name}</title><meta property="og:site_name" content="${name}">`
  )

const jobs = (count: number, title = "Engineer") =>
  Array.from({ length: count }, (_, at) => ({
    id: `j${at}`,
    text: `${title} ${at}`,
    hostedUrl: null,
    createdAt: ago(3).getTime()
  }))

/** A list that never seems to end: valid, and far too long. */
const endless =
  (megabytes: number): Answer =>
  async (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    const filler = `{"id":"x","text":"${"Engineer ".repeat(MEGABYTE / 9)}"},`
    response.write("[")
    const gone = new AbortController()
    response.on("close", () => gone.abort())
    for (let sentMegabytes = 0; sentMegabytes < megabytes; sentMegabytes++) {
      if (!response.write(filler)) await once(response, "drain", { signal: gone.signal })
    }
    response.end(`{"id":"y","text":"Last"}]`)
  }

const slowly =
  (millis: number, answer: Answer): Answer =>
  async (response) => {
    await new Promise((resolve) => setTimeout(resolve, millis))
    if (!response.destroyed) await answer(response)
  }

const feed = (items: string): Answer =>
  sent(
    "application/rss+xml",
    `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`
  )

const feedLink = `<link rel="alternate" type="application/rss+xml" href="/news.xml">`
const atLever = (board: string): string => `<a href="https://jobs.lever.co/${board}">Open positions</a>`

/** `ä` and `ü` are one byte each here. */
const latin = (text: string): Buffer => Buffer.from(text, "latin1")

/** How long the slow board takes. */
export const SLOW_MILLIS = 10_000

const CHALLENGE = sent(
  "text/html",
  `<!doctype html><title>Just a moment...</title><p>Checking your browser before accessing the site.</p>`,
  403,
  { server: "cloudflare", "cf-mitigated": "challenge" }
)

const organization = (name: string, domain: string): string => {
  const data = { "@type": "Organization", name, url: `https://${domain}/`, foundingDate: "1998" }
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`
}

/** Who answers what: `host/path`, a source by its name. Anything else is not found. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "huge.test/": company("Huge", atLever("huge")),
  "lever/postings/huge": endless(50),
  "slow.test/": company("Slow", atLever("slow")),
  "lever/postings/slow": slowly(SLOW_MILLIS, json(jobs(85))),
  "markup.test/": company("Markup", atLever("markup")),
  "lever/postings/markup": page("<h1>We'll be right back</h1>"),
  // A board of another company of the same name: nothing on the company's own pages leads to it.
  "namesake.test/": company("Namesake", "<p>Write to us.</p>"),
  "lever/postings/namesake": json(jobs(3, "Pilot")),
  // A board of somebody else, on its own page.
  "holder.test/": company("Holder", atLever("portfolio")),
  "lever/postings/portfolio": json(jobs(3, "Nurse")),
  "child.test/": company("Child", `<a href="/careers">Careers</a>`),
  "child.test/careers": (response) => void response.writeHead(302, { location: "http://parent.test/careers" }).end(),
  "parent.test/careers": page(atLever("parent")),
  "lever/postings/parent": json(jobs(3, "Baker")),
  "guarded.test/": CHALLENGE,
  "guarded.test/robots.txt": sent("text/plain", "User-agent: *\nAllow: /"),
  "closed.test/": company("Closed", atLever("closed")),
  "closed.test/robots.txt": sent("text/plain", "User-agent: *\nDisallow: /"),
  "lever/postings/closed": json(jobs(3, "Locksmith")),
  "old.test/": page("<h1>Old</h1>", `<meta property="og:site_name" content="Old Anvils">${feedLink}`),
  "old.test/news.xml": feed(
    `<item><title>Old Anvils opens a hall</title><link>http://old.test/1</link><pubDate>${ago(3_650).toUTCString()}</pubDate></item>`
  ),
  "timeless.test/": page("<h1>Timeless</h1>", `<meta property="og:site_name" content="Timeless Anvils">${feedLink}`),
  "timeless.test/news.xml": feed(
    "<item><title>Timeless Anvils opens a hall</title><link>http://timeless.test/1</link></item>" +
      "<item><title>Timeless Anvils raises money</title><link>http://timeless.test/2</link><pubDate>soon</pubDate></item>"
  ),
  "told.test/": company("Told Anvils", ""),
  "gdelt/doc/doc": sent("text/html", "One or more of your keywords were too short, too long or too common."),
  "filer.test/": company("Filer Anvils", ""),
  "edgar-search/search-index": sent(
    "text/html",
    "<h1>Your Request Originates from an Undeclared Automated Tool</h1><p>Please declare your traffic.</p>",
    403
  ),
  "youtube/search": sent(
    "application/json",
    JSON.stringify({
      error: { code: 403, message: "quota", errors: [{ domain: "youtube.quota", reason: "quotaExceeded" }] }
    }),
    403
  ),
  "latin.test/": sent(
    "text/html",
    latin(
      `<!doctype html><meta charset="iso-8859-1"><title>Müller Gießerei</title>${organization("Müller Gießerei", "latin.test")}` +
        "<p>Die Müller Gießerei ist ein Betrieb in Mühldorf und gießt seit 1998 Ambosse für Schmiede.</p>"
    )
  ),
  "wide.test/": sent(
    "text/html; charset=utf-16le",
    Buffer.from(
      `<!doctype html><title>Çelik</title>${organization("Çelik Döküm", "wide.test")}<p>Çelik Döküm</p>`,
      "utf16le"
    )
  ),
  "packed.test/": sent(
    "text/html; charset=utf-8",
    gzipSync(`<!doctype html><title>Packed</title>${organization("Packed Anvils", "packed.test")}${atLever("packed")}`),
    200,
    { "content-encoding": "gzip" }
  ),
  "lever/postings/packed": sent("application/json", gzipSync(JSON.stringify(jobs(2, "Packer"))), 200, {
    "content-encoding": "gzip"
  }),
  "bomb.test/": company("Bomb", atLever("bomb")),
  "lever/postings/bomb": sent("application/json", gzipSync(`[${" ".repeat(50 * MEGABYTE)}]`), 200, {
    "content-encoding": "gzip"
  }),
  "torn.test/": company("Torn", atLever("torn")),
  "lever/postings/torn": sent("application/json", gzipSync(JSON.stringify(jobs(200, "Tearer"))).subarray(0, 300), 200, {
    "content-encoding": "gzip"
  })
}

export const COMPANIES: ReadonlyArray<string> = [
  ...new Set(Object.keys(ANSWERS).flatMap((key) => /^[^/]+\.test(?=\/)/.exec(key)?.[0] ?? []))
]

export interface HostileWeb {
  readonly port: number
  readonly at: (source: string) => string
  /** The paths that were asked for, with their host or source. */
  readonly asked: () => ReadonlyArray<string>
}

export const hostileWeb: Effect.Effect<HostileWeb, never, Scope.Scope> = Effect.gen(function* () {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://here")
    const [, source] = /^\/_source\/(.+)$/.exec(pathname) ?? []
    const what = source ?? `${(request.headers.host ?? "").replace(/:\d+$/, "").replace(/^www\./, "")}${pathname}`
    asked.push(what)
    response.on("error", () => undefined)
    const answer = ANSWERS[what] ?? sent("text/plain", "", 404)
    void Promise.resolve(answer(response)).catch(() => response.destroy())
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
