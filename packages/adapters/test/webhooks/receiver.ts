import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A real receiver on this machine, which answers as it is told. */
export const receiver = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() })
          answer(request, response)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { received, server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise<void>((resolve) => server.close(() => resolve()))
      })
  )

/** One that answers with this status. */
export const status = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  receiver((_request, response) => response.writeHead(code, headers).end("said")).pipe(
    Effect.map((made) => ({ ...made, url: `http://127.0.0.1:${made.port}/events?of=us` }))
  )
