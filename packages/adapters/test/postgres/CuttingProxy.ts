import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** When the proxy cuts a connection, as seen from the client's next commit of a batch. */
export type Cut = "before it reaches the server" | "before its answer comes back"

/** What commits a batch looks like on the wire: the name of a prepared statement. */
const COMMITS = ["journal_commit", "journal_settle", "journal_settle_skip", "journal_settle_whole"].map((name) =>
  Buffer.from(`${name}\0`)
)
/** The messages that prepare them, all at once, hold a text as well. */
const PREPARING = Buffer.from("journal_commit\0COMMIT\0")

export interface CuttingProxy {
  readonly url: string
  /** Cuts the connection that commits next, once. */
  readonly cutNext: (cut: Cut) => void
  readonly cuts: () => number
}

const pipe = (client: Socket, server: Socket, state: { armed: Cut | undefined; cuts: number }) => {
  let answerCut = false
  const end = () => {
    client.destroy()
    server.destroy()
  }
  for (const socket of [client, server]) socket.on("error", end).on("close", end)
  client.on("data", (chunk) => {
    const commits = COMMITS.some((name) => chunk.includes(name)) && !chunk.includes(PREPARING)
    if (!commits || state.armed === undefined) return void server.write(chunk)
    const cut = state.armed
    state.armed = undefined
    state.cuts += 1
    if (cut === "before it reaches the server") return end()
    answerCut = true
    server.write(chunk)
  })
  server.on("data", (chunk) => {
    if (answerCut) end()
    else client.write(chunk)
  })
}

/** A way to the database that can lose a connection at its worst moment. */
export const cuttingProxy = (databaseUrl: string): Effect.Effect<CuttingProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<CuttingProxy & { readonly close: () => void }>((resume) => {
      const target = new URL(databaseUrl)
      const state: { armed: Cut | undefined; cuts: number } = { armed: undefined, cuts: 0 }
      const sockets = new Set<Socket>()
      const proxy = createServer((client) => {
        const server = connect(Number(target.port), target.hostname)
        sockets.add(client).add(server)
        pipe(client, server, state)
      })
      proxy.listen(0, "127.0.0.1", () => {
        const address = proxy.address()
        const url = new URL(databaseUrl)
        url.hostname = "127.0.0.1"
        url.port = String(typeof address === "object" ? address?.port : 0)
        resume(
          Effect.succeed({
            url: url.href,
            cutNext: (cut) => {
              state.armed = cut
            },
            cuts: () => state.cuts,
            close: () => {
              proxy.close()
              for (const socket of sockets) socket.destroy()
            }
          })
        )
      })
    }),
    (made) => Effect.sync(made.close)
  )
