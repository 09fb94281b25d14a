import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { Attempt } from "../../src/calls/Attempt.js"
import type { IncomingCall } from "../../src/calls/Calls.js"
import { FREE_PLAN, type Plan } from "../../src/calls/Handler.js"
import type { Handlers } from "../../src/calls/Handlers.js"
import type { ApiKey } from "../../src/calls/keys/KeyStore.js"
import {
  admissionNotes,
  answerNotes,
  attemptOf,
  campaignOf,
  prepare,
  type Prepared,
  preview,
  scopeOf,
  settlementNotes,
  workOf
} from "../../src/calls/Prepared.js"
import { NOT_RELEASED } from "../../src/calls/releases/Releases.js"
import { refuse } from "../../src/kernel/errors/Wire.js"
import { credits } from "../../src/kernel/money/Credits.js"
import type { Crypto } from "../../src/kernel/ports/Crypto.js"
import type { ProviderSet } from "../../src/sources/ports/Providers.js"
import type { AnyVerb } from "../../src/verbs/Verb.js"
import { verbs } from "../../src/verbs/verbs.js"

const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
const CAMPAIGN = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f71"
const TOKEN = `svc_confirm_${"t".repeat(43)}`
const OFFER = `svc_offer_${"o".repeat(43)}`
const NOON = Date.UTC(2026, 2, 10, 12)

const crypto = {
  sha256Hex: (text: string) => `hash of ${text}`,
  mac: (purpose: string, text: string) => `${purpose}|${text}`
} as unknown as Crypto["Service"]

const LAUNCH = verbs.launch_campaign as unknown as AnyVerb

/** The same verb, but with these of its settings. */
const like = (verb: AnyVerb, of: Partial<AnyVerb>): AnyVerb => ({ ...verb, ...of }) as AnyVerb

const incoming = (of: Partial<IncomingCall> = {}): IncomingCall => ({
  requestId: ID,
  bearer: "a key",
  verb: LAUNCH,
  input: { campaign_id: CAMPAIGN },
  reject: null,
  idempotencyKey: "k",
  runId: null,
  ...of
})

const CONFIRMED = { input: { campaign_id: CAMPAIGN, confirmation_token: TOKEN } }
const DRY = { input: { campaign_id: CAMPAIGN, dry_run: true } }
const ANN = { asKey: { workspaceId: "w", keyId: "k", byUserId: "ann" } }

const handled: Array<unknown> = []
const handlers = new Proxy(
  {},
  {
    get: (_, name) => ({
      plan: (request: unknown, context: unknown) => {
        handled.push([name, request, context])
        return Result.succeed(FREE_PLAN)
      }
    })
  }
) as unknown as Handlers["Service"]

const prepared = (of: Partial<IncomingCall> = {}): Prepared => {
  const call = incoming(of)
  return Result.getOrThrowWith(prepare(call, call.verb!, handlers, crypto), (error) => new Error(error.code))
}

const LIVE = { name: "live" } as unknown as ProviderSet
const SANDBOX = { name: "sandbox" } as unknown as ProviderSet

const options = {
  keyHash: "the key's hash",
  nowMillis: NOON,
  consoleUrl: "https://outbound.test/console",
  closed: NOT_RELEASED,
  providersOf: (kind: string) => (kind === "live" ? LIVE : SANDBOX)
}

const attempt = (of: Partial<IncomingCall> = {}): Attempt<Plan> => {
  const call = incoming(of)
  return attemptOf(call, prepare(call, call.verb!, handlers, crypto), options)
}

