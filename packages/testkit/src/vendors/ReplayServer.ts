import { Effect, type Scope } from "effect"
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net"
import { tellWire } from "./wire.js"
import { type Answer, bytesOf, type Exchange, headOf, matches, type Received } from "./Exchange.js"

/** A local vendor over real HTTP. It answers from a script and records requests. */
export interface ReplayServer {
  /** Without a trailing slash. */
  readonly url: string
  /** Adds answers. If several match, the latest wins. */
  readonly on: (...exchanges: ReadonlyArray<Exchange>) => void
  /** After `after` whole requests, reads this many bytes of each next one and resets the connection. Null: stop. */
  readonly cutRequestsAt: (bytes: number | null, after?: number) => void
  /** Whole requests, oldest first. */
  readonly received: ReadonlyArray<Received>
  /** The number of requests with at least one byte received. */
  readonly begun: () => number
  readonly connections: () => number
  /** Forgets the received requests, not the answers. */
  readonly forget: () => void
  /** Waits for this many whole requests. */
  readonly until: (requests: number) => Effect.Effect<void>
  /** Waits until the last request's connection is closed. */
  readonly left: Effect.Effect<void>
  /** Closes all open connections, like a server after an idle timeout. */
  readonly drop: () => void
  readonly close: Effect.Effect<void>
}

const GARBAGE = Buffer.from("\u0000\u0016\u0003 this is no HTTP {]\r\n\r\n")
const ENDLESS_CHUNK = Buffer.alloc(256 * 1024, " ")

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const flat = (headers: IncomingMessage["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const drip = (socket: Socket, bytes: Buffer, from = 0): void => {
  if (socket.destroyed || from === bytes.length) return
  socket.write(bytes.subarray(from, from + 1), () => setImmediate(() => drip(socket, bytes, from + 1)))
}

const pourEndlessly = (socket: Socket): void => {
  while (!socket.destroyed && socket.write(ENDLESS_CHUNK));
  if (!socket.destroyed) socket.once("drain", () => pourEndlessly(socket))
}

/** Sends an answer with its fault. */
const spoil = (socket: Socket, answer: Answer): void => {
  const { fault } = answer
  if (fault === undefined) return
  switch (fault.kind) {
    case "closed":
      return void socket.end()
    case "cut": {
      const part = bytesOf(answer).subarray(0, fault.bytes)
      return void (part.length === 0 ? socket.resetAndDestroy() : socket.write(part, () => socket.resetAndDestroy()))
    }
    case "stalled":
      return void socket.write(bytesOf(answer).subarray(0, fault.bytes))
    case "garbage":
      return void socket.end(GARBAGE)
    case "slow":
      return drip(socket, bytesOf(answer))
    case "endless":
      socket.write(headOf(answer, null))
      return pourEndlessly(socket)
  }
}

const give = (response: ServerResponse, answer: Answer): void => {
  const { socket } = response
  if (socket === null) return
  if (answer.fault !== undefined) return spoil(socket, answer)
  const { headers = {}, json, status = 200, text } = answer
  const body = text ?? (json === undefined ? "" : JSON.stringify(json))
  const type = text === undefined ? "application/json" : "text/plain; charset=utf-8"
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), ...headers })
  response.end(body)
}

/** An exchange's remaining answers. */
interface Script {
  readonly exchange: Exchange
  readonly answers: Array<Answer>
}

/** Fails the test for requests without a scripted answer, when its scope closes. */
const unscripted = (strangers: ReadonlyArray<Received>): Effect.Effect<void> =>
  strangers.length === 0
    ? Effect.void
    : Effect.die(
        new Error(
          `asked what no test told it: ${strangers
            .map(({ method, path, query, text }) => `${method} ${path} ?${query.toString()} ${text}`)
            .join("; ")}`
        )
      )

/** Ends with its scope, which dies if a request had no scripted answer. */
export const makeReplayServer: Effect.Effect<ReplayServer, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const scripts: Array<Script> = []
      const received: Array<Received> = []
      const strangers: Array<Received> = []
      const sockets = new Set<Socket>()
      const numbers = new Map<Socket, number>()
      const readBefore = new Map<Socket, number>()
      const waiting: Array<() => void> = []
      let [connections, cutBegun, cutAfter]: [number, number, number] = [0, 0, 0]
      let cutAt: number | null = null
      const changed = (): void => waiting.splice(0).forEach((wake) => wake())

      const answerTo = (request: Received): Answer => {
        const script = scripts.findLast(({ exchange }) => matches(exchange.request, request))
        if (script === undefined) {
          strangers.push(request)
          return { status: 599, text: "not scripted" }
        }
        return (script.answers.length > 1 ? script.answers.shift() : script.answers[0]) ?? {}
      }

      const http = createHttp({ keepAliveTimeout: 0 }, (request, response) => {
        void textOf(request).then((text) => {
          const { socket } = request
          const url = new URL(request.url ?? "/", "http://replay.test")
          const one: Received = {
            method: request.method ?? "",
            path: url.pathname,
            query: url.searchParams,
            headers: flat(request.headers),
            text,
            body: parsed(text),
            bytes: socket.bytesRead - (readBefore.get(socket) ?? 0),
            connection: numbers.get(socket) ?? 0
          }
          readBefore.set(socket, socket.bytesRead)
          received.push(one)
          // Makes the next request open a new connection, which can be cut before it is read.
          if (cutAt !== null) response.shouldKeepAlive = false
          const answer = answerTo(one)
          tellWire(one, answer)
          give(response, answer)
          changed()
        })
      })

      /** Reads up to the byte where the request is cut. */
      const cut = (socket: Socket, at: number): void => {
        let count = 0
        if (at === 0) return void socket.resetAndDestroy()
        socket.on("data", (chunk) => {
          if (count === 0) cutBegun += 1
          count += chunk.length
          if (count >= at) socket.resetAndDestroy()
        })
      }

      const server = createTcp((socket) => {
        connections += 1
        numbers.set(socket, connections)
        sockets.add(socket)
        socket.on("error", () => socket.destroy())
        socket.on("close", () => {
          sockets.delete(socket)
          changed()
        })
        if (cutAt === null || received.length < cutAfter) http.emit("connection", socket)
        else cut(socket, cutAt)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

      const closed = async (): Promise<void> => {
        for (const socket of sockets) socket.destroy()
        if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
      }
      const untilTrue = (isDone: () => boolean) =>
        Effect.promise(async () => {
          while (!isDone()) await new Promise<void>((resolve) => waiting.push(resolve))
        })

      const made: ReplayServer = {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        on: (...exchanges) => {
          for (const exchange of exchanges)
            scripts.push({ exchange, answers: [exchange.answer].flat() as Array<Answer> })
        },
        cutRequestsAt: (bytes, after = 0) => {
          cutAt = bytes
          cutAfter = after
        },
        received,
        begun: () => received.length + cutBegun,
        connections: () => connections,
        forget: () => {
          received.length = 0
          cutBegun = 0
        },
        until: (requests) => untilTrue(() => received.length >= requests),
        drop: () => {
          for (const socket of sockets) socket.end()
        },
        left: untilTrue(() => ![...sockets].some((socket) => numbers.get(socket) === received.at(-1)?.connection)),
        close: Effect.promise(closed)
      }
      return { made, strangers, closed }
    }),
    ({ closed, strangers }) => Effect.andThen(Effect.promise(closed), unscripted(strangers))
  ),
  ({ made }) => made
)
