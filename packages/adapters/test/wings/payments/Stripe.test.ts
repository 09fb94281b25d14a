import { assert, describe, it } from "@effect/vitest"
import type { PaymentAsk } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { freshId } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Redacted } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import Stripe from "stripe"
import { makeStripe } from "../../../src/wings/payments/Stripe.js"

const KEY = "sk_test_synthetic"
const SECRET = "whsec_synthetic"

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly form: URLSearchParams
}

type Answer = (asked: Asked, response: ServerResponse) => void

const json =
  (status: number, body: object): Answer =>
  (_asked, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

const refusal = (status: number, type: string) => json(status, { error: { type, message: `Not with ${KEY}` } })

/** Stripe, as far as these tests need it. Nothing in it is anybody's. */
const stripeAnswering = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly asked: Array<Asked>; readonly close: () => void; readonly port: number }>((resume) => {
      const asked: Array<Asked> = []
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")))
        request.on("end", () => {
          const { headers, method = "", url: path = "" } = request
          const one = { method, path, headers, form: new URLSearchParams(body) }
          asked.push(one)
          answer(one, response)
        })
      }).listen(0, "127.0.0.1", () => {
        const close = () => (server.closeAllConnections(), server.close())
        resume(Effect.succeed({ asked, close, port: (server.address() as AddressInfo).port }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const providerAt = (port: number) =>
  makeStripe({
    secretKey: Redacted.make(KEY),
    webhookSecret: Redacted.make(SECRET),
    api: { host: "127.0.0.1", port, protocol: "http" }
  })

const ask: PaymentAsk = {
  workspaceId: freshId(),
  paymentId: freshId(),
  title: "2500 credits",
  cents: 2_500,
  email: "ada@example.com",
  returnUrl: "https://outbound.test/console/payments/x?returned=1"
}

const session = (given: object = {}) => ({
  id: "cs_test_1",
  object: "checkout.session",
  status: "open",
  payment_status: "unpaid",
  url: "https://checkout.test/pay/cs_test_1",
  currency: "usd",
  amount_total: 2_500,
  metadata: { outbound_workspace_id: ask.workspaceId, outbound_payment_id: ask.paymentId },
  ...given
})

const open = {
  reference: "cs_test_1",
  state: "open",
  url: "https://checkout.test/pay/cs_test_1",
  cents: 2_500,
  returnedCents: null
}

describe("asking Stripe", () => {
  it.live("begins one page for one payment, however often it is asked", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* stripeAnswering(json(200, session()))
      const provider = providerAt(port)
      assert.deepStrictEqual(yield* provider.begin(ask), open as never)
      yield* provider.begin(ask)
      const [first, second] = asked
      assert.deepStrictEqual([first!.method, first!.path], ["POST", "/v1/checkout/sessions"])
      assert.strictEqual(first!.headers.authorization, `Bearer ${KEY}`)
      assert.strictEqual(first!.headers["idempotency-key"], second!.headers["idempotency-key"])
      assert.deepInclude(Object.fromEntries(first!.form), {
        mode: "payment",
        customer_email: "ada@example.com",
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": "2500",
        "line_items[0][price_data][product_data][name]": "2500 credits",
        "metadata[outbound_payment_id]": ask.paymentId,
        success_url: ask.returnUrl,
        cancel_url: ask.returnUrl
      })
      const other = { ...ask, paymentId: freshId() }
      yield* provider.begin(other)
      assert.notStrictEqual(asked[2]!.headers["idempotency-key"], first!.headers["idempotency-key"])
    })
  )

  it.live("reads how a payment stands", () =>
    Effect.gen(function* () {
      for (const [given, expected] of [
        [{}, open],
        [
          { status: "complete", payment_status: "unpaid", url: null },
          { ...open, url: null }
        ],
        [
          { status: "complete", payment_status: "paid", url: null },
          { ...open, state: "paid", url: null }
        ],
        [
          { status: "expired", url: null },
          { ...open, state: "failed", url: null }
        ],
        [{ currency: "eur" }, { ...open, cents: null }]
      ] as const) {
        const { asked, port } = yield* stripeAnswering(json(200, session(given)))
        assert.deepStrictEqual(yield* providerAt(port).standing("cs_test_1"), expected as never)
        assert.strictEqual(
          decodeURIComponent(asked[0]!.path),
          "/v1/checkout/sessions/cs_test_1?expand[0]=payment_intent.latest_charge"
        )
      }
    })
  )

  it.live("says of a refusal whose it is, and takes silence for uncertain; the key is in none of it", () =>
    Effect.gen(function* () {
      for (const [answer, reason] of [
        [refusal(400, "invalid_request_error"), "invalid"],
        [refusal(401, "invalid_request_error"), "account"],
        [refusal(403, "invalid_request_error"), "account"],
        [refusal(402, "card_error"), "invalid"],
        [refusal(500, "api_error"), "unknown_outcome"],
        [(_asked: Asked, response: ServerResponse) => void response.destroy(), "unknown_outcome"]
      ] as const) {
        const { port } = yield* stripeAnswering(answer)
        const failure = yield* Effect.flip(providerAt(port).begin(ask))
        assert.strictEqual(failure.reason, reason)
        assert.notInclude(JSON.stringify(failure), KEY)
      }
    })
  )
})

const paidBy = (charge: object) =>
  session({
    status: "complete",
    payment_status: "paid",
    url: null,
    payment_intent: { id: "pi_1", object: "payment_intent", latest_charge: { id: "ch_1", object: "charge", ...charge } }
  })

const list = (data: ReadonlyArray<object>) => ({ object: "list", has_more: false, data })

const disputed = { amount_refunded: 500, disputed: true }

/** Stripe, with one payment of this charge and these disputes of it. */
const withDisputes =
  (charge: object, disputes: ReadonlyArray<object> = []): Answer =>
  (asked, response) => {
    const isOf = (path: string) => asked.path.startsWith(path)
    const body = isOf("/v1/disputes")
      ? list(disputes)
      : isOf("/v1/checkout/sessions/")
        ? paidBy(charge)
        : list([paidBy(charge)])
    json(200, body)(asked, response)
  }

describe("money that goes back", () => {
  it.live("is what was refunded, and what disputes took that are not won", () =>
    Effect.gen(function* () {
      for (const [charge, disputes, returned] of [
        [{ amount_refunded: 0, disputed: false }, [], 0],
        [{ amount_refunded: 700, disputed: false }, [], 700],
        [disputed, [{ amount: 2_000, status: "needs_response" }], 2_500],
        [disputed, [{ amount: 2_000, status: "under_review" }], 2_500],
        [disputed, [{ amount: 2_000, status: "lost" }], 2_500],
        [disputed, [{ amount: 2_000, status: "won" }], 500],
        [disputed, [{ amount: 2_000, status: "warning_needs_response" }], 500]
      ] as const) {
        const { asked, port } = yield* stripeAnswering(withDisputes(charge, disputes))
        const standing = yield* providerAt(port).standing("cs_test_1")
        assert.deepInclude(standing, { state: "paid", returnedCents: returned }, JSON.stringify(disputes))
        assert.strictEqual(asked.length, charge.disputed ? 2 : 1)
        if (charge.disputed) assert.include(asked[1]!.path, "charge=ch_1")
      }
    })
  )

  it.live("is told of by its payment intent, as it stands now; if Stripe can't say, it is told again", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* stripeAnswering(withDisputes(disputed, [{ amount: 2_000, status: "lost" }]))
      for (const [kind, object] of [
        ["charge.refunded", { object: "charge", payment_intent: "pi_1" }],
        ["charge.dispute.created", { object: "dispute", payment_intent: "pi_1" }],
        ["charge.dispute.funds_reinstated", { object: "dispute", payment_intent: { id: "pi_1" } }],
        ["refund.failed", { object: "refund", payment_intent: "pi_1" }]
      ] as const) {
        const notice = yield* read(event(kind, object), undefined, providerAt(port))
        assert.deepInclude(notice!, { kind, workspaceId: ask.workspaceId, paymentId: ask.paymentId })
        assert.deepInclude(notice!.standing, { state: "paid", reference: "cs_test_1", returnedCents: 2_500 })
      }
      assert.include(decodeURIComponent(asked[0]!.path), "payment_intent=pi_1")
      const foreign = yield* stripeAnswering(json(200, list([])))
      const refund = event("charge.refunded", { object: "charge", payment_intent: "pi_2" })
      assert.isNull(yield* read(refund, undefined, providerAt(foreign.port)))
      const broken = yield* stripeAnswering(refusal(500, "api_error"))
      assert.strictEqual((yield* Effect.flip(read(refund, undefined, providerAt(broken.port))))._tag, "ProviderFailure")
      assert.isNull(yield* read(event("charge.refunded", { object: "charge", payment_intent: null })))
    })
  )
})

