/** An upstream of chat completions that answers at once: what is added to it is what is measured. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

const CHUNKS = 20
const HEAD = { id: "chatcmpl-bench", created: 1_700_000_000, model: "bench" }
const USAGE = { prompt_tokens: 12, completion_tokens: CHUNKS, total_tokens: 12 + CHUNKS }

const message = { role: "assistant", content: Array.from({ length: CHUNKS }, (_, i) => `word${i}`).join(" ") }
const COMPLETION = JSON.stringify({
  ...HEAD,
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage: USAGE
})

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const chunkOf = (delta: unknown, finish_reason: string | null) =>
  event({ ...HEAD, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })
const EVENTS = [
  ...Array.from({ length: CHUNKS }, (_, i) => chunkOf({ content: ` word${i}` }, null)),
  chunkOf({}, "stop"),
  event({ ...HEAD, object: "chat.completion.chunk", choices: [], usage: USAGE }),
  "data: [DONE]\n\n"
]

/** One event in each turn of the event loop, so that each is a piece of its own on the wire. */
const stream = (response: ServerResponse, at: number): void => {
  const text = EVENTS[at]
  if (response.destroyed) return
  if (text === undefined) return void response.end()
  response.write(text)
  setImmediate(() => stream(response, at + 1))
}

const handle = (request: IncomingMessage, response: ServerResponse): void => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as { readonly stream?: boolean }
    if (body.stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" })
      return stream(response, 0)
    }
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(COMPLETION) })
    response.end(COMPLETION)
  })
}

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, handle)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => process.exit(0))
