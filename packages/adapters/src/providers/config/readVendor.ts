import { issuesOf } from "@outbound/domain/calls/issues.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import { Either, Redacted } from "effect"
import type { Vendor, VendorConfig, VendorPort } from "../Vendor.js"
import type { ConfiguredVendor } from "./Configured.js"
import { knownInstead } from "./near.js"
import type { VendorEntry } from "./ProvidersFile.js"
import { type Environment, secretOf } from "./secrets.js"

type Declared = NonNullable<NonNullable<VendorEntry["declared"]>[string]>

const MICROS = 1_000_000

const declaredOf = ({ cost_usd, latency_ms, miss_rate }: Declared): Partial<Omit<Source, "name">> => ({
  ...(cost_usd === undefined ? {} : { costMicros: Math.round(cost_usd * MICROS) }),
  ...(miss_rate === undefined ? {} : { missRate: miss_rate }),
  ...(latency_ms === undefined ? {} : { latencyMillis: latency_ms })
})

const isServed = (vendor: Vendor, port: string): port is VendorPort =>
  (vendor.serves as ReadonlyArray<string>).includes(port)

/** Reads one vendor's entry. Null: something is wrong with it, and stands among the mistakes. */
export const readVendor = (
  name: string,
  entry: VendorEntry | undefined,
  options: {
    readonly environment: Environment
    readonly mistakes: Array<string>
    readonly vendors: ReadonlyArray<Vendor>
  }
): ConfiguredVendor | null => {
  const { environment, mistakes, vendors } = options
  const at = `vendors.${name}`
  const vendor = vendors.find((one) => one.name === name)
  if (vendor === undefined) {
    const known = vendors.map((one) => one.name)
    mistakes.push(`${at}: there is no vendor "${name}". ${knownInstead(name, known)}`)
    return null
  }
  // Its form is wrong, which was said.
  if (entry === undefined) return null
  const before = mistakes.length
  const secret = secretOf(entry.key, environment)
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
  if (Either.isLeft(made)) {
    for (const { message, path } of issuesOf(made.left)) {
      mistakes.push(`${[at, "settings", ...(path === "" ? [] : [path])].join(".")}: ${message}`)
    }
  }
  if (mistakes.length > before || Either.isLeft(made) || "mistake" in secret) return null
  const config: VendorConfig = {
    baseUrl: (entry.base_url ?? vendor.baseUrl).replace(/\/+$/, ""),
    credential: secret.secret,
    callsPerMinute: entry.calls_per_minute === undefined ? vendor.callsPerMinute : entry.calls_per_minute,
    unitMicros: entry.unit_usd === undefined ? vendor.unitMicros : Math.round(entry.unit_usd * MICROS),
    declared
  }
  return { facts: vendor, config, make: made.right(config) }
}
