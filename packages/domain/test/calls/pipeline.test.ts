import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Deferred, Effect, Fiber, References } from "effect"
import { TestClock } from "effect/testing"
import type { Admission } from "../../src/calls/Attempt.js"
import { IN_PROGRESS_WAIT_MILLIS } from "../../src/calls/CallJournal.js"
import { DONE } from "../../src/calls/Calls.js"
import { FREE_PLAN, type Plan } from "../../src/calls/Handler.js"
import type { JsonObject } from "../../src/kernel/canonical.js"
import { refuse } from "../../src/kernel/errors/Wire.js"
import { credits, zero } from "../../src/kernel/money/Credits.js"
import { StoreUnavailable } from "../../src/kernel/ports/UnitOfWork.js"
import { CallNotes } from "../../src/sources/CallNotes.js"
import { CurrentSourceAccess } from "../../src/sources/SourceAccess.js"
import {
  admitted,
  CAMPAIGN,
  HASH,
  host,
  ID,
  inTx,
  LAUNCH,
  like,
  LIVE,
  outage,
  RATE,
  reader,
  SANDBOX,
  SECRET,
  TOKEN
} from "./pipelineHost.js"
import type { AnyVerb } from "../../src/verbs/Verb.js"
import { verbs } from "../../src/verbs/verbs.js"

const ANN = { workspaceId: "w", keyId: "k", byUserId: "ann" }

