import { Admin } from "@outbound/domain/app/Admin.js"
import { makeClockRound } from "@outbound/domain/app/ClockRound.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SCOPES } from "@outbound/domain/verbs/Policy.js"
import { Cause, Effect, Exit, Random, References, Result } from "effect"
import { TestClock } from "effect/testing"
import * as QuietClock from "../clock/QuietClock.js"
import { Memory } from "../memory/Memory.js"
import { Behaviour } from "../providers/Faulty.js"
import { makeKey } from "../service/Client.js"
import { Faults } from "../service/Service.js"
import { act, workers } from "./acts.js"
import { Chance } from "./Chance.js"
import { layer, SENDING, World } from "./World.js"

/** The middle of a month, some days before its end. */
const BEGIN = Date.UTC(2026, 2, 27, 12)

export const WORKSPACES = 2

const mailbox = (workspaceId: string, mailboxId: string): Mailbox => ({
  workspaceId,
  mailboxId,
  kind: "purchased",
  operationId: null,
  domain: "acme.test",
  address: `ada-${mailboxId}@acme.test`,
  displayName: "Ada",
  state: "active",
  pauseReason: null,
  activeAtMillis: BEGIN,
  upkeepPaidUntilMillis: null,
  restsUntilMillis: null,
  ...UNDECLARED,
  createdAtMillis: BEGIN
})

const tenant = (index: number) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const ids = yield* Ids
    const sendings = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const ownerEmail = `owner-${index}@example.test`
    const { workspaceId } = yield* admin.createWorkspace({
      name: `Workspace ${index}`,
      ownerEmail,
      kind: "sandbox",
      // Few enough that some calls are refused for it: in one workspace by the balance, in the other by the key's cap.
      credits: credits(index === 0 ? "2" : "12"),
      postalAddress: "1 Main Street, Springfield"
    })
    yield* atomically(sendings.insertMailboxes([0, 1].map(() => mailbox(workspaceId, ids.next(BEGIN)))))
    const scopes = SCOPES.filter((scope) => scope !== "control:manage")
    return {
      client: yield* makeKey(workspaceId, ownerEmail, index === 0 ? { scopes } : { scopes, cap: credits("3") }),
      guard: yield* makeKey(workspaceId, ownerEmail, { scopes: ["control:manage"] }),
      campaigns: [],
      asked: [],
      approvals: []
    }
  }).pipe(Effect.orDie)

/** Providers are well again, time passes, and nothing is left under way. */
const settleDown = (world: World) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    const memory = yield* Memory
    yield* faults.behave(SENDING, Behaviour.Answer())
    world.mayHaveLeft = true
    for (let rounds = 0; rounds < 4; rounds += 1) {
      yield* TestClock.adjust("3 minutes")
      yield* workers(world)
      yield* world.check
    }
    const open = yield* memory.read(({ calls }) => calls.filter(({ record }) => record.finishedAtMillis === null))
    yield* world.fail(open.map(({ record }) => `call ${record.requestId} of ${record.verb} never ended`))
  })

export interface Run {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  /** What broke; null: nothing. */
  readonly broken: string | null
}

/** One run of so many acts, all chance of which comes from the seed. */
export const simulate = (seed: number, acts: number): Effect.Effect<Run> => {
  const world = new World(new Chance(seed))
  const told = Effect.gen(function* () {
    yield* TestClock.setTime(BEGIN)
    for (let index = 0; index < WORKSPACES; index += 1) world.tenants.push(yield* tenant(index))
    const look = yield* makeClockRound
    yield* Effect.orDie(look)
    yield* world.begin
    for (let step = 0; step < acts; step += 1) {
      yield* act(world, look)
      yield* world.check
    }
    yield* settleDown(world)
  }).pipe(
    Effect.scoped,
    Effect.provide(layer),
    Effect.provideService(Random.Random, new Chance(seed)),
    Effect.withTracerEnabled(false),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provide(QuietClock.layer(() => false, QuietClock.MEMORY_TURN))
  )
  return Effect.map(Effect.exit(told), (exit) => ({
    seed,
    trace: world.trace,
    broken: Exit.isSuccess(exit)
      ? null
      : Result.match(Cause.findDefect(exit.cause), { onFailure: Cause.pretty, onSuccess: String })
  }))
}

/** The run as a person reads it. */
export const describeRun = ({ broken, seed, trace }: Run): string =>
  [`seed ${seed}: ${broken ?? "nothing broke"}`, ...trace.map((line) => `  ${line}`)].join("\n")