describe("what binds a call", () => {
  it("is its verb and its request without tokens, where an outcome, an approval or an offer hangs on it", () => {
    const base = `request|launch_campaign\n{"campaign_id":"${CAMPAIGN}"}`
    const none = { approval: "none" as const, idempotency: "none" as const }
    for (const of of [{}, CONFIRMED, DRY, { verb: like(LAUNCH, { ...none, makesOffers: true }) }]) {
      assert.strictEqual(prepared(of).baseFingerprint, base)
    }
    const kept = like(LAUNCH, { approval: "none", idempotency: "optional" })
    assert.strictEqual(prepared({ verb: kept }).baseFingerprint, base)
    for (const verb of [like(LAUNCH, none), kept]) {
      assert.strictEqual(prepared({ verb, idempotencyKey: null }).baseFingerprint, "")
    }
  })

  it("has the hash of its token: of a confirmation, or of an offer", () => {
    assert.isNull(prepared().tokenHash)
    assert.strictEqual(prepared(CONFIRMED).tokenHash, `hash of ${TOKEN}`)
    const input = { audience: "founders", limit: 1, offer_token: OFFER }
    const found = prepared({ verb: verbs.find_leads as unknown as AnyVerb, input, idempotencyKey: "k" })
    assert.strictEqual(found.tokenHash, `hash of ${OFFER}`)
  })

  it("names the person who asks in their own name only where a person approves", () => {
    assert.strictEqual(prepared(ANN).byUserId, "ann")
    assert.isNull(prepared().byUserId)
    assert.isNull(prepared({ asKey: { workspaceId: "w", keyId: "k" } }).byUserId)
    assert.isNull(prepared({ ...ANN, verb: like(LAUNCH, { approval: "none" }) }).byUserId)
  })

  it("is carried to what the handler does with it", () => {
    const at = { workspaceId: "w", keyId: "k", workspaceKind: "live" } as const
    const uploaded = [{ line: 1 }] as unknown as NonNullable<IncomingCall["uploaded"]>
    const scope = scopeOf(prepared({ ...CONFIRMED, ...ANN, uploaded }), NOON, at)
    assert.deepStrictEqual(scope, {
      requestId: ID,
      ...at,
      nowMillis: NOON,
      baseFingerprint: prepared().baseFingerprint,
      tokenHash: `hash of ${TOKEN}`,
      idempotencyKey: "k",
      byUserId: "ann",
      uploaded
    })
    assert.isNull(scopeOf(prepared(), NOON, at).uploaded)
  })
})

