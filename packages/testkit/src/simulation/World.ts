import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Cause, Clock, Context, Effect, Exit, Layer, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { TestHosts } from "../memory/Hooks.js"
import * as JournalSwitch from "../contracts/JournalSwitch.js"
import * as MemoryStores from "../memory/layer.js"
import { Memory } from "../memory/Memory.js"
import { MemoryFaults } from "../memory/MemoryFaults.js"
import * as MemoryHosts from "../memory/MemoryHosts.js"
import { MemoryWork } from "../memory/MemoryWork.js"
import type { Client } from "../service/Client.js"
import { Faults, over } from "../service/Service.js"
import type { Chance } from "./Chance.js"
import { breaches } from "./invariants.js"
import { Oracle } from "./Oracle.js"

export const SENDING = "sandbox_sending"

/** The pauses after which a client looks whether its answer came, before it hangs up: 100 seconds. */
const PATIENCE_MILLIS = [0, 0, 100, 900, 2_000, 7_000, 10_000, 20_000, 30_000, 30_000]

const stores = Layer.provideMerge(MemoryHosts.layer, MemoryStores.layer)

/** One host of the service on stores in memory, whose journal can be another host's. */
export const layer = over(Layer.provideMerge(JournalSwitch.layer, stores))

export type Simulated = Layer.Success<typeof layer>

/** What another host needs to begin. */
type Hosts = TestHosts | JournalSwitch.JournalSwitch | MemoryWork | Scope.Scope

/** Which of the run's hosts a fiber belongs to; null: to none, as what prepares a run. */
const OfHost = Context.Reference("@outbound/testkit/simulation/World/OfHost", {
  defaultValue: (): number | null => null
})

/** What broke, after which steps. */
export class Broken extends Error {
  override readonly name = "Broken"
}

/** A workspace as its clients and its human see it. */
export interface Tenant {
  readonly client: Client
  /** A key that may stop everything. */
  readonly guard: Client
  readonly campaigns: Array<{ readonly campaignId: string; readonly people: Set<string> }>
  /** Requests that somebody may send again, with their keys. */
  readonly asked: Array<Asked>
  /** What waits for a person, with those it showed, and the call that it confirms. */
  readonly approvals: Array<Waiting>
}

export interface Waiting {
  readonly url: string
  readonly campaignId: string
  readonly shown: ReadonlySet<string>
  readonly confirmed: Asked
}

export interface Asked {
  readonly verb: "verify_email" | "enrich" | "create_campaign" | "launch_campaign" | "add_leads"
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

/** One run: what is there, what happened, and what is to happen at which use of a store. */
export class World {
  readonly trace: Array<string> = []
  readonly oracle = new Oracle()
  readonly tenants: Array<Tenant> = []
  keys = 0
  /** How the sending provider behaves now, and whether a message may have left that was answered so. */
  behaviour = "answers"
  mayHaveLeft = true
  #seen = 0
  /** The host dies before so many further uses of a store; null: it lives on. */
  #usesLeft: number | null = null
  #isDead = false
  /** How many hosts have begun. */
  #hosts = 0

  constructor(readonly random: Chance) {}

  int(max: number): number {
    return this.random.integer(max)
  }

  pick<A>(from: ReadonlyArray<A>): A | undefined {
    return from[this.int(Math.max(1, from.length))]
  }

  dieAfter(uses: number): void {
    this.#usesLeft = uses
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** To be asked before each use of a store. The dead use none, also when another host runs: their transactions are taken back. */
  readonly beforeUse = (): Effect.Effect<void> =>
    Effect.flatMap(OfHost, (host) => {
      if (host !== null && host !== this.#hosts) return Effect.interrupt
      if (this.#usesLeft !== null) {
        this.#isDead ||= this.#usesLeft === 0
        this.#usesLeft = this.#isDead ? null : this.#usesLeft - 1
      }
      return this.#isDead ? Effect.interrupt : Effect.void
    })

  /** Another host begins where the dead one ended. */
  revive = Effect.gen({ self: this }, function* () {
    this.#isDead = false
    this.#hosts += 1
    const hosts = yield* TestHosts
    const journals = yield* JournalSwitch.JournalSwitch
    const work = yield* MemoryWork
    yield* this.#host.kill
    this.#host = yield* hosts.start
    yield* journals.use(this.#host.journal)
    yield* work.restart
  })

  #host: Effect.Success<TestHosts["Service"]["start"]> = {
    journal: undefined as never,
    kill: Effect.void
  }

  /** The first host of the run; the service's own is never used. */
  begin = Effect.gen({ self: this }, function* () {
    const faults = yield* MemoryFaults
    yield* this.revive
    yield* faults.beforeEach(this.beforeUse)
  })

  say(what: string): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (now) => void this.trace.push(`${this.trace.length} at ${now}: ${what}`))
  }

  fail(wrong: ReadonlyArray<string>): Effect.Effect<void> {
    return wrong.length === 0 ? Effect.void : Effect.die(new Broken(wrong.join("\n")))
  }

  /** Runs what a client or a worker does, while time passes. None: it hung up, or the host died meanwhile. */
  run<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R | Hosts> {
    return Effect.gen({ self: this }, function* () {
      const fiber = yield* Effect.forkDetach(Effect.provideService(effect, OfHost, this.#hosts))
      for (const millis of PATIENCE_MILLIS) {
        yield* TestClock.adjust(millis)
        if (fiber.pollUnsafe() !== undefined || this.isDead) break
      }
      const ended = fiber.pollUnsafe()
      if (ended === undefined) fiber.interruptUnsafe()
      yield* TestClock.adjust(0)
      if (this.isDead) {
        yield* this.say("the host died; another begins")
        yield* this.revive
        return Option.none()
      }
      if (ended === undefined) return Option.none()
      if (Exit.isSuccess(ended)) return Option.some(ended.value)
      if (Cause.hasInterruptsOnly(ended.cause)) return Option.none()
      return yield* Effect.failCause(ended.cause).pipe(Effect.orDie)
    })
  }

  /** After each step: the stores agree, and the outside saw nothing wrong. */
  check = Effect.gen({ self: this }, function* () {
    const memory = yield* Memory
    const faults = yield* Faults
    yield* this.fail(yield* memory.read(breaches))
    const calls = yield* faults.calls(SENDING)
    const fresh = calls.slice(this.#seen)
    this.#seen = calls.length
    for (const { method, request } of fresh) {
      if (method === "deliver") yield* this.fail(this.oracle.delivered(request as OutgoingMessage, this.mayHaveLeft))
    }
    const used = yield* memory.read(({ approvals }) => approvals.filter(({ state }) => ApprovalMachine.is.used(state)))
    yield* this.fail(
      used.flatMap(({ approvalId }) => (this.oracle.isApproved(approvalId) ? [] : [`nobody approved ${approvalId}`]))
    )
  })
}
