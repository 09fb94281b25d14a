import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Console, Data, Effect } from "effect"
import { BadOutcome, type Command, type Group, group } from "../Command.js"
import { FlagMistakes } from "../flags.js"
import { type FlagHelp, readArguments } from "../readArguments.js"
import { exitOf } from "./exitCodes.js"
import { type VerbFlag, verbFlags } from "./verbFlags.js"

/**
 * `outbound call <verb>`: a call of the API, for shells. It speaks to a service by its address and a key, and needs neither its
 * database nor its configuration.
 */

class Unreachable extends Data.TaggedError("Unreachable")<{ readonly message: string }> {}

const OWN: Readonly<Record<string, FlagHelp>> = {
  body: { value: "JSON", about: "The request as JSON; flags add to it", need: "optional" },
  url: { value: "URL", about: "The service's address (OUTBOUND_URL, or http://127.0.0.1:8080)", need: "optional" },
  "idempotency-key": {
    value: "KEY",
    about: "Made for this call unless it is given; give it again to repeat a call",
    need: "optional"
  },
  run: { value: "ID", about: "The run that the call belongs to", need: "optional" },
  json: { value: null, about: "Print the answer on one line", need: "optional" }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The request that flags make; all that is wrong with them at once. */
const requestOf = (
  flags: Readonly<Record<string, VerbFlag>>,
  given: Readonly<Record<string, string | ReadonlyArray<string>>>
): { readonly body: Record<string, unknown>; readonly mistakes: ReadonlyArray<string> } => {
  const body: Record<string, unknown> = {}
  const mistakes: Array<string> = []
  if (typeof given["body"] === "string") {
    try {
      const value: unknown = JSON.parse(given["body"])
      if (typeof value !== "object" || value === null || Array.isArray(value))
        mistakes.push("--body must be a JSON object")
      else Object.assign(body, value)
    } catch {
      mistakes.push("--body must be JSON")
    }
  }
  for (const [name, { member, read }] of Object.entries(flags)) {
    const typed = given[name]
    if (typed === undefined || (Array.isArray(typed) && typed.length === 0)) continue
    const value = read(typed)
    if (typeof value === "string") mistakes.push(`--${name} ${value}`)
    else body[member] = value.value
  }
  return { body, mistakes }
}

/** The address of a call, and what of its request is not in it. */
const addressed = (verb: AnyVerb, base: string, body: Readonly<Record<string, unknown>>) => {
  const rest = { ...body }
  const path = verb.route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(typeof value === "string" ? value : "")
  })
  const url = new URL(path, base)
  if (verb.route.method !== "GET") return { url, rest }
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  return { url, rest: null }
}

interface Answer {
  readonly status: number
  readonly text: string
}

const asked = (url: URL, init: RequestInit): Effect.Effect<Answer, Unreachable> =>
  Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(url, { ...init, signal, redirect: "error" })
      return { status: answer.status, text: await answer.text() }
    },
    catch: (cause) =>
      new Unreachable({
        message: `${url.origin} does not answer: ${cause instanceof Error ? cause.message : String(cause)}. Check --url, and that the service is running.`
      })
  })

const codeIn = (text: string): string => {
  try {
    const value = JSON.parse(text) as { readonly error?: { readonly code?: unknown } }
    return typeof value.error?.code === "string" ? value.error.code : ""
  } catch {
    return ""
  }
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const verbCommand = (verb: AnyVerb, environment: Environment, newKey: () => string): Command => {
  const flags = verbFlags(verb)
  const help = { ...Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.help])), ...OWN }
  const run = (words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { flags: given, mistakes: misread } = readArguments(words, help, null)
      const { body, mistakes } = requestOf(flags, given)
      const key = environment["OUTBOUND_API_KEY"]
      const base = String(given["url"] ?? environment["OUTBOUND_URL"] ?? "http://127.0.0.1:8080")
      const all = [
        ...misread,
        ...mistakes,
        ...(URL.canParse(base) ? [] : ["--url must be an address, such as https://outbound.example"]),
        ...(key === undefined || key === ""
          ? ["OUTBOUND_API_KEY is not set. It holds the key, so that no list of processes shows it."]
          : [])
      ]
      if (all.length > 0 || key === undefined) return yield* new FlagMistakes({ mistakes: all })
      const { rest, url } = addressed(verb, base, body)
      const answer = yield* asked(url, {
        method: verb.route.method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(rest === null ? {} : { "content-type": "application/json" }),
          ...(verb.idempotency === "none" ? {} : { "idempotency-key": String(given["idempotency-key"] ?? newKey()) }),
          ...(given["run"] === undefined ? {} : { "svc-run-id": String(given["run"]) })
        },
        ...(rest === null ? {} : { body: JSON.stringify(rest) })
      })
      yield* Console.log(given["json"] === "on" ? answer.text.trim() : pretty(answer.text))
      if (answer.status >= 400) return yield* new BadOutcome({ exitCode: exitOf(answer.status, codeIn(answer.text)) })
    })
  return { name: verb.name, about: verb.summary, flags: help, argument: null, run }
}

/** One command for each verb, made from the list of verbs. */
export const callCommands = (environment: Environment, newKey: () => string): Group =>
  group(
    "call",
    "Calls the API of a service with the key in OUTBOUND_API_KEY. Exit codes: 0 done, 1 misused, 2 refused, 3 a human has to approve, 4 not enough credits, 5 later, 6 the key may not.",
    verbList.map((verb) => verbCommand(verb, environment, newKey))
  )
