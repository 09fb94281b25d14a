import { format } from "@outbound/domain/kernel/money/Credits.js"
import {
  MarginStore,
  type UnknownJobs,
  type VendorMargin,
  type VerbMargin
} from "@outbound/domain/calls/MarginStore.js"
import { Clock, Effect, Schema } from "effect"
import { type OutboundConfig, SANDBOX } from "../Config.js"
import { writeFileSync } from "node:fs"
import type { Actions, ProvidersReport } from "./Actions.js"
import { command, optional, type Outcome, required, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { OPEN_PRESET } from "./openPreset.js"

const MICROS = 1_000_000

const Email = Schema.String.check(Schema.isPattern(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)).annotate(
  Flags.saying("an email address")
)

/** Micro-dollars as rounded dollars. */
export const usd = (micros: number): number => Number((micros / MICROS).toFixed(6))

const portJson = ({ port, sources, tools }: ProvidersReport["ports"][number]) => ({
  port,
  tools,
  sources: sources.map(({ costMicros, latencyMillis, missRate, name }) => ({
    name,
    cost_usd: usd(costMicros),
    miss_rate: missRate,
    latency_ms: latencyMillis
  }))
})

const portLines = ({ ports }: ProvidersReport): ReadonlyArray<string> =>
  ports.map(({ port, sources }) => {
    const named = sources.map(({ costMicros, name }) => `${name} ($${usd(costMicros)})`)
    return `  ${port.padEnd(24)}${named.length === 0 ? "–" : named.join(", ")}`
  })

const configurationLine = ({ configuration }: ProvidersReport): string =>
  configuration === SANDBOX
    ? "OUTBOUND_PROVIDERS is sandbox: live workspaces have no providers."
    : `Providers of live workspaces, from ${configuration}:`

const listed = (report: ProvidersReport): Outcome => {
  const { chat, configuration, ports, sending, vendors } = report
  return {
    json: {
      configuration,
      ports: ports.map(portJson),
      sending,
      chat,
      vendors: vendors.map(({ isConfigured, known, name, serves, title, unit, unitMicros }) => ({
        name,
        title,
        serves,
        unit,
        unit_usd: usd(unitMicros),
        known,
        configured: isConfigured
      }))
    },
    text: [
      configurationLine(report),
      ...portLines(report),
      `  ${"sending".padEnd(24)}${sending ?? "–"}`,
      `  ${"chat".padEnd(24)}${chat.map(({ model }) => model).join(", ") || "–"}`,
      "",
      "Vendors that can be configured (docs/providers.md):",
      ...vendors.map(
        ({ isConfigured, name, serves }) => `${isConfigured ? "*" : " "} ${name.padEnd(24)}${serves.join(", ")}`
      )
    ].join("\n")
  }
}

const MARKS = { works: "works", warning: "works", fails: "FAILS", untested: "not tested" } as const

const checked = (report: ProvidersReport): Outcome => {
  const { checks, configuration, notes, ports, recorded, sending } = report
  const failing = checks.filter(({ state }) => state === "fails")
  return {
    json: { ok: failing.length === 0, configuration, checks, ports: ports.map(portJson), sending, notes, recorded },
    text: [
      configurationLine(report),
      ...portLines(report),
      `  ${"sending".padEnd(24)}${sending ?? "–"}`,
      ...(checks.length === 0 ? [] : ["", "Test results:"]),
      ...checks.map(({ left, name, says, state, unit }) => {
        const rest = left === null ? "" : `, ${left} ${unit ?? ""}s left`
        const but = state === "warning" ? ", but" : ""
        return `  ${name.padEnd(24)}${MARKS[state]}${rest}${says.length === 0 ? "" : `${but}: ${says.join("; ")}`}`
      }),
      ...(recorded.length === 0
        ? []
        : ["", "Read these before you pass them on:", ...recorded.map((file) => `  ${file}`)]),
      ...(notes.length === 0 ? [] : ["", "Notes:"]),
      ...notes.map((note) => `  ${note}`)
    ].join("\n"),
    isBad: failing.length > 0
  }
}

/** The file that `init` writes, if none is named. */
const FILE = "providers.json"

/** Writes a new file; an existing one is never replaced. */
const written = (path: string): Effect.Effect<Outcome, Flags.FlagMistakes> =>
  Effect.try({
    try: () => {
      writeFileSync(path, OPEN_PRESET, { flag: "wx" })
      return {
        json: { file: path, needs_key: ["youtube"] },
        text: [
          `Wrote ${path}: every source that needs no account.`,
          "One needs a key that costs nothing: youtube. It is commented out.",
          `Next: OUTBOUND_PROVIDERS=${path} outbound providers check`
        ].join("\n")
      }
    },
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
      const why = code === "EEXIST" ? "exists already, and is not replaced" : `can't be written (${code})`
      return new Flags.FlagMistakes({ mistakes: [`${path} ${why}`] })
    }
  })

/** `check` and `list` report all errors of the configuration. */
export const providerCommands = (actions: Pick<Actions, "providers">, config: Effect.Effect<OutboundConfig, unknown>) =>
  [
    command(
      "init",
      "Writes a commented file for OUTBOUND_PROVIDERS. Replaces none.",
      {
        open: switched("With every source that needs no account"),
        file: optional(Schema.NonEmptyString, "FILE", `The file (default: ${FILE})`)
      },
      ({ file, open }) =>
        open === "on"
          ? written(file ?? FILE)
          : Effect.fail(new Flags.FlagMistakes({ mistakes: ["init needs --open: there is no other beginning yet"] }))
    ),
    command(
      "check",
      "Tests every vendor, the prober and the chat upstreams. Free; exits with code 1 if one fails.",
      {
        record: optional(
          Schema.NonEmptyString,
          "FOLDER",
          "Also writes how each vendor answered, without names and keys"
        ),
        verify: optional(
          Email,
          "EMAIL",
          "With --record: each email verifier also checks this address, and may charge for it"
        )
      },
      ({ record, verify = null }) =>
        verify !== null && record === undefined
          ? Effect.fail(new Flags.FlagMistakes({ mistakes: ["--verify needs --record FOLDER"] }))
          : Effect.map(
              Effect.flatMap(config, (read) =>
                actions.providers(
                  read,
                  record === undefined ? { _tag: "Standing" } : { _tag: "Recorded", folder: record, verify }
                )
              ),
              checked
            )
    ),
    command("list", "Lists the configured sources of each port, and all supported vendors.", {}, () =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.providers(read, { _tag: "Nothing" })),
        listed
      )
    )
  ] as const

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
