import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** The byte of a `ReadyForQuery` message, and that of its status outside a transaction. */
const READY = "Z".charCodeAt(0)
const IDLE = "I".charCodeAt(0)

/** A way to a database that counts what passes. */
export interface CountingLine {
  /** The database's URL through the line. */
  readonly url: string
  /** How many transactions have ended on it; a statement alone is one. */
  readonly transactions: () => number
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

/** A line to the server of `url`, for as long as the scope is open. */
export const countingLine = (url: string): Effect.Effect<CountingLine, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const target = new URL(url)
        const sockets = new Set<Socket>()
        const counted = { transactions: 0 }
        const server = createServer((near) => {
          const far = connect(Number(target.port || 5432), target.hostname)
          const read = reader(() => (counted.transactions += 1))
          far.on("data", read)
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
        return { counted, server, sockets, target }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ counted, server, target }) => {
      const through = new URL(target)
      through.hostname = "127.0.0.1"
      through.port = String((server.address() as AddressInfo).port)
      return { url: through.href, transactions: () => counted.transactions }
    }
  )
