import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { ProviderFailure, ProviderFailureReason, Source } from "@outbound/domain/sources/ports/Source.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import type { VendorCost } from "@outbound/domain/sources/VendorCost.js"
import { Effect, Logger, Option, type Redacted, References, type Scope, Tracer } from "effect"
import { inspect } from "node:util"
import type { Answer, Exchange } from "../../vendors/Exchange.js"
import type { ReplayServer } from "../../vendors/ReplayServer.js"

/** A source, and the vendor on this machine that it asks; null: it asks nobody, as the sandbox does. */
export interface Made<S> {
  readonly source: S
  readonly server: ReplayServer | null
}

/** A source of any kind, or a provider that sends. */
export interface Named {
  readonly name: string
}

/** Whose suite it is. */
export interface Subject<S extends Named> {
  readonly name: string
  readonly make: Effect.Effect<Made<S>, never, Scope.Scope>
}

/** One question to a source, and what it must come to. */
export interface Case<Request, Result> {
  /** What is shown by it. */
  readonly says: string
  readonly request: Request
  /** What the vendor is asked for it, and what it answers. Nothing for a source that asks nobody. */
  readonly exchanges?: ReadonlyArray<Exchange>
  /** The whole answer of the source. Left out: only what every source must hold. */
  readonly expected?: Result
  /** What the vendor charges, in its unit. Left out: not looked at. */
  readonly spent?: number
}

/** How the vendor fails, beside what every vendor does. */
export interface WireFaults {
  /** Set where what is asked is charged for, buys or sends. */
  readonly hasEffect: boolean
  /** Which of the first case's exchanges goes wrong; the first unless said. */
  readonly faulty?: number
  /** What the vendor says in ways of its own; also over what is usually meant by a status. */
  readonly failures?: ReadonlyArray<VendorFailure>
}

export interface VendorFailure {
  readonly says: string
  readonly answer: Answer
  readonly reason: ProviderFailureReason
  readonly retryAfterSeconds?: number
}

/** A port's cases. The first one is the one that is spoiled; it finds something. */
export interface Fixture<Request, Result> {
  readonly cases: readonly [Case<Request, Result>, ...ReadonlyArray<Case<Request, Result>>]
  /** How the wire fails. Left out for a source that asks nobody. */
  readonly wire?: WireFaults
}

/** The credential that the suites give a vendor, and which they look for where it must not be. */
export const SECRET = "sk-replayed-0123456789-secret"

/** What a source told of its vendor, beside its answer. */
export interface Told {
  readonly spent: Array<VendorCost>
  readonly evidence: Array<{ readonly source: string; readonly facts: JsonObject }>
  /** Log entries, and whatever is told to a tracer. */
  readonly logs: Array<string>
}

/** Takes note of spans: their names, what is said of them, and how they end. */
const spying = (note: (told: unknown) => void): Tracer.Tracer =>
  Tracer.make({
    span: ({ annotations, kind, links, name, parent, startTime }) => {
      const attributes = new Map<string, unknown>()
      note([name])
      return {
        _tag: "Span",
        spanId: "0000000000000001",
        traceId: "00000000000000000000000000000001",
        name,
        parent,
        annotations,
        links: [...links],
        kind,
        sampled: true,
        status: { _tag: "Started", startTime },
        attributes,
        attribute: (key, value) => note([name, key, value]),
        event: (event, _time, about) => note([name, event, about]),
        addLinks: () => undefined,
        end: (_time, exit) => note([name, exit])
      }
    }
  })

/** Asks with somebody who takes note of all that a source tells. */
export const told = <A, E, R>(
  ask: Effect.Effect<A, E, R>,
  ownKey: Option.Option<Redacted.Redacted> = Option.none()
): Effect.Effect<readonly [Told, A], E, R> =>
  Effect.suspend(() => {
    const all: Told = { spent: [], evidence: [], logs: [] }
    const logger = Logger.make(({ cause, fiber, message }) => {
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      const spans = fiber.getRef(References.CurrentLogSpans)
      all.logs.push(inspect({ message, cause, annotations, spans }, { depth: 8 }))
    })
    return ask.pipe(
      Effect.provideService(CurrentSourceAccess, {
        ...noAccess,
        workspaceId: "w_replayed",
        ownKey: () => Effect.succeed(ownKey),
        spent: (cost) => Effect.sync(() => void all.spent.push(cost)),
        evidence: (source, facts) => Effect.sync(() => void all.evidence.push({ source, facts }))
      }),
      Effect.provide(Logger.layer([logger, Logger.tracerLogger])),
      Effect.withTracer(spying((span) => void all.logs.push(textOf(span)))),
      Effect.map((answer) => [all, answer] as const)
    )
  })

