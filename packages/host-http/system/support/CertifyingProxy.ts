import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { Effect, type Scope } from "effect"
import { request as ask } from "node:http"
import { createServer, request } from "node:https"
import type { AddressInfo } from "node:net"
import { createSecureContext } from "node:tls"

export interface CertifyingProxy {
  /** What comes back by TLS under a name; null: the proxy has no certificate for it. */
  readonly status: (name: string, path: string) => Effect.Effect<number | null>
  /** For which names it got one. */
  readonly certified: () => ReadonlyArray<string>
}

/**
 * A proxy with certificates on demand, as Caddy's `on_demand_tls` with `ask`: at the first handshake under a name it asks
 * the service whether the name is its own. What it passes on says for whom.
 */
export const certifyingProxy = (servicePort: number): Effect.Effect<CertifyingProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const certified = new Set<string>()
      const context = createSecureContext({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY })
      const allowed = async (name: string): Promise<boolean> => {
        if (certified.has(name)) return true
        const { status } = await fetch(
          `http://127.0.0.1:${servicePort}/link-hosts/ask?domain=${encodeURIComponent(name)}`
        )
        if (status === 200) certified.add(name)
        return status === 200
      }
      const server = createServer(
        {
          SNICallback: async (name, done) => {
            const isOurs = await allowed(name).catch(() => false)
            if (isOurs) done(null, context)
            else done(new Error("no certificate"))
          }
        },
        ({ headers, method, url }, outgoing) => {
          const forwarded = { ...headers, "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" }
          const options = {
            host: "127.0.0.1",
            port: servicePort,
            path: url,
            method,
            headers: forwarded,
            agent: false
          } as const
          ask(options, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(outgoing)
          }).end()
        }
      )
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
      return { server, certified }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((closed) => server.close(closed))
      })
  ).pipe(
    Effect.map(({ certified, server }) => ({
      certified: () => [...certified],
      status: (name, path) =>
        Effect.promise(
          () =>
            new Promise<number | null>((resolve) => {
              const { port } = server.address() as AddressInfo
              const options = {
                host: "127.0.0.1",
                port,
                path,
                servername: name,
                headers: { host: name },
                agent: false,
                rejectUnauthorized: false
              } as const
              request(options, (answer) => {
                answer.resume()
                resolve(answer.statusCode ?? 0)
              })
                .on("error", () => resolve(null))
                .end()
            })
        )
    }))
  )
