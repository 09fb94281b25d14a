import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { issuesOf } from "@outbound/domain/calls/issues.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import { Redacted, Result } from "effect"
import { proberDefaults, type ProberSettings } from "../open/ProberSettings.js"
import type { Vendor, VendorConfig, VendorPort } from "../Vendor.js"
import type { ConfiguredJudge, ConfiguredProviders, ConfiguredUpstream, ConfiguredVendor } from "./Configured.js"
import { knownInstead } from "./near.js"
import { type AnyPort, BUILT_IN, isBuiltIn, LISTED_PORT_NAMES, type ListedPort } from "./ports.js"
import type { ProvidersFile, VendorEntry } from "./ProvidersFile.js"
import { checkUpstream, readChat } from "./readChat.js"
import { readFile } from "./readFile.js"
import { type Environment, noSecretOf, secretOf } from "./secrets.js"

type Declared = NonNullable<NonNullable<VendorEntry["declared"]>[string]>

const MICROS = 1_000_000

const declaredOf = ({ cost_usd, latency_ms, miss_rate }: Declared): Partial<Omit<Source, "name">> => ({
  ...(cost_usd === undefined ? {} : { costMicros: Math.round(cost_usd * MICROS) }),
  ...(miss_rate === undefined ? {} : { missRate: miss_rate }),
  ...(latency_ms === undefined ? {} : { latencyMillis: latency_ms })
})

const isServed = (vendor: Vendor, port: string): port is VendorPort =>
  (vendor.serves as ReadonlyArray<string>).includes(port)

/** What each process of a host may use of its limit. */
const shareOf = (limit: number, processes: number): number => Math.max(1, Math.floor(limit / processes))

const proberShare = (settings: ProberSettings, processes: number): ProberSettings => ({
  ...settings,
  connectionsMax: shareOf(settings.connectionsMax, processes),
  connectionsPerHost: shareOf(settings.connectionsPerHost, processes),
  hostPaceMillis: settings.hostPaceMillis * processes
})

/** Reads a vendor's entry. Null: wrong, as `mistakes` tells. */
const readVendor = (
  name: string,
  entry: VendorEntry | undefined,
  options: {
    readonly environment: Environment
    readonly mistakes: Array<string>
    readonly vendors: ReadonlyArray<Vendor>
    readonly processes: number
  }
): ConfiguredVendor | null => {
  const { environment, mistakes, processes, vendors } = options
  const at = `vendors.${name}`
  const vendor = vendors.find((one) => one.name === name)
  if (vendor === undefined) {
    const known = vendors.map((one) => one.name)
    mistakes.push(`${at}: there is no vendor "${name}". ${knownInstead(name, known)}`)
    return null
  }
  // Its form is wrong, as reported already.
  if (entry === undefined) return null
  const before = mistakes.length
  const secret = vendor.isOpen === true ? noSecretOf(entry.key) : secretOf(entry.key, environment)
  if ("mistake" in secret) mistakes.push(`${at}.key: ${secret.mistake}`)
  else if (secret.secret !== null && vendor.credentialForm?.pattern.test(Redacted.value(secret.secret)) === false) {
    mistakes.push(`${at}.key: names a variable whose value must be written ${vendor.credentialForm.words}`)
  }
  const declared: Partial<Record<VendorPort, Partial<Omit<Source, "name">>>> = {}
  for (const [port, value] of Object.entries(entry.declared ?? {})) {
    if (value === undefined) continue
    if (isServed(vendor, port)) declared[port] = declaredOf(value)
    else mistakes.push(`${at}.declared.${port}: ${name} does not serve ${port}; it serves ${vendor.serves.join(", ")}`)
  }
  const made = vendor.decode(entry.settings ?? {})
  if (Result.isFailure(made)) {
    for (const { message, path } of issuesOf(made.failure)) {
      mistakes.push(`${[at, "settings", ...(path === "" ? [] : [path])].join(".")}: ${message}`)
    }
  }
  if (mistakes.length > before || Result.isFailure(made) || "mistake" in secret) return null
  const { calls_per_minute: callsPerMinute = vendor.callsPerMinute } = entry
  const config: VendorConfig = {
    baseUrl: (entry.base_url ?? vendor.baseUrl).replace(/\/+$/, ""),
    credential: secret.secret,
    callsPerMinute: callsPerMinute === null ? null : shareOf(callsPerMinute, processes),
    unitMicros: entry.unit_usd === undefined ? vendor.unitMicros : Math.round(entry.unit_usd * MICROS),
    declared
  }
  const make = made.success
  return { facts: vendor, config, settings: entry.settings ?? {}, make: (beside) => make(config, beside) }
}

const JUDGE_TIMEOUT_SECONDS = 12
const JUDGE_LATENCY_MILLIS = 2_000

/** The key for servers that need none. */
const NO_KEY = Redacted.make("none")

type Mistakes = Array<string>

