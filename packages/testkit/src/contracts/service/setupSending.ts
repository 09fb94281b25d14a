import { assert, layer as describeLayer } from "@effect/vitest"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { decide, makeKey } from "../../service/Client.js"
import {
  buy,
  drive,
  ended,
  freshKey,
  grant,
  kindsOf,
  member,
  ok,
  PURCHASE,
  refused,
  SCOPES,
  type ServiceOnStores,
  SUITE,
  trailOf,
  whileSending
} from "./stories.js"

const TOKEN = /^svc_confirm_[A-Za-z0-9_-]{43}$/

/** Wishes, and what they come to: mailboxes = ceil(sends / 25), domains = ceil(mailboxes / 5). */
const SIZES = [
  [1, 1, 1],
  [25, 1, 1],
  [26, 2, 1],
  [125, 5, 1],
  [126, 6, 2],
  [5000, 200, 40]
] as const

/** The quote and the purchase of sending capacity. */
export const setupSendingContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`setup_sending (${name})`, (it) => {
    it.effect("a quote sizes capacity by its rules, costs nothing and needs no Idempotency-Key", () =>
      Effect.gen(function* () {
        const client = yield* member()
        for (const [daily_sends, mailboxes, domains] of SIZES) {
          const dry = ok(yield* client.call("setup_sending", { ...PURCHASE, daily_sends, dry_run: true }))
          const numbers = {
            domains,
            mailboxes,
            setup_credits: String(domains * 1500),
            upkeep_credits_per_month: String(mailboxes * 750),
            first_month_credits: String(domains * 1500 + mailboxes * 750),
            // A workspace begins with 300 credits: this much is missing.
            credits_after_first_month: String(300 - domains * 1500 - mailboxes * 750)
          }
          assert.deepStrictEqual(dry.result.plan.would, { ...numbers, needs_confirmation: true })
          assert.strictEqual(dry.result.plan.credits_estimate, numbers.setup_credits)
          assert.strictEqual(dry.result.plan.plan_version, 1)
          const { result, svc } = ok(yield* client.call("setup_sending", { ...PURCHASE, daily_sends }))
          assert.strictEqual(result.status, "quote")
          assert.match(result.confirmation_token, TOKEN)
          assert.strictEqual(svc.credits_charged, "0")
          const { quote_expires_at, ready_estimate, renewal_cadence, ...quoted } = result.quote
          assert.deepStrictEqual(quoted, numbers)
          assert.strictEqual(renewal_cadence, "monthly")
          assert.isString(ready_estimate)
          assert.strictEqual(quote_expires_at, result.expires_at)
          const now = yield* Clock.currentTimeMillis
          assert.strictEqual(Date.parse(result.expires_at) - now, 15 * 60_000)
        }
        // A dry run asks nobody, so that nothing of it stands in the trail.
        const events = yield* trailOf(client)
        assert.lengthOf(events, 2 * SIZES.length)
        assert.deepStrictEqual(kindsOf(events.slice(0, 2)), ["purchase_requested", "approval_requested"])
      })
    )

    it.effect("what is reserved for calls under way is not there for the first month", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const emails = Array.from({ length: 40 }, (_, at) => `slow+${at}@magic.test`)
        const { result } = yield* client.call("verify_emails", { emails }, { key: freshKey() })
        const order = { ...PURCHASE, daily_sends: 25 }
        const after = String(300 - emails.length - 1500 - 750)
        const dry = ok(yield* client.call("setup_sending", { ...order, dry_run: true }))
        assert.strictEqual(dry.result.plan.would.credits_after_first_month, after)
        const asked = ok(yield* client.call("setup_sending", order))
        assert.strictEqual(asked.result.quote.credits_after_first_month, after)
        yield* ended(client, result.operation_id)
      })
    )

    it.effect("what can't be bought is refused, every mistake at once", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const wrong = [
          [{ daily_sends: 0 }, ["daily_sends"]],
          [{ daily_sends: 5001 }, ["daily_sends"]],
          [{ daily_sends: 1.5 }, ["daily_sends"]],
          [{ brand: "a" }, ["brand"]],
          [{ brand: "a".repeat(31) }, ["brand"]],
          [{ brand: "Acme" }, ["brand"]],
          [{ brand: "ac me", daily_sends: -1 }, ["brand", "daily_sends"]],
          [{ identity: { first_name: "Ada" } }, ["identity.last_name"]],
          [{ identity: { first_name: "", last_name: "L" } }, ["identity.first_name"]],
          [{ domains: 3 }, ["domains"]],
          [{ confirmation_token: "svc_confirm_short" }, ["confirmation_token"]]
        ] as const
        for (const [change, paths] of wrong) {
          const answer = yield* client.call("setup_sending", { ...PURCHASE, ...change })
          refused(answer, 400, "invalid_request")
          const issues = answer.error?.details?.issues as ReadonlyArray<{ readonly path: string }>
          const found = new Set(issues.map((issue) => issue.path))
          assert.deepStrictEqual([...found].sort(), [...paths].sort(), answer.text)
        }
        for (const brand of ["ab", "a".repeat(30), "a-1"])
          ok(yield* client.call("setup_sending", { ...PURCHASE, brand }))
      })
    )

    it.effect("a quote is good for a quarter of an hour, to the millisecond", () =>
      Effect.gen(function* () {
        const client = yield* member()
        yield* grant(client, "10000")
        for (const [wait, answers] of [
          [15 * 60_000 - 1, 200],
          [15 * 60_000, 409]
        ] as const) {
          const quote = ok(yield* client.call("setup_sending", PURCHASE))
          yield* decide(client, quote.result.approval_url, "approve")
          yield* TestClock.adjust(wait)
          const { confirmation_token } = quote.result
          const bought = yield* client.call("setup_sending", { ...PURCHASE, confirmation_token }, { key: freshKey() })
          assert.strictEqual(bought.status, answers, bought.text)
          if (answers === 409) refused(bought, 409, "approval_expired", { approval_url: quote.result.approval_url })
        }
      })
    )

    it.effect("the credits a workspace began with buy nothing, and a purchase needs its Idempotency-Key", () =>
      Effect.gen(function* () {
        const client = yield* member({ credits: "300" })
        const dry = ok(yield* client.call("setup_sending", { ...PURCHASE, dry_run: true }))
        assert.deepStrictEqual(dry.result.plan.would_exceed, ["card_required", "insufficient_credits"])
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        yield* decide(client, quote.result.approval_url, "approve")
        const confirmed = { ...PURCHASE, confirmation_token: quote.result.confirmation_token as string }
        refused(yield* client.call("setup_sending", confirmed), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        refused(yield* client.call("setup_sending", { ...confirmed, dry_run: true }), 400, "invalid_request", {
          reason: "dry_run_with_token"
        })
        const key = freshKey()
        const without = yield* client.call("setup_sending", confirmed, { key })
        refused(without, 402, "card_required")
        assert.match(String(without.error?.details?.console_url), /\/console$/)
        yield* grant(client, "1199.999999")
        refused(yield* client.call("setup_sending", confirmed, { key }), 402, "insufficient_credits", {
          required: "1500",
          credits_available: "1499.999999"
        })
        yield* grant(client, "0.000001")
        const bought = ok(yield* client.call("setup_sending", confirmed, { key }))
        assert.strictEqual(bought.result.status, "purchased")
        assert.deepStrictEqual([bought.svc.credits_charged, bought.svc.credits_available], ["1500", "0"])
      })
    )

    it.effect("a key's monthly cap holds for a purchase, not for its quote", () =>
      Effect.gen(function* () {
        const client = yield* member({ cap: credits("1499") })
        yield* grant(client, "10000")
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        yield* decide(client, quote.result.approval_url, "approve")
        const confirmed = { ...PURCHASE, confirmation_token: quote.result.confirmation_token as string }
        refused(yield* client.call("setup_sending", confirmed, { key: freshKey() }), 402, "payment_required", {
          monthly_spend_cap: "1499",
          spent_this_month: "0",
          required: "1500"
        })
      })
    )

    it.effect("what was shown to the human is what is bought, once, and never a domain that is owned already", () =>
      Effect.gen(function* () {
        const client = yield* member()
        yield* grant(client, "20000")
        const request = { ...PURCHASE, daily_sends: 126 }
        const key = freshKey()
        const first = yield* buy(client, request, key)
        assert.strictEqual(first.svc.credits_charged, "3000")
        assert.lengthOf(first.result.domains, 2)
        const operation = yield* ended(client, first.result.operation_id)
        const items = operation.items as ReadonlyArray<{ id: string; kind: string; status: string }>
        assert.sameMembers(
          items.filter(({ kind }) => kind === "domain").map(({ id }) => id),
          first.result.domains
        )
        assert.lengthOf(
          items.filter(({ kind }) => kind === "mailbox"),
          6
        )
        assert.deepStrictEqual([operation.status, operation.error], ["succeeded", null])
        assert.deepStrictEqual(operation.progress, { done: 8, total: 8 })
        const second = yield* buy(client, request)
        assert.lengthOf(new Set([...first.result.domains, ...second.result.domains]), 4)
        const events = yield* trailOf(client, { kind: "purchased" })
        assert.deepStrictEqual(
          events.map((event) => event.operation_id),
          [first.result.operation_id, second.result.operation_id]
        )
        const { ledger } = yield* ConsoleReads
        const entries = yield* ledger(client.workspaceId, EVERY_ENTRY, null, 100)
        assert.deepStrictEqual(
          entries
            .filter(({ requestId }) => requestId === events[0]!.request_id)
            .map(({ key, kind, person, verb }) => [kind, verb, key?.keyId, person]),
          [["charge", "setup_sending", client.keyId, client.ownerEmail]]
        )
      })
    )

    it.effect("two workspaces that want the same brand both get it", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* member(), yield* member()]
        yield* grant(one, "10000")
        yield* grant(other, "10000")
        yield* buy(one)
        yield* buy(other)
      })
    )

    it.effect("a provider that names nothing, nonsense or the same twice sells nothing that is not sound", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const ask = drive(client, client.call("setup_sending", { ...PURCHASE, daily_sends: 126 }))
        for (const behaviour of [
          Behaviour.Fail({ reason: "transient" }),
          Behaviour.Never(),
          Behaviour.Garbage(),
          Behaviour.Die({ defect: new Error("broken") })
        ]) {
          refused(yield* ask.pipe(whileSending(behaviour)), 503, "provider_unavailable")
        }
        yield* grant(client, "10000")
        const doubled = yield* ask.pipe(whileSending(Behaviour.Twice()))
        yield* decide(client, ok(doubled).result.approval_url, "approve")
        const { confirmation_token } = doubled.result
        const confirmed = { ...PURCHASE, daily_sends: 126, confirmation_token }
        const bought = ok(yield* client.call("setup_sending", confirmed, { key: freshKey() }))
        assert.lengthOf(new Set(bought.result.domains), 2)
      })
    )

    it.effect("scope and autonomy are asked before anything else", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read"] })
        refused(yield* poor.call("setup_sending", PURCHASE), 403, "forbidden", { required_scope: "assets:purchase" })
        const shy = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES, autonomy: false })
        refused(yield* shy.call("setup_sending", PURCHASE), 403, "forbidden", { reason: "autonomy_off" })
        const dry = ok(yield* shy.call("setup_sending", { ...PURCHASE, dry_run: true }))
        assert.include(dry.result.plan.would_exceed, "forbidden")
      })
    )
  })
}
