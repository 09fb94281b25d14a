import { Cause, Effect, Exit } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Body, type BodyReader, declaredLength, hasBody } from "./Body.js"
import type { Limits } from "./Limits.js"
import { internalError, PIECEWISE, type Reply } from "./Reply.js"

/** What an exchange needs of the server that it belongs to. */
export interface ExchangeHost {
  readonly limits: Limits
  readonly bodies: BodyReader
  readonly isStopping: () => boolean
  /** Runs an effect to its end, whoever hangs up, and counts it as in flight. */
  readonly fork: <A>(effect: Effect.Effect<A>, onExit: (exit: Exit.Exit<A>) => void) => void
  readonly onDefect: (requestId: string, cause: Cause.Cause<never>) => void
}

/**
 * One request and its answer. Every path through a surface ends in exactly one `send`; where the answer has been begun
 * by `write`, that ends it.
 */
export class Exchange {
  readonly method: string
  /** As sent, not decoded. */
  readonly path: string
  /** Without its question mark. */
  readonly search: string
  /** What the metrics call it: a verb or a page, never what a caller wrote. */
  label = "other"
  private isBodyRead = false
  /** Whether a piece of the answer has been sent. */
  private hasBegun = false

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly requestId: string,
    /** The client waits for `100 Continue` before it sends its body. */
    private readonly awaitsContinue: boolean,
    private readonly host: ExchangeHost
  ) {
    this.method = request.method ?? "GET"
    const target = originForm(request.url ?? "/")
    const mark = target.indexOf("?")
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.search = mark < 0 ? "" : target.slice(mark + 1)
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  /**
   * For a surface with a server of its own, such as a tool protocol: from here on it alone reads the request and writes
   * the response.
   */
  takeOver(): { readonly request: IncomingMessage; readonly response: ServerResponse } {
    this.response.setHeader("x-request-id", this.requestId)
    if (this.host.isStopping()) this.response.setHeader("connection", "close")
    if (this.awaitsContinue) this.response.writeContinue()
    return { request: this.request, response: this.response }
  }

  /** Reads the body. A client that left needs no answer: then `use` is not called. */
  readBody(bytesMax: number, use: (body: Exclude<Body, { _tag: "Gone" }>) => void): void {
    if (this.awaitsContinue && (declaredLength(this.request) ?? 0) <= bytesMax) this.response.writeContinue()
    this.host.bodies.read(this.request, bytesMax, (body) => {
      if (body._tag === "Gone") return
      this.isBodyRead = body._tag === "Complete"
      this.guarded(() => use(body))
    })
  }

  /** Answers with what the effect comes to. It is never interrupted; a defect is logged and answered as `internal`. */
  run(effect: Effect.Effect<Reply>): void {
    this.host.fork(effect, (exit) => {
      if (Exit.isSuccess(exit)) return this.send(exit.value)
      this.host.onDefect(this.requestId, exit.cause)
      this.send(internalError(this.requestId))
    })
  }

  /** Runs a surface's own code: what it throws is a defect. */
  guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.host.onDefect(this.requestId, Cause.die(error))
      this.send(internalError(this.requestId))
    }
  }

  /** Ends when the client has left before the answer's end; never once that is sent. */
  readonly left: Effect.Effect<void> = Effect.async<void>((resume) => {
    const { response } = this
    const onClose = (): void => {
      if (!response.writableFinished) resume(Effect.void)
    }
    if (response.closed) return onClose()
    response.once("close", onClose)
    return Effect.sync(() => void response.off("close", onClose))
  })

  /**
   * Sends a piece of the answer at once, its head with the first; ends when there is room for more. A client that takes
   * none for too long is left. False: it had left before.
   */
  write(headers: Readonly<Record<string, string>>, piece: string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { response } = this
      if (response.destroyed || response.writableEnded) return Effect.succeed(false)
      if (!this.hasBegun) {
        this.hasBegun = true
        const closing = this.host.isStopping() ? { connection: "close" } : {}
        response.writeHead(200, { "x-request-id": this.requestId, ...PIECEWISE, ...headers, ...closing })
      }
      return response.write(piece) ? Effect.succeed(true) : Effect.as(this.room, true)
    })
  }

  private readonly room: Effect.Effect<void> = Effect.async<void>((resume) => {
    const { response } = this
    const end = (): void => {
      clearTimeout(timer)
      response.off("drain", end).off("close", end)
      resume(Effect.void)
    }
    const timer = setTimeout(() => response.destroy(), this.host.limits.writeMillisMax)
    response.on("drain", end).on("close", end)
    return Effect.sync(() => {
      clearTimeout(timer)
      response.off("drain", end).off("close", end)
    })
  })

  send(reply: Reply): void {
    const { response } = this
    if (response.destroyed || response.writableEnded) return
    if (this.hasBegun) return this.end()
    if (response.headersSent) return
    const unread = this.hasUnreadBody()
    // A text leaves in one write with its headers; bytes would take two.
    const { body } = reply
    const headers: Record<string, string | number> = { "x-request-id": this.requestId, ...reply.headers }
    headers["content-length"] = Buffer.byteLength(body)
    if (unread || this.host.isStopping()) headers["connection"] = "close"
    response.writeHead(reply.status, headers)
    if (unread) return this.linger(body)
    this.end(body)
  }

  private end(body?: string | Buffer): void {
    const { response } = this
    response.end(body)
    // What the kernel has taken already needs nobody's patience.
    if (!response.writableFinished && (response.socket?.writableLength ?? 0) > 0) {
      response.setTimeout(this.host.limits.writeMillisMax, () => response.socket?.destroy())
    }
  }

  /** Whether bytes may still come that would be taken for the next request. A short rest is read by node itself. */
  private hasUnreadBody(): boolean {
    if (this.isBodyRead || this.request.complete || !hasBody(this.request)) return false
    return this.awaitsContinue || (declaredLength(this.request) ?? Infinity) > this.host.limits.drainedBodyBytesMax
  }

  /**
   * Sends the answer and closes, but reads on for a moment: a connection closed while its client still sends is reset,
   * and the answer lost.
   */
  private linger(body: string | Buffer): void {
    const { request, response } = this
    let discarded = 0
    const end = (): void => {
      clearTimeout(timer)
      request.off("data", discard).off("end", end).off("close", end)
      response.end()
    }
    const discard = (chunk: Buffer): void => {
      discarded += chunk.length
      if (discarded > this.host.limits.lingerBytesMax) end()
    }
    const timer = setTimeout(end, this.host.limits.lingerMillisMax)
    response.write(body)
    request.on("error", end).on("data", discard).on("end", end).on("close", end).resume()
  }
}

/** A request target may be absolute (RFC 9112 §3.2.2); what counts is its path and query. */
const originForm = (target: string): string => {
  if (target.startsWith("/") || !URL.canParse(target)) return target
  const url = new URL(target)
  return url.pathname + url.search
}
