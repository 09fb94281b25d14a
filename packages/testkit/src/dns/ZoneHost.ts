import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answerAsCloudflare } from "./asCloudflare.js"
import { answerAsRoute53 } from "./asRoute53.js"
import type { ZoneWorld } from "./ZoneWorld.js"

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString("utf8")
}

const FACES = { cloudflare: answerAsCloudflare, route53: answerAsRoute53 } as const

/** A DNS host over real HTTP on loopback. Its address. */
export const zoneHost = (vendor: keyof typeof FACES, world: ZoneWorld): Effect.Effect<string, never, Scope.Scope> => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const fault = world.next(request.method === "GET" ? "read" : "change")
    if (fault?._tag === "LostBeforeEffect") return void request.socket.destroy()
    if (fault?._tag === "Status") {
      return void response
        .writeHead(fault.status, fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter })
        .end()
    }
    if (fault?._tag === "Garbage") return void response.writeHead(200).end("<html>Sign in to the network")
    if (fault?._tag === "Meanwhile") fault.does()
    const given = FACES[vendor](world, {
      method: request.method ?? "",
      url: new URL(request.url ?? "/", "http://host"),
      authorization: request.headers.authorization ?? "",
      body,
      isStale: fault?._tag === "Stale"
    })
    if (fault?._tag === "LostAfterEffect") return void request.socket.destroy()
    response.writeHead(given.status).end(given.body)
  }
  return Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => void answer(request, response))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((done) => {
          server.close(() => done(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )
}
