import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import { type SourceMemory, sourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import { layer as memoryStores } from "@outbound/testkit/memory/layer.js"
import { Effect, Result, type Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Beside, NOTHING_BESIDE } from "../../../src/providers/Beside.js"
import type { MadeVendor, Vendor } from "../../../src/providers/Vendor.js"
import { makeWebVisitor } from "../../../src/site/WebVisitor.js"
import { type Asked, openDifferences } from "../published/open.js"
import { toLoopback } from "../../site/TestSite.js"

/** What a server of the open web answers; a text is a page. */
export interface OpenReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** It answers when this is over. */
  readonly after?: Promise<void>
}

/** Websites and public sources on one loopback port, told apart by host. */
export interface OpenWorld {
  readonly port: number
  /** The address of a source's host here. */
  readonly at: (host: string) => string
  readonly asked: ReadonlyArray<Asked>
  readonly forget: () => void
  readonly put: (host: string, path: string, reply: OpenReply | string | object) => void
  readonly remove: (host: string, path: string) => void
  readonly beside: Beside
  /** What sources learn here, for every one that is made in this world. */
  readonly memory: SourceMemory
}

const replyOf = (reply: OpenReply | string | object): OpenReply => {
  if (typeof reply === "string") return { headers: { "content-type": "text/html; charset=utf-8" }, body: reply }
  if ("body" in reply) return reply as OpenReply
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(reply) }
}

/**
 * Every request to a public source is held to what that publishes. `host/path` without a query is asked for, unless one with its query is known.
 */
export const makeOpenWorld = (companies: CompanySource | null = null): Effect.Effect<OpenWorld, never, Scope.Scope> =>
  Effect.gen(function* () {
    const memory = yield* Effect.provide(sourceMemory, memoryStores)
    const { world } = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const replies = new Map<string, OpenReply>()
        const asked: Array<Asked> = []
        /** Where a request to a public source was not as it is published. */
        const unpublished = new Set<string>()
        const server = createServer((request, response) => {
          const url = request.url ?? "/"
          // A source's host is the first part of the path, since its base address is our own.
          const [, first = "", rest = ""] = /^\/_(?:host)\/([^/]+)(.*)$/.exec(url) ?? []
          const host = first === "" ? (request.headers.host ?? "").replace(/:\d+$/, "") : first
          const path = first === "" ? url : rest
          const one = { host, path, headers: request.headers }
          asked.push(one)
          if (url.startsWith("/_host/")) for (const difference of openDifferences(one)) unpublished.add(difference)
          const reply = replies.get(`${host}${path}`) ?? replies.get(`${host}${path.split("?")[0] ?? ""}`)
          response.on("error", () => undefined)
          void (reply?.after ?? Promise.resolve()).then(() => {
            response.writeHead(reply?.status ?? (reply === undefined ? 404 : 200), reply?.headers)
            response.end(reply?.body ?? "nothing here")
          })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        const { port } = server.address() as AddressInfo
        const put: OpenWorld["put"] = (host, path, reply) => void replies.set(`${host}${path}`, replyOf(reply))
        const world: OpenWorld = {
          port,
          at: (host) => `http://127.0.0.1:${port}/_host/${host}`,
          asked,
          forget: () => void asked.splice(0),
          put,
          remove: (host, path) => void replies.delete(`${host}${path}`),
          memory,
          beside: {
            ...NOTHING_BESIDE,
            contact: "ops@outbound.test",
            companies,
            memory,
            web: makeWebVisitor({
              aboutUrl: "https://outbound.test/docs",
              resolve: toLoopback,
              limits: { requestMillisMax: 5_000, siteMillisMax: 12_000 },
              testing: {
                allowedServers: [{ address: "127.0.0.1", port }],
                originsOf: (domain) => [`http://${domain}:${port}`]
              }
            })
          }
        }
        return { server, world, unpublished }
      }),
      ({ server, unpublished }) =>
        Effect.andThen(
          Effect.promise(
            () =>
              new Promise<void>((resolve) => {
                server.close(() => resolve())
                server.closeAllConnections()
              })
          ),
          Effect.suspend(() =>
            unpublished.size === 0 ? Effect.void : Effect.die(new Error([...unpublished].sort().join("; ")))
          )
        )
    )
    return world
  })

/** A vendor among the world's hosts. */
export const madeIn = (
  world: OpenWorld,
  vendor: Vendor,
  settings: unknown,
  baseUrl = vendor.baseUrl,
  beside: Partial<Beside> = {}
): Effect.Effect<MadeVendor, never, Scope.Scope> =>
  Result.getOrThrow(vendor.decode(settings))(
    { baseUrl, credential: null, callsPerMinute: null, unitMicros: 0, declared: {} },
    { ...world.beside, ...beside }
  )

export const page = (body: string, head = ""): string =>
  `<!doctype html><html><head><title>Acme</title>${head}</head><body>${body}</body></html>`
