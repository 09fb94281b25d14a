import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

interface Connection {
  /** Requests that have begun and whose answers are not written to their end. */
  busy: number
  /** What had been read when the last request ended: if more has come since, another one has begun. */
  readBytes: number
}

/**
 * The connections of a server, and which of them are idle. Node's own notion of idle takes an answer that is still
 * being written for done, and a connection on which nothing was ever sent for busy; browsers open such ones ahead.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>()
  private isClosing = false

  constructor(readonly server: Server) {
    server.on("connection", (socket) => {
      this.open.set(socket, { busy: 0, readBytes: 0 })
      socket.on("close", () => this.open.delete(socket))
    })
    // `close` calls it, too.
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

  /** Stops accepting; ends when the last connection is gone. */
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
