import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

interface Connection {
  /** Requests whose answers are not completely written. */
  busy: number
  /** Bytes read when the last request ended; more bytes mean that another one has begun. */
  readBytes: number
}

/**
 * A server's connections, and which are idle. Node counts a connection as idle while its answer is still being written,
 * and as busy before its first request, although browsers open connections ahead.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>()
  private isClosing = false

  constructor(readonly server: Server) {
    server.on("connection", (socket) => {
      this.open.set(socket, { busy: 0, readBytes: 0 })
      socket.on("close", () => this.open.delete(socket))
    })
    // Also called by `close`.
    server.closeIdleConnections = () => this.closeIdle()
  }

  track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.open.get(socket)
    if (connection === undefined) return
    connection.busy++
    const settle = () => {
      connection.readBytes = socket.bytesRead
      if (this.isClosing) this.closeIfIdle(socket, connection)
    }
    request.on("close", settle)
    response.on("close", () => {
      connection.busy--
      settle()
    })
  }

  /** Stops accepting and waits for the last connection to close. */
  async close(): Promise<void> {
    this.isClosing = true
    if (!this.server.listening) return
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private closeIdle(): void {
    for (const [socket, connection] of this.open) this.closeIfIdle(socket, connection)
  }

  private closeIfIdle(socket: Socket, connection: Connection): void {
    if (connection.busy === 0 && socket.bytesRead === connection.readBytes) socket.destroySoon()
  }
}