const stripe = new Stripe(KEY)
const event = (type: string, object: object) => JSON.stringify({ id: "evt_1", object: "event", type, data: { object } })
const signed = (payload: string, given: { readonly secret?: string; readonly timestamp?: number } = {}) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...given })
const read = (payload: string, signature = signed(payload), provider = providerAt(1)) =>
  provider.notice!(payload, signature)

describe("what Stripe tells", () => {
  it.effect("counts by its signature, over these very bytes, and while it is fresh", () =>
    Effect.gen(function* () {
      const payload = event("checkout.session.completed", session({ status: "complete", payment_status: "paid" }))
      const notice = yield* read(payload)
      assert.deepInclude(notice!, {
        eventId: "evt_1",
        kind: "checkout.session.completed",
        workspaceId: ask.workspaceId,
        paymentId: ask.paymentId
      })
      assert.deepInclude(notice!.standing, { state: "paid", cents: 2_500, reference: "cs_test_1" })
      const old = Math.floor(Date.now() / 1_000) - 301
      for (const [body, signature] of [
        [payload, ""],
        [payload, "t=1,v1=00"],
        [payload, signed(payload, { secret: "whsec_other" })],
        [payload, signed(payload, { timestamp: old })],
        [`${payload} `, signed(payload)],
        [payload.replace("2500", "9500"), signed(payload)]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(read(body, signature)))._tag, "NoticeRefused")
      }
    })
  )

  it.effect("is a state for each kind of notice, and nothing where it is not about a payment of ours", () =>
    Effect.gen(function* () {
      const unpaid = session({ status: "complete", payment_status: "unpaid" })
      for (const [type, object, state] of [
        ["checkout.session.completed", unpaid, "open"],
        ["checkout.session.async_payment_succeeded", session({ status: "complete", payment_status: "paid" }), "paid"],
        ["checkout.session.async_payment_failed", unpaid, "failed"],
        ["checkout.session.expired", session({ status: "expired" }), "failed"],
        // A notice of an earlier refusal that comes late takes nothing from who has paid since.
        ["checkout.session.async_payment_failed", session({ status: "complete", payment_status: "paid" }), "paid"],
        ["checkout.session.expired", session({ status: "expired", payment_status: "paid" }), "paid"]
      ] as const) {
        assert.strictEqual((yield* read(event(type, object)))?.standing.state, state, type)
      }
      assert.isNull(yield* read(event("charge.succeeded", session())))
      assert.isNull(yield* read(event("checkout.session.completed", session({ metadata: null }))))
      assert.isNull(
        yield* read(event("checkout.session.completed", session({ metadata: { outbound_workspace_id: "x" } })))
      )
    })
  )
})