describe("who calls", () => {
  it.effect("is the key of the secret, and nobody asks for what else it could be", () =>
    Effect.gen(function* () {
      const { ask, asked, attempts } = yield* host()
      assert.strictEqual((yield* ask()).status, 200)
      assert.deepStrictEqual([attempts[0]?.keyHash, attempts[0]?.idempotency?.key], [`hash of ${SECRET}`, "k"])
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("is nobody without a secret, with what is none, or with a token where none is taken", () =>
    Effect.gen(function* () {
      const { ask, asked, attempts } = yield* host()
      for (const bearer of [null, "", "svc_key_short", `${SECRET}x`, `x${SECRET}`, "a token"]) {
        const { error, rate, requestId, status } = yield* ask({ bearer })
        assert.deepStrictEqual([status, error?.code, requestId, rate], [401, "unauthorized", ID, null], String(bearer))
      }
      assert.deepStrictEqual([attempts, asked], [[], []])
    })
  )

  it.effect("is the key behind an access token, on the surface that takes them; unknown ones are nobody's", () =>
    Effect.gen(function* () {
      const known = yield* host()
      assert.strictEqual((yield* known.ask({ bearer: "a token", takesTokens: true })).status, 200)
      assert.deepStrictEqual([known.attempts[0]?.keyHash, known.asked], [HASH, ["token a token"]])
      const unknown = yield* host({ hash: null })
      assert.strictEqual((yield* unknown.ask({ bearer: "a token", takesTokens: true })).status, 401)
      assert.deepStrictEqual(unknown.attempts, [])
    })
  )

  it.effect("is a person's key, whose Idempotency-Keys no agent can take", () =>
    Effect.gen(function* () {
      const { ask, asked, attempts } = yield* host()
      assert.strictEqual((yield* ask({ bearer: null, asKey: ANN })).status, 200)
      yield* ask({ bearer: null, asKey: ANN, idempotencyKey: null, verb: like(LAUNCH, { idempotency: "optional" }) })
      assert.deepStrictEqual(
        attempts.map(({ idempotency, keyHash }) => [keyHash, idempotency?.key ?? null]),
        [
          [HASH, "\u0001k"],
          [HASH, null]
        ]
      )
      assert.deepStrictEqual(asked, ["key w k", "key w k"])
      const gone = yield* host({ hash: null })
      assert.strictEqual((yield* gone.ask({ bearer: null, asKey: ANN })).status, 401)
    })
  )

  it.effect("by a token never does what is never granted; a person asks in their own name for what is approved", () =>
    Effect.gen(function* () {
      const { ask } = yield* host()
      const token = { bearer: "a token", takesTokens: true } as const
      const person = { bearer: null, asKey: ANN }
      const asKey = { bearer: null, asKey: { workspaceId: "w", keyId: "k" } }
      const never = { scope: "reply:send" } as const
      const may = (of: Parameters<typeof ask>[0], verb: Partial<AnyVerb>) =>
        Effect.map(ask({ ...of, verb: like(LAUNCH, verb) }), ({ error, status }) =>
          status === 200 ? true : [error?.code, error?.details]
        )
      const no = ["forbidden", { required_scope: "reply:send" }]
      assert.deepStrictEqual(yield* may(token, never), no)
      assert.deepStrictEqual(yield* may(asKey, never), no)
      assert.deepStrictEqual(yield* may(person, { ...never, approval: "none" }), no)
      assert.isTrue(yield* may(person, never))
      assert.isTrue(yield* may({}, never), "a key's own scopes are the journal's to check")
      assert.isTrue(yield* may(token, { scope: "campaign:launch" }))
      assert.isTrue(yield* may(token, { scope: null }))
    })
  )
})

describe("what is asked of the journal", () => {
  it.effect("is to refuse what the surface could not read, and what no verb is", () =>
    Effect.gen(function* () {
      const { ask, attempts } = yield* host()
      const reject = refuse("invalid_request", { reason: "malformed_json" } as never)
      assert.deepInclude(yield* ask({ verb: null }), { status: 404, rate: RATE })
      assert.deepInclude((yield* ask({ verb: null, reject })).error, { code: "invalid_request" })
      assert.deepInclude((yield* ask({ input: {} })).error, { code: "invalid_request" })
      assert.deepStrictEqual(
        attempts.map(({ keyHash, verb }) => [keyHash, verb]),
        [
          [`hash of ${SECRET}`, "unknown"],
          [`hash of ${SECRET}`, "unknown"],
          [`hash of ${SECRET}`, "launch_campaign"]
        ]
      )
    })
  )

  it.effect("has what the verb finds out about its subject, where it looks and the key is known", () =>
    Effect.gen(function* () {
      const subject = { missing: null, refusal: null, wouldExceed: [] }
      const looked: Array<unknown> = []
      const handler = {
        subject: (request: unknown, scope: { readonly workspaceId: string; readonly keyId: string }) =>
          Effect.sync(() => {
            looked.push([request, scope.workspaceId, scope.keyId])
            return subject
          })
      }
      const looking = yield* host({ handler })
      yield* looking.ask()
      assert.strictEqual(looking.attempts[0]?.subject, subject)
      assert.deepStrictEqual(looked, [[{ campaign_id: CAMPAIGN }, "w", "k"]])
      const unknown = yield* host({ handler, location: null })
      yield* unknown.ask()
      const blind = yield* host()
      yield* blind.ask()
      assert.deepStrictEqual([unknown.attempts[0]?.subject, blind.attempts[0]?.subject], [null, null])
      assert.deepStrictEqual([looked.length, blind.asked], [1, []])
    })
  )

  it.effect("is asked by one call of a token at a time", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { ask, attempts } = yield* host({
        perform: (call) => Effect.andThen(Deferred.await(gate), call.settle({ result: {}, charge: zero }))
      })
      const confirmed = { input: { campaign_id: CAMPAIGN, confirmation_token: TOKEN } }
      const both = yield* Effect.forkChild(Effect.all([ask(confirmed), ask(confirmed)], { concurrency: 2 }))
      const others = yield* Effect.forkChild(Effect.all([ask(), ask()], { concurrency: 2 }))
      yield* TestClock.adjust(1)
      assert.lengthOf(attempts, 3, "one with the token, two without")
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.joinAll([both, others])
      assert.lengthOf(attempts, 4)
    })
  )
})

describe("a repeat of a call that runs", () => {
  const running: Admission<Plan> = { _tag: "InProgress", workspaceId: "w", requestId: "first", rate: RATE }
  const inProgress = (of: { readonly error?: { readonly details?: object } }) =>
    assert.deepStrictEqual(of.error?.details, { reason: "in_progress" })

  it.effect("waits for it, and is decided again as one that waited", () =>
    Effect.gen(function* () {
      const { ask, asked, attempts, waits } = yield* host({
        admit: (attempt, times) => Effect.succeed(times < 3 ? running : admitted(attempt)),
        wait: () => TestClock.adjust("10 seconds")
      })
      const began = yield* Clock.currentTimeMillis
      assert.strictEqual((yield* ask()).status, 200)
      assert.deepStrictEqual(waits, [30_000, 20_000])
      assert.deepStrictEqual(asked, ["await w first", "await w first"])
      assert.deepStrictEqual(
        attempts.map(({ nowMillis, waited }) => [nowMillis - began, waited ?? false]),
        [
          [0, false],
          [10_000, true],
          [20_000, true]
        ]
      )
    })
  )

  it.effect("waits out the last moment of its half minute", () =>
    Effect.gen(function* () {
      const { ask, waits } = yield* host({
        admit: () => Effect.succeed(running),
        wait: (millis) => TestClock.adjust(millis === 1 ? 1 : 29_999)
      })
      inProgress(yield* ask())
      assert.deepStrictEqual(waits, [IN_PROGRESS_WAIT_MILLIS, 1])
    })
  )

  it.effect("gets that answer after half a minute, and not a moment later", () =>
    Effect.gen(function* () {
      const { ask, waits } = yield* host({
        admit: () => Effect.succeed(running),
        wait: (millis) => TestClock.adjust(millis)
      })
      const answer = yield* ask()
      assert.deepInclude(answer, { status: 409, rate: RATE })
      inProgress(answer)
      assert.deepStrictEqual(waits, [IN_PROGRESS_WAIT_MILLIS])
    })
  )

  it.effect("waits ten times at most, and never longer, also if the clock goes back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { ask, waits } = yield* host({
        admit: () => Effect.succeed(running),
        wait: () => TestClock.setTime(900_000)
      })
      inProgress(yield* ask())
      assert.deepStrictEqual(waits, new Array<number>(10).fill(IN_PROGRESS_WAIT_MILLIS))
    })
  )
})

