import { Cause, Clock, Effect, Layer, Option, References, Result, Schedule } from "effect"
import { confirmationToken } from "./approvals/token.js"
import { type AnyWireError, isWireError, refuse, storeUnavailable } from "../kernel/errors/Wire.js"
import { inEffect } from "../kernel/NowOrLater.js"
import { type ApiKey, KeyStore } from "./keys/KeyStore.js"
import { offerToken } from "../verbs/FindLeads.js"
import { zero } from "../kernel/money/Credits.js"
import { AccessTokens } from "./keys/AccessTokens.js"
import type { AnyVerb } from "../verbs/Verb.js"
import { isGrantable } from "../verbs/Policy.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { Providers, type ProviderSet } from "../sources/ports/Providers.js"
import { LongWork } from "../kernel/ports/LongWork.js"
import { type FromStore, type StoreUnavailable, isOutage } from "../kernel/ports/UnitOfWork.js"
import { CallNotes } from "../sources/CallNotes.js"
import { SourceAccessFactory } from "../sources/SourceAccessFactory.js"
import { CurrentSourceAccess } from "../sources/SourceAccess.js"
import { Releases } from "./releases/Releases.js"
import { consoleUrl, Settings } from "../kernel/Settings.js"
import { about, inSpan } from "../kernel/telemetry.js"
import type { Admission, AdmittedCall, Attempt, Settled, Settlement } from "./Attempt.js"
import { CallJournal, IN_PROGRESS_WAIT_MILLIS } from "./CallJournal.js"
import { type CallResponse, Calls, DONE, type Events, eventsOf, formOf, type IncomingCall } from "./Calls.js"
import { ACCEPTED, errorResponse, replayResponse, successResponse, type TokenOf, withToken } from "./envelope.js"
import { type Call, type Finish, type Finished, type Plan, routeOfRequest } from "./Handler.js"
import { Handlers } from "./Handlers.js"
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
  TokenTurns,
  workOf
} from "./Prepared.js"
import { failureOf, settlementOf, withNotes, withPeople } from "./settlementOf.js"

const KEY_PATTERN = /^svc_key_[A-Za-z0-9_-]{43}$/

/** We retry a release that the store refused for about an hour, while this host lives. */
const SETTLE_RETRIES_MAX = 720
const settleRetry = Schedule.max([
  Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]),
  Schedule.recurs(SETTLE_RETRIES_MAX)
])

/** Most waits of one call for others under its Idempotency-Key. Each of them may end without an outcome to repeat. */
const IN_PROGRESS_WAITS_MAX = 10

const internal = refuse("internal", {})

type AdmittedOne = Extract<Admission<Plan>, { _tag: "Admitted" }>

/** No caller's Idempotency-Key may hold a control character, so an agent can't take one that a person's button will use. */
const PERSONS_KEY = "\u0001"

const asPerson = (incoming: IncomingCall): IncomingCall =>
  incoming.idempotencyKey === null
    ? incoming
    : { ...incoming, idempotencyKey: `${PERSONS_KEY}${incoming.idempotencyKey}` }

/** Whether a token, or a person who calls as a key, may not do it. People may ask in their own name for what is approved. */
const isBeyondGrants = ({ asKey }: IncomingCall, { approval, scope }: AnyVerb): boolean =>
  scope !== null && !isGrantable(scope) && (asKey?.byUserId === undefined || approval === "none")

/** Sends the last events. */
const sent = (events: Events, ...data: ReadonlyArray<string>) => Effect.suspend(() => inEffect(events.send(data)))

