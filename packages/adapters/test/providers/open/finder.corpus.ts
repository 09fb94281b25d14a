import { readFileSync } from "node:fs"
import type { Script } from "../prober/ScriptedSmtp.js"

/** A name, and how companies write it. */
interface Name {
  readonly name: string
  readonly written: readonly [string, ...ReadonlyArray<string>]
}

const rows = readFileSync(new URL("../../../../../docs/corpora/addresses/names.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))

const named = (part: string): ReadonlyArray<Name> =>
  rows
    .filter(([kind]) => kind === part)
    .map(([, name = "", written = ""]) => ({ name, written: written.split(" ") as [string, ...Array<string>] }))

const [FIRST, LAST] = [named("first"), named("last")]

/** Small and repeatable (mulberry32). */
const chance = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

export interface CorpusPerson {
  readonly firstName: string
  readonly lastName: string
  /** Null: they have left. */
  readonly email: string | null
}

export type Habit =
  | "names the unknown"
  | "takes everybody"
  | "puts strangers off"
  | "keeps waiting"
  | "refuses everybody"
  | "returns it later"
  | "refuses our network"
  | "many lines"
  | "slow"
  | "drops the first connection"

export interface CorpusCompany {
  readonly domain: string
  readonly habit: Habit
  /** In the workspace's own lists. */
  readonly known: ReadonlyArray<CorpusPerson>
  readonly people: ReadonlyArray<CorpusPerson>
  readonly mailboxes: ReadonlySet<string>
}

/** How many companies of each habit: as common as we believe them to be. */
const HABITS: ReadonlyArray<readonly [Habit, number]> = [
  ["names the unknown", 25],
  ["many lines", 7],
  ["slow", 6],
  ["drops the first connection", 4],
  ["takes everybody", 6],
  ["returns it later", 4],
  ["puts strangers off", 3],
  ["keeps waiting", 2],
  ["refuses everybody", 2],
  ["refuses our network", 1]
]

type Writes = (first: string, last: string) => string

/** How many companies write so, of 60. */
const PATTERNS: ReadonlyArray<readonly [Writes, number]> = [
  [(first, last) => `${first}.${last}`, 31],
  [(first, last) => `${first.slice(0, 1)}${last}`, 10],
  [(first, last) => `${first.slice(0, 1)}.${last}`, 5],
  [(first, last) => `${first}${last}`, 5],
  [(first) => first, 4],
  [(first, last) => `${first}_${last}`, 2],
  [(first, last) => `${last}.${first}`, 2],
  [(first, last) => `${last}${first.slice(0, 1)}`, 1]
]

const spread = <A>(counts: ReadonlyArray<readonly [A, number]>): ReadonlyArray<A> =>
  counts.flatMap(([one, count]) => Array.from({ length: count }, () => one))

const PEOPLE = 500

/** 60 companies with 500 people to find among them. */
export const corpus = (): ReadonlyArray<CorpusCompany> => {
  const next = chance(7)
  const pick = <A>(list: ReadonlyArray<A>): A => list[Math.floor(next() * list.length)] as A
  const shuffled = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list
      .map((one) => [next(), one] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, one]) => one)
  const [habits, patterns] = [shuffled(spread(HABITS)), shuffled(spread(PATTERNS))]
  return habits.map((habit, at): CorpusCompany => {
    const domain = `firm${at}.test`
    const writes = patterns[at] as Writes
    const mailboxes = new Set<string>()
    const staff: Array<CorpusPerson> = []
    const size = Math.floor((PEOPLE * (at + 1)) / 60) - Math.floor((PEOPLE * at) / 60)
    // Two companies of three are in the workspace's lists, with two or three people.
    const knownCount = at % 3 === 0 ? 0 : 2 + (at % 2)
    while (staff.length < size + knownCount) {
      const [first, last] = [pick(FIRST), pick(LAST)]
      const usual = ({ written }: Name) => (next() < 0.88 ? written[0] : pick(written))
      const email = `${writes(usual(first), usual(last))}@${domain}`
      const isDouble = staff.some((one) => one.firstName === first.name && one.lastName === last.name)
      if (isDouble || mailboxes.has(email)) continue
      const hasLeft = staff.length >= knownCount && next() < 1 / 16
      if (!hasLeft) mailboxes.add(email)
      staff.push({ firstName: first.name, lastName: last.name, email: hasLeft ? null : email })
    }
    return { domain, habit, mailboxes, known: staff.slice(0, knownCount), people: staff.slice(knownCount) }
  })
}

const OK = "250 2.1.5 Ok"
const unknown = (address: string) => `550 5.1.1 <${address}>: Recipient address rejected: User unknown`

/** What the mail server of a company does. */
export const scriptOf = ({ habit, mailboxes }: CorpusCompany): Script => {
  const honest = (address: string) => (mailboxes.has(address.toLowerCase()) ? OK : unknown(address))
  switch (habit) {
    case "names the unknown":
      return { rcpt: honest }
    case "takes everybody":
    case "returns it later":
      return { rcpt: OK }
    case "puts strangers off":
      return { rcpt: "450 4.2.0 Greylisted, try again in 5 minutes" }
    case "keeps waiting":
      return { rcpt: { do: "stall" } }
    case "refuses everybody":
      return { rcpt: (address) => `550 5.7.1 <${address}>: Access denied` }
    case "refuses our network":
      return { mail: "554 5.7.1 Service unavailable; client host blocked by a list" }
    case "many lines":
      return {
        rcpt: (address) =>
          mailboxes.has(address.toLowerCase())
            ? OK
            : `550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist`
      }
    case "slow":
      return { rcpt: (address) => ({ do: "late", text: honest(address), afterMillis: 20 }) }
    case "drops the first connection": {
      let connections = 0
      return {
        greeting: () => (connections++ === 0 ? { do: "last", text: "421 4.3.2 Try again" } : "220 mail.test ESMTP"),
        rcpt: honest
      }
    }
  }
}
