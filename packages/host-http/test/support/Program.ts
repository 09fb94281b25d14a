import { assert } from "@effect/vitest"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { SealStore, type TrailHead } from "@outbound/domain/kernel/trail/SealStore.js"
import type { SealedTotals } from "@outbound/domain/kernel/trail/seals.js"
import * as Wings from "@outbound/domain/wings/wings.js"
import * as DomainsLive from "@outbound/domain/control/domains/Domains.js"
import { SCRIPTED_ACTIONS } from "../wings/actions.js"
import { scriptedWings } from "../wings/scripted.js"
import { SignUpPolicy } from "@outbound/domain/control/signUp/policy.js"
import * as SignUpLive from "@outbound/domain/control/signUp/SignUp.js"
import * as MailboxAdoption from "@outbound/domain/outreach/sending/MailboxAdoption.js"
import * as MemoryZones from "@outbound/testkit/dns/MemoryZones.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { layer as disposable } from "@outbound/testkit/memory/TestDisposable.js"
import { OPEN_SIGN_UP } from "@outbound/testkit/signUp/openSignUp.js"
import * as ScriptedProbe from "@outbound/testkit/mail/ScriptedProbe.js"
import * as Service from "@outbound/testkit/service/Service.js"
import { Console, Context, Effect, Exit, Layer } from "effect"
import type { Actions, RuleReport } from "../../src/commands/Actions.js"
import { failureWords } from "../../src/commands/failureWords.js"
import { program } from "../../src/commands/program.js"
import type { Finding } from "../../src/commands/Finding.js"

export interface Ran {
  readonly isGood: boolean
  readonly out: ReadonlyArray<string>
  readonly complaint: string | null
}

export const good: RuleReport = { name: "ledger_adds_up", rule: "The balance is the sum.", count: 0, breaches: [] }

/** The last seal of a trail. */
export const HEAD: TrailHead = { workspaceId: "w", number: 7, hash: "ab".repeat(32), sealedAtMillis: 0 }

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly findings?: ReadonlyArray<Finding>
  /** The address of the service beside which a command runs. */
  readonly service?: Actions["running"]
  readonly providers?: Actions["providers"]
  /** Who serves live workspaces. */
  readonly live?: ProviderSet
  /** What of a trail is in an archive, and the lines of its files. */
  readonly archived?: { readonly totals: SealedTotals; readonly lines: ReadonlyArray<string> }
}

/** The program over the real operator's services in memory. */
export const running = (
  reports: ReadonlyArray<RuleReport> = [good],
  {
    archived,
    environment = {},
    findings = [],
    live = noProviders,
    providers,
    service = () => undefined,
    stdin = ""
  }: Surroundings = {}
) =>
  Effect.gen(function* () {
    const built = yield* Layer.build(
      Layer.provideMerge(
        Layer.mergeAll(
          SignUpLive.layer.pipe(
            Layer.provide(disposable),
            Layer.provide(Layer.merge(MemoryMailer.off, ScriptedProbe.layer)),
            Layer.provide(Layer.succeed(SignUpPolicy, { ...OPEN_SIGN_UP, kind: "sandbox" }))
          ),
          MailboxAdoption.layer,
          Layer.provide(Wings.services, scriptedWings),
          Layer.provide(DomainsLive.layer, Layer.merge(MemoryZones.layer, ScriptedProbe.layer))
        ),
        Service.over(MemoryLayer.layer, live)
      )
    )
    const services =
      archived === undefined
        ? built
        : Context.add(built, SealStore, {
            ...Context.get(built, SealStore),
            archived: () => Effect.succeed(archived.totals)
          })
    const usual = yield* Console.Console
    const actions: Actions = {
      ...SCRIPTED_ACTIONS,
      running: service,
      serve: () => Effect.void,
      migrate: () => Effect.succeed(["0001_foundation"]),
      check: () => Effect.succeed({ rules: reports, heads: [HEAD], trails: 2 }),
      archivedTrail: async function* () {
        yield* archived?.lines ?? []
      },
      doctor: () => Effect.succeed(findings),
      backUp: (_config, folder) =>
        Effect.succeed({ folder, made_at: "2026-05-04T12:00:00.000Z", tables: 2, rows: 1, secret: "OUTBOUND_SECRET" }),
      restore: () => Effect.succeed({ made_at: "2026-05-04T12:00:00.000Z", rows: 1, campaigns_paused: 1 }),
      deleteWorkspace: (_config, workspaceId) =>
        Effect.succeed({ workspace_id: workspaceId, rows: 12, tables: 3, people: 1, was_deleted: false }),
      rotateSecret: () =>
        Effect.succeed({
          was_finished: false,
          values: [
            { table: "own_keys", resealed: 2, unreadable: 0 },
            { table: "follow_ups", resealed: 1, unreadable: 1 }
          ]
        }),
      providers: providers ?? (() => Effect.die(new Error("this test asks for no providers"))),
      readStdin: Effect.succeed(stdin),
      adopt: (_config, work) => Effect.provide(work, services),
      operate: (_config, work) => Effect.provide(work, services)
    }
    const run = (line: string | ReadonlyArray<string>): Effect.Effect<Ran> => {
      const out: Array<string> = []
      const console: Console.Console = {
        ...usual,
        log: (...words) => void out.push(words.join(" ")),
        error: () => undefined
      }
      return program(
        actions,
        environment,
        "0"
      )(typeof line === "string" ? line.split(" ") : line).pipe(
        Effect.provideService(Console.Console, console),
        Effect.exit,
        Effect.map((exit) => ({
          isGood: Exit.isSuccess(exit),
          out,
          complaint: Exit.isFailure(exit) ? failureWords(exit.cause) : null
        }))
      )
    }
    return Object.assign(run, { services })
  })

export const only = ({ complaint, isGood, out }: Ran): Record<string, unknown> => {
  assert.isTrue(isGood, complaint ?? "")
  assert.strictEqual(out.length, 1)
  return JSON.parse(out[0] ?? "")
}
