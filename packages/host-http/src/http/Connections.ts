import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Addresses } from "./Addresses.js"
import type { Limits } from "./Limits.js"

interface Connection {
  readonly group: Group
  /** Requests whose answers are not completely written. */
  busy: number
  /** Bytes read when the last request ended; more bytes mean that another one has begun. */
  readBytes: number
  /** Since when it has been silent, by the monotonic clock. */
  silentSince: number
  /** Bytes of answers that the kernel has taken, and since when it has taken no more of what waits. */
  takenBytes: number
  takenAt: number
}

/** The connections of one address. */
interface Group {
  readonly address: string
  count: number
  /** Those without a request, the longest silent first. */
  readonly silent: Set<Socket>
}

/** The part of the greediest address's connections that make room at once, so that a flood is not searched each time. */
const EVICTED_SHARE = 1 / 64

/**
 * A server's connections, and which are idle. Node counts a connection as idle while its answer is still being written,
 * and as busy before its first request, although browsers open connections ahead.
 *
 * Nobody may fill the server: an address has a limit, and when the server is full, silent connections of the address with
 * the most of them make room. Connections with a request under way are never closed for another.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #groups = new Map<string, Group>()
  #isClosing = false

  constructor(
    readonly server: Server,
    private readonly addresses: Addresses,
    private readonly limits: Limits
  ) {
    server.on("connection", (socket) => this.#opened(socket))
    const sweep = setInterval(() => this.#sweep(), limits.connectionsCheckMillis)
    sweep.unref()
    server.on("close", () => clearInterval(sweep))
    // Also called by `close`.
    server.closeIdleConnections = () => this.#closeIdle()
  }

  track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.busy++
    connection.group.silent.delete(socket)
    const settle = () => {
      connection.readBytes = socket.bytesRead
      if (this.#isClosing) this.#closeIfIdle(socket, connection)
    }
    request.on("close", settle)
    response.on("close", () => {
      connection.busy--
      connection.silentSince = performance.now()
      if (connection.busy === 0 && this.#open.has(socket)) connection.group.silent.add(socket)
      settle()
    })
  }

  /** Stops accepting and waits for the last connection to close. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (!this.server.listening) return
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  #opened(socket: Socket): void {
    const group = this.#groupOf(this.addresses.peer(socket.remoteAddress))
    const now = performance.now()
    this.#open.set(socket, { group, busy: 0, readBytes: 0, silentSince: now, takenBytes: 0, takenAt: now })
    group.count++
    group.silent.add(socket)
    socket.on("close", () => this.#closed(socket, group))
    const { connectionsMax, connectionsPerAddressMax } = this.limits
    // A proxy's connections are many clients'.
    if (group.count > connectionsPerAddressMax && !this.addresses.isProxy(socket.remoteAddress)) this.#evict(group, 1)
    if (this.#open.size > connectionsMax) this.#makeRoom()
  }

  #groupOf(address: string): Group {
    const known = this.#groups.get(address)
    if (known !== undefined) return known
    const group: Group = { address, count: 0, silent: new Set() }
    this.#groups.set(address, group)
    return group
  }

  #closed(socket: Socket, group: Group): void {
    if (!this.#open.delete(socket)) return
    group.silent.delete(socket)
    group.count--
    if (group.count === 0) this.#groups.delete(group.address)
  }

  /** The newest connection is silent too, so there is always one to close. */
  #makeRoom(): void {
    let greediest: Group | undefined
    for (const group of this.#groups.values()) {
      if (group.silent.size > 0 && (greediest === undefined || group.count > greediest.count)) greediest = group
    }
    if (greediest !== undefined) this.#evict(greediest, Math.max(1, Math.floor(greediest.silent.size * EVICTED_SHARE)))
  }

  #evict(group: Group, count: number): void {
    let left = count
    for (const socket of group.silent) {
      if (left-- === 0) return
      this.#end(socket, group)
    }
  }

  #end(socket: Socket, group: Group): void {
    this.#closed(socket, group)
    socket.destroy()
  }

  /**
   * Ends what has outlived its bound, whatever the other side does: a silent connection, and one whose peer takes nothing
   * of its answer.
   */
  #sweep(): void {
    const now = performance.now()
    const { headersMillisMax, keepAliveMillis, writeMillisMax } = this.limits
    for (const [socket, connection] of this.#open) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== connection.takenBytes) {
        connection.takenBytes = taken
        connection.takenAt = now
      }
      const isStalled = now - connection.takenAt > writeMillisMax
      // A request may begin at the end of the idle time.
      const isSilent = connection.busy === 0 && now - connection.silentSince > keepAliveMillis + headersMillisMax
      if (isStalled || isSilent) this.#end(socket, connection.group)
    }
  }

  #closeIdle(): void {
    for (const [socket, connection] of this.#open) this.#closeIfIdle(socket, connection)
  }

  #closeIfIdle(socket: Socket, connection: Connection): void {
    if (connection.busy === 0 && socket.bytesRead === connection.readBytes) socket.destroySoon()
  }
}