describe("an answer that was kept", () => {
  const replay = (of: object, form?: "top_level", verb: AnyVerb | null = LAUNCH, input?: JsonObject) =>
    Effect.flatMap(
      host({
        admit: () =>
          Effect.succeed({
            _tag: "Replay" as const,
            outcome: { requestId: "first", httpStatus: 200, charged: credits("2"), body: "", approvalId: null, ...of },
            available: credits("7"),
            rate: RATE
          })
      }),
      ({ ask }) => ask({ verb, ...(form === undefined ? {} : { form }), ...(input === undefined ? {} : { input }) })
    )

  it.effect("is given again with its tokens, in the form that is asked for", () =>
    Effect.gen(function* () {
      const asked = yield* replay({ body: '{"confirmation_token":""}', approvalId: "a" })
      assert.deepStrictEqual(asked.result, { confirmation_token: "svc_confirm_confirmation_token|a" })
      const svc = { request_id: "first", credits_charged: "2", credits_available: "7", replayed: true }
      assert.deepStrictEqual(asked.svc, svc)
      const plain = yield* replay({ body: '{"confirmation_token":""}' })
      assert.deepStrictEqual(plain.result, { confirmation_token: "" })
      const offered = yield* replay({ body: '{"offer":{"offer_token":""}}', approvalId: "o" })
      assert.deepStrictEqual(offered.result, { offer: { offer_token: "svc_offer_offer_token|o" } })
      const top = yield* replay({ body: '{"done":true}' }, "top_level")
      assert.deepInclude(top, { done: true, svc })
    })
  )

  it.effect("names the route of its request, where there is one", () =>
    Effect.gen(function* () {
      const body = { httpStatus: 200, body: "{}" }
      const enrich = verbs.enrich as unknown as AnyVerb
      const routed = yield* replay(body, undefined, enrich, { person: { email: "ann@acme.test" }, want: ["profile"] })
      assert.property(routed.svc?.["route"], "used")
      assert.notProperty((yield* replay(body)).svc, "route")
      const unread = yield* replay(body, undefined, null)
      assert.deepStrictEqual([unread.status, unread.result], [200, {}])
    })
  )
})