/** A failure and all that hangs on it, as it could come to stand in a log. */
export const textOf = (value: unknown): string => inspect(value, { depth: 12, showHidden: true, maxStringLength: null })

export const isWithoutSecret = (value: unknown, where: string): void =>
  assert.notInclude(textOf(value), SECRET, `${where} holds the credential`)

/** Asks one case's question, and checks what is true of every source's answer. */
export const answered = <S extends Named, Request, Result>(
  { server, source }: Made<S>,
  one: Case<Request, Result>,
  ask: (source: S, request: Request) => Effect.Effect<Result, ProviderFailure>
): Effect.Effect<Result, ProviderFailure> =>
  Effect.gen(function* () {
    server?.on(...(one.exchanges ?? []))
    const [{ evidence, logs, spent }, result] = yield* told(ask(source, one.request))
    if ("expected" in one) assert.deepStrictEqual(plain(result), plain(one.expected), one.says)
    if (one.spent !== undefined) {
      assert.approximately(
        spent.reduce((sum, { amount }) => sum + amount, 0),
        one.spent,
        1e-9,
        `${one.says}: the cost`
      )
    }
    for (const { amount, micros, vendor } of spent) {
      assert.strictEqual(vendor, source.name)
      assert.isTrue(amount >= 0 && Number.isSafeInteger(micros) && micros >= 0, `${amount} units, ${micros} micros`)
    }
    isWithoutSecret([evidence, logs, result], one.says)
    return result
  })

/** An answer as its members are, whatever holds them. */
const plain = (value: unknown): unknown =>
  Option.isOption(value) ? { found: Option.getOrNull(value) } : (value ?? null)

/** Where a member was there, and the domain's own check left it out. */
export const lost = (raw: unknown, credible: unknown, path = ""): ReadonlyArray<string> => {
  if (raw === null || raw === undefined) return []
  if (credible === null || credible === undefined) return [path === "" ? "all of it" : path]
  if (Array.isArray(raw)) {
    if (!Array.isArray(credible) || credible.length !== raw.length) return [`${path}[${raw.length}]`]
    return raw.flatMap((item, index) => lost(item, credible[index], `${path}[${index}]`))
  }
  if (typeof raw !== "object") return []
  return Object.entries(raw).flatMap(([name, value]) =>
    lost(value, (credible as Readonly<Record<string, unknown>>)[name], path === "" ? name : `${path}.${name}`)
  )
}

/** What a source says stands its check whole. */
export const keepsAll = (raw: unknown, credible: unknown, says: string): void =>
  assert.deepStrictEqual(lost(raw, credible), [], `${says}: what is not credible`)

/** A company is named by its registrable domain, in lower case. */
export const isRegistrable = (domain: string | null, says: string): void => {
  if (domain !== null) assert.strictEqual(domain, registrableDomain(domain), says)
}

/** Dates of any form, the newest first; what has none last. */
export const isNewestFirst = (times: ReadonlyArray<string | null>, says: string): void => {
  const millis = times.map((time) => (time === null ? Number.NEGATIVE_INFINITY : Date.parse(time)))
  assert.deepStrictEqual(
    millis,
    [...millis].sort((a, b) => b - a),
    `${says}: the newest first`
  )
}

/** What is declared of it makes sense. */
export const declaresItself = (source: Source): void => {
  assert.match(source.name, /^[a-z][a-z0-9_]*$/)
  assert.isTrue(Number.isSafeInteger(source.costMicros) && source.costMicros >= 0, "its cost")
  assert.isTrue(source.missRate >= 0 && source.missRate <= 1, "its miss rate")
  assert.isTrue(source.latencyMillis > 0, "its latency")
}
