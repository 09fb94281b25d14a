/**
 * A closed loop of chats over keep-alive sockets, in a process of its own. Takes one JSON argument; prints how many
 * ended well, and how long the first token and the whole of each took, by bucket.
 */
import { connect } from "node:net"
import { bucketOf } from "../Histogram.js"

export interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly stream: boolean
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
}

export interface Load {
  readonly seconds: number
  readonly ok: number
  readonly refused: number
  readonly first: Record<number, number>
  readonly whole: Record<number, number>
}

const options = JSON.parse(process.argv[2] ?? "{}") as LoadOptions
const body = JSON.stringify({
  model: "bench",
  messages: [{ role: "user", content: "Write twenty words about outbound sales." }],
  ...(options.stream ? { stream: true } : {})
})
const request = [
  `POST ${options.path} HTTP/1.1`,
  "host: 127.0.0.1",
  "content-type: application/json",
  `content-length: ${body.length}`,
  ...Object.entries(options.headers).map(([name, value]) => `${name}: ${value}`),
  "",
  body
].join("\r\n")

const load = { ok: 0, refused: 0, first: {} as Record<number, number>, whole: {} as Record<number, number> }
const state = { measuring: false, stopped: false }
const CONTENT_LENGTH = /content-length: (\d+)/i

const add = (counts: Record<number, number>, millis: number): void => {
  const bucket = bucketOf(millis)
  counts[bucket] = (counts[bucket] ?? 0) + 1
}

/** Whether the text is one whole answer. */
const isWhole = (text: string): boolean => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return false
  const length = CONTENT_LENGTH.exec(text.slice(0, end))?.[1]
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= end + 4 + Number(length)
}

const drive = (): void => {
  const socket = connect(options.port, "127.0.0.1").setNoDelay(true)
  let sentAt = 0
  let firstAt = 0
  let text = ""
  const send = (): void => {
    if (state.stopped) return void socket.destroy()
    text = ""
    firstAt = 0
    sentAt = performance.now()
    socket.write(request)
  }
  socket.on("connect", send)
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    if (firstAt === 0 && text.includes('"content"')) firstAt = performance.now()
    if (!isWhole(text)) return
    const succeeded = text.startsWith("200", 9) && firstAt > 0 && (!options.stream || text.includes("[DONE]"))
    if (state.measuring && succeeded) {
      load.ok += 1
      add(load.first, firstAt - sentAt)
      add(load.whole, performance.now() - sentAt)
    } else if (state.measuring) load.refused += 1
    send()
  })
  socket.on("error", () => void (load.refused += 1))
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

for (let made = 0; made < options.connections; made++) drive()
await pause(options.warmUpSeconds)
state.measuring = true
const from = performance.now()
await pause(options.seconds)
state.measuring = false
state.stopped = true
console.log(JSON.stringify({ seconds: (performance.now() - from) / 1_000, ...load } satisfies Load))
process.exit(0)
