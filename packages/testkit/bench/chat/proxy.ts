/** Passes chats on to an upstream and does nothing else, to show what a gateway on Node pays before it adds anything. */
import { Agent, createServer, request as ask } from "node:http"

const upstream = new URL(process.argv[2] ?? "")
const agent = new Agent({ keepAlive: true })
const headers = { "content-type": "application/json" }

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const body = Buffer.concat(parts)
    const length = { "content-length": body.length }
    const asked = ask(
      upstream,
      { agent, method: "POST", path: "/v1/chat/completions", headers: { ...headers, ...length } },
      (answer) => {
        const { "content-length": size, "content-type": type } = answer.headers
        response.writeHead(answer.statusCode ?? 502, {
          "content-type": type ?? "",
          ...(size === undefined ? {} : { "content-length": size })
        })
        answer.on("data", (part: Buffer) => response.write(part))
        answer.on("end", () => response.end())
      }
    )
    asked.on("error", () => response.destroy())
    asked.end(body)
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => process.exit(0))
