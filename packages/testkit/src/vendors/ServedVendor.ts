import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Answer, Received } from "./Exchange.js"
import { tellWire } from "./wire.js"

/** What happens to a request: answered, answered with half a body, or cut before or after the vendor acts. */
export type Fate =
  | "answered"
  | "half answered"
  | "cut before"
  | "cut after"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

/** A vendor over local HTTP that behaves as documented. */
export interface ServedVendor {
  readonly url: string
  /** Whole requests, oldest first. */
  readonly received: ReadonlyArray<Received>
  /** For the next request with this method and path ending. */
  readonly fate: (method: string, pathEnd: string, fate: Fate) => void
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Ends with its scope. */
export const serveVendor = (act: (request: Received) => Answer): Effect.Effect<ServedVendor, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const received: Array<Received> = []
        const fates: Array<{ method: string; pathEnd: string; fate: Fate }> = []
        const server = createServer((request, response) => {
          void textOf(request).then((text) => {
            const url = new URL(request.url ?? "/", "http://vendor.test")
            const one: Received = {
              method: request.method ?? "",
              path: url.pathname,
              query: url.searchParams,
              headers: Object.fromEntries(
                Object.entries(request.headers).map(([name, value]) => [name, String(value)])
              ),
              text,
              body: parsed(text),
              bytes: 0,
              connection: 0
            }
            received.push(one)
            const at = fates.findIndex(({ method, pathEnd }) => method === one.method && one.path.endsWith(pathEnd))
            const fate = at < 0 ? "answered" : (fates.splice(at, 1)[0]?.fate ?? "answered")
            if (fate === "cut before") return void request.socket.resetAndDestroy()
            if (typeof fate === "object") return void response.writeHead(fate.status, fate.headers).end("{}")
            const answer = act(one)
            tellWire(one, answer)
            const { json, status = 200, text: plain } = answer
            if (fate === "cut after") return void request.socket.resetAndDestroy()
            response.writeHead(status, { "content-type": "application/json" })
            const body = plain ?? JSON.stringify(json ?? {})
            response.end(fate === "half answered" ? body.slice(0, Math.floor(body.length / 2)) : body)
          })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        const { port } = server.address() as AddressInfo
        return {
          server,
          served: {
            url: `http://127.0.0.1:${port}`,
            received,
            fate: (method: string, pathEnd: string, fate: Fate) => void fates.push({ method, pathEnd, fate })
          }
        }
      }),
      ({ server }) =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              server.close(() => resolve())
              server.closeAllConnections()
            })
        )
    ),
    ({ served }) => served
  )