describe("what the journal is asked to admit", () => {
  const facts = (of: Partial<IncomingCall> = {}) => {
    const { isPurchase, mode, needsAutonomy, scope } = attempt(of)
    return { mode, scope, needsAutonomy, isPurchase }
  }
  const verbOf = (approval: AnyVerb["approval"]) => ({ verb: like(LAUNCH, { approval }) })

  it("is one attempt, with all that is known of the call", () => {
    const { plan: _plan, ...asked } = attempt({ ...CONFIRMED, runId: ID.toUpperCase() })
    assert.deepStrictEqual(asked, {
      requestId: ID,
      keyHash: "the key's hash",
      verb: "launch_campaign",
      mode: "act",
      nowMillis: NOON,
      reject: null,
      scope: "campaign:launch",
      allowedWhilePaused: false,
      needsAutonomy: true,
      isPurchase: false,
      idempotency: {
        key: "k",
        phase: "act",
        baseFingerprint: prepared().baseFingerprint,
        tokenHash: `hash of ${TOKEN}`
      },
      runId: ID,
      subject: null,
      consoleUrl: "https://outbound.test/console"
    })
    const { idempotency, runId } = attempt()
    assert.deepInclude(idempotency, { key: "k", phase: "ask", tokenHash: null })
    assert.isNull(runId)
    assert.isNull(attempt({ verb: like(LAUNCH, { idempotency: "none" }) }).idempotency)
    assert.isTrue(attempt({ verb: like(LAUNCH, { answersPausedKeys: true }) }).allowedWhilePaused)
  })

  it("asks without a token in the phase that asks, and acts where nobody approves", () => {
    const phase = (of: Partial<IncomingCall>) => attempt(of).idempotency?.phase
    assert.strictEqual(phase({}), "ask")
    assert.strictEqual(phase(CONFIRMED), "act")
    assert.strictEqual(phase(verbOf("none")), "act")
  })

  it("needs the key's autonomy for what a person approves, but for leads only with the token", () => {
    const needs = (of: Partial<IncomingCall>) => facts(of).needsAutonomy
    assert.isFalse(needs(verbOf("none")))
    for (const approval of ["launch", "reply", "purchase"] as const) assert.isTrue(needs(verbOf(approval)), approval)
    assert.isFalse(needs(verbOf("leads")))
    assert.isTrue(needs({ ...verbOf("leads"), ...CONFIRMED }))
    assert.isFalse(needs({ ...verbOf("launch"), ...ANN }), "a person needs nobody's autonomy")
  })

  it("needs the scope of its verb, unless a person asks in their own name", () => {
    assert.strictEqual(facts().scope, "campaign:launch")
    assert.isNull(facts(ANN).scope)
    assert.strictEqual(facts({ ...ANN, ...verbOf("none") }).scope, "campaign:launch")
  })

  it("is a purchase once it is confirmed, or tried dry; not while it asks", () => {
    const is = (of: Partial<IncomingCall>) => facts({ ...verbOf("purchase"), ...of }).isPurchase
    assert.deepStrictEqual([is({}), is(CONFIRMED), is(DRY)], [false, true, true])
    assert.isFalse(facts({ ...verbOf("launch"), ...CONFIRMED }).isPurchase)
  })

  it("is recorded in its mode, also where it could not be read", () => {
    const reject = refuse("not_found", {})
    const unread = (of: Partial<IncomingCall>) => attemptOf(incoming(of), Result.fail(reject), options)
    assert.deepStrictEqual([facts().mode, facts(DRY).mode], ["act", "dry_run"])
    assert.deepStrictEqual([unread({}).mode, unread(DRY).mode, unread({ verb: null }).mode], ["act", "dry_run", "read"])
    assert.strictEqual(unread({ ...DRY, verb: like(LAUNCH, { would: null }) }).mode, "act")
    const { plan, ...asked } = unread({ verb: null, idempotencyKey: "k", runId: ID })
    assert.deepStrictEqual(asked, {
      requestId: ID,
      keyHash: "the key's hash",
      verb: "unknown",
      mode: "read",
      nowMillis: NOON,
      reject,
      scope: null,
      allowedWhilePaused: true,
      needsAutonomy: false,
      isPurchase: false,
      idempotency: null,
      runId: null,
      subject: null,
      consoleUrl: "https://outbound.test/console"
    })
    assert.deepStrictEqual(plan({} as ApiKey), Result.succeed(FREE_PLAN))
  })

  it("is planned with the sources of its own kind of workspace, unless its tool is closed", () => {
    for (const workspaceKind of ["live", "sandbox"] as const) {
      handled.length = 0
      const key = { workspaceKind } as ApiKey
      assert.deepStrictEqual(attempt().plan(key), Result.succeed(FREE_PLAN))
      const context = { key, nowMillis: NOON, providers: workspaceKind === "live" ? LIVE : SANDBOX }
      assert.deepStrictEqual(handled, [["launch_campaign", { campaign_id: CAMPAIGN }, context]])
    }
    const setup = like(LAUNCH, { name: "setup_sending" })
    const call = incoming({ verb: setup })
    const closed = { ...NOT_RELEASED, setup_sending: "paused by the operator" }
    handled.length = 0
    const plan = attemptOf(call, prepare(call, setup, handlers, crypto), { ...options, closed }).plan({} as ApiKey)
    assert.isTrue(Result.isFailure(plan))
    assert.deepStrictEqual(handled, [])
  })
})

