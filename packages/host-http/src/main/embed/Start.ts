import * as InProcess from "@outbound/client/InProcess.js"
import { promised, type PromiseClient } from "@outbound/client/Promised.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { CreditsFromWire, format } from "@outbound/domain/kernel/money/Credits.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { Scope as KeyScope } from "@outbound/domain/verbs/Policy.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { invalid } from "@outbound/domain/kernel/errors/Wire.js"
import { Cause, Context, Effect, Exit, Layer, Redacted, Schema, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Logging from "../Logging.js"
import { makeApprovals } from "./approvals.js"
import { configOf, embedded, type EmbedOptions } from "./Embedded.js"

/** An effect, as a program without Effect sees it. */
type Promised<M> = M extends (...args: infer A) => Effect.Effect<infer R, infer _E> ? (...args: A) => Promise<R> : never

type Approvals = {
  readonly [N in keyof Effect.Success<typeof makeApprovals>]: Promised<Effect.Success<typeof makeApprovals>[N]>
}

export interface NewWorkspace {
  readonly name: string
  /** Its owner's email address. They become a member who may decide everything. */
  readonly ownerEmail: string
  /** `sandbox`: a simulated world, and nothing real is sent. */
  readonly kind: WorkspaceKind
  /** What it begins with, as a decimal: `300`. */
  readonly credits?: string | undefined
  /** In the footer of live mail. */
  readonly postalAddress?: string | undefined
}

export interface NewKey {
  readonly workspaceId: string
  readonly name: string
  /** Without them: the usual ones. */
  readonly scopes?: ReadonlyArray<KeyScope> | undefined
  /** What it may spend in a month, as a decimal. */
  readonly monthlySpendCap?: string | undefined
  /** What it may spend in a day (UTC), as a decimal. */
  readonly dailySpendCap?: string | undefined
  /** Whether it may spend and write by itself within the limits. Default false. */
  readonly autonomousExternalActions?: boolean | undefined
}

/** A running service inside this program. Every failure is a rejection: a refusal with its `code`, or an error of ours. */
export interface Outbound {
  /** Every verb, in the name of that key: the same checks, prices and records as over HTTP. */
  readonly client: (apiKey: string) => Promise<PromiseClient>
  readonly createWorkspace: (workspace: NewWorkspace) => Promise<{ readonly workspaceId: string }>
  readonly createKey: (key: NewKey) => Promise<{ readonly keyId: string; readonly apiKey: string }>
  /** Adds credits that were paid for, as a decimal. Purchases need some. */
  readonly grantCredits: (workspaceId: string, amount: string) => Promise<{ readonly available: string }>
  /** Approvals to list and decide on pages of your own. */
  readonly approvals: Approvals
  /**
   * Answers a request of your server: REST, the console, MCP, and the page behind each unsubscribe link, which recipients
   * reach at `baseUrl`. Call it before anything reads the body. False: the path is none of ours, and nothing was done.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Ends calls under way, then the background work, then the connections. */
  readonly close: () => Promise<void>
}

const orThrow = <A, E>(exit: Exit.Exit<A, E>): A =>
  Exit.match(exit, {
    onSuccess: (value) => value,
    onFailure: (cause) => {
      throw Cause.squash(cause)
    }
  })

const creditsOf = (path: string, text: string) =>
  Effect.mapError(Schema.decodeEffect(CreditsFromWire)(text), () =>
    invalid([{ path, message: "must be a decimal of credits, such as 300 or 0.5" }])
  )

/** A cap that may be left out. */
const capOf = (path: string, text: string | undefined) =>
  text === undefined ? Effect.succeed(null) : creditsOf(path, text)

/** Starts the service, migrating its database. Ends with `close`. */
export const start = async ({ approvalPage, ...options }: EmbedOptions): Promise<Outbound> => {
  const config = orThrow(await Effect.runPromiseExit(configOf(options)))
  const logs = Logging.layer(config.logLevel, config.logFormat)
  const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
    orThrow(await Effect.runPromiseExit(Effect.provide(effect, logs)))
  const scope = Effect.runSync(Scope.make())
  const close = () => run(Scope.close(scope, Exit.void))
  const starting = Effect.gen(function* () {
    const { context, handle } = yield* embedded(config, approvalPage)
    return { context, handle, approvals: yield* Effect.provide(makeApprovals, context) }
  })
  const { approvals, context, handle } = await run(
    starting.pipe(
      Scope.provide(scope),
      Effect.onError(() => Scope.close(scope, Exit.void))
    )
  )
  const admin = Context.get(context, Admin)
  const protocol = (apiKey: string) =>
    InProcess.layer({ apiKey: Redacted.make(apiKey) }).pipe(
      Layer.provide(Layer.succeedContext(Context.pick(Calls, Ids)(context)))
    )
  return {
    client: (apiKey) => promised(protocol(apiKey)),
    createWorkspace: ({ credits = "0", kind, name, ownerEmail, postalAddress = null }) =>
      run(
        Effect.flatMap(creditsOf("credits", credits), (amount) =>
          admin.createWorkspace({ name, ownerEmail, kind, credits: amount, postalAddress })
        )
      ),
    createKey: ({ autonomousExternalActions = false, name, scopes = [], workspaceId, ...caps }) =>
      run(
        Effect.gen(function* () {
          const monthlySpendCap = yield* capOf("monthlySpendCap", caps.monthlySpendCap)
          const dailySpendCap = yield* capOf("dailySpendCap", caps.dailySpendCap)
          const limits = { monthlySpendCap, dailySpendCap, autonomousExternalActions }
          return yield* admin.createKey({ workspaceId, name, scopes, ...limits })
        })
      ),
    grantCredits: (workspaceId, amount) =>
      run(
        Effect.flatMap(creditsOf("amount", amount), (given) =>
          Effect.map(admin.grantCredits(workspaceId, given), ({ available }) => ({ available: format(available) }))
        )
      ),
    approvals: {
      list: (...args) => run(approvals.list(...args)),
      get: (...args) => run(approvals.get(...args)),
      decide: (...args) => run(approvals.decide(...args)),
      looking: (...args) => run(approvals.looking(...args)),
      beginLooking: (...args) => run(approvals.beginLooking(...args)),
      sayLooked: (...args) => run(approvals.sayLooked(...args)),
      withdraw: (...args) => run(approvals.withdraw(...args))
    },
    handle,
    close
  }
}
