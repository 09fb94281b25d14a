import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

export interface SlowProxy {
  readonly url: string
  /** How long a byte takes from now on, one way. */
  readonly delay: (millis: number) => void
  /** How often a client has waited for the server since the proxy was made. */
  readonly roundTrips: () => number
}

/** A way to the database that takes its time, and counts how often somebody goes it and waits. */
export const slowProxy = (databaseUrl: string): Effect.Effect<SlowProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<SlowProxy & { readonly close: () => void }>((resume) => {
      const target = new URL(databaseUrl)
      const sockets = new Set<Socket>()
      let delayMillis = 0
      let trips = 0
      const later = (work: () => void) => (delayMillis === 0 ? work() : void setTimeout(work, delayMillis))
      const proxy = createServer({ noDelay: true }, (client) => {
        const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
        sockets.add(client).add(server)
        let isAsking = false
        client.on("data", (chunk) => {
          if (!isAsking) trips++
          isAsking = true
          later(() => server.write(chunk))
        })
        server.on("data", (chunk) => {
          isAsking = false
          later(() => client.write(chunk))
        })
        for (const [one, other] of [
          [client, server],
          [server, client]
        ] as const) {
          one.on("error", () => other.destroy()).on("close", () => other.destroy())
        }
      })
      proxy.listen(0, "127.0.0.1", () => {
        const address = proxy.address()
        const url = new URL(databaseUrl)
        url.hostname = "127.0.0.1"
        url.port = String(typeof address === "object" ? address?.port : 0)
        const close = () => {
          proxy.close()
          for (const socket of sockets) socket.destroy()
        }
        const delay = (millis: number) => void (delayMillis = millis)
        resume(Effect.succeed({ url: url.href, delay, roundTrips: () => trips, close }))
      })
    }),
    (made) => Effect.sync(made.close)
  )
