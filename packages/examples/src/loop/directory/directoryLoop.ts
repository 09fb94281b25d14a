/** `npm run loop -- --directory`: the first half of the loop without vendors, from own lists. */
import { Effect, type Scope } from "effect"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { costs } from "../Account.js"
import { Agent } from "../Agent.js"
import { introduce, Unfinished } from "../loop.js"
import { operator, type OperatorOptions } from "../Operator.js"
import { count, say, step } from "../Progress.js"
import { Addresses } from "./Addresses.js"
import { Criteria } from "./Criteria.js"
import { readList, ROWS_MAX, UnusableList } from "./Lists.js"
import { ownService, type ServiceEnded } from "./OwnService.js"
import { providersOf, type StandIns, standIns } from "./StandIns.js"
import * as Steps from "./steps.js"

const FILES_MAX = 10

/** The two small lists that come along. */
export const samples = (): ReadonlyArray<string> =>
  ["people.csv", "companies.csv"].map((name) => fileURLToPath(new URL(`../../../../samples/${name}`, import.meta.url)))

/** Where the loop works: a service that runs already, or null: one of its own. */
export interface Running {
  readonly url: string
  readonly apiKey: string
}

interface Known {
  readonly criteria: Criteria
  readonly addresses: Addresses
}

const look = async (paths: ReadonlyArray<string>, mustBeWhole: boolean): Promise<Known> => {
  step(`Read ${paths.map((path) => basename(path)).join(" and ")}`)
  if (paths.length > FILES_MAX) throw new UnusableList(`Use at most ${FILES_MAX} lists.`)
  const criteria = new Criteria()
  const addresses = new Addresses()
  let left = ROWS_MAX
  let people = 0
  for (const path of paths) {
    const person: typeof criteria.person = (row) => {
      criteria.person(row)
      addresses.add(row)
    }
    const read = await readList(path, { person, company: criteria.company }, left)
    left -= read.rows
    if (read.kind === "people") people += read.rows
    say(`${basename(path)}: ${count(read.rows, "row", "rows")} of ${read.kind}${read.isWhole ? "" : ", and more"}.`)
    if (!read.isWhole && mustBeWhole) {
      throw new UnusableList(
        `The simulated mail servers know at most ${ROWS_MAX} rows. For longer lists, start a service and set --url.`
      )
    }
  }
  if (people === 0) throw new UnusableList("None of the lists contains people.")
  return { criteria, addresses }
}

interface Place extends Running {
  readonly options: OperatorOptions
  /** What the servers know that are asked; null: they are those in the world. */
  readonly standIns: {
    readonly addresses: Addresses
    readonly takesAll: string | null
    /** About how many recipients so far. */
    readonly asked: () => number
  } | null
}

/** What is asked beside what was revealed, to show that the answers are the servers' own. */
const controls = ({ addresses, takesAll }: NonNullable<Place["standIns"]>): ReadonlyArray<Steps.Wanted> => {
  const selective = addresses.domains.find((domain) => domain !== takesAll && addresses.someoneAt(domain) !== null)
  const someone = takesAll === null ? null : addresses.someoneAt(takesAll)
  return [
    ...(someone === null ? [] : [{ email: someone, why: "its domain accepts everything" }]),
    ...(selective === undefined ? [] : [{ email: Steps.nobodyAt(selective), why: "not in the lists" }])
  ]
}

