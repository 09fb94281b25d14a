import type { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { Context, type Effect, type Scope } from "effect"

/** A host that a suite may let die. */
export interface TestHost {
  readonly journal: CallJournal["Service"]
  /**
   * As if the process had died a lease's length ago: its heartbeat is gone and its lease is over. The journal still
   * answers, as that of a host which was only believed dead.
   */
  readonly kill: Effect.Effect<void>
}

/** Other hosts over the same store. Each adapter says how one is started and dies. */
export class TestHosts extends Context.Service<
  TestHosts,
  { readonly start: Effect.Effect<TestHost, never, Scope.Scope> }
>()("@outbound/testkit/memory/Hooks/TestHosts") {}

/** What a kill does to the sending row of a workspace, which no port can do. */
export class TestSuspension extends Context.Service<
  TestSuspension,
  { readonly suspend: (workspaceId: string, atMillis: number, reason: string) => Effect.Effect<void> }
>()("@outbound/testkit/memory/Hooks/TestSuspension") {}

/** Everything that is stored, searched as someone with access to the database could. */
export class TestRows extends Context.Service<
  TestRows,
  {
    /** Where a text stands, in whatever case: tables, with the column where there is one. */
    readonly standing: (text: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@outbound/testkit/memory/Hooks/TestRows") {}

/** Time passes for what is asked for later, by whichever clock the store goes. */
export class TestPassing extends Context.Service<
  TestPassing,
  { readonly pass: (millis: number) => Effect.Effect<void> }
>()("@outbound/testkit/memory/Hooks/TestPassing") {}