describe("what a call does", () => {
  it.effect("is answered with its result, its charge and what is left", () =>
    Effect.gen(function* () {
      const { ask, settlements } = yield* host({
        perform: (call) => call.settle({ result: { confirmation_token: "" }, charge: credits("2"), approvalId: "a" })
      })
      const { rate, requestId, result, status, svc } = yield* ask()
      assert.deepStrictEqual([status, requestId, rate], [200, ID, RATE])
      assert.deepStrictEqual(result, { confirmation_token: "svc_confirm_confirmation_token|a" })
      assert.deepStrictEqual(svc, { request_id: ID, credits_charged: "2", credits_available: "7" })
      assert.lengthOf(settlements, 1)
      assert.deepInclude(settlements[0], { status: "succeeded", charge: credits("2") })
    })
  )

  it.effect("has a token only of the record that it names", () =>
    Effect.gen(function* () {
      const result = { confirmation_token: "" }
      const { ask } = yield* host({ perform: (call) => call.settle({ result, charge: zero }) })
      assert.deepStrictEqual((yield* ask()).result, result)
    })
  )

  it.effect("names itself in the logs where nothing is traced, and asks its own sources", () =>
    Effect.gen(function* () {
      const named: Array<unknown> = []
      const note = Effect.flatMap(References.CurrentLogAnnotations, (of) =>
        Effect.sync(() => void named.push([of["request_id"], of["verb"], of["workspace_id"]]))
      )
      const { access, ask } = yield* host({
        handler: { subject: () => Effect.as(note, null) },
        perform: (call) =>
          Effect.gen(function* () {
            yield* note
            named.push((yield* CurrentSourceAccess) === access)
            return yield* call.settle({ result: {}, charge: zero })
          })
      })
      yield* Effect.provideService(ask(), References.TracerEnabled, false)
      assert.deepStrictEqual(named, [[ID, "launch_campaign", "w"], [ID, "launch_campaign", "w"], true])
    })
  )

  it.effect("gives the result of the first call, whatever its repeats get, and where nothing is kept", () =>
    Effect.gen(function* () {
      const result = { shown: "once" }
      const repeat = refuse("not_found", {})
      const { ask, settlements } = yield* host({
        perform: (call) => call.settle({ result, charge: zero, repeat })
      })
      assert.deepStrictEqual((yield* ask()).result, result)
      assert.strictEqual(settlements[0]?.outcome?.httpStatus, 404)
      const unkept = yield* host({ perform: (call) => call.settle({ result, charge: zero }) })
      const verb = like(LAUNCH, { idempotency: "none" })
      assert.deepStrictEqual((yield* unkept.ask({ verb, idempotencyKey: null })).result, result)
    })
  )

  it.effect("gets its workspace's sources and notes, and is named in the logs", () =>
    Effect.gen(function* () {
      for (const kind of ["live", "sandbox"] as const) {
        const told: Array<unknown> = []
        const { ask, notes, settlements } = yield* host({
          kind,
          perform: (call) =>
            Effect.gen(function* () {
              assert.deepStrictEqual(call.uploaded, [])
              const named = yield* References.CurrentLogAnnotations
              told.push(
                call.providers === (kind === "live" ? LIVE : SANDBOX),
                named["campaign_id"],
                named["workspace_id"]
              )
              if (notes[0] instanceof CallNotes) notes[0].spend({ vendor: "v", unit: "calls", amount: 1, micros: 5 })
              return yield* call.settle({ result: {}, charge: zero })
            })
        })
        assert.strictEqual((yield* ask({ uploaded: [] })).status, 200)
        assert.deepStrictEqual(told, [true, CAMPAIGN, "w"])
        assert.strictEqual(notes[0] === null, kind === "sandbox")
        assert.strictEqual(settlements[0]?.notes === undefined, kind === "sandbox")
      }
      const none: Array<boolean> = []
      const { ask } = yield* host({
        perform: (call) =>
          Effect.gen(function* () {
            none.push("campaign_id" in (yield* References.CurrentLogAnnotations), call.uploaded === null)
            return yield* call.settle({ result: {}, charge: zero })
          })
      })
      const input = { email: "ann@acme.test" }
      yield* ask({ verb: verbs.verify_email as unknown as AnyVerb, input })
      assert.deepStrictEqual(none, [false, true])
    })
  )

  it.effect("wakes the work that it left, in the transaction of what it wrote", () =>
    Effect.gen(function* () {
      const wakes = [{ kind: "a job", key: "w/1" }]
      const with_ = yield* host({ perform: (call) => inTx(call.settleIn({ result: {}, charge: zero, wakes })) })
      assert.strictEqual((yield* with_.ask()).status, 200)
      assert.deepStrictEqual(with_.announced, wakes)
      const without = yield* host({ perform: (call) => inTx(call.settleIn({ result: {}, charge: zero })) })
      assert.strictEqual((yield* without.ask()).status, 200)
      assert.deepStrictEqual(without.announced, [])
      const going = yield* host({ perform: (call) => inTx(call.acceptIn({ id: "op" }, wakes)) })
      const answer = yield* going.ask({ verb: like(LAUNCH, { accepts: true }) })
      assert.deepInclude(answer, { status: 202, result: { id: "op" } })
      assert.deepStrictEqual(going.announced, wakes)
      const outcome = { requestId: ID, httpStatus: 202, body: '{"id":"op"}', charged: zero, approvalId: null }
      assert.deepStrictEqual(going.accepted, [outcome])
    })
  )

  it.effect("is refused for good where the handler says so, with what it keeps for repeats", () =>
    Effect.gen(function* () {
      const refusal = refuse("not_found", {})
      const { ask, settlements } = yield* host({
        perform: (call) => Effect.andThen(inTx(call.refuseIn(refusal)), Effect.fail(refusal))
      })
      assert.strictEqual((yield* ask()).status, 404)
      assert.deepInclude(settlements[0], { status: "failed", errorCode: "not_found", charge: zero })
      assert.strictEqual(settlements[0]?.outcome?.httpStatus, 404)
    })
  )

  it.effect("is no success once a sweeper has ended it", () =>
    Effect.gen(function* () {
      const settle = () => Effect.succeed({ _tag: "Fenced" as const })
      const settled = yield* host({ settle })
      const ended = yield* settled.ask()
      assert.deepStrictEqual([ended.error?.code, ended.rate], ["internal", RATE])
      const accepted = yield* host({ settle, perform: (call) => inTx(call.acceptIn({}, [])) })
      const late = yield* accepted.ask()
      assert.deepStrictEqual([late.error?.code, late.rate], ["internal", RATE])
    })
  )
})

