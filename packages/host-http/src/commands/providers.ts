import { Effect, Schema } from "effect"
import { type OutboundConfig, SANDBOX } from "../Config.js"
import type { Actions, ProvidersReport } from "./Actions.js"
import * as Flags from "./flags.js"
import { command, optional, type Outcome } from "./Command.js"

const MICROS = 1_000_000

const Email = Schema.String.pipe(Schema.pattern(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)).annotations({
  message: () => ({ message: "an email address", override: true })
})

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

/** Both commands report all errors of the configuration. */
export const providerCommands = (actions: Pick<Actions, "providers">, config: Effect.Effect<OutboundConfig, unknown>) =>
  [
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
