import { companyOf } from "../../kernel/people/companyOf.js"
import { ownDomainOf } from "../../kernel/people/Suffixes.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { Finding } from "../../kernel/sequences/evidence.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import { isLegalForm } from "./vocabulary.js"
import { type Source, sourceOf, type Standing, standsIn } from "./standsIn.js"
import { wordsOf } from "./words.js"

/** Members that repeat what the caller asked, and what is only proposed: no source said them. */
const ECHOED: ReadonlySet<string> = new Set([
  "question",
  "interpreted",
  "interpreted_industries",
  "budget_applied",
  "next",
  "offer",
  "title_filter",
  "matched_terms",
  "ranking",
  "window",
  "domain_status"
])

/** What a record says of when it was seen. */
const DATES = ["posted_at", "published_at", "observed_at", "announced_on", "date"] as const

/** Nothing nests this deep. */
const DEPTH_MAX = 32

type Members = Readonly<Record<string, unknown>>

/** A part of an answer: an object or a list, with everything in it. */
interface Part {
  readonly source: Source
  readonly members: Members | null
  readonly parts: ReadonlyArray<Part>
}

const LEAVES = new Set(["string", "number", "boolean"])

/** A value as a text: each member's name and value, in order. Names may stand in an excerpt, as in `"headcount": 120`. */
const lined = (value: unknown, depth: number): string => {
  if (LEAVES.has(typeof value)) return String(value)
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return ""
  if (Array.isArray(value)) return value.map((one) => lined(one, depth + 1)).join("\n")
  return Object.entries(value)
    .filter(([name]) => !ECHOED.has(name))
    .map(([name, one]) => `${name}: ${lined(one, depth + 1)}`)
    .join("\n")
}

const partOf = (value: unknown, depth: number): Part => {
  const members = Array.isArray(value) ? Object.entries(value) : Object.entries(value as Members)
  let source: Source | null = null
  let parts: ReadonlyArray<Part> | null = null
  return {
    get source() {
      return (source ??= sourceOf(lined(value, depth)))
    },
    members: Array.isArray(value) ? null : (value as Members),
    get parts() {
      return (parts ??= members
        .filter(([name, one]) => typeof one === "object" && one !== null && (Array.isArray(value) || !ECHOED.has(name)))
        .map(([, one]) => partOf(one, depth + 1)))
    }
  }
}

/** An answer, prepared once for all excerpts of it. */
export const answerOf = (bodies: ReadonlyArray<string>): Part =>
  partOf(
    bodies.flatMap((body) => {
      const value: unknown = JSON.parse(body)
      return typeof value === "object" && value !== null ? [value] : []
    }),
    0
  )

/** The smallest parts that hold the excerpt, each with the parts around it, from the outermost on. */
const holding = (part: Part, excerpt: string, depth = 0): ReadonlyArray<readonly [Standing, ReadonlyArray<Part>]> => {
  const standing = standsIn(part.source, excerpt)
  if (standing === "absent" || depth > DEPTH_MAX) return []
  const within = part.parts.flatMap((one) => holding(one, excerpt, depth + 1))
  return within.length === 0 ? [[standing, [part]]] : within.map(([how, path]) => [how, [part, ...path]] as const)
}

const textOf = (members: Members, name: string): string | null => {
  const value = members[name]
  return typeof value === "string" && value.trim() !== "" ? value : null
}

const nameWords = (name: string): ReadonlyArray<string> =>
  wordsOf(name).words.flatMap(({ text }) => (isLegalForm(text) ? [] : [text]))

/** Whether two names can be of one company: the words of one are in the other. */
export const isSameCompany = (one: string, other: string): boolean => {
  const [a, b] = [nameWords(one), nameWords(other)]
  if (a.length === 0 || b.length === 0) return false
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word))
}

/** Whether a record is about the person or their company, as far as it says; null: it doesn't say. */
const isAbout = (members: Members, recipient: Recipient, isPersonal: boolean): boolean | null => {
  const email = textOf(members, "work_email") ?? textOf(members, "email")
  if (email !== null && usableEmail(email) === recipient.email) return true
  if (email !== null && isPersonal) return false
  const domain = textOf(members, "company_domain") ?? textOf(members, "domain")
  const theirs = companyOf(recipient.email)
  const company = textOf(members, "company_name")
  if (domain !== null && theirs !== null && ownDomainOf(domain) === theirs) return true
  if (company !== null && recipient.companyName !== null) return isSameCompany(company, recipient.companyName)
  if (domain !== null) {
    const label = ownDomainOf(domain)?.split(".")[0] ?? null
    if (label !== null && recipient.companyName !== null && nameWords(recipient.companyName).join("") === label)
      return true
    return theirs === null && recipient.companyName === null ? null : false
  }
  return null
}

const dateIn = (members: Members): string | null => DATES.flatMap((name) => textOf(members, name) ?? [])[0] ?? null

/** Looks for an excerpt in an answer. `isPersonal`: the value is the person's own, such as their name. */
export const lookInAnswer = (
  answer: Part,
  of: { readonly verb: string; readonly atMillis: number },
  excerpt: string,
  recipient: Recipient,
  isPersonal: boolean
): Finding => {
  const found = holding(answer, excerpt)
  const from = { readFrom: of.verb, datedAt: new Date(of.atMillis).toISOString() }
  if (found.length === 0) return { kind: "absent", reason: "no_words", ...from }
  const theirs = found.flatMap(([standing, path]) => {
    const records = path.toReversed().flatMap(({ members }) => (members === null ? [] : [members]))
    const isTheirs =
      records.map((members) => isAbout(members, recipient, isPersonal)).find((one) => one !== null) ?? true
    const dated = records.flatMap((members) => dateIn(members) ?? [])[0] ?? null
    return isTheirs ? [{ standing, dated }] : []
  })
  if (theirs.length === 0) return { kind: "absent", reason: "about_another", ...from }
  // Of several places, the one that says it without a doubt and last.
  const [best] = theirs.toSorted(
    (a, b) =>
      Number(b.standing === "stands") - Number(a.standing === "stands") || (b.dated ?? "").localeCompare(a.dated ?? "")
  )
  return {
    kind: "found",
    reason: best?.standing === "out_of_context" ? "out_of_context" : null,
    readFrom: of.verb,
    datedAt: best?.dated ?? from.datedAt
  }
}
