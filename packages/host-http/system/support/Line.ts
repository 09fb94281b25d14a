import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** The byte of a `ReadyForQuery` message, and that of its status outside a transaction. */
const READY = "Z".charCodeAt(0)
const IDLE = "I".charCodeAt(0)

/** A way to a database that counts what passes, and that can lead elsewhere. */
export interface Line {
  readonly port: number
  /** How many transactions have ended on it; a statement alone is one. */
  readonly transactions: () => number
  /** Breaks every connection. New ones lead to this port; null: nowhere. */
  readonly lead: (port: number | null) => void
}

/** Calls back for each end of a transaction in a server's stream. */
const reader = (onEnd: () => void) => {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) return
      if (rest[0] === READY && rest[5] === IDLE) onEnd()
      rest = rest.subarray(length)
    }
  }
}

/** A line to that port of this machine, for as long as the scope is open. */
export const lineTo = (to: number): Effect.Effect<Line, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const sockets = new Set<Socket>()
        const state: { transactions: number; to: number | null } = { transactions: 0, to }
        const server = createServer((near) => {
          near.on("error", () => {})
          if (state.to === null) return void near.destroy()
          const far = connect(state.to, "127.0.0.1")
          far.on(
            "data",
            reader(() => (state.transactions += 1))
          )
          for (const [socket, other] of [
            [near, far],
            [far, near]
          ] as const) {
            sockets.add(socket)
            socket.on("error", () => {})
            socket.on("data", (chunk) => other.write(chunk))
            socket.on("close", () => {
              sockets.delete(socket)
              other.destroy()
            })
          }
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        return { state, server, sockets }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ server, sockets, state }) => ({
      port: (server.address() as AddressInfo).port,
      transactions: () => state.transactions,
      lead: (port) => {
        state.to = port
        for (const socket of sockets) socket.destroy()
      }
    })
  )

/** The URL of the same database through the line. */
export const through = (line: Line, url: string): string => {
  const led = new URL(url)
  led.hostname = "127.0.0.1"
  led.port = String(line.port)
  return led.href
}
