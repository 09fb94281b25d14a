import { it } from "@effect/vitest"
import type { Layer } from "effect"
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

/** What every journal guarantees: see the files of its parts. */
export const journalContract = <E>(
  name: string,
  adapter: Layer.Layer<JournalStores | TestHosts, E>,
  options: ContractOptions = {}
): void => {
  it.layer(adapter, SUITE)(`journal: admission (${name})`, admissionTests)
  it.layer(adapter, SUITE)(`journal: spending (${name})`, spendingTests)
  it.layer(adapter, SUITE)(`journal: idempotency (${name})`, idempotencyTests)
  it.layer(adapter, SUITE)(`journal: settlement (${name})`, settlementTests)
  it.layer(adapter, SUITE)(`journal: bystanders (${name})`, bystanderTests)
  it.layer(adapter, SUITE)(`journal: accepted calls (${name})`, acceptedTests)
  it.layer(adapter, SUITE)(`journal: hosts (${name})`, hostTests)
  it.layer(adapter, SUITE)(`journal: model (${name})`, (it) => modelTests(it, options.runs ?? RUNS))
}
