import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import pg from "pg"

const SERVERS = 2
/** The byte of a `ReadyForQuery` message, and that of its status outside a transaction. */
const READY = "Z".charCodeAt(0)
const IDLE = "I".charCodeAt(0)
const TERMINATE = "X".charCodeAt(0)
/** `AuthenticationOk`, then `ReadyForQuery` outside a transaction. */
const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, READY, 0, 0, 0, 5, IDLE])

interface Backend {
  readonly socket: Socket
  holder: Client | undefined
  buffered: Buffer
}

interface Client {
  readonly socket: Socket
  backend: Backend | undefined
  pending: Array<Buffer>
}

/** Calls back with each whole message of the stream, after which the rest is kept. */
const messages = (buffered: Buffer, each: (message: Buffer) => void): Buffer => {
  let rest = buffered
  while (rest.length >= 5) {
    const length = 1 + rest.readUInt32BE(1)
    if (rest.length < length) break
    each(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return rest
}

/**
 * A pooler in transaction mode, small and of our own: a client has a server's session from the first message of a
 * transaction to its end, and the one given back last is lent next. Clients need no
 * password: the servers have logged in with that of `url`.
 */
export const transactionPooler = (url: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const backends: Array<Backend> = []
        const sockets = new Set<Socket>()
        const waiting: Array<Client> = []

        const lend = (client: Client): void => {
          const backend = backends.find((candidate) => candidate.holder === undefined)
          if (backend === undefined) return void waiting.push(client)
          backend.holder = client
          client.backend = backend
          for (const chunk of client.pending.splice(0)) backend.socket.write(chunk)
        }

        const giveBack = (backend: Backend): void => {
          if (backend.holder !== undefined) backend.holder.backend = undefined
          backend.holder = undefined
          backends.splice(backends.indexOf(backend), 1)
          backends.unshift(backend)
          const next = waiting.shift()
          if (next !== undefined) lend(next)
        }

        // A client of `pg` logs in; then its socket is ours.
        const startBackend = async (): Promise<void> => {
          const login = new pg.Client({ connectionString: url })
          await login.connect()
          const { stream: socket } = (login as unknown as { readonly connection: { readonly stream: Socket } })
            .connection
          socket.removeAllListeners("data")
          socket.removeAllListeners("close")
          sockets.add(socket)
          const backend: Backend = { socket, holder: undefined, buffered: Buffer.alloc(0) }
          socket.on("data", (chunk: Buffer) => {
            backend.buffered = messages(Buffer.concat([backend.buffered, chunk]), (message) => {
              backend.holder?.socket.write(message)
              if (message[0] === READY && message[5] === IDLE) giveBack(backend)
            })
          })
          backends.push(backend)
        }

        const server: Server = createServer((socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          const client: Client = { socket, backend: undefined, pending: [] }
          socket.once("data", () => {
            socket.write(GREETING)
            socket.on("data", (chunk: Buffer) => {
              if (chunk[0] === TERMINATE) return void socket.end()
              if (client.backend !== undefined) return void client.backend.socket.write(chunk)
              client.pending.push(chunk)
              if (!waiting.includes(client)) lend(client)
            })
          })
        })
        for (let n = 0; n < SERVERS; n++) await startBackend()
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        return { server, sockets }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of sockets) socket.destroy()
        })
    ),
    ({ server }) => {
      const through = new URL(url)
      through.hostname = "127.0.0.1"
      through.port = String((server.address() as AddressInfo).port)
      return through.href
    }
  )
