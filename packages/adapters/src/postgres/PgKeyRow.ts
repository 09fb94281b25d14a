import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Capability, Scope } from "@outbound/domain/verbs/Policy.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"
import { columnsOf, texts } from "./Table.js"

export const ApiKeyRow = Schema.Struct({
  ...texts("keyId", "workspaceId"),
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  ...texts("name", "prefix"),
  state: Schema.Literals(KeyMachine.states),
  pausedAtMillis: Schema.NullOr(Millis),
  scopes: Schema.Array(Scope),
  capabilitiesOff: Schema.Array(Capability),
  autonomousExternalActions: Schema.Boolean,
  monthlySpendCap: Schema.NullOr(Credits),
  dailySpendCap: Schema.NullOr(Credits),
  premiumAllowance: Credits,
  ratePerMinute: Schema.Int,
  runRequired: Schema.Boolean,
  createdAtMillis: Millis
})

export const API_KEY_COLUMNS = columnsOf(ApiKeyRow, "k")
