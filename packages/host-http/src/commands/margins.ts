import { format } from "@outbound/domain/kernel/money/Credits.js"
import {
  MarginStore,
  type UnknownJobs,
  type VendorMargin,
  type VerbMargin
} from "@outbound/domain/calls/MarginStore.js"
import { Clock, Effect } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, optional, type Outcome, required } from "./Command.js"
import * as Flags from "./flags.js"
import { usd } from "./providers.js"

const sumOf = (vendors: ReadonlyArray<VendorMargin>): number =>
  usd(vendors.reduce((sum, { micros }) => sum + micros, 0))

const vendorJson = ({ amount, calls, charged, micros, unit, vendor }: VendorMargin) => ({
  vendor,
  unit,
  calls,
  credits_charged: format(charged),
  units: amount,
  cost_usd: usd(micros)
})

const told = (
  sinceMillis: number,
  margins: {
    readonly verbs: ReadonlyArray<VerbMargin>
    readonly vendors: ReadonlyArray<VendorMargin>
    readonly unknownJobs: ReadonlyArray<UnknownJobs>
  }
): Outcome => {
  const rows = margins.verbs.map(({ calls, charged, verb }) => {
    const own = margins.vendors.filter((one) => one.verb === verb)
    return { verb, calls, credits_charged: format(charged), cost_usd: sumOf(own), vendors: own.map(vendorJson) }
  })
  const since = new Date(sinceMillis).toISOString()
  const { unknownJobs } = margins
  const calls =
    rows.length === 0
      ? [`No calls of live workspaces since ${since}.`]
      : rows.flatMap(({ calls, cost_usd, credits_charged, vendors, verb }) => [
          `${verb.padEnd(18)} ${calls} calls, ${credits_charged} credits, $${cost_usd} at vendors`,
          ...vendors.map(
            (one) =>
              `  ${one.vendor.padEnd(16)} ${one.calls} calls, ${one.credits_charged} credits, ${one.units} ${one.unit}s, $${one.cost_usd}`
          )
        ])
  const unknown = unknownJobs.map(
    ({ jobs, source }) => `${source}: ${jobs} more jobs may have been started and paid for`
  )
  return {
    json: { since, cost_usd: sumOf(margins.vendors), verbs: rows, jobs_of_unknown_outcome: unknownJobs },
    text: [...calls, ...unknown].join("\n")
  }
}

/** What calls of live workspaces cost at vendors, beside what they were charged. */
export const marginsCommand = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = (work: Effect.Effect<Outcome, unknown, MarginStore>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work))

  return command(
    "margins",
    "Shows what calls of live workspaces were charged and what they cost, by verb and vendor.",
    {
      since: required(Flags.DurationMillis, "D", "How far back: 24h, 7d"),
      workspace: optional(Flags.Id, "ID", "Only this workspace; default: all")
    },
    (flags) =>
      operate(
        Effect.gen(function* () {
          const sinceMillis = (yield* Clock.currentTimeMillis) - flags.since
          const { margins: read } = yield* MarginStore
          return told(sinceMillis, yield* read({ sinceMillis, workspaceId: flags.workspace ?? null }))
        })
      )
  )
}
