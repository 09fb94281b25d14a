import { Data, Effect } from "effect"
import { connect as connectSocket, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { callback } from "../../platform/callback.js"
import { type Reply, ReplyReader } from "./Reply.js"

/** Why a connection failed. It is closed in every case. */
export class WireFailure extends Data.TaggedError("WireFailure")<{
  /**
   * - `unreachable`: no connection; `silent`: nothing came in time.
   * - `closed`: the server ended it; `broken`: invalid SMTP, or an unrequested reply; `tls`: TLS failed.
   */
  readonly kind: "unreachable" | "silent" | "closed" | "broken" | "tls"
  readonly detail: string
}> {}

export interface WireTarget {
  readonly address: string
  readonly port: number
  /** The local address to connect from. Null: any. */
  readonly sourceAddress: string | null
  readonly connectMillis: number
}

/** How long to wait for the reply to a goodbye. */
const GOODBYE_MILLIS = 1_000

const CRLF = "\r\n"

const messageOf = (error: Error): string => ("code" in error ? String(error.code) : error.message)

/** A connection with one reply per command. On an extra reply it closes, because later replies could not be matched. */
export class SmtpWire {
  private reader = new ReplyReader()
  /** Received and unread: the greeting at most. */
  private waiting: Reply | null = null
  private waiter: ((outcome: Reply | WireFailure) => void) | null = null
  /** Whether a reply is due; at first the greeting. */
  private isOwed = true
  private end: WireFailure | null = null
  /** Called once when it closes, for any reason. */
  onEnd: () => void = () => undefined

  private unlisten: () => void

  /** Resolves when it is fully closed. */
  readonly closed: Promise<void>

  private constructor(private socket: Socket) {
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()))
    this.unlisten = this.listen(socket)
  }

  static connect({ address, connectMillis, port, sourceAddress }: WireTarget): Effect.Effect<SmtpWire, WireFailure> {
    return callback<SmtpWire, WireFailure>((resume) => {
      const local = sourceAddress === null ? {} : { localAddress: sourceAddress }
      const socket = connectSocket({ host: address, port, ...local })
      const settle = (effect: Effect.Effect<SmtpWire, WireFailure>) => {
        clearTimeout(timer)
        socket.off("connect", onConnect)
        socket.off("error", onError)
        resume(effect)
      }
      const giveUp = (detail: string) => {
        settle(Effect.fail(new WireFailure({ kind: "unreachable", detail })))
        socket.on("error", () => undefined)
        socket.destroy()
      }
      const onConnect = () => {
        socket.setNoDelay(true)
        settle(Effect.succeed(new SmtpWire(socket)))
      }
      const onError = (error: Error) => giveUp(messageOf(error))
      const timer = setTimeout(() => giveUp("ETIMEDOUT"), connectMillis)
      socket.on("connect", onConnect)
      socket.on("error", onError)
      return Effect.sync(() => giveUp("given up"))
    })
  }

  get isOpen(): boolean {
    return this.end === null
  }

  get localAddress(): string | null {
    return this.socket.localAddress ?? null
  }

  private listen(socket: Socket): () => void {
    const onData = (chunk: Buffer) => this.take(chunk)
    const onError = (error: Error) => this.finish(new WireFailure({ kind: "closed", detail: messageOf(error) }))
    const onClose = () => this.finish(new WireFailure({ kind: "closed", detail: "the server hung up" }))
    socket.on("data", onData).on("error", onError).on("end", onClose).on("close", onClose)
    return () => void socket.off("data", onData).off("error", onError).off("end", onClose).off("close", onClose)
  }

  private take(chunk: Buffer): void {
    if (this.end !== null) return
    const { broken, replies } = this.reader.push(chunk)
    for (const reply of replies) {
      if (!this.isOwed) {
        // A server may announce its closing at any time (RFC 5321 §3.8).
        const kind = reply.code === 421 ? "closed" : "broken"
        return this.finish(new WireFailure({ kind, detail: "a reply that nothing was asked for" }))
      }
      this.isOwed = false
      if (this.waiter === null) this.waiting = reply
      else this.waiter(reply)
    }
    if (broken !== null) this.finish(new WireFailure({ kind: "broken", detail: broken }))
  }

  private finish(failure: WireFailure): void {
    if (this.end !== null) return
    this.end = failure
    this.socket.destroy()
    this.waiter?.(failure)
    this.onEnd()
  }

  /** The reply that is due. Interrupting the wait closes the connection. */
  private awaited(millis: number, what: string): Effect.Effect<Reply, WireFailure> {
    return callback<Reply, WireFailure>((resume) => {
      const answered = (outcome: Reply | WireFailure) => {
        clearTimeout(timer)
        this.waiter = null
        this.waiting = null
        resume(outcome instanceof WireFailure ? Effect.fail(outcome) : Effect.succeed(outcome))
      }
      const late = () => this.finish(new WireFailure({ kind: "silent", detail: `no reply to ${what} in time` }))
      const timer = setTimeout(late, millis)
      this.waiter = answered
      if (this.waiting !== null) return answered(this.waiting)
      if (this.end !== null) return answered(this.end)
      return Effect.sync(() => {
        clearTimeout(timer)
        this.waiter = null
        this.destroy()
      })
    })
  }

  greeting(millis: number): Effect.Effect<Reply, WireFailure> {
    return this.awaited(millis, "the connection")
  }

  /** Sends a line and reads the reply. */
  ask(command: string, millis: number): Effect.Effect<Reply, WireFailure> {
    return Effect.suspend(() => {
      if (this.end !== null) return Effect.fail(this.end)
      if (this.isOwed || !this.reader.isBetweenReplies) {
        this.finish(new WireFailure({ kind: "broken", detail: "part of a reply that nothing was asked for" }))
        return Effect.fail(this.end ?? new WireFailure({ kind: "broken", detail: "out of step" }))
      }
      this.isOwed = true
      this.socket.write(command + CRLF)
      return this.awaited(millis, command.split(" ")[0] ?? "")
    })
  }

  /** Switches to TLS after the server agreed. Certificates aren't checked: nothing secret is sent. */
  secure(host: string, millis: number): Effect.Effect<void, WireFailure> {
    return callback<void, WireFailure>((resume) => {
      const refuse = (detail: string) => {
        const failure = new WireFailure({ kind: "tls", detail })
        this.finish(failure)
        resume(Effect.fail(failure))
      }
      if (this.end !== null) return refuse(this.end.detail)
      // Input from before TLS would be taken for input under TLS (RFC 3207 §5).
      if (!this.reader.isBetweenReplies) return refuse("something was said before TLS began")
      this.unlisten()
      const name = isIP(host) === 0 ? { servername: host } : {}
      const secured = connectTls({ socket: this.socket, rejectUnauthorized: false, ...name })
      this.socket.on("error", () => undefined)
      this.socket = secured
      const settled = () => {
        clearTimeout(timer)
        secured.off("secureConnect", onSecure).off("error", onError).off("close", onClose)
      }
      const failed = (detail: string) => {
        settled()
        secured.on("error", () => undefined)
        refuse(detail)
      }
      const onSecure = () => {
        settled()
        this.unlisten = this.listen(secured)
        resume(Effect.void)
      }
      const onError = (error: Error) => failed(messageOf(error))
      const onClose = () => failed("the server hung up")
      const timer = setTimeout(() => failed("no TLS in time"), millis)
      secured.on("secureConnect", onSecure).on("error", onError).on("close", onClose)
      return Effect.sync(() => failed("given up"))
    })
  }

  /** Closes without a goodbye. */
  destroy(): void {
    this.finish(new WireFailure({ kind: "closed", detail: "given up" }))
  }

  /** Says goodbye if it is our turn, and doesn't wait for the reply. */
  quit(): void {
    if (this.end !== null) return
    if (this.isOwed || !this.reader.isBetweenReplies) return this.destroy()
    this.end = new WireFailure({ kind: "closed", detail: "given up" })
    const { socket } = this
    socket.end(`QUIT${CRLF}`)
    socket.unref()
    const timer = setTimeout(() => socket.destroy(), GOODBYE_MILLIS)
    timer.unref()
    socket.once("close", () => clearTimeout(timer))
    this.onEnd()
  }
}
