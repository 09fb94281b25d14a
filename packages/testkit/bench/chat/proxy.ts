/** Passes chats on to an upstream and does nothing else, to show what a gateway on Node pays before it adds anything. */
import { createServer } from "node:http"
import { passOn } from "./passOn.js"

const atOnce = (then: () => void): void => then()

const server = createServer(
  { noDelay: true, keepAliveTimeout: 60_000 },
  passOn(new URL(process.argv[2] ?? ""), atOnce, atOnce)
)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => process.exit(0))