/** The sources of a port, without duplicates. Each must serve the port. */
const readPort = (
  port: AnyPort,
  names: ReadonlyArray<string | undefined>,
  file: ProvidersFile,
  vendors: ReadonlyArray<Vendor>,
  mistakes: Mistakes
): void => {
  const known = [...Object.keys(BUILT_IN), ...vendors.map(({ name }) => name)]
  for (const [index, name] of names.entries()) {
    // Its form is wrong, as reported already.
    if (name === undefined) continue
    const at = port === "sending" ? `ports.${port}` : `ports.${port}.${index}`
    const vendor = vendors.find((one) => one.name === name)
    const serves: ReadonlyArray<string> | undefined = isBuiltIn(name) ? BUILT_IN[name].serves : vendor?.serves
    if (serves === undefined) {
      mistakes.push(`${at}: there is no "${name}". ${knownInstead(name, known)}`)
    } else if (!serves.includes(port)) {
      mistakes.push(`${at}: ${name} does not serve ${port}; it serves ${serves.join(", ")}`)
    } else if (names.indexOf(name) !== index) {
      mistakes.push(`${at}: ${name} is listed twice`)
    } else if (!isBuiltIn(name) && vendor?.isOpen !== true && !Object.hasOwn(file.vendors, name)) {
      mistakes.push(
        `${at}: ${name} has no entry in vendors; add "${name}": { "key": "env:NAME" }, or "key": null for own keys only`
      )
    } else {
      const unserved = vendor?.unserved(file.vendors[name]?.settings ?? {}) ?? {}
      const missing = unserved[port]
      if (missing !== undefined) {
        mistakes.push(
          `${at}: ${name} serves ${port} only with vendors.${name}.${missing}; set it, or take it off the list`
        )
      }
    }
  }
}

const readUpstreams = (
  file: ProvidersFile,
  environment: Environment,
  mistakes: Mistakes
): ReadonlyArray<ConfiguredUpstream> =>
  Object.entries(file.upstreams).flatMap(([name, upstream]) => {
    if (upstream === undefined) return []
    const secret = secretOf(upstream.key, environment)
    if ("mistake" in secret) mistakes.push(`upstreams.${name}.key: ${secret.mistake}`)
    if ("mistake" in secret || upstream.base_url === undefined) return []
    return [
      {
        name,
        baseUrl: upstream.base_url.replace(/\/+$/, ""),
        apiKey: secret.secret ?? NO_KEY,
        limitField: upstream.limit_field ?? "max_tokens",
        fields: upstream.fields === undefined ? null : new Set(upstream.fields.filter((one) => one !== undefined))
      }
    ]
  })

const judgeOf = ({ model, upstream, ...judge }: NonNullable<ProvidersFile["judge"]>): ConfiguredJudge | null =>
  upstream === undefined || model === undefined
    ? null
    : {
        upstream,
        model,
        timeoutSeconds: judge.timeout_seconds ?? JUDGE_TIMEOUT_SECONDS,
        costMicros: Math.round((judge.cost_usd ?? 0) * 1_000_000),
        latencyMillis: judge.latency_ms ?? JUDGE_LATENCY_MILLIS,
        parameters: (judge.parameters as JsonObject | undefined) ?? null
      }

/**
 * Reads a configuration: form, names and secrets. Left: every mistake found. No message shows an environment value or a
 * literal secret.
 */
export const readProviders = (
  text: string,
  environment: Environment,
  vendors: ReadonlyArray<Vendor>,
  /** The processes of this host: they share its limits. */
  processes = 1
): Result.Result<ConfiguredProviders, ReadonlyArray<string>> => {
  const mistakes: Mistakes = []
  const file = readFile(text, mistakes)
  if (file === null) return Result.fail(mistakes)
  for (const port of LISTED_PORT_NAMES) readPort(port, file.ports?.[port] ?? [], file, vendors, mistakes)
  const ports = Object.fromEntries(
    LISTED_PORT_NAMES.map((port): readonly [ListedPort, ReadonlyArray<string>] => [
      port,
      (file.ports?.[port] ?? []).flatMap((name) => name ?? [])
    ])
  ) as Record<ListedPort, ReadonlyArray<string>>
  const sending = file.ports?.sending ?? null
  if (sending !== null) readPort("sending", [sending], file, vendors, mistakes)
  const listed = new Set(Object.values(ports).flat())
  const unentered = vendors.filter(
    ({ isOpen, name }) => isOpen && listed.has(name) && !Object.hasOwn(file.vendors, name)
  )
  const entries = [
    ...Object.entries(file.vendors),
    ...unentered.map(({ name }): readonly [string, VendorEntry] => [name, { key: null }])
  ]
  const configured = entries.flatMap(
    ([name, entry]) => readVendor(name, entry, { environment, mistakes, vendors, processes }) ?? []
  )
  const upstreams = readUpstreams(file, environment, mistakes)
  const chat = readChat(file, mistakes)
  if (file.judge !== undefined) checkUpstream("judge.upstream", file.judge.upstream, file, mistakes)
  return mistakes.length > 0
    ? Result.fail(mistakes)
    : Result.succeed({
        ports,
        sending,
        vendors: configured,
        prober: proberShare(file.prober ?? proberDefaults(), processes),
        upstreams,
        chat,
        judge: file.judge === undefined ? null : judgeOf(file.judge)
      })
}
