import { Effect } from "effect"
import { connect, type Socket } from "node:net"

/** A connection on which a test says exactly what goes over it. */
export interface Wire {
  readonly socket: Socket
  readonly write: (text: string | Buffer) => void
  /** Everything that has come so far, once it holds `part`; fails once the other side closes without it. */
  readonly until: (part: string | RegExp) => Effect.Effect<string, Error>
  /** Everything that came until the other side closed. */
  readonly closed: Effect.Effect<string>
}

/** A connection from a loopback address. One that stays never closes its side, whatever the server does. */
export const open = (port: number, localAddress = "127.0.0.1", stays = false) =>
  Effect.acquireRelease(
    Effect.callback<Wire, Error>((resume) => {
      let received = ""
      let isClosed = false
      const watchers = new Set<() => void>()
      const notify = () => [...watchers].forEach((watch) => watch())
      const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: stays })
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1")
        notify()
      })
      socket.on("close", () => {
        isClosed = true
        resume(Effect.fail(new Error("refused")))
        notify()
      })
      socket.on("error", () => undefined)
      const wait = <A, E>(look: () => Effect.Effect<A, E> | undefined) =>
        Effect.callback<A, E>((done) => {
          const watch = () => {
            const found = look()
            if (found === undefined) return
            watchers.delete(watch)
            done(found)
          }
          watchers.add(watch)
          watch()
        })
      socket.once("connect", () =>
        resume(
          Effect.succeed({
            socket,
            write: (text) => void socket.write(text),
            until: (part) =>
              wait<string, Error>(() =>
                (typeof part === "string" ? received.includes(part) : part.test(received))
                  ? Effect.succeed(received)
                  : isClosed
                    ? Effect.fail(new Error(`closed after ${JSON.stringify(received)}`))
                    : undefined
              ),
            closed: wait<string, never>(() => (isClosed ? Effect.succeed(received) : undefined))
          })
        )
      )
    }),
    (wire) => Effect.sync(() => wire.socket.destroy())
  )