describe("a call that fails", () => {
  const failing = (cause: Cause.Cause<never> | unknown, verb = LAUNCH) =>
    Effect.gen(function* () {
      const { ask, settlements } = yield* host({ perform: () => Effect.failCause(cause as Cause.Cause<never>) })
      const { error, rate, status } = yield* ask({ verb })
      assert.deepStrictEqual(rate, RATE)
      const [first] = settlements
      assert.deepInclude(first, { charge: zero, errorCode: error?.code ?? null })
      return [status, error?.code, error?.details?.["reason"], first?.status]
    })

  it.effect("says its refusal, names an outage only where nothing was done, and hides every defect", () =>
    Effect.gen(function* () {
      const read = like(LAUNCH, { mode: "read", idempotency: "none", approval: "none" })
      const refused = new StoreUnavailable({ operation: "a statement", cause: null, isOutage: false })
      assert.deepStrictEqual(yield* failing(Cause.fail(refuse("not_found", {}))), [
        404,
        "not_found",
        undefined,
        "failed"
      ])
      const hidden = [500, "internal", undefined, "failed"]
      for (const cause of [Cause.fail(outage), Cause.fail(refused), Cause.die("a secret")]) {
        assert.deepStrictEqual(yield* failing(cause), hidden)
      }
      assert.deepStrictEqual(yield* failing(Cause.fail(refused), read), hidden)
      const named = [503, "provider_unavailable", "store_unavailable", "failed"]
      assert.deepStrictEqual(yield* failing(Cause.fail(outage), read), named)
    })
  )

  it.effect("before it was admitted has done nothing, and its caller may know of an outage", () =>
    Effect.gen(function* () {
      const { ask, settlements } = yield* host({ admit: () => Effect.fail(outage) })
      const { error, rate, status } = yield* ask()
      assert.deepStrictEqual([status, error?.code, rate], [503, "provider_unavailable", null])
      assert.deepStrictEqual(settlements, [])
    })
  )

  it.effect("is released at last, however long the store is away, and its caller does not wait for that", () =>
    Effect.gen(function* () {
      const BACK = 40
      const { ask, settlements } = yield* host({
        perform: () => Effect.fail(refuse("not_found", {})),
        settle: (times) => (times < BACK ? Effect.fail(outage) : Effect.succeed({ _tag: "Settled", available: zero }))
      })
      assert.strictEqual((yield* ask()).status, 404)
      assert.isAtMost(settlements.length, 2)
      yield* TestClock.adjust(99)
      assert.lengthOf(settlements, 2)
      yield* TestClock.adjust(1)
      assert.lengthOf(settlements, 3, "after a tenth of a second")
      yield* TestClock.adjust("1 minute")
      // By then every five seconds.
      const after = settlements.length
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(settlements.length - after, 12)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(settlements, BACK)
    })
  )

  it.effect("is internal where the journal admits what nobody could read", () =>
    Effect.gen(function* () {
      const previewed = {
        _tag: "Previewed" as const,
        key: {} as never,
        plan: FREE_PLAN,
        wouldExceed: [],
        available: zero,
        rate: RATE
      }
      for (const admit of [
        (attempt: Parameters<typeof admitted>[0]) => Effect.succeed(admitted(attempt)),
        () => Effect.succeed(previewed)
      ]) {
        const { ask } = yield* host({ admit })
        assert.deepInclude((yield* ask({ verb: null })).error, { code: "internal" })
      }
    })
  )
})

