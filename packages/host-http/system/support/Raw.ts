import { Effect } from "effect"
import { connect } from "node:net"
import type { Host } from "./Host.js"

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** What came after the answer, on the same connection. */
  readonly rest: string
}

const parse = (received: string): RawAnswer | undefined => {
  const text = received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, "")
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n")
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    })
  )
  const bodyEnd = end + 4 + Number(headers.get("content-length") ?? 0)
  if (text.length < bodyEnd) return undefined
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: text.slice(end + 4, bodyEnd),
    rest: text.slice(bodyEnd)
  }
}

/**
 * Writes bytes on a connection of its own; what the service answered, once the service has closed it. Fails when it
 * closes without an answer.
 */
export const exchange = ({ port }: Host, bytes: string | Buffer): Effect.Effect<RawAnswer, Error> =>
  Effect.callback((resume) => {
    let received = ""
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write(bytes))
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")))
    // A refused body may still be on its way when the service closes.
    socket.on("error", () => undefined)
    socket.on("close", () => {
      const answer = parse(received)
      resume(
        answer === undefined
          ? Effect.fail(new Error(`closed after ${JSON.stringify(received)}`))
          : Effect.succeed(answer)
      )
    })
    return Effect.sync(() => socket.destroy())
  })
