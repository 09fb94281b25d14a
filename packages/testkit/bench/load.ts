/**
 * A closed loop of requests over keep-alive sockets, in a process of its own: every connection sends its next request
 * when it has the answer to the last. Prints one line of JSON.
 */
import { connect } from "node:net"
import { bucketOf } from "./Histogram.js"
import { secretOf } from "./seed.js"

const [, , port = "0", connectionCount = "64", workspaceCount = "1", warmUp = "2", seconds = "8"] = process.argv
const connections = Number(connectionCount)
const workspaces = Number(workspaceCount)

const requestOf = (workspace: number): Buffer => {
  const body = JSON.stringify({ email: `someone+${workspace}@example.com` })
  const head = [
    "POST /v1/verify_email HTTP/1.1",
    "host: 127.0.0.1",
    "content-type: application/json",
    `content-length: ${body.length}`,
    `authorization: Bearer ${secretOf(workspace)}`
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
}
const requests = Array.from({ length: workspaces }, (_, index) => requestOf(index))

/** How many calls took how long, by bucket. */
const counts: Record<number, number> = {}
const state = { measuring: false, stopped: false, ok: 0, refused: 0 }
let next = 0

const CONTENT_LENGTH = /content-length: (\d+)/i

const drive = (): void => {
  const socket = connect(Number(port), "127.0.0.1")
  socket.setNoDelay(true)
  let sentAt = 0
  let text = ""
  const send = () => {
    const request = requests[next % workspaces]
    next += 1
    if (state.stopped || request === undefined) return socket.destroy()
    sentAt = performance.now()
    socket.write(request)
  }
  socket.on("connect", send)
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    const end = text.indexOf("\r\n\r\n")
    if (end < 0) return
    const length = Number(CONTENT_LENGTH.exec(text)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    const succeeded = text.startsWith("200", 9)
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
  socket.on("error", () => {
    if (!state.stopped) state.refused += 1
  })
}

for (let made = 0; made < connections; made++) drive()
setTimeout(
  () => {
    state.measuring = true
    const from = performance.now()
    setTimeout(
      () => {
        const took = (performance.now() - from) / 1_000
        state.measuring = false
        state.stopped = true
        const cpuSeconds = (process.cpuUsage().user + process.cpuUsage().system) / 1e6
        console.log(JSON.stringify({ seconds: took, ok: state.ok, refused: state.refused, cpuSeconds, counts }))
      },
      Number(seconds) * 1_000
    )
  },
  Number(warmUp) * 1_000
)