const make = Effect.gen(function* () {
  const journal = yield* CallJournal
  const crypto = yield* Crypto
  const providers = yield* Providers
  const settings = yield* Settings
  const handlers = yield* Handlers
  const tokens = yield* AccessTokens
  const keys = yield* KeyStore
  const closed = yield* Releases
  const accessFactory = yield* SourceAccessFactory
  const work = yield* LongWork
  const turns = new TokenTurns()
  const consoleAt = consoleUrl(settings.baseUrl)

  const providersOf = (kind: ApiKey["workspaceKind"]): ProviderSet =>
    kind === "sandbox" ? providers.sandbox : providers.live

  /** Tokens are derived from the id of their record, an approval or an offer. */
  const tokenOf = (recordId: string | null): TokenOf | null =>
    recordId === null
      ? null
      : (member) => (member === "offer_token" ? offerToken(crypto, recordId) : confirmationToken(crypto, recordId))

  /** Adds what the verb finds out about the call's subject, if it has one. */
  const withSubject = (attempt: Attempt<Plan>, prepared: Prepared, keyHash: string): FromStore<Attempt<Plan>> => {
    const look = prepared.handler.subject
    if (look === undefined) return Effect.succeed(attempt)
    return Effect.flatMap(journal.locate(keyHash), (location) => {
      if (Option.isNone(location)) return Effect.succeed(attempt)
      const { keyId, workspaceId } = location.value
      const looked = look(prepared.decoded.request, scopeOf(prepared, attempt.nowMillis, location.value)).pipe(
        inSpan("call.look"),
        about({ ...workOf(prepared.incoming), workspace_id: workspaceId, key_id: keyId })
      )
      return Effect.map(looked, (subject) => ({ ...attempt, subject }))
    })
  }

  /**
   * Admits a call. If the first call under its Idempotency-Key still runs, it waits and is then decided again. If that
   * one left no outcome, one of the waiting calls may run and the rest wait for it.
   */
  const admit = (attempt: Attempt<Plan>) => {
    const until = attempt.nowMillis + IN_PROGRESS_WAIT_MILLIS
    const round = (waiting: Attempt<Plan>, roundsLeft: number): ReturnType<typeof journal.admit<Plan>> =>
      Effect.flatMap(journal.admit(waiting), (admission) => {
        if (admission._tag !== "InProgress") return Effect.succeed(admission)
        const waitMillis = Math.min(until - waiting.nowMillis, IN_PROGRESS_WAIT_MILLIS)
        if (waitMillis <= 0 || roundsLeft === 0) return Effect.succeed(admission)
        return journal.awaitOutcome(admission.workspaceId, admission.requestId, waitMillis).pipe(
          Effect.andThen(Clock.currentTimeMillis),
          Effect.flatMap((nowMillis) => round({ ...attempt, nowMillis, waited: true }, roundsLeft - 1))
        )
      })
    return inSpan("call.admit", { ended: admissionNotes })(round(attempt, IN_PROGRESS_WAITS_MAX))
  }

  /** A release must reach the store, so failures are retried in the background. */
  const settleAtLast = (settlement: Settlement) =>
    inSpan("call.settle", { attributes: () => settlementNotes(settlement) })(journal.settle(settlement)).pipe(
      Effect.catch((error) =>
        journal
          .settle(settlement)
          .pipe(
            Effect.retry(settleRetry),
            Effect.ignore({ log: true }),
            Effect.forkDetach,
            Effect.andThen(Effect.fail(error))
          )
      )
    )

  const callOf = (
    prepared: Prepared,
    attempt: Attempt<Plan>,
    admitted: AdmittedCall<Plan>,
    events: Events | null,
    notes: CallNotes | null
  ): Call<Plan, unknown> => {
    const settled = <E, R>(
      finish: Finish<unknown>,
      settle: (settlement: Settlement) => Effect.Effect<Settled, E, R>
    ): Effect.Effect<Finished, E | AnyWireError, R> =>
      Effect.clockWith((clock) => {
        const ended = settlementOf(admitted, clock.currentTimeMillisUnsafe(), finish)
        const settlement = withNotes(withPeople(crypto, ended, finish), notes)
        const settling = inSpan("call.settle", { attributes: () => settlementNotes(settlement) })(settle(settlement))
        return Effect.flatMap(settling, (outcome): Effect.Effect<Finished, AnyWireError> => {
          if (outcome._tag === "Fenced") return Effect.fail(internal)
          const kept = finish.repeat === undefined ? settlement.outcome : null
          return Effect.succeed({
            body: kept?.body ?? JSON.stringify(finish.result),
            charged: finish.charge,
            available: outcome.available,
            approvalId: finish.approvalId ?? null
          })
        })
      })
    const { keyId, workspaceId, workspaceKind } = admitted.key
    return {
      requestId: prepared.incoming.requestId,
      workspaceId,
      workspaceKind,
      keyId,
      nowMillis: attempt.nowMillis,
      baseFingerprint: prepared.baseFingerprint,
      tokenHash: prepared.tokenHash,
      idempotencyKey: prepared.incoming.idempotencyKey,
      byUserId: prepared.byUserId,
      uploaded: prepared.incoming.uploaded ?? null,
      plan: admitted.plan,
      admitted,
      providers: providersOf(workspaceKind),
      events,
      settle: (finish) => settled(finish, journal.settle),
      settleIn: (finish) => Effect.tap(settled(finish, journal.settleIn), work.announce(finish.wakes ?? [])),
      acceptIn: (result, wakes) => Effect.tap(accepted(admitted, JSON.stringify(result)), work.announce(wakes)),
      refuseIn: (refusal) => Effect.asVoid(settled({ result: null, charge: zero, refusal }, journal.settleIn))
    }
  }

  /** Answers a call whose work goes on as an operation. */
  const accepted = (admitted: AdmittedCall, body: string) =>
    Effect.gen(function* () {
      const { requestId } = admitted
      const outcome = { requestId, httpStatus: ACCEPTED, body, charged: zero, approvalId: null }
      const settled = yield* journal.acceptIn(admitted, outcome)
      if (settled._tag === "Fenced") return yield* Effect.fail<AnyWireError>(internal)
      return { body, charged: zero, available: settled.available, approvalId: null }
    })

  /** Ends a call that did not finish. */
  const fail = (admitted: AdmittedCall, error: AnyWireError, notes: CallNotes | null) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      settleAtLast(withNotes(failureOf(admitted, nowMillis, error), notes))
    ).pipe(Effect.ignore({ log: true }))

  /** `nothingDone`: the call had no effect, so an outage of the store may be named. */
  const publicErrorOf = (cause: Cause.Cause<AnyWireError | StoreUnavailable>, nothingDone: boolean): AnyWireError =>
    Option.match(Cause.findErrorOption(cause), {
      onSome: (error) => (isWireError(error) ? error : nothingDone && isOutage(error) ? storeUnavailable() : internal),
      onNone: () => internal
    })

  const logUnexpected = (cause: Cause.Cause<unknown>) =>
    Option.exists(Cause.findErrorOption(cause), isWireError) ? Effect.void : Effect.logError("call failed", cause)

  const performing = (
    prepared: Prepared,
    attempt: Attempt<Plan>,
    admission: AdmittedOne,
    notes: CallNotes | null
  ): Effect.Effect<CallResponse> => {
    const { call: admitted, rate } = admission
    const events = eventsOf(prepared.incoming.sink, { requestId: admitted.requestId, rate })
    const hasStreamed = (): boolean => events !== null && events.hasBegun()
    const last = (answer: CallResponse, ...data: ReadonlyArray<string>): Effect.Effect<CallResponse> =>
      events !== null && events.hasBegun()
        ? Effect.as(sent(events, answer.body, ...data), answer)
        : Effect.succeed(answer)
    const performed = Effect.suspend(() =>
      prepared.handler.perform(prepared.decoded.request, callOf(prepared, attempt, admitted, events, notes))
    )
    return Effect.matchCauseEffect(inSpan("call.perform")(performed), {
      onSuccess: (finished) =>
        last(
          successResponse({
            requestId: admitted.requestId,
            body: withToken(finished.body, tokenOf(finished.approvalId)),
            charged: finished.charged,
            available: finished.available,
            replayed: false,
            route: admitted.plan.route,
            rate,
            form: hasStreamed() ? "top_level" : formOf(prepared.incoming),
            ...(prepared.verb.accepts ? { status: ACCEPTED } : {})
          }),
          DONE
        ),
      onFailure: (cause) => {
        const error = publicErrorOf(cause, prepared.verb.mode === "read")
        return logUnexpected(cause).pipe(
          Effect.andThen(fail(admitted, error, notes)),
          Effect.flatMap(() => last(errorResponse(admitted.requestId, error, rate)))
        )
      }
    })
  }

  const perform = (prepared: Prepared, attempt: Attempt<Plan>, admission: AdmittedOne): Effect.Effect<CallResponse> => {
    const { key, requestId } = admission.call
    const { keyId, workspaceId, workspaceKind } = key
    const campaignId = campaignOf(prepared.incoming.input)
    const notes = workspaceKind === "live" ? new CallNotes() : null
    const access = accessFactory.of({ workspaceId, workspaceKind, requestId, verb: prepared.verb.name, notes })
    return performing(prepared, attempt, admission, notes).pipe(
      Effect.provideService(CurrentSourceAccess, access),
      about({
        ...workOf(prepared.incoming),
        workspace_id: workspaceId,
        key_id: keyId,
        ...(campaignId === null ? {} : { campaign_id: campaignId })
      })
    )
  }

  const answerAdmission = (
    incoming: IncomingCall,
    prepared: Prepared | null,
    attempt: Attempt<Plan>,
    admission: Admission<Plan>
  ): FromStore<CallResponse, AnyWireError> => {
    switch (admission._tag) {
      case "Refused":
        return Effect.succeed(errorResponse(attempt.requestId, admission.error, admission.rate))
      case "Replay":
        return Effect.succeed(
          replayResponse(
            admission.outcome,
            tokenOf(admission.outcome.approvalId),
            admission.available,
            prepared === null ? null : routeOfRequest(prepared.verb, prepared.decoded.request),
            admission.rate,
            formOf(incoming)
          )
        )
      case "InProgress":
        return Effect.succeed(
          errorResponse(attempt.requestId, refuse("idempotency_conflict", { reason: "in_progress" }), admission.rate)
        )
      case "Previewed":
        return prepared === null
          ? Effect.fail(internal)
          : about(workOf(incoming))(preview(prepared, attempt, admission, crypto))
      case "Admitted":
        return prepared === null ? Effect.fail(internal) : perform(prepared, attempt, admission)
    }
  }

  const preparedOf = (incoming: IncomingCall, byToken: boolean): Result.Result<Prepared, AnyWireError> => {
    const { reject, verb } = incoming
    if (reject !== null) return Result.fail(reject)
    if (verb === null) return Result.fail(refuse("not_found", {}))
    return byToken && isBeyondGrants(incoming, verb)
      ? // Whatever its key was given since.
        Result.fail(refuse("forbidden", { required_scope: verb.scope ?? "" }))
      : prepare(incoming, verb, handlers, crypto)
  }

  const run = (incoming: IncomingCall, keyHash: string, byToken: boolean): FromStore<CallResponse, AnyWireError> =>
    Effect.clockWith((clock) => {
      const prepared = preparedOf(incoming, byToken)
      const bare = attemptOf(incoming, prepared, {
        keyHash,
        nowMillis: clock.currentTimeMillisUnsafe(),
        consoleUrl: consoleAt,
        closed,
        providersOf
      })
      const decided = (attempt: Attempt<Plan>) =>
        Effect.flatMap(admit(attempt), (admission) =>
          answerAdmission(incoming, Result.getOrNull(prepared), attempt, admission)
        )
      if (Result.isFailure(prepared)) return decided(bare)
      const { tokenHash } = prepared.success
      const work = Effect.flatMap(withSubject(bare, prepared.success, keyHash), decided)
      return tokenHash === null ? work : turns.take(keyHash, tokenHash, work)
    })

  const unauthorized = ({ requestId }: IncomingCall): Effect.Effect<CallResponse> =>
    Effect.succeed(errorResponse(requestId, refuse("unauthorized", {}), null))

  /** Runs the call as the key behind an access token, or the key that a signed-in person calls as. */
  const runAs = (
    incoming: IncomingCall,
    keyHash: FromStore<Option.Option<string>>
  ): FromStore<CallResponse, AnyWireError> =>
    Effect.flatMap(
      keyHash,
      Option.match({
        onNone: (): FromStore<CallResponse, AnyWireError> => unauthorized(incoming),
        onSome: (hash) => run(incoming, hash, true)
      })
    )

  const runBy = (incoming: IncomingCall, bearer: string | null): FromStore<CallResponse, AnyWireError> => {
    if (bearer === null) {
      return incoming.asKey === undefined
        ? unauthorized(incoming)
        : runAs(asPerson(incoming), keys.hashOf(incoming.asKey.workspaceId, incoming.asKey.keyId))
    }
    return KEY_PATTERN.test(bearer)
      ? run(incoming, crypto.sha256Hex(bearer), false)
      : incoming.takesTokens === true
        ? runAs(incoming, tokens.keyHashOf(bearer))
        : unauthorized(incoming)
  }

  /** What fails here has not been admitted, so nothing was done. */
  const answered = (incoming: IncomingCall): Effect.Effect<CallResponse> =>
    Effect.catchCause(runBy(incoming, incoming.bearer), (cause) =>
      logUnexpected(cause).pipe(
        about(workOf(incoming)),
        Effect.as(errorResponse(incoming.requestId, publicErrorOf(cause, true), null))
      )
    )

  return Calls.of({
    answer: (incoming) =>
      incoming.bearer === null && incoming.asKey === undefined
        ? unauthorized(incoming)
        : Effect.uninterruptible(
            Effect.withFiber<CallResponse>((fiber) =>
              // Without a tracer, what is said before admission names the call itself.
              fiber.getRef(References.TracerEnabled)
                ? about(workOf(incoming))(inSpan("call", { ended: answerNotes })(answered(incoming)))
                : answered(incoming)
            )
          )
  })
})

/** The only entry: every verb of every surface runs through here. */
export const layer = Layer.effect(Calls, make)
