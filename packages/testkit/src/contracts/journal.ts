import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type ContractOptions, SUITE } from "./fixtures.js"
import type { TestHosts } from "../memory/Hooks.js"
import { acceptedTests } from "./journalAccepted.js"
import { admissionTests } from "./journalAdmission.js"
import { bystanderTests } from "./journalBystanders.js"
import { hostTests } from "./journalHosts.js"
import { idempotencyTests } from "./journalIdempotency.js"
import { modelTests } from "./journalModel.js"
import { settlementTests } from "./journalSettlement.js"
import { spendingTests } from "./journalSpending.js"
import type { JournalStores } from "./journalSupport.js"

const RUNS = 60

/**
 * What every journal guarantees: see the files of its parts. Those that look at most come first. `breaches`: what all that
 * they stored breaks, where the store can say.
 */
export const journalContract = <R, E>(
  name: string,
  adapter: Layer.Layer<JournalStores | TestHosts | R, E>,
  { breaches }: { readonly breaches?: Effect.Effect<ReadonlyArray<unknown>, unknown, R> } = {}
): void => {
  it.layer(adapter, SUITE)(`journal (${name})`, (it) => {
    bystanderTests(it)
    settlementTests(it)
    idempotencyTests(it)
    acceptedTests(it)
    hostTests(it)
    spendingTests(it)
    admissionTests(it)
    if (breaches !== undefined) {
      it.effect("nothing that they stored breaks an invariant", () =>
        Effect.map(breaches, (found) => assert.deepStrictEqual(found, []))
      )
    }
  })
}

/** Whatever is done to it, in whatever order, a journal is as its model. */
export const journalModelContract = <E>(
  name: string,
  adapter: Layer.Layer<JournalStores | TestHosts, E>,
  options: ContractOptions = {}
): void => {
  it.layer(adapter, SUITE)(`journal: model (${name})`, (it) => modelTests(it, options.runs ?? RUNS))
}