describe("a dry run", () => {
  it.effect("is answered with the plan", () =>
    Effect.gen(function* () {
      const { ask } = yield* host({
        admit: (attempt) =>
          Effect.succeed({
            _tag: "Previewed" as const,
            key: { workspaceId: "w", keyId: "k" } as never,
            plan: FREE_PLAN,
            wouldExceed: [],
            available: credits("7"),
            rate: RATE
          }).pipe(Effect.tap(Effect.sync(() => assert.strictEqual(attempt.mode, "dry_run")))),
        handler: { would: () => Effect.succeed({}) }
      })
      const { result, status } = yield* ask({ input: { campaign_id: CAMPAIGN, dry_run: true } })
      assert.deepInclude(result, { dry_run: true })
      assert.strictEqual(status, 200)
    })
  )
})

describe("an answer that is streamed", () => {
  const streamed = (of: { readonly sends: boolean; readonly fails?: boolean }) =>
    Effect.gen(function* () {
      const { heads, read, sink } = reader()
      const { ask } = yield* host({
        perform: (call) =>
          Effect.suspend(() => {
            if (of.sends) call.events?.send(["first"])
            return of.fails === true
              ? Effect.fail(refuse("not_found", {}))
              : call.settle({ result: { done: true }, charge: zero })
          })
      })
      const answer = yield* ask({ sink })
      return { answer, heads, read }
    })

  it.effect("ends with its result and the mark of the end, under the call's own id and rate", () =>
    Effect.gen(function* () {
      const { answer, heads, read } = yield* streamed({ sends: true })
      assert.lengthOf(read, 3)
      assert.deepStrictEqual([read[0], read[2]], ["first", DONE])
      assert.deepInclude(JSON.parse(read[1] ?? ""), { done: true })
      assert.deepInclude(answer, { done: true }, "its members stand at the top")
      assert.deepStrictEqual(heads[0], { requestId: ID, rate: RATE })
    })
  )

  it.effect("ends with its error, without the mark, if it fails", () =>
    Effect.gen(function* () {
      const { read } = yield* streamed({ sends: true, fails: true })
      assert.lengthOf(read, 2)
      assert.strictEqual(JSON.parse(read[1] ?? "").error.code, "not_found")
    })
  )

  it.effect("is no stream if nothing was sent before", () =>
    Effect.gen(function* () {
      for (const fails of [false, true]) {
        const { answer, read } = yield* streamed({ sends: false, fails })
        assert.deepStrictEqual(read, [])
        assert.strictEqual(answer.status, fails ? 404 : 200)
        if (!fails) assert.deepStrictEqual(answer.result, { done: true })
      }
    })
  )
})
