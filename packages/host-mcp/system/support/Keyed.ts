import { Effect } from "effect"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/** Passes everything on to the host as it came, with a key: for a client that can send none. */
export const keyed = (baseUrl: string, apiKey: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const { port } = new URL(baseUrl)
        const server = createServer((incoming, outgoing) => {
          const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` }
          const { method = "GET", url = "/" } = incoming
          const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(outgoing)
          })
          passed.on("error", () => outgoing.destroy())
          incoming.pipe(passed)
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
    ),
    (server) => `http://localhost:${(server.address() as AddressInfo).port}`
  )