describe("what traces and logs say of a call", () => {
  it("is its id, and the verb, the outcome and the refusal where there is one", () => {
    assert.deepStrictEqual(workOf(incoming()), { request_id: ID, verb: "launch_campaign" })
    assert.deepStrictEqual(workOf(incoming({ verb: null })), { request_id: ID })
    const rate = { limit: 1, remaining: 1, resetSeconds: 1 }
    assert.deepStrictEqual(
      admissionNotes({ _tag: "Refused", error: refuse("unauthorized", {}), rate, key: null, plan: null }),
      {
        "outbound.admission": "Refused",
        "error.type": "unauthorized"
      }
    )
    const ran = { _tag: "InProgress", workspaceId: "w", requestId: ID, rate } as Parameters<typeof admissionNotes>[0]
    assert.deepStrictEqual(admissionNotes(ran), { "outbound.admission": "InProgress", "error.type": null })
    const settlement = { charge: credits("1.5"), status: "succeeded" } as Parameters<typeof settlementNotes>[0]
    const noted = { "outbound.status": "succeeded", "outbound.credits_charged": "1.5" }
    assert.deepStrictEqual<unknown>(settlementNotes(settlement), noted)
    const answer = { requestId: ID, status: 200, body: "", rate: null, retryAfterSeconds: null }
    const answered = { "outbound.answered_request_id": ID, "http.response.status_code": 200 }
    assert.deepStrictEqual<unknown>(answerNotes(answer), answered)
  })

  it("is a campaign's id only if it is one", () => {
    assert.strictEqual(campaignOf({ campaign_id: CAMPAIGN }), CAMPAIGN)
    for (const named of [undefined, null, 7, "ann@acme.test"]) {
      assert.isNull(campaignOf(named === undefined ? {} : { campaign_id: named }))
    }
  })
})

describe("a dry run", () => {
  const rate = { limit: 10, remaining: 9, resetSeconds: 60 }
  const admission = {
    _tag: "Previewed",
    key: { workspaceId: "w", keyId: "k", workspaceKind: "sandbox" } as ApiKey,
    plan: { ...FREE_PLAN, maximum: credits("2.5"), warnings: ["of the plan"] },
    wouldExceed: ["budget_exceeded"],
    available: credits("10"),
    rate
  } as const

  const previewed = (handler: object) => {
    const call = { ...prepared(DRY), handler } as unknown as Prepared
    return preview(call, attempt(DRY), admission, crypto)
  }

  it.effect("answers with the plan, its refusals and warnings, and what it would do", () =>
    Effect.gen(function* () {
      const answered = yield* previewed({
        would: (request: unknown) => Effect.succeed({ request }),
        warnings: () => Effect.succeed(["of the handler"])
      })
      assert.deepInclude(answered, { requestId: ID, status: 200, rate })
      const { result, svc } = JSON.parse(answered.body)
      assert.deepStrictEqual(result, {
        dry_run: true,
        advisory: true,
        evaluated_at: "2026-03-10T12:00:00.000Z",
        plan: {
          verb: "launch_campaign",
          plan_version: LAUNCH.planVersion,
          input_version: `hash of {"campaign_id":"${CAMPAIGN}"}`,
          credits_estimate: "2.5",
          would_exceed: ["budget_exceeded"],
          warnings: ["of the plan", "of the handler"],
          would: { request: { campaign_id: CAMPAIGN, dry_run: true } }
        }
      })
      assert.deepStrictEqual(svc, { request_id: ID, credits_charged: "0", credits_available: "10" })
    })
  )

  it.effect("warns of the plan's own where the handler warns of nothing, and is refused where it can't say", () =>
    Effect.gen(function* () {
      const { body } = yield* previewed({ would: () => Effect.succeed({}) })
      assert.deepStrictEqual(JSON.parse(body).result.plan.warnings, ["of the plan"])
      const refused = yield* Effect.flip(previewed({}))
      assert.deepInclude(refused, { code: "invalid_request", details: { reason: "dry_run_unsupported" } })
    })
  )
})
