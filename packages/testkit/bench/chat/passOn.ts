import { Agent, request as ask, type RequestListener } from "node:http"

const HEADERS = { "content-type": "application/json" }

/** Passes bodies on as they come. `before` ends before the upstream is asked, `after` before the answer is whole. */
export const passOn = (
  upstream: URL,
  before: (then: () => void) => void,
  after: (then: () => void) => void
): RequestListener => {
  const agent = new Agent({ keepAlive: true })
  return (request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () =>
      before(() => {
        const body = Buffer.concat(parts)
        const headers = { ...HEADERS, "content-length": body.length }
        const asked = ask(upstream, { agent, method: "POST", path: "/v1/chat/completions", headers }, (answer) => {
          const { "content-length": size, "content-type": type } = answer.headers
          response.writeHead(answer.statusCode ?? 502, {
            "content-type": type ?? "",
            ...(size === undefined ? {} : { "content-length": size })
          })
          // A body in one piece of JSON is written once it may be, a stream as it comes.
          const held: Array<Buffer> = []
          answer.on("data", (part: Buffer) => (size === undefined ? response.write(part) : held.push(part)))
          answer.on("end", () => after(() => response.end(size === undefined ? undefined : Buffer.concat(held))))
        })
        asked.on("error", () => response.destroy())
        asked.end(body)
      })
    )
  }
}
