import type { SiteReading } from "@outbound/domain/sources/ports/SiteReader.js"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Resolve } from "../../src/site/Gate.js"
import type { SiteLimits } from "../../src/site/limits.js"
import { makeSiteReader } from "../../src/site/WebSiteReader.js"

export const DOMAIN = "acme.test"

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A real server on loopback, and what it was asked. */
export interface TestSite {
  readonly port: number
  /** `host path`, in the order in which they came. */
  readonly asked: ReadonlyArray<string>
  readonly agents: ReadonlySet<string | undefined>
  readonly openSockets: () => number
}

export const html =
  (body: string, head = ""): Answer =>
  (_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`)
  }

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(code, headers)
    response.end()
  }

export const text =
  (body: string): Answer =>
  (_request, response) => {
    response.setHeader("content-type", "text/plain")
    response.end(body)
  }

/** Serves paths; a path that is not among them is a 404. */
export const serve = (paths: Readonly<Record<string, Answer>>): Effect.Effect<TestSite, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<TestSite & { readonly close: Effect.Effect<void> }>((resume) => {
      const asked: Array<string> = []
      const agents = new Set<string | undefined>()
      const sockets = new Set<Socket>()
      const server = createServer((request, response) => {
        const host = (request.headers.host ?? "").replace(/:\d+$/, "")
        asked.push(`${host} ${request.url}`)
        agents.add(request.headers["user-agent"])
        response.on("error", () => undefined)
        ;(paths[request.url ?? ""] ?? status(404))(request, response)
      })
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
        socket.on("error", () => undefined)
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            port: (server.address() as AddressInfo).port,
            asked,
            agents,
            openSockets: () => sockets.size,
            close: Effect.callback<void>((done) => {
              server.close(() => done(Effect.void))
              for (const socket of sockets) socket.destroy()
            })
          })
        )
      )
    }),
    ({ close }) => close
  )

export const toLoopback: Resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])

export interface ReadOptions {
  readonly question?: string
  readonly pagesMax?: number
  readonly limits?: Partial<SiteLimits>
  readonly resolve?: Resolve
  /** Without it, loopback is as forbidden as it is in earnest. */
  readonly allowed?: boolean
  readonly origins?: (site: TestSite) => ReadonlyArray<string>
}

const readerOf = (site: TestSite, options: ReadOptions) =>
  makeSiteReader({
    aboutUrl: "https://outbound.test/docs",
    limits: { requestMillisMax: 1_500, siteMillisMax: 6_000, ...options.limits },
    resolve: options.resolve ?? toLoopback,
    testing: {
      allowedServers: [{ address: options.allowed === false ? "192.0.2.1" : "127.0.0.1", port: site.port }],
      originsOf: () => options.origins?.(site) ?? [`http://${DOMAIN}:${site.port}`]
    }
  })

/** Pages of the site by their addresses. */
export const readPages = (site: TestSite, urls: ReadonlyArray<string>, options: ReadOptions = {}) =>
  Effect.orDie(readerOf(site, options).pages({ companyDomain: DOMAIN, urls }))

export const read = (site: TestSite, options: ReadOptions = {}): Effect.Effect<SiteReading> =>
  readerOf(site, options)
    .read({
      companyDomain: DOMAIN,
      question: options.question ?? "Is there a free trial?",
      pagesMax: options.pagesMax ?? 5
    })
    .pipe(Effect.orDie)

/** What was read, or why nothing was. */
export const outcomeOf = (reading: SiteReading): string | ReadonlyArray<string> =>
  reading._tag === "Unreadable" ? reading.reason : reading.pages.map(({ url }) => new URL(url).pathname)

export const textOf = (reading: SiteReading): string =>
  reading._tag === "Read" ? reading.pages.map((page) => page.text).join("\n") : ""
