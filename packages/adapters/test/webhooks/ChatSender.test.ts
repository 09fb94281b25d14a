import { assert, describe, it } from "@effect/vitest"
import { ChatFailure, ChatSender } from "@outbound/domain/control/notices/ChatSender.js"
import { chatTrouble } from "@outbound/domain/control/notices/retrying.js"
import { Effect, Redacted, Result } from "effect"
import { createServer, type Socket } from "node:net"
import { layer } from "../../src/webhooks/ChatSender.js"
import type { PostOptions } from "../../src/webhooks/guardedPost.js"
import { receiver, status } from "./receiver.js"

const BODY = JSON.stringify({ text: "An approval waits" })

const post = (url: string, options: Partial<PostOptions> = {}, workspaceKind: "sandbox" | "live" = "sandbox") =>
  Effect.flatMap(ChatSender, (chat) =>
    Effect.result(chat.post({ url: Redacted.make(url), workspaceKind, body: BODY }))
  ).pipe(Effect.provide(layer({ isAtHome: true, ...options })))

const failureOf = (posted: Result.Result<void, ChatFailure>): ChatFailure => {
  assert.isTrue(Result.isFailure(posted))
  return Result.isFailure(posted) ? posted.failure : assert.fail("it arrived")
}

const outcomeOf = (posted: Result.Result<void, ChatFailure>) => chatTrouble(failureOf(posted)).outcome

/** A server that takes the connection and does this with it. */
const rawServer = (react: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((socket) => {
        socket.on("error", () => socket.destroy())
        react(socket)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/hook` }
    }),
    ({ server }) => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
  )

describe("posting to a chat channel over HTTP", () => {
  it.live("the message arrives as it was written, and any 2xx answer takes it", () =>
    Effect.gen(function* () {
      for (const code of [200, 202]) {
        const { received, url } = yield* status(code)
        assert.isTrue(Result.isSuccess(yield* post(url)))
        assert.strictEqual(received[0]?.body, BODY)
        assert.strictEqual(received[0]?.headers["content-type"], "application/json")
      }
    })
  )

  it.live("an answer decides whether it is tried again, and when", () =>
    Effect.gen(function* () {
      const busy = failureOf(yield* post((yield* status(429, { "retry-after": "30" })).url))
      assert.deepInclude(busy, { reason: "status", status: 429, retryAfterMillis: 30_000 })
      assert.strictEqual(chatTrouble(busy).outcome, "retry")
      assert.strictEqual(outcomeOf(yield* post((yield* status(503)).url)), "retry")
      assert.strictEqual(outcomeOf(yield* post((yield* status(404)).url)), "fail")
      assert.strictEqual(outcomeOf(yield* post((yield* status(302, { location: "http://127.0.0.1:1/" })).url)), "fail")
      assert.strictEqual(outcomeOf(yield* post((yield* status(504)).url)), "unknown")
    })
  )

  it.live("without a connection it did not arrive; after one, silence and garbage leave it unknown", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(Effect.map(status(200), ({ url }) => url))
      assert.strictEqual(outcomeOf(yield* post(gone)), "retry")
      const silent = yield* receiver(() => undefined)
      const unanswered = yield* post(`http://127.0.0.1:${silent.port}/hook`, { timeoutMillis: 200 })
      assert.strictEqual(failureOf(unanswered).reason, "timeout")
      assert.strictEqual(outcomeOf(unanswered), "unknown")
      // Too late as well, but before there was a connection: no name server answers, or nobody speaks TLS.
      const unresolved = { resolve: () => new Promise<never>(() => undefined), timeoutMillis: 200 }
      const mute = yield* rawServer((socket) => void socket.resume())
      for (const early of [
        yield* post("https://hooks.example.com/x", unresolved, "live"),
        yield* post(mute.url.replace("http:", "https:"), { timeoutMillis: 200 })
      ]) {
        assert.deepInclude(failureOf(early), { reason: "timeout", mayHaveArrived: false })
        assert.strictEqual(outcomeOf(early), "retry")
      }
      const garbage = yield* rawServer((socket) => socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")))
      assert.strictEqual(outcomeOf(yield* post(garbage.url)), "unknown")
      const hangsUp = yield* rawServer((socket) => socket.once("data", () => socket.destroy()))
      assert.strictEqual(outcomeOf(yield* post(hangsUp.url)), "unknown")
    })
  )

  it.live("nothing is posted inside, nor over plain HTTP, for a live workspace", () =>
    Effect.gen(function* () {
      const { port, received, url } = yield* status(200)
      const resolve: NonNullable<PostOptions["resolve"]> = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }])
      for (const target of [url, `https://hooks.example.com:${port}/x`, "https://169.254.169.254/x"]) {
        assert.strictEqual(failureOf(yield* post(target, { resolve }, "live")).reason, "forbidden_address", target)
      }
      assert.isEmpty(received)
    })
  )
})
