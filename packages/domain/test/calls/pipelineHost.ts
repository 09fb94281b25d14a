import { Effect, Layer, Option } from "effect"
import type { Admission, Attempt, Settled, Settlement, StoredOutcome } from "../../src/calls/Attempt.js"
import { CallJournal, type KeyLocation } from "../../src/calls/CallJournal.js"
import { Calls, type EventsHead, type EventSink, type IncomingCall } from "../../src/calls/Calls.js"
import { type Call, type Finished, FREE_PLAN, type Plan } from "../../src/calls/Handler.js"
import { Handlers } from "../../src/calls/Handlers.js"
import { AccessTokens } from "../../src/calls/keys/AccessTokens.js"
import { KeyStore } from "../../src/calls/keys/KeyStore.js"
import * as Pipeline from "../../src/calls/Pipeline.js"
import type { AnyWireError } from "../../src/kernel/errors/Wire.js"
import { credits, zero } from "../../src/kernel/money/Credits.js"
import { Crypto } from "../../src/kernel/ports/Crypto.js"
import { type Announcement, LongWork } from "../../src/kernel/ports/LongWork.js"
import { type FromStore, StoreUnavailable, Tx } from "../../src/kernel/ports/UnitOfWork.js"
import { Settings } from "../../src/kernel/Settings.js"
import { noAccess } from "../../src/sources/SourceAccess.js"
import { SourceAccessFactory } from "../../src/sources/SourceAccessFactory.js"
import { noProviders, Providers } from "../../src/sources/ports/Providers.js"
import type { AnyVerb } from "../../src/verbs/Verb.js"
import { verbs } from "../../src/verbs/verbs.js"
import { KEY, MONTH } from "./attempts.js"

/** A host's pipeline over a journal, keys and a handler that do as a test says. */

export const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
export const CAMPAIGN = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f71"
export const SECRET = `svc_key_${"s".repeat(43)}`
export const TOKEN = `svc_confirm_${"t".repeat(43)}`
export const RATE = { limit: 10, remaining: 9, resetSeconds: 60 }

export const LAUNCH = verbs.launch_campaign as unknown as AnyVerb

/** The same verb, but with these of its settings. */
export const like = (verb: AnyVerb, of: Partial<AnyVerb>): AnyVerb => ({ ...verb, ...of }) as AnyVerb

export const LIVE = { ...noProviders }
export const SANDBOX = { ...noProviders }

export const incoming = (of: Partial<IncomingCall> = {}): IncomingCall => ({
  requestId: ID,
  bearer: SECRET,
  verb: LAUNCH,
  input: { campaign_id: CAMPAIGN },
  reject: null,
  idempotencyKey: "k",
  runId: null,
  ...of
})

export const outage = new StoreUnavailable({ operation: "a statement", cause: null })

type AnyCall = Call<Plan, unknown>

export interface Given {
  readonly admit?: (
    attempt: Attempt<Plan>,
    times: number
  ) => FromStore<Admission<Plan>> | ReturnType<CallJournal["Service"]["admit"]>
  readonly perform?: (call: AnyCall, request: unknown) => Effect.Effect<Finished, AnyWireError | StoreUnavailable>
  readonly handler?: object
  readonly settle?: (times: number) => FromStore<Settled>
  readonly kind?: "live" | "sandbox"
  /** What the wait for another call's outcome takes. */
  readonly wait?: (waitMillis: number) => Effect.Effect<void>
  /** The hash of the key behind a token, or behind a person's key. */
  readonly hash?: string | null
  readonly location?: KeyLocation | null
}

export const HASH = "the hash behind it"

export const admitted = (attempt: Attempt<Plan>, kind: "live" | "sandbox" = "sandbox"): Admission<Plan> => ({
  _tag: "Admitted",
  call: {
    requestId: attempt.requestId,
    workspaceId: "w",
    key: { ...KEY, workspaceKind: kind },
    plan: FREE_PLAN,
    reserved: zero,
    month: MONTH,
    runId: null,
    idempotency: attempt.idempotency,
    admittedAtMillis: attempt.nowMillis
  },
  rate: RATE
})

/** Refuses what could not be read, as the journal does, and admits everything else. */
const usual = (kind: "live" | "sandbox") => (attempt: Attempt<Plan>) =>
  Effect.succeed<Admission<Plan>>(
    attempt.reject === null
      ? admitted(attempt, kind)
      : { _tag: "Refused", error: attempt.reject, rate: RATE, key: KEY, plan: null }
  )

