import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A way to the database that can be cut. */
export interface Line {
  /** The database's URL through the line. */
  readonly url: string
  /** Every connection breaks, and new ones are refused. */
  readonly cut: Effect.Effect<void>
  /** Nothing passes any more, and nobody is told; new connections get no answer either. */
  readonly freeze: Effect.Effect<void>
  readonly restore: Effect.Effect<void>
}

/** A line to the server of `url`, for as long as the scope is open. */
export const line = (url: string): Effect.Effect<Line, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const target = new URL(url)
        const sockets = new Set<Socket>()
        const state: { now: "open" | "cut" | "frozen" } = { now: "open" }
        const server = createServer((near) => {
          if (state.now === "cut") return void near.destroy()
          const far = connect(Number(target.port || 5432), target.hostname)
          for (const [socket, other] of [
            [near, far],
            [far, near]
          ] as const) {
            sockets.add(socket)
            socket.on("error", () => {})
            socket.on("data", (chunk) => state.now === "open" && other.write(chunk))
            socket.on("close", () => {
              sockets.delete(socket)
              other.destroy()
            })
          }
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        return { server, sockets, state, target }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ server, sockets, state, target }) => {
      const through = new URL(target)
      through.hostname = "127.0.0.1"
      through.port = String((server.address() as AddressInfo).port)
      const breakAll = () => {
        for (const socket of sockets) socket.destroy()
      }
      return {
        url: through.href,
        cut: Effect.sync(() => {
          state.now = "cut"
          breakAll()
        }),
        freeze: Effect.sync(() => {
          state.now = "frozen"
        }),
        // What passed through a frozen line was lost, so its connections cannot go on.
        restore: Effect.sync(() => {
          if (state.now === "frozen") breakAll()
          state.now = "open"
        })
      }
    }
  )
