import type { ChatTarget, ChatUpstream } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that reached the server. */
export interface Reached {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client sent, asserted member by member
  readonly body: any
  readonly authorization: string | undefined
  /** Its client left before the answer's end. */
  broken: boolean
  readonly socket: number
}

/** An upstream of chat completions over real HTTP, which misbehaves as the model's name says. */
export interface ChatServer {
  /** As an adapter is given it. */
  readonly baseUrl: string
  readonly reached: ReadonlyArray<Reached>
  /** Lets those that wait (`waits`) go on. */
  readonly release: () => void
}

/** An upstream of a model, with what an operator leaves out. */
export const target = (
  upstream: ChatUpstream,
  upstreamModel: string,
  options: Partial<Omit<ChatTarget, "upstream" | "upstreamModel">> = {}
): ChatTarget => ({ upstream, upstreamModel, fields: null, order: 0, weight: 1, secondsMax: null, ...options })

const HEAD = { id: "chatcmpl-1", created: 1_700_000_000, model: "upstream-1" }
const WORDS = ["Hello", " there", ", friend", "."]
const USAGE = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16, prompt_tokens_details: { cached_tokens: 0 } }
const GREEDY = { prompt_tokens: 1_000_000, completion_tokens: 1_000_000, total_tokens: 2_000_000 }

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const chunk = (content: string) =>
  event({
    ...HEAD,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    usage: null
  })

const last = event({
  ...HEAD,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  usage: null
})

const usageEvent = (usage: unknown) => event({ ...HEAD, object: "chat.completion.chunk", choices: [], usage })

const DONE = "data: [DONE]\n\n"

const usageOf = (model: string) => (model === "greedy" ? GREEDY : USAGE)

const plain = (model: string, response: ServerResponse): void => {
  if (model === "hangs") return
  if (model === "garbage") return void response.end("<html>")
  if (model === "drop") {
    response.write('{"choices":[')
    return void setImmediate(() => response.destroy())
  }
  const completion = {
    ...HEAD,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: WORDS.join("") }, finish_reason: "stop" }],
    ...(model === "no-usage" ? {} : { usage: usageOf(model) })
  }
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(completion))
}

const endless = (response: ServerResponse): void => {
  if (response.destroyed) return
  if (response.write(chunk(" more"))) return void setImmediate(() => endless(response))
  response.once("drain", () => endless(response))
}

const streamed = (model: string, response: ServerResponse, waiting: Array<() => void>): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const begun = WORDS.slice(0, 2).map(chunk).join("")
  const rest = [...WORDS.slice(2).map(chunk), last].join("")
  const end = `${model === "no-usage" ? "" : usageEvent(usageOf(model))}${DONE}`
  switch (model) {
    case "garbage":
      return void response.end("data: <html>\n\n")
    case "drop":
      response.write(begun)
      return void setTimeout(() => response.destroy(), 20)
    case "no-done":
      return void response.end(begun)
    case "no-end":
      return void response.end(begun + rest + usageEvent(USAGE))
    case "hangs":
      return void response.write(begun + rest + usageEvent(USAGE))
    case "no-finish":
      return void response.end(begun + usageEvent(USAGE))
    case "error-first":
      return void response.end(event({ error: { message: "overloaded" } }) + DONE)
    case "error-event":
      return void response.end(begun + event({ error: { message: "overloaded" } }) + DONE)
    case "endless":
      return endless(response)
    case "waits":
      response.write(chunk(WORDS[0] ?? ""))
      return void waiting.push(() => response.end(WORDS.slice(1).map(chunk).join("") + last + end))
    case "split":
      for (const byte of Buffer.from(`: a comment\r\n\r\n${begun}${rest}${end}`)) response.write(Buffer.of(byte))
      return void response.end()
    default:
      return void response.end(begun + rest + end)
  }
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const part of request) chunks.push(part as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/**
 * Listens until the scope closes. What it does is the model's name:
 *
 * - `ok`: says `Hello there, friend.`, and what that used.
 * - `no-usage`: the same, without a word on usage.
 * - `drop`: two chunks, then the connection is gone.
 * - `no-done`: two chunks, then an end as if it were the end.
 * - `no-end`: all that there is to say, and its usage, then an end without `[DONE]`.
 * - `hangs`: the same, but no end.
 * - `no-finish`: two chunks and a usage, then an end without `[DONE]`.
 * - `error-event`: two chunks, then an error as an event.
 * - `error-first`: an error as the first event.
 * - `garbage`: something that is no JSON.
 * - `silent`: never an answer.
 * - `endless`: a chunk every turn of the event loop, as long as somebody reads.
 * - `waits`: the first chunk, and the others when it is let go on.
 * - `split`: the chunks, cut into single bytes.
 * - `greedy`: reports more than it may have used.
 * - a number: that status, with an error in the third-party form.
 */
export const makeChatServer: Effect.Effect<ChatServer, never, Scope.Scope> = Effect.gen(function* () {
  const reached: Array<Reached> = []
  const waiting: Array<() => void> = []
  const sockets = new Map<unknown, number>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await bodyOf(request)) as { readonly model: string; readonly stream?: boolean }
    const { socket } = request
    sockets.set(socket, sockets.get(socket) ?? sockets.size)
    const call: Reached = {
      body,
      authorization: request.headers.authorization,
      broken: false,
      socket: sockets.get(socket) ?? 0
    }
    reached.push(call)
    response.on("error", () => undefined)
    response.on("close", () => void (call.broken = !response.writableFinished))
    if (body.model === "silent") return
    const status = Number(body.model)
    if (Number.isInteger(status)) {
      response.writeHead(status, { "content-type": "application/json", "retry-after": "7" })
      return void response.end(JSON.stringify({ error: { message: `refused\u0007 with ${status}`, type: "x" } }))
    }
    if (body.stream === true) streamed(body.model, response, waiting)
    else plain(body.model, response)
  }
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((request, response) => void handle(request, response))
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.promise(async () => {
        made.closeAllConnections()
        await new Promise((resolve) => made.close(resolve))
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    reached,
    release: () => {
      for (const go of waiting.splice(0)) go()
    }
  }
})