const walk = async (place: Place, paths: ReadonlyArray<string>, { criteria }: Known): Promise<void> => {
  const agent = new Agent(place.url, place.apiKey, say)
  const me = await introduce(agent)
  if (me.workspace.kind !== "live") {
    throw new Unfinished(
      "Own lists need a live workspace, but this key belongs to a sandbox. Use the key of a live workspace."
    )
  }
  for (const path of paths) await Steps.importList(path, me.workspace.id, place.options)
  const leads = await Steps.findLeads(agent, criteria.leads)
  const { companies } = criteria
  if (companies !== null) await Steps.findCompanies(agent, companies)
  const revealed = await Steps.reveal(agent, leads)
  const beside = place.standIns === null ? [] : controls(place.standIns)
  const wanted = [
    ...revealed.map((email) => ({ email, why: null })),
    ...beside.filter(({ email }) => !revealed.includes(email))
  ]
  const statuses = await Steps.verify(agent, wanted)
  if (place.standIns !== null) {
    const { addresses, asked } = place.standIns
    say(`The mail server was asked about ${count(asked(), "recipient", "recipients")}.`)
    const wrong = [...statuses].find(
      ([email, status]) => status === "unknown" || (status !== "invalid" && !addresses.has(email))
    )
    if (wrong !== undefined)
      throw new Unfinished(`${wrong[0]} was verified as "${wrong[1]}", which contradicts the mail servers.`)
  }
  await costs(agent)
  const found = new Map<string, number>()
  for (const status of statuses.values()) found.set(status, (found.get(status) ?? 0) + 1)
  const kinds = [...found].map(([status, number]) => `${number} ${status}`).join(", ")
  process.stdout.write(
    `\nDone. ${count(leads.length, "lead", "leads")} returned, ${count(revealed.length, "address", "addresses")} revealed, ` +
      `${statuses.size} verified${kinds === "" ? "" : `: ${kinds}`}.${place.standIns === null ? "" : " No vendor was used."}\n`
  )
}

const tell = ({ resolver, smtpPort }: StandIns, takesAll: string | null): void => {
  step("Start simulated mail servers for the lists' domains")
  say("A local name server and mail server replace the real ones. They accept the addresses in the lists and refuse")
  say("all others. Their answers prove nothing about real mailboxes.")
  if (takesAll !== null) say(`The server of ${takesAll} accepts everything.`)
  say(`Name server ${resolver}, mail server 127.0.0.1:${smtpPort}.`)
}

/** A live workspace of the service's own, and a key of it. */
const makeKey = async (options: OperatorOptions): Promise<string> => {
  step("Create a live workspace and a key (the operator's program)")
  const owner = ["--owner-email", "owner@outbound.test", "--credits", "300"]
  const workspace = await operator(["workspace", "create", "--name", "Loop", "--kind", "live", ...owner], options)
  const ids = ["--workspace", workspace.workspace_id, "--name", "loop", "--scope", "data:read"]
  const made = await operator(["key", "create", ...ids], options)
  say(`Workspace ${workspace.workspace_id} with 300 credits, key ${made.key_id}.`)
  return made.api_key
}

const inOwnService = (
  paths: ReadonlyArray<string>,
  known: Known
): Effect.Effect<void, unknown | ServiceEnded, Scope.Scope> =>
  Effect.gen(function* () {
    const takesAll = known.addresses.leastKnown
    const servers = yield* standIns(known.addresses, takesAll)
    tell(servers, takesAll)
    step("Start a service (outbound serve)")
    const { ended, environment, url } = yield* ownService({ providers: providersOf(servers) })
    say(`It is ready at ${url} with its own database. Both are removed at the end.`)
    const work = Effect.tryPromise({
      try: async (signal) => {
        const options = { environment, signal }
        const apiKey = await makeKey(options)
        const place = { url, apiKey, options, standIns: { addresses: known.addresses, takesAll, asked: servers.asked } }
        await walk(place, paths, known)
      },
      catch: (error) => error
    })
    yield* Effect.raceFirst(work, ended)
  })

/** Ends, with everything that it started, when it is interrupted. */
export const directoryLoop = (paths: ReadonlyArray<string>, running: Running | null): Effect.Effect<void, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const known = yield* Effect.tryPromise({
        try: () => look(paths, running === null),
        catch: (error) => error
      })
      if (running === null) return yield* inOwnService(paths, known)
      yield* Effect.tryPromise({
        try: (signal) => walk({ ...running, options: { signal }, standIns: null }, paths, known),
        catch: (error) => error
      })
    })
  )
