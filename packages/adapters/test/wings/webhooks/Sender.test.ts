import { assert, describe, it } from "@effect/vitest"
import { WebhookFailure, type WebhookMessage, WebhookSender } from "@outbound/domain/wings/webhooks/WebhookSender.js"
import { Effect, Redacted, Result } from "effect"
import { Webhook } from "standardwebhooks"
import type { PostOptions } from "../../../src/webhooks/guardedPost.js"
import { layer } from "../../../src/wings/webhooks/Sender.js"
import { receiver, status } from "../../webhooks/receiver.js"

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString("base64")}`
const [NEW, OLD] = [secretOf(1), secretOf(2)]

const send = (message: Partial<WebhookMessage>, options: Partial<PostOptions> = {}) =>
  Effect.flatMap(WebhookSender, (sender) =>
    Effect.result(
      sender.send({
        url: "http://127.0.0.1:1/",
        workspaceKind: "sandbox",
        id: "msg_1",
        sentAtMillis: Date.now(),
        body: JSON.stringify({ type: "trail.sent", text: "ünïcode 🙂" }),
        secrets: [Redacted.make(NEW)],
        ...message
      })
    )
  ).pipe(Effect.provide(layer({ isAtHome: true, ...options })))

const failure = (sent: Result.Result<number, WebhookFailure>) => {
  assert.isTrue(Result.isFailure(sent), JSON.stringify(sent))
  return Result.isFailure(sent) ? sent.failure : null
}

describe("the sender of webhooks", () => {
  it.live("sends a message that the library of Standard Webhooks verifies, byte for byte", () =>
    Effect.gen(function* () {
      const { received, url } = yield* status(204)
      assert.deepStrictEqual(yield* send({ url }), Result.succeed(204))
      const [{ body, headers, path } = { body: "", headers: {}, path: "" }] = received
      assert.strictEqual(path, "/events?of=us")
      assert.deepInclude(headers, { "content-type": "application/json", "webhook-id": "msg_1" })
      const signed = headers as Record<string, string>
      assert.deepStrictEqual(new Webhook(NEW).verify(body, signed), { type: "trail.sent", text: "ünïcode 🙂" })
      assert.throws(() => new Webhook(OLD).verify(body, signed))
      assert.throws(() => new Webhook(NEW).verify(`${body} `, signed))
      assert.throws(() => new Webhook(NEW).verify(body, { ...signed, "webhook-id": "msg_2" }))
    })
  )

  it.live("signs by both secrets while one replaces the other", () =>
    Effect.gen(function* () {
      const { received, url } = yield* status(200)
      yield* send({ url, secrets: [Redacted.make(NEW), Redacted.make(OLD)] })
      const [{ body, headers } = { body: "", headers: {} }] = received
      for (const secret of [NEW, OLD]) new Webhook(secret).verify(body, headers as Record<string, string>)
    })
  )

  it.live("tells what was answered, and for how long a receiver wants its rest", () =>
    Effect.gen(function* () {
      for (const code of [400, 404, 410, 500, 503]) {
        const { url } = yield* status(code)
        assert.deepInclude(failure(yield* send({ url })), { reason: "status", status: code, retryAfterMillis: null })
      }
      const busy = yield* status(429, { "retry-after": "120" })
      assert.strictEqual(failure(yield* send({ url: busy.url }))?.retryAfterMillis, 120_000)
      const later = yield* status(503, { "retry-after": new Date(Date.now() + 60_000).toUTCString() })
      assert.approximately(failure(yield* send({ url: later.url }))?.retryAfterMillis ?? 0, 60_000, 5_000)
    })
  )

  it.live("goes where it was sent to, and not where it is sent from there", () =>
    Effect.gen(function* () {
      const target = yield* status(200)
      for (const code of [301, 302, 307, 308]) {
        const { url } = yield* status(code, { location: target.url })
        assert.deepInclude(failure(yield* send({ url })), { reason: "redirect", status: code })
      }
      assert.isEmpty(target.received)
    })
  )

  it.live("waits no longer than its time for a receiver that keeps it waiting", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => undefined)
      const dripping = yield* receiver((_request, response) => response.writeHead(200).write("."))
      for (const { port } of [silent, dripping]) {
        const sent = yield* send({ url: `http://127.0.0.1:${port}/` }, { timeoutMillis: 200 })
        assert.strictEqual(failure(sent)?.reason, "timeout")
      }
    })
  )

  it.live("reads no more of an answer than its limit", () =>
    Effect.gen(function* () {
      let written = 0
      const endless = yield* receiver((_request, response) => {
        response.writeHead(200)
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written += 1
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      })
      assert.deepStrictEqual(yield* send({ url: `http://127.0.0.1:${endless.port}/` }), Result.succeed(200))
      assert.isBelow(written, 2_000)
    })
  )

  it.live("a connection that is refused or cut off is no delivery", () =>
    Effect.gen(function* () {
      const cutting = yield* receiver((request) => request.socket.destroy())
      const closed = yield* status(200)
      yield* Effect.promise(() => new Promise<void>((resolve) => closed.server.close(() => resolve())))
      for (const url of [`http://127.0.0.1:${cutting.port}/`, closed.url]) {
        assert.deepInclude(failure(yield* send({ url })), { reason: "unreachable", status: null })
      }
    })
  )

  it.live("sends to no address inside, however it is named, and connects to nothing there", () =>
    Effect.gen(function* () {
      const inside = yield* status(200)
      const names: Readonly<Record<string, ReadonlyArray<string>>> = {
        "private.example.com": ["10.0.0.1"],
        "loopback.example.com": ["127.0.0.1"],
        "metadata.example.com": ["169.254.169.254"],
        "mixed.example.com": ["93.184.215.14", "127.0.0.1"],
        "six.example.com": ["::1"],
        localhost: ["127.0.0.1"]
      }
      const resolve: NonNullable<PostOptions["resolve"]> = (name) =>
        Promise.resolve((names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
      for (const workspaceKind of ["live", "sandbox"] as const) {
        for (const name of Object.keys(names).filter((one) => workspaceKind === "live" || one !== "localhost")) {
          const url = `https://${name}:${inside.port}/`
          assert.strictEqual(
            failure(yield* send({ url, workspaceKind }, { resolve }))?.reason,
            "forbidden_address",
            url
          )
        }
        for (const url of [
          "https://10.0.0.1/",
          "https://[fd00::1]/",
          "https://169.254.169.254/latest",
          "http://a.test/"
        ]) {
          assert.strictEqual(
            failure(yield* send({ url, workspaceKind }, { resolve }))?.reason,
            "forbidden_address",
            url
          )
        }
        const gone = yield* send({ url: "https://gone.example.com/", workspaceKind }, { resolve })
        assert.strictEqual(failure(gone)?.reason, "unreachable")
      }
      for (const url of [inside.url, inside.url.replace("127.0.0.1", "localhost")]) {
        assert.strictEqual(failure(yield* send({ url, workspaceKind: "live" }))?.reason, "forbidden_address", url)
        assert.strictEqual(failure(yield* send({ url }, { isAtHome: false }))?.reason, "forbidden_address", url)
        assert.deepStrictEqual(yield* send({ url }), Result.succeed(200))
      }
      assert.lengthOf(inside.received, 2)
    })
  )
})
