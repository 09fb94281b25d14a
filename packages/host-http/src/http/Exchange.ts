import { inEffect, type NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import { Cause, Effect, Exit } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Addresses } from "./Addresses.js"
import { type Body, type BodyReader, declaredLength, hasBody } from "./Body.js"
import type { Limits } from "./Limits.js"
import { internalError, PIECEWISE, type Reply } from "./Reply.js"

/** What an exchange needs from its server. */
export interface ExchangeHost {
  readonly limits: Limits
  readonly bodies: BodyReader
  readonly isStopping: () => boolean
  readonly addresses: Addresses
  /** Runs an effect to its end, even if the client leaves, and counts it as in flight. */
  readonly fork: <A>(effect: Effect.Effect<A>, onExit: (exit: Exit.Exit<A>) => void) => void
  readonly onDefect: (requestId: string, cause: Cause.Cause<never>) => void
}

/** A request and its answer. Every path through a surface ends in exactly one `send`, which also ends what `write` began. */
export class Exchange {
  readonly method: string
  /** As sent, not decoded. */
  readonly path: string
  /** Without the question mark. */
  readonly search: string
  /** Its name in metrics: a verb or a page, never a caller's text. */
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
    const { path, search } = targetOf(request)
    this.path = path
    this.search = search
  }

  /** The client's network address, for limits only. */
  get client(): string {
    return this.host.addresses.client(this.request.socket.remoteAddress, this.header("x-forwarded-for"))
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  /** Hands the request and response over to a surface with its own server. */
  takeOver(): { readonly request: IncomingMessage; readonly response: ServerResponse } {
    this.response.setHeader("x-request-id", this.requestId)
    if (this.host.isStopping()) this.response.setHeader("connection", "close")
    if (this.awaitsContinue) this.response.writeContinue()
    return { request: this.request, response: this.response }
  }

  /** Reads the body. If the client leaves, `use` is not called. */
  readBody(bytesMax: number, use: (body: Exclude<Body, { _tag: "Gone" }>) => void): void {
    if (this.awaitsContinue && (declaredLength(this.request) ?? 0) <= bytesMax) this.response.writeContinue()
    this.host.bodies.read(this.request, bytesMax, (body) => {
      if (body._tag === "Gone") return
      this.isBodyRead = body._tag === "Complete"
      this.guarded(() => use(body))
    })
  }

  /** Runs the effect uninterrupted and sends its reply. A defect is logged and answered as `internal`. */
  run(effect: Effect.Effect<Reply>): void
  run<A>(effect: Effect.Effect<A>, replyOf: (value: A) => Reply): void
  run<A>(effect: Effect.Effect<A>, replyOf: (value: A) => Reply = (value) => value as Reply): void {
    this.host.fork(effect, (exit) => {
      if (Exit.isSuccess(exit)) return this.send(replyOf(exit.value))
      this.host.onDefect(this.requestId, exit.cause)
      this.send(internalError(this.requestId))
    })
  }

  /** Runs a surface's code; a throw is a defect. */
  guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.host.onDefect(this.requestId, Cause.die(error))
      this.send(internalError(this.requestId))
    }
  }

  /** Calls back when the client leaves before the answer is sent. Returns what forgets that. */
  readonly onLeft = (told: () => void): (() => void) => {
    const { response } = this
    const onClose = (): void => {
      if (!response.writableFinished) told()
    }
    if (response.closed) onClose()
    else response.once("close", onClose)
    return () => void response.off("close", onClose)
  }

  /**
   * Sends a piece of the answer, with the head before the first one. Without room for more, it is a promise that waits for
   * it; a client that reads nothing for too long is cut off. False: the client has left.
   */
  writeNow(headers: () => Readonly<Record<string, string>>, piece: string): NowOrLater<boolean> {
    const { response } = this
    if (response.destroyed || response.writableEnded) return false
    if (!this.hasBegun) {
      this.hasBegun = true
      const closing = this.host.isStopping() ? { connection: "close" } : {}
      response.writeHead(200, { "x-request-id": this.requestId, ...PIECEWISE, ...headers(), ...closing })
    }
    return response.write(piece) ? true : this.room()
  }

  write(headers: Readonly<Record<string, string>>, piece: string): Effect.Effect<boolean> {
    return Effect.suspend(() => inEffect(this.writeNow(() => headers, piece)))
  }

  /** Ends once the client has taken what was sent, or has left. */
  private room(): Promise<boolean> {
    const { response } = this
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        response.off("drain", end).off("close", end)
        resolve(!response.destroyed)
      }
      const timer = setTimeout(() => response.destroy(), this.host.limits.writeMillisMax)
      response.on("drain", end).on("close", end)
    })
  }

  send(reply: Reply): void {
    const { response } = this
    if (response.destroyed || response.writableEnded) return
    if (this.hasBegun) return this.end()
    if (response.headersSent) return
    const unread = this.hasUnreadBody()
    // Text is sent in one write with its headers; bytes would take two.
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
    // If the kernel has taken everything, there is nothing to wait for.
    if (!response.writableFinished && (response.socket?.writableLength ?? 0) > 0) {
      response.setTimeout(this.host.limits.writeMillisMax, () => response.socket?.destroy())
    }
  }

  /** Whether unread bytes could be taken for the next request. Node itself reads a short rest. */
  private hasUnreadBody(): boolean {
    if (this.isBodyRead || this.request.complete || !hasBody(this.request)) return false
    return this.awaitsContinue || (declaredLength(this.request) ?? Infinity) > this.host.limits.drainedBodyBytesMax
  }

  /** Sends the answer and closes after reading on for a moment; closing at once would reset the connection and lose the answer. */
  private linger(body: string | Buffer): void {
    const { request, response } = this
    let discarded = 0
    const end = (): void => {
      clearTimeout(timer)
      request.off("data", discard).off("end", end).off("close", end)
      this.end()
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

/** The path and query of a request target, which may be absolute (RFC 9112 §3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith("/") || !URL.canParse(target)) return target
  const url = new URL(target)
  return url.pathname + url.search
}

/** What a request is for: the path as sent, and the query without its mark. */
export const targetOf = ({
  url = "/"
}: Pick<IncomingMessage, "url">): { readonly path: string; readonly search: string } => {
  const target = originForm(url)
  const mark = target.indexOf("?")
  return mark < 0 ? { path: target, search: "" } : { path: target.slice(0, mark), search: target.slice(mark + 1) }
}

/** Which pages of other origins a surface answers (Fetch standard, CORS). It takes no cookies, so a page has only what it was given. */
export interface CrossOrigin {
  readonly allows: (origin: string, path: string) => boolean
  readonly methods: string
}

/** A part of the server's paths, such as REST or the console. */
export interface Surface {
  readonly name: string
  /** Whether it owns a path as sent. The first owner gets it. */
  readonly owns: (path: string) => boolean
  /** Pages of other origins that may speak to it; absent: none. */
  readonly crossOrigin?: CrossOrigin
  /** Answers the exchange once, now or later. A throw is answered as `internal`. */
  readonly handle: (exchange: Exchange) => void
}

/** Whether a path is a surface's root or below it. */
export const isUnder = (root: string, path: string): boolean => path === root || path.startsWith(`${root}/`)

/** A surface that is loaded and made at its first request: it is large, and a restart must not wait for it. */
export interface Late extends Pick<Surface, "name" | "owns" | "crossOrigin"> {
  /** If it fails, the request is answered as `internal`, and the next one tries again. */
  readonly make: () => Promise<Pick<Surface, "handle">>
}

export const lateSurface = ({ make, ...described }: Late): Surface => {
  let made: Pick<Surface, "handle"> | undefined
  let making: Promise<Pick<Surface, "handle">> | undefined
  return {
    ...described,
    handle: (exchange) => {
      if (made !== undefined) return made.handle(exchange)
      making ??= make()
      making.then(
        (surface) => {
          made = surface
          exchange.guarded(() => surface.handle(exchange))
        },
        (error: unknown) => {
          making = undefined
          exchange.guarded(() => {
            throw error
          })
        }
      )
    }
  }
}
