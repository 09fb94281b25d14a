import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** When the proxy cuts a connection, as seen from the client's next commit of a batch. */
export type Cut = "before it reaches the server" | "before its answer comes back"

/** Bytes are taken and lost, and no side learns of it. */
interface Line {
  isDead: boolean
}

/** What commits a batch looks like on the wire: the name of a prepared statement. */
const COMMITS = [
  "journal_commit",
  "journal_settle",
  "journal_settle_skip",
  "journal_settle_back",
  "journal_settle_back_skip",
  "journal_settle_whole"
].map((name) => Buffer.from(`${name}\0`))
/** The messages that prepare them, all at once, hold a text as well. */
const PREPARING = Buffer.from("journal_commit\0COMMIT\0")

export interface CuttingProxy {
  readonly url: string
  /** Cuts the connection that commits next, once. */
  readonly cutNext: (cut: Cut) => void
  readonly cuts: () => number
  /** The network is gone from the client's next commit of a batch on, and for every later connection. */
  readonly blackholeNext: () => void
  /** The network is gone now: bytes are lost, and no side learns of it. */
  readonly blackhole: () => void
  /** The host died now: its connections are closed, whatever runs on them. */
  readonly sever: () => void
  /** The network is back for new connections. Those that were open stay dead. */
  readonly heal: () => void
}

interface State {
  armed: Cut | "blackhole" | undefined
  cuts: number
  isGone: boolean
  readonly lines: Set<Line>
}

const pipe = (client: Socket, server: Socket, state: State) => {
  const line: Line = { isDead: state.isGone }
  state.lines.add(line)
  let answerCut = false
  const end = () => {
    client.destroy()
    server.destroy()
  }
  // Nor does a side learn that the other has closed.
  for (const socket of [client, server]) {
    socket.on("error", () => line.isDead || end()).on("close", () => line.isDead || end())
  }
  client.on("data", (chunk) => {
    if (line.isDead) return
    const commits = COMMITS.some((name) => chunk.includes(name)) && !chunk.includes(PREPARING)
    if (!commits || state.armed === undefined) return void server.write(chunk)
    const cut = state.armed
    state.armed = undefined
    state.cuts += 1
    if (cut === "blackhole") {
      state.isGone = true
      for (const one of state.lines) one.isDead = true
      return
    }
    if (cut === "before it reaches the server") return end()
    answerCut = true
    server.write(chunk)
  })
  server.on("data", (chunk) => {
    if (line.isDead) return
    if (answerCut) end()
    else client.write(chunk)
  })
}

/** A way to the database that can lose a connection at its worst moment. */
export const cuttingProxy = (databaseUrl: string): Effect.Effect<CuttingProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<CuttingProxy & { readonly close: () => void }>((resume) => {
      const target = new URL(databaseUrl)
      const state: State = { armed: undefined, cuts: 0, isGone: false, lines: new Set() }
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
            blackholeNext: () => {
              state.armed = "blackhole"
            },
            blackhole: () => {
              state.isGone = true
              for (const one of state.lines) one.isDead = true
            },
            sever: () => {
              for (const socket of sockets) socket.destroy()
            },
            heal: () => {
              state.isGone = false
            },
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