export const inTx = <A, E>(effect: Effect.Effect<A, E, Tx>): Effect.Effect<A, E> =>
  Effect.provideService(effect, Tx, { depth: 1 })

export const host = (given: Given = {}) =>
  Effect.gen(function* () {
    const seen = {
      attempts: [] as Array<Attempt<Plan>>,
      settlements: [] as Array<Settlement>,
      accepted: [] as Array<StoredOutcome>,
      announced: [] as Array<Announcement>,
      waits: [] as Array<number>,
      asked: [] as Array<string>,
      notes: [] as Array<unknown>
    }
    const { hash = HASH, kind = "sandbox" } = given
    const access = { ...noAccess }
    const settled: Settled = { _tag: "Settled", available: credits("7") }
    const settle = (settlement: Settlement) =>
      Effect.suspend(() => {
        const times = seen.settlements.push(settlement)
        return given.settle?.(times) ?? Effect.succeed(settled)
      })
    const journal = {
      locate: (keyHash: string) =>
        Effect.sync(() => {
          seen.asked.push(`locate ${keyHash}`)
          const location = { workspaceId: "w", keyId: "k", workspaceKind: kind }
          return Option.fromNullishOr(given.location === undefined ? location : given.location)
        }),
      admit: (attempt: Attempt<Plan>) =>
        Effect.suspend(() => (given.admit ?? usual(kind))(attempt, seen.attempts.push(attempt))),
      settle,
      settleIn: settle,
      acceptIn: (_: unknown, outcome: StoredOutcome) =>
        Effect.suspend(() => {
          seen.accepted.push(outcome)
          return given.settle?.(seen.accepted.length) ?? Effect.succeed(settled)
        }),
      awaitOutcome: (workspaceId: string, requestId: string, waitMillis: number) =>
        Effect.suspend(() => {
          seen.waits.push(waitMillis)
          seen.asked.push(`await ${workspaceId} ${requestId}`)
          return Effect.as(given.wait?.(waitMillis) ?? Effect.void, Option.none())
        })
    }
    const crypto = {
      sha256Hex: (text: string) => `hash of ${text}`,
      mac: (purpose: string, text: string) => `${purpose}|${text}`
    }
    const handler = {
      plan: () => ({ _tag: "Success", success: FREE_PLAN }),
      perform: (request: unknown, call: AnyCall) =>
        given.perform?.(call, request) ?? call.settle({ result: { done: true }, charge: zero }),
      ...given.handler
    }
    const hashOf = (what: string) =>
      Effect.sync(() => {
        seen.asked.push(what)
        return Option.fromNullishOr(hash)
      })
    const services = Layer.mergeAll(
      Layer.succeed(CallJournal, journal as unknown as CallJournal["Service"]),
      Layer.succeed(Crypto, crypto as unknown as Crypto["Service"]),
      Layer.succeed(Providers, { sandbox: SANDBOX, live: LIVE }),
      Layer.succeed(Settings, { baseUrl: "https://outbound.test" }),
      Layer.succeed(Handlers, new Proxy({}, { get: () => handler }) as unknown as Handlers["Service"]),
      Layer.succeed(AccessTokens, { keyHashOf: (bearer) => hashOf(`token ${bearer}`) }),
      Layer.succeed(KeyStore, {
        hashOf: (workspaceId: string, keyId: string) => hashOf(`key ${workspaceId} ${keyId}`)
      } as unknown as KeyStore["Service"]),
      Layer.succeed(SourceAccessFactory, {
        of: (asking) => {
          seen.notes.push(asking.notes)
          return access
        }
      }),
      Layer.succeed(LongWork, { announce: (jobs) => Effect.sync(() => void seen.announced.push(...jobs)) })
    )
    const { answer } = yield* Effect.provide(Calls, Pipeline.layer.pipe(Layer.provide(services)))
    const ask = (of: Partial<IncomingCall> = {}) =>
      Effect.map(answer(incoming(of)), ({ body, ...rest }) => ({ ...rest, ...(JSON.parse(body) as Answer) }))
    return { ...seen, access, ask }
  })

interface Answer {
  /** Of a result whose members stand at the top. */
  readonly done?: boolean
  readonly result?: Readonly<Record<string, unknown>>
  readonly svc?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
}

/** A client that reads events, and what it read. */
export const reader = () => {
  const read: Array<string> = []
  const heads: Array<EventsHead> = []
  const sink: EventSink = {
    send: (head, data) => {
      heads.push(head)
      read.push(...data)
      return true
    },
    beat: () => undefined,
    onLeft: () => () => undefined
  }
  return { sink, read, heads }
}
