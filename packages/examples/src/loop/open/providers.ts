/** The configuration: what `outbound providers init --open` writes, with each address led to the stand-ins. */
import type { StandIns } from "../directory/StandIns.js"
import type { OpenSources } from "./sources.js"

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** The preset's own values, and ours where both say something; lists are ours. */
const merged = (preset: Json, ours: Json): Json => {
  const both = Object.entries(ours).map(([name, value]) => {
    const before = preset[name]
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value] as const
  })
  return { ...preset, ...Object.fromEntries(both) }
}

/** The preset is JSON with comments: whole lines that begin with two slashes. */
export const presetIn = (text: string): Json => {
  const lines = text.split("\n").filter((line) => !/^\s*\/\//.test(line))
  return JSON.parse(lines.join("\n")) as Json
}

const BOARDS = ["greenhouse", "lever", "lever_eu", "ashby", "smart_recruiters", "workable"] as const

/**
 * The preset on stand-ins, with what it holds as comments: YouTube with a key that costs nothing, EDGAR with a contact,
 * and a model of the operator's.
 */
export const openProviders = (preset: Json, { at, port }: OpenSources, { resolver, smtpPort }: StandIns): Json => {
  const ports = isObject(preset["ports"]) ? preset["ports"] : {}
  const listed = (name: string): ReadonlyArray<unknown> => (Array.isArray(ports[name]) ? ports[name] : [])
  return merged(preset, {
    ports: {
      intent_source: [...listed("intent_source"), "edgar"],
      company_dataset_source: [...listed("company_dataset_source"), "edgar"],
      post_source: ["youtube"]
    },
    vendors: {
      web: {
        // The stand-ins are on this machine; websites in the world are never at such addresses.
        settings: { allow_private_targets: ["127.0.0.0/8"], private_port: port, contact: "mailto:loop@outbound.test" }
      },
      boards: { settings: { base_urls: Object.fromEntries(BOARDS.map((name) => [name, at(name)])) } },
      gdelt: { base_url: at("gdelt") },
      edgar: {
        settings: {
          contact: "Outbound Loop loop@outbound.test",
          base_urls: { search: at("edgar-search"), archives: at("edgar-archives"), data: at("edgar-data") }
        }
      },
      youtube: { base_url: at("youtube"), key: "env:YOUTUBE_KEY" }
    },
    prober: {
      resolvers: [resolver],
      smtp_port: smtpPort,
      allow_private_targets: true,
      helo_name: "localhost",
      host_pace_millis: 0
    },
    upstreams: { local: { base_url: at("model"), key: null } },
    judge: { upstream: "local", model: "stand-in" },
    chat: [{ model: "own-model", tier: "large", upstream: "local", upstream_model: "stand-in" }]
  })
}
