import { assert, describe, it } from "@effect/vitest"
import { Payments } from "@outbound/domain/wings/payments/Payments.js"
import {
  NoticeRefused,
  type PaymentNotice,
  type PaymentProvider
} from "@outbound/domain/wings/payments/PaymentProvider.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { makeSandboxPayments } from "@outbound/sandbox/wings/payments/SandboxPayments.js"
import { Effect, Layer, References } from "effect"
import { HttpServer, serve } from "../../../src/HttpServer.js"
import { paymentSurface } from "../../../src/wings/payments/PaymentSurface.js"

const notice: PaymentNotice = {
  eventId: "evt_1",
  kind: "test",
  workspaceId: "0197c3a0-0000-7000-8000-000000000001",
  paymentId: "0197c3a0-0000-7000-8000-000000000002",
  standing: { reference: "r", state: "paid", url: null, cents: 500, returnedCents: 0 }
}

/** Signs by a word, and tells of one payment, or of nothing of ours; or it can't say how a payment stands. */
const provider: PaymentProvider = {
  ...makeSandboxPayments(),
  name: "scripted",
  notice: (body, signature) =>
    signature !== "genuine"
      ? Effect.fail(new NoticeRefused({ cause: "signature" }))
      : body === "later"
        ? Effect.fail(new ProviderFailure({ provider: "scripted", reason: "transient" }))
        : Effect.succeed(body === "ours" ? notice : null)
}

const withHost = (
  notified: Payments["Service"]["notified"],
  use: (send: (method: string, path: string, signature: string, body?: string) => Promise<Response>) => Promise<void>
) =>
  Effect.gen(function* () {
    const nothing = Effect.die(new Error("not asked for"))
    const payments = Payments.of({
      overview: () => nothing,
      topUp: () => nothing,
      payment: () => nothing,
      look: () => nothing,
      sweep: nothing,
      notified
    })
    const host = Layer.effect(
      HttpServer,
      serve({
        host: "127.0.0.1",
        port: 0,
        limits: {},
        surfaces: () => [paymentSurface(payments, [provider, makeSandboxPayments()])],
        inner: null
      })
    )
    yield* Effect.provide(
      Effect.flatMap(HttpServer, ({ port }) =>
        Effect.promise(() =>
          use((method, path, signature, body) =>
            fetch(`http://127.0.0.1:${port}${path}`, {
              method,
              headers: { "scripted-signature": signature },
              ...(body === undefined ? {} : { body })
            })
          )
        )
      ),
      host
    )
  }).pipe(Effect.provide(Layer.merge(TestIds.layer, Layer.succeed(References.MinimumLogLevel, "None"))))

describe("notices about payments", () => {
  it.live("are taken by their signature, and told again unless they were kept", () => {
    const kept: Array<PaymentNotice> = []
    return withHost(
      (_from, told) => Effect.sync(() => void kept.push(told)),
      async (send) => {
        assert.strictEqual((await send("POST", "/webhooks/scripted", "genuine", "ours")).status, 200)
        assert.strictEqual((await send("POST", "/webhooks/scripted", "genuine", "another's")).status, 200)
        assert.strictEqual((await send("POST", "/webhooks/scripted", "genuine", "later")).status, 503)
        assert.strictEqual((await send("POST", "/webhooks/scripted", "forged", "ours")).status, 400)
        assert.strictEqual((await send("POST", "/webhooks/scripted", "", "ours")).status, 400)
        assert.strictEqual((await send("GET", "/webhooks/scripted", "genuine")).status, 405)
        assert.strictEqual((await send("POST", "/webhooks/scripted", "genuine", "x".repeat(300_000))).status, 413)
        // The sandbox tells nothing, so nobody is listened to in its name.
        assert.strictEqual((await send("POST", "/webhooks/sandbox", "genuine", "ours")).status, 404)
        assert.strictEqual((await send("POST", "/webhooks/stripe", "genuine", "ours")).status, 404)
        assert.deepStrictEqual(kept, [notice])
      }
    )
  })

  it.live("are asked for again while the store can't be reached", () =>
    withHost(
      () => Effect.fail(new StoreUnavailable({ operation: "payments", cause: "gone" })),
      async (send) => {
        assert.strictEqual((await send("POST", "/webhooks/scripted", "genuine", "ours")).status, 503)
      }
    )
  )
})
