import { assert, layer as describeLayer } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide, makeKey } from "../../service/Client.js"
import {
  askLaunch,
  draft,
  freshKey,
  grant,
  kindsOf,
  member,
  ok,
  PURCHASE,
  refused,
  SCOPES,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  sweeps,
  trailOf
} from "./stories.js"

const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

const confirm = (client: Client, confirmation_token: string, key = freshKey(), request: object = PURCHASE) =>
  client.call("setup_sending", { ...request, confirmation_token }, { key })

const quoteOf = (client: Client, key?: string) =>
  Effect.map(
    client.call("setup_sending", PURCHASE, key === undefined ? {} : { key }),
    (answer) => ok(answer).result as { confirmation_token: string; approval_url: string; expires_at: string }
  )

const rich = Effect.tap(member(), (client) => grant(client, "100000"))

/** Asking a human, and what becomes of the token (contract: approvals, flow; approvals, states). */
export const confirmationContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`confirmation (${name})`, (it) => {
    it.effect("undecided it waits, approved it works once, declined never", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const first = yield* quoteOf(client)
        const waiting = yield* confirm(client, first.confirmation_token)
        refused(waiting, 428, "confirmation_required", {
          approval_url: first.approval_url,
          expires_at: first.expires_at
        })
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, first.approval_url, "approve")), "approved")
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, first.approval_url, "approve")), "approved")
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, first.approval_url, "decline")), "closed")
        ok(yield* confirm(client, first.confirmation_token))

        const second = yield* quoteOf(client)
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, second.approval_url, "decline")), "declined")
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, second.approval_url, "approve")), "closed")
        refused(yield* confirm(client, second.confirmation_token), 409, "approval_declined", {
          approval_url: second.approval_url
        })
        const events = yield* trailOf(client, { kind: "approval_requested,approved,declined" })
        assert.deepStrictEqual(kindsOf(events), ["approval_requested", "approved", "approval_requested", "declined"])
        const by = (index: number) => events[index]?.detail
        assert.deepStrictEqual(by(0), {
          verb: "setup_sending",
          approval_id: idOf(first.approval_url),
          by: client.keyId
        })
        assert.deepStrictEqual(by(1), {
          verb: "setup_sending",
          approval_id: idOf(first.approval_url),
          by: client.ownerEmail
        })
        assert.deepStrictEqual(
          events.map(({ source }) => source),
          ["api", "console", "api", "console"]
        )
      })
    )

    it.effect("fifty confirmed calls at once, each under a key of its own: one executes", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const quote = yield* quoteOf(client)
        yield* decide(client, quote.approval_url, "approve")
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => confirm(client, quote.confirmation_token)),
          { concurrency: "unbounded" }
        )
        const codes = answers.map((answer) => answer.error?.code ?? answer.result.status).sort()
        assert.deepStrictEqual(codes, [...Array.from({ length: 49 }, () => "approval_superseded"), "purchased"])
        assert.lengthOf(yield* trailOf(client, { kind: "purchased" }), 1)
        const { credits_balance, credits_reserved } = ok(yield* client.call("get_usage")).result
        assert.deepStrictEqual([credits_balance, credits_reserved], [String(100_300 - 1500), "0"])
      })
    )

    it.effect("fifty confirmed calls at once under one key: all of them are the one that executed", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const quote = yield* quoteOf(client)
        yield* decide(client, quote.approval_url, "approve")
        const key = freshKey()
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => confirm(client, quote.confirmation_token, key)),
          { concurrency: "unbounded" }
        )
        const ids = new Set(answers.map((answer) => ok(answer).svc.request_id))
        assert.strictEqual(ids.size, 1)
        assert.lengthOf(
          answers.filter((answer) => answer.svc.replayed === true),
          49
        )
        assert.lengthOf(yield* trailOf(client, { kind: "purchased" }), 1)
      })
    )

    it.effect(
      "one Idempotency-Key serves both calls, and the first is repeated byte for byte, whatever became of it",
      () =>
        Effect.gen(function* () {
          const client = yield* rich
          const key = freshKey()
          const first = yield* quoteOf(client, key)
          const repeat = yield* client.call("setup_sending", PURCHASE, { key })
          assert.deepStrictEqual(repeat.result, first)
          assert.isTrue(repeat.svc.replayed)
          // The repeat superseded nothing.
          yield* decide(client, first.approval_url, "approve")
          const newer = yield* quoteOf(client, freshKey())
          refused(yield* confirm(client, first.confirmation_token, key), 409, "approval_superseded")
          assert.deepStrictEqual(yield* quoteOf(client, key), first)
          // Nor does one of a superseded ask: the newer one is as good as before.
          yield* decide(client, newer.approval_url, "approve")
          ok(yield* confirm(client, newer.confirmation_token))
          assert.deepStrictEqual(yield* quoteOf(client, key), first)
        })
    )

    it.effect("a newer token for the same target takes the place of the older, another target's does not", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaigns = [
          yield* draft(client, { recipients: silent(1, "a") }),
          yield* draft(client, { recipients: silent(1, "b") })
        ].map(({ result }) => result.campaign_id as string)
        const [a, b] = [yield* askLaunch(client, campaigns[0]!), yield* askLaunch(client, campaigns[1]!)]
        const purchase = yield* quoteOf(client)
        yield* decide(client, a.result.approval_url, "approve")
        const newer = yield* askLaunch(client, campaigns[0]!)
        const go = (campaign_id: string, confirmation_token: string) =>
          client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })
        refused(yield* go(campaigns[0]!, a.result.confirmation_token), 409, "approval_superseded", {
          approval_url: a.result.approval_url
        })
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, a.result.approval_url, "decline")), "closed")
        for (const { approval_url } of [newer.result, b.result, purchase])
          yield* decide(client, approval_url, "approve")
        ok(yield* go(campaigns[0]!, newer.result.confirmation_token))
        ok(yield* go(campaigns[1]!, b.result.confirmation_token))
        ok(yield* confirm(client, purchase.confirmation_token))
      })
    )

    it.effect("asked about one target many times at once, one token stays good", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const console = yield* Console
        const quotes = yield* Effect.all(
          Array.from({ length: 20 }, () => quoteOf(client)),
          { concurrency: "unbounded" }
        )
        const open = yield* console.approvals(client.workspaceId, "pending")
        assert.lengthOf(open, 1)
        for (const { approval_url } of quotes) yield* decide(client, approval_url, "approve")
        const answers = yield* Effect.all(
          quotes.map(({ confirmation_token }) => confirm(client, confirmation_token)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          1
        )
        for (const answer of answers) if (answer.status !== 200) refused(answer, 409, "approval_superseded")
      }).pipe(Effect.orDie)
    )

    it.effect("a used token under another key is superseded, before any look at the state of the thing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const request = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const key = freshKey()
        const done = ok(yield* client.call("launch_campaign", request, { key }))
        // The campaign is active by now, which would be a refusal of its own.
        refused(yield* client.call("launch_campaign", request, { key: freshKey() }), 409, "approval_superseded")
        const replay = ok(yield* client.call("launch_campaign", request, { key }))
        assert.deepStrictEqual(replay.result, done.result)
        assert.isTrue(replay.svc.replayed)
        refused(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }), 400, "invalid_request", {
          reason: "campaign_state",
          state: "active"
        })
      })
    )

    it.effect("another key, verb or body is not what was approved, whatever the token's state", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const other = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES })
        const { result } = yield* draft(client, { recipients: silent(1) })
        const states = ["pending", "approved", "declined", "used", "superseded", "expired"] as const
        for (const state of states) {
          const quote = yield* quoteOf(client)
          if (state === "approved" || state === "used") yield* decide(client, quote.approval_url, "approve")
          if (state === "declined") yield* decide(client, quote.approval_url, "decline")
          if (state === "used") ok(yield* confirm(client, quote.confirmation_token))
          if (state === "superseded") yield* quoteOf(client)
          if (state === "expired") yield* TestClock.adjust("15 minutes")
          const token = quote.confirmation_token
          const about = { approval_url: quote.approval_url }
          refused(yield* confirm(other, token), 409, "approval_changed", about)
          const dearer = { ...PURCHASE, daily_sends: 26 }
          refused(yield* confirm(client, token, freshKey(), dearer), 409, "approval_changed", about)
          const launch = { campaign_id: result.campaign_id as string, confirmation_token: token }
          refused(yield* client.call("launch_campaign", launch, { key: freshKey() }), 409, "approval_changed", about)
        }
      })
    )

    it.effect("the order of members and white space do not change what was approved", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const quote = yield* quoteOf(client)
        yield* decide(client, quote.approval_url, "approve")
        const { brand, daily_sends, identity } = PURCHASE
        const { first_name, last_name } = identity
        const request = { identity: { last_name, first_name }, brand, daily_sends }
        ok(yield* confirm(client, quote.confirmation_token, freshKey(), request))
      })
    )

    it.effect("a token that was never issued, and another workspace's, are not found, and look alike", () =>
      Effect.gen(function* () {
        const [client, stranger] = [yield* rich, yield* rich]
        const quote = yield* quoteOf(stranger)
        yield* decide(stranger, quote.approval_url, "approve")
        const never = yield* confirm(client, `svc_confirm_${"A".repeat(43)}`)
        const foreign = yield* confirm(client, quote.confirmation_token)
        refused(never, 404, "not_found")
        assert.strictEqual(foreign.text.replace(foreign.requestId, ""), never.text.replace(never.requestId, ""))
        ok(yield* confirm(stranger, quote.confirmation_token))
      })
    )

    it.effect("a token that was never issued comes after the suspension and the state of the thing", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const { result } = yield* draft(client, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        const confirmation_token = `svc_confirm_${"A".repeat(43)}`
        const calls = [
          ["setup_sending", PURCHASE, 404, "not_found"],
          ["launch_campaign", { campaign_id }, 409, "mailbox_unavailable"]
        ] as const
        for (const [verb, request, status, code] of calls) {
          const answer = yield* client.call(verb, { ...request, confirmation_token }, { key: freshKey() })
          refused(answer, status, code)
        }
        const guard = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["control:manage"] })
        ok(yield* guard.call("kill", { reason: "a test" }, { key: freshKey() }))
        for (const [verb, request] of calls) {
          const answer = yield* client.call(verb, { ...request, confirmation_token }, { key: freshKey() })
          refused(answer, 403, "agent_suspended")
        }
      })
    )

    it.effect("what waited too long expires, is told once, and is asked for anew", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        const now = yield* Clock.currentTimeMillis
        assert.strictEqual(Date.parse(asked.result.expires_at) - now, 24 * 3_600_000)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* TestClock.adjust("24 hours")
        const request = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const late = () => client.call("launch_campaign", request, { key: freshKey() })
        refused(yield* late(), 409, "approval_expired", { approval_url: asked.result.approval_url })
        // Asked again before a sweep came by: it had expired all the same.
        yield* askLaunch(client, campaign_id)
        refused(yield* late(), 409, "approval_expired")
        yield* sweeps
        refused(yield* late(), 409, "approval_expired")
        assert.deepStrictEqual(Option.getOrNull(yield* decide(client, asked.result.approval_url, "approve")), "closed")
        const events = yield* trailOf(client, { kind: "approval_expired", campaign_id })
        assert.deepStrictEqual(
          events.map(({ detail, source }) => [source, detail]),
          [["system", { verb: "launch_campaign", approval_id: idOf(asked.result.approval_url), by: "system" }]]
        )
      })
    )

    it.effect("nobody decides once the time is over, whether or not a sweep came by", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const quote = yield* quoteOf(client)
        yield* TestClock.adjust("15 minutes")
        for (const decision of ["approve", "decline"] as const) {
          assert.deepStrictEqual(Option.getOrNull(yield* decide(client, quote.approval_url, decision)), "closed")
        }
        refused(yield* confirm(client, quote.confirmation_token), 409, "approval_expired")
        assert.isEmpty(yield* trailOf(client, { kind: "approved,declined" }))
      })
    )

    it.effect("a human decides on what they were shown: another digest decides nothing", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const console = yield* Console
        const quote = yield* quoteOf(client)
        const link = yield* console.makeSignInLink(client.ownerEmail)
        const { signedIn } = Option.getOrThrow(yield* console.signIn(link))
        const mismatch = yield* console.decide(signedIn, idOf(quote.approval_url), "approve", "0".repeat(64))
        assert.deepStrictEqual(Option.getOrNull(mismatch), "digest_mismatch")
        refused(yield* confirm(client, quote.confirmation_token), 428, "confirmation_required")
        const { approval } = Option.getOrThrow(yield* console.approval(client.workspaceId, idOf(quote.approval_url)))
        assert.deepInclude(approval.snapshot, { kind: "purchase", brand: PURCHASE.brand, identity: PURCHASE.identity })
        assert.isEmpty(yield* trailOf(client, { kind: "approved,declined" }))
      }).pipe(Effect.orDie)
    )

    it.effect("without autonomy a key neither asks nor uses what was approved", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const shy = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES, autonomy: false })
        const { result } = yield* draft(shy, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        refused(yield* shy.call("launch_campaign", { campaign_id }, { key: freshKey() }), 403, "forbidden", {
          reason: "autonomy_off"
        })
        const dry = ok(yield* shy.call("launch_campaign", { campaign_id, dry_run: true }))
        assert.deepStrictEqual(dry.result.plan.would_exceed, ["forbidden"])
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const confirmed = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        refused(yield* shy.call("launch_campaign", confirmed, { key: freshKey() }), 403, "forbidden", {
          reason: "autonomy_off"
        })
        ok(yield* client.call("launch_campaign", confirmed, { key: freshKey() }))
      })
    )
  })
}
