/**
 * `tools/call` in a closed loop over keep-alive sockets, in a process of its own: every connection sends its next call
 * when it has the answer to the last. Prints one line of JSON.
 */
import { connect, type Socket } from "node:net"
import { bucketOf } from "../Histogram.js"

export interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
}

const options = JSON.parse(process.argv[2] ?? "{}") as LoadOptions

const requestOf = (body: string): Buffer => {
  const headers = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": String(Buffer.byteLength(body)),
    ...options.headers
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`POST ${options.path} HTTP/1.1`, ...lines, "", body].join("\r\n"))
}

const counts: Record<number, number> = {}
const state = { measuring: false, stopped: false, ok: 0, refused: 0 }

const CONTENT_LENGTH = /content-length: (\d+)/i

/** Whether a whole answer has come, by its length or its last chunk. */
const isWhole = (text: string): boolean => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return false
  const length = CONTENT_LENGTH.exec(text.slice(0, end))?.[1]
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= end + 4 + Number(length)
}

const isSuccess = (text: string): boolean => text.startsWith("200", 9) && !text.includes(`"isError":true`)

const measure = (socket: Socket, call: Buffer): void => {
  let sentAt = 0
  let text = ""
  const send = () => {
    if (state.stopped) return void socket.destroy()
    sentAt = performance.now()
    socket.write(call)
  }
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    if (!isWhole(text)) return
    const succeeded = isSuccess(text)
    text = ""
    if (state.measuring) {
      if (succeeded) {
        const bucket = bucketOf(performance.now() - sentAt)
        counts[bucket] = (counts[bucket] ?? 0) + 1
        state.ok += 1
      } else state.refused += 1
    }
    send()
  })
  send()
}

const request = requestOf(options.body)

const drive = (): void => {
  const socket = connect(options.port, "127.0.0.1")
  socket.setNoDelay(true)
  socket.on("error", () => {
    if (!state.stopped) state.refused += 1
  })
  socket.on("connect", () => measure(socket, request))
}

for (let made = 0; made < options.connections; made++) drive()
setTimeout(() => {
  state.measuring = true
  const from = performance.now()
  setTimeout(() => {
    const seconds = (performance.now() - from) / 1_000
    state.measuring = false
    state.stopped = true
    console.log(JSON.stringify({ seconds, ok: state.ok, refused: state.refused, counts }))
  }, options.seconds * 1_000)
}, options.warmUpSeconds * 1_000)
