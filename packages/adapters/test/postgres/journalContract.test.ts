import { journalContract } from "@outbound/testkit/contracts/journal.js"
import { Effect } from "effect"
import { breaches, stores } from "./stores.js"

/** Of calls that were accepted without an operation: a journal knows none. */
const OF_OPERATIONS = "operations_hold_for_rows"

journalContract("postgres", stores, {
  breaches: Effect.map(breaches, (found) => found.filter(({ name }) => name !== OF_OPERATIONS))
})
