import { invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import type { NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Clock, Console, Context, Data, Effect, type Exit, Random, References, type Scope, Tracer } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { AcceptedCredentials } from "./http/AcceptedCredentials.js"
import { Addresses } from "./http/Addresses.js"
import { AddressRates } from "./http/AddressRates.js"
import { BodyReader } from "./http/Body.js"
import { Connections } from "./http/Connections.js"
import { shareWithPages } from "./http/CrossOrigin.js"
import { Door } from "./http/Door.js"
import { Exchange, type ExchangeHost, type Surface, targetOf } from "./http/Exchange.js"
import { LIMITS, type Limits } from "./http/Limits.js"
import { failure, type Reply } from "./http/Reply.js"
import { repeatedSingletons } from "./http/Singletons.js"
import { makeMetrics, type Metrics } from "./metrics/Metrics.js"

/** The host can't listen at the address: in use, not ours, or not permitted. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message(): string {
    return `Cannot listen at ${this.host}:${this.port}: ${this.cause instanceof Error ? this.cause.message : "unknown"}`
  }
}

/** Calls back when the server begins to stop. Returns what forgets that. */
export type OnStop = (end: () => void) => () => void

/** The server's state, for surfaces that show it. */
export interface ServerState {
  readonly metrics: Metrics
  readonly isStopping: () => boolean
  /** For answers that would never end. */
  readonly onStop: OnStop
}

export interface HttpServerOptions {
  readonly host: string
  /** 0: any free port. Null: it does not listen; another program's server gives it requests (`take`). */
  readonly port: number | null
  /** Made before the server listens. The first surface that owns a path gets it. */
  readonly surfaces: (state: ServerState) => ReadonlyArray<Surface>
  /** A second listener, such as for metrics, or null. */
  readonly inner: { readonly port: number; readonly surfaces: (state: ServerState) => ReadonlyArray<Surface> } | null
  readonly limits?: Partial<Limits>
  /** Addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether a request may have its path under the name that it came by; default: every name has every path. */
  readonly admits?: Admits
}

/** `false`: under this name the path is unknown. A rejection is answered as `internal`. */
export type Admits = (exchange: Exchange) => NowOrLater<boolean>

export class HttpServer extends Context.Service<
  HttpServer,
  {
    /** The bound port; 0: it does not listen. */
    readonly port: number
    readonly innerPort: number | null
    /** Answers a request of another program's server. False: the path is none of ours, and nothing was done. */
    readonly take: (request: IncomingMessage, response: ServerResponse) => boolean
  }
>()("@outbound/host-http/HttpServer") {}

/** Statuses for input that is not valid HTTP or is too large. */
const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/**
 * Writes the error envelope on a connection without an exchange. Reads on for a moment, so that the sender sees it, and
 * then destroys the connection, whatever the other side does.
 */
const refuseOn = (
  socket: Duplex,
  status: number,
  message: string,
  requestId: string,
  lingerMillis: number,
  more: Readonly<Record<string, string>> = {}
): void => {
  const reply = failure(refuse("invalid_request", {}, message), requestId, more, status)
  const headers = { ...reply.headers, "x-request-id": requestId, connection: "close" }
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(reply.body)) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${reply.body.toString()}`)
  const end = setTimeout(() => socket.destroy(), lingerMillis)
  socket
    .on("end", () => socket.destroy())
    .on("close", () => clearTimeout(end))
    .resume()
}

const answerClientError = (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
  lingerMillis: number
): void => {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const status = CLIENT_ERROR_STATUS[error.code ?? ""] ?? 400
  const message = status === 408 ? "The request took too long to arrive." : "The request is not valid HTTP."
  refuseOn(socket, status, message, requestId, lingerMillis)
}

/** Refuses `CONNECT`: this is no proxy. */
const refuseTunnel = (socket: Duplex, requestId: string, lingerMillis: number): void => {
  socket.on("error", () => undefined)
  refuseOn(socket, 405, "CONNECT is not supported: this server is not a proxy.", requestId, lingerMillis, {
    allow: "GET, HEAD, POST"
  })
}

/** HTTP/1.1 requires a host (RFC 9112 §3.2). Node would refuse without an envelope. */
const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === "1.1" && headers.host === undefined

const tooMany = (requestId: string, waitSeconds: number): Reply =>
  failure(refuse("rate_limited", { retry_after_seconds: waitSeconds, limit: "address_rate" }), requestId, {
    "retry-after": String(waitSeconds),
    connection: "close"
  })

const notFound = (exchange: Exchange): void =>
  exchange.send(failure(refuse("not_found", {}, "Path not found."), exchange.requestId))

/** The calls in flight, including those whose client has left. */
class InFlight {
  private count = 0
  private waiting: Array<() => void> = []

  begin(): void {
    this.count++
  }

  end(): void {
    this.count--
    if (this.count === 0) for (const resume of this.waiting.splice(0)) resume()
  }

  get isIdle(): boolean {
    return this.count === 0
  }

  get idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve))
  }
}

const listen = (server: Server, host: string, port: number): Effect.Effect<number, ListenError> =>
  Effect.callback((resume) => {
    const onError = (cause: unknown) => resume(Effect.fail(new ListenError({ host, port, cause })))
    server.once("error", onError)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", onError)
      resume(Effect.succeed((server.address() as AddressInfo).port))
    })
    return Effect.sync(() => void server.close())
  })

/** Fails if another program listens at the address. */
export const assertFree = (host: string, port: number): Effect.Effect<void, ListenError> =>
  Effect.suspend(() => {
    const server = createServer()
    const close = Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    return Effect.andThen(listen(server, host, port), close)
  })

const within = async (millisMax: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, millisMax)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

/**
 * Drains: stops accepting, waits a bounded time for calls and their answers, then breaks the rest. Broken streams get a
 * moment to be settled.
 */
const drain = async (listeners: ReadonlyArray<Connections>, inFlight: InFlight, limits: Limits): Promise<void> => {
  // A busy connection may still begin a call, so count the calls when no connection is left.
  const ends = Promise.all(listeners.map((listener) => listener.close())).then(() => inFlight.idle)
  await within(limits.drainMillisMax, ends)
  for (const { server } of listeners) server.closeAllConnections()
  await within(limits.brokenOffMillisMax, inFlight.idle)
}

const HOW_EFFECTS_RUN = [
  Clock.Clock,
  Console.Console,
  Random.Random,
  Tracer.Tracer,
  References.TracerEnabled,
  References.CurrentLoggers,
  References.CurrentLogAnnotations,
  References.LogToStderr,
  References.MinimumLogLevel
] as const

/**
 * Serves the surfaces until the scope closes. Their dependencies live from before the first connection until the last call
 * ends or `drainMillisMax` is over.
 */
export const serve = (
  options: HttpServerOptions
): Effect.Effect<HttpServer["Service"], ListenError, Ids | Scope.Scope> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const clock = yield* Clock.Clock
    // What surfaces run needs no services. A call that adds one would copy all that are there.
    const context = Context.pick(...HOW_EFFECTS_RUN)(yield* Effect.context<never>())
    const limits: Limits = { ...LIMITS, ...options.limits }
    const metrics = makeMetrics()
    const inFlight = new InFlight()
    let stopping = false
    const endless = new Set<() => void>()
    const onStop: OnStop = (end) => {
      endless.add(end)
      return () => void endless.delete(end)
    }

    const fork = Effect.runForkWith(context)
    const addresses = new Addresses(options.trustedProxies ?? [])
    const door = new Door(new AddressRates(limits), new AcceptedCredentials())
    const host: ExchangeHost = {
      limits,
      addresses,
      bodies: new BodyReader(limits),
      isStopping: () => stopping,
      fork: <A>(effect: Effect.Effect<A>, onExit: (exit: Exit.Exit<A>) => void) => {
        inFlight.begin()
        metrics.begun()
        fork(effect).addObserver((exit) => {
          try {
            onExit(exit)
          } finally {
            metrics.ended()
            inFlight.end()
          }
        })
      },
      onDefect: (requestId, cause) =>
        void fork(
          Effect.logError("http: a request failed unexpectedly", cause).pipe(
            Effect.annotateLogs({ request_id: requestId })
          )
        )
    }
    const nextId = () => ids.next(clock.currentTimeMillisUnsafe())

    const handlerOf = (surfaces: ReadonlyArray<Surface>, awaitsContinue: boolean) => {
      return (connections: Connections, request: IncomingMessage, response: ServerResponse): void => {
        connections.track(request, response)
        const since = performance.now()
        const exchange = new Exchange(request, response, nextId(), awaitsContinue, host)
        response.on("error", () => undefined)
        response.on("close", () => {
          const status = response.headersSent ? response.statusCode : 499
          metrics.answered(exchange.label, status, (performance.now() - since) / 1000)
          door.answered(exchange, status)
        })
        if (lacksHost(request)) {
          response.setHeader("connection", "close")
          return exchange.send(
            failure(refuse("invalid_request", {}, "The request has no Host header."), exchange.requestId)
          )
        }
        const repeated = repeatedSingletons(request.rawHeaders)
        if (repeated.length > 0) {
          response.setHeader("connection", "close")
          const issues = repeated.map((path) => ({ path, message: "must be sent once" }))
          return exchange.send(failure(invalid(issues), exchange.requestId))
        }
        const waitSeconds = door.waitSeconds(exchange)
        if (waitSeconds !== null) return exchange.send(tooMany(exchange.requestId, waitSeconds))
        const surface = surfaces.find(({ owns }) => owns(exchange.path))
        const enter = (isAdmitted: boolean): void => {
          if (surface === undefined || !isAdmitted) return notFound(exchange)
          if (surface.crossOrigin !== undefined && shareWithPages(exchange, surface.crossOrigin)) return
          surface.handle(exchange)
        }
        exchange.guarded(() => {
          const admitted = options.admits?.(exchange) ?? true
          if (typeof admitted === "boolean") return enter(admitted)
          admitted.then(
            (isAdmitted) => exchange.guarded(() => enter(isAdmitted)),
            (error: unknown) =>
              exchange.guarded(() => {
                throw error
              })
          )
        })
      }
    }

    const open = (surfaces: ReadonlyArray<Surface>): Connections => {
      const server = createServer({
        maxHeaderSize: limits.headerBytesMax,
        headersTimeout: limits.headersMillisMax,
        requestTimeout: limits.requestMillisMax,
        connectionsCheckingInterval: limits.connectionsCheckMillis,
        requireHostHeader: false,
        keepAliveTimeout: limits.keepAliveMillis,
        noDelay: true
      })
      const connections = new Connections(server, addresses, limits)
      const handle = handlerOf(surfaces, false).bind(undefined, connections)
      server.on("request", handle)
      server.on("checkContinue", handlerOf(surfaces, true).bind(undefined, connections))
      // Another expectation may be ignored (RFC 9110 §10.1.1).
      server.on("checkExpectation", handle)
      server.on("connect", (_request, socket) => refuseTunnel(socket, nextId(), limits.lingerMillisMax))
      server.on("clientError", (error, socket) => answerClientError(error, socket, nextId(), limits.lingerMillisMax))
      return connections
    }

    const state: ServerState = { metrics, isStopping: () => stopping, onStop }
    const surfaces = options.surfaces(state)
    const outer = open(surfaces)
    const inner = options.inner === null ? null : open(options.inner.surfaces(state))
    const listeners = inner === null ? [outer] : [outer, inner]
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        stopping = true
        for (const end of endless) end()
        yield* Effect.promise(() => drain(listeners, inFlight, limits))
        if (!inFlight.isIdle)
          yield* Effect.logWarning("http: stopped with calls in flight; they are resolved as unknown")
      })
    )
    const innerPort =
      inner === null || options.inner === null ? null : yield* listen(inner.server, options.host, options.inner.port)
    const port = options.port === null ? 0 : yield* listen(outer.server, options.host, options.port)
    for (const { server } of listeners) {
      server.on("error", (error) => void fork(Effect.logError("http: the listener failed", error)))
    }
    const take = (request: IncomingMessage, response: ServerResponse): boolean => {
      const { path } = targetOf(request)
      return surfaces.some(({ owns }) => owns(path)) && outer.server.emit("request", request, response)
    }
    return { port, innerPort, take }
  })
