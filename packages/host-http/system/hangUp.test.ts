import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import { assertBalanced } from "./support/Books.js"
import { range, until } from "./support/Client.js"
import { assertClean, type Host } from "./support/Host.js"
import { Served } from "./support/Served.js"
import { makeTenant, type Tenant } from "./support/Tenant.js"

const requestOf = ({ apiKey }: Tenant, index: number): string => {
  const body = JSON.stringify({ email: `slow+${index}@magic.test` })
  const head = [
    "POST /v1/verify_email HTTP/1.1",
    "host: outbound",
    "content-type: application/json",
    `content-length: ${body.length}`,
    `authorization: Bearer ${apiKey}`
  ]
  return `${head.join("\r\n")}\r\n\r\n${body}`
}

/** A socket whose request has been handed to the system. */
const sent = ({ port }: Host, request: string): Effect.Effect<Socket, Error> =>
  Effect.callback((resume) => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(request, () => resume(Effect.succeed(socket))))
    socket.once("error", (error) => resume(Effect.fail(error)))
  })

layer(Served.layer, { timeout: "180 seconds", excludeTestServices: true })("a client that hangs up", (it) => {
  it.effect("leaves nothing reserved: its call is settled, once, whenever it left", () =>
    Effect.gen(function* () {
      const { auditor, host, place } = yield* Served
      const tenant = yield* makeTenant(place, { credits: 200 })
      const hundred = (from: number) =>
        Effect.forEach(range(100), (index) => sent(host, requestOf(tenant, from + index)), { concurrency: "unbounded" })
      const leave = (sockets: ReadonlyArray<Socket>) =>
        Effect.sync(() => sockets.forEach((socket) => void socket.destroy()))

      // These leave before anything can have begun, those in the middle of their call.
      yield* Effect.flatMap(hundred(0), leave)
      const waiting = yield* hundred(100)
      yield* until(auditor.books(tenant.workspaceId), ({ openCalls }) => openCalls >= 100n, 60)
      yield* leave(waiting)

      const settled = yield* until(
        auditor.books(tenant.workspaceId),
        ({ charges, openCalls }) => openCalls === 0n && charges === 200n,
        60
      )
      assertBalanced(settled)
      assert.deepStrictEqual([settled.reserved, settled.balance], [0n, 0n])
      yield* assertClean(place)
    })
  )
})
