import { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Schema } from "effect"

export interface DiffLine {
  readonly kind: "same" | "gone" | "new"
  readonly text: string
}

/** A difference between two requests for the same thing. */
export type SnapshotChange =
  | { readonly kind: "value"; readonly what: string; readonly before: string; readonly after: string }
  | {
      readonly kind: "set"
      readonly what: string
      readonly added: ReadonlyArray<string>
      readonly removed: ReadonlyArray<string>
    }
  | { readonly kind: "text"; readonly what: string; readonly lines: ReadonlyArray<DiffLine> }

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [member: string]: Json }
type JsonObject = { readonly [member: string]: Json }

const encode = Schema.encodeSync(ApprovalSnapshot)

/** Longer texts are shown as replaced as a whole: the comparison costs the product of their lines. */
const LINES_MAX = 400

/** A line diff by longest common subsequence. */
const linesBetween = (before: string, after: string): ReadonlyArray<DiffLine> => {
  const [a, b] = [before.split("\n"), after.split("\n")]
  if (a.length > LINES_MAX || b.length > LINES_MAX) {
    return [...a.map((text) => ({ kind: "gone", text }) as const), ...b.map((text) => ({ kind: "new", text }) as const)]
  }
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Array<DiffLine> = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i] ?? "" })
      i += 1
      j += 1
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", text: a[i] ?? "" })
      i += 1
    } else {
      lines.push({ kind: "new", text: b[j] ?? "" })
      j += 1
    }
  }
  return lines
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const lineOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "–"
  if (Array.isArray(value)) return value.map((one: Json) => lineOf(one)).join(", ")
  if (isObject(value)) return Object.values(value).map(lineOf).join(" · ")
  return String(value)
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" && value.includes("\n") ? value : null

const setsBetween = (what: string, before: ReadonlyArray<Json>, after: ReadonlyArray<Json>): SnapshotChange => {
  const [old, now] = [before.map(lineOf), after.map(lineOf)]
  return {
    kind: "set",
    what,
    added: now.filter((one) => !old.includes(one)),
    removed: old.filter((one) => !now.includes(one))
  }
}

/** Compares the steps part by part, so that a human sees each change of the text. */
const stepsBetween = (before: ReadonlyArray<Json>, after: ReadonlyArray<Json>): ReadonlyArray<SnapshotChange> =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [old, now] = [before[index], after[index]]
    const what = `message ${index + 1}`
    if (isObject(old) && isObject(now)) return between(old, now, `${what}, `)
    const textsOf = (step: Json | undefined): string => (isObject(step) ? lineOf(step["body"]) : "")
    return [
      { kind: "text", what, lines: linesBetween(textsOf(old), textsOf(now)).filter(({ text }) => text !== "") } as const
    ]
  }).flat()

const between = (before: JsonObject, after: JsonObject, prefix: string): ReadonlyArray<SnapshotChange> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((member): ReadonlyArray<SnapshotChange> => {
    const [old, now] = [before[member], after[member]]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    const what = `${prefix}${member}`
    if (member === "steps" && Array.isArray(old) && Array.isArray(now)) return stepsBetween(old, now)
    if (Array.isArray(old) && Array.isArray(now)) return [setsBetween(what, old, now)]
    const [oldText, nowText] = [textOf(old), textOf(now)]
    if (oldText !== null || nowText !== null || member === "body" || member === "body_text") {
      return [{ kind: "text", what, lines: linesBetween(oldText ?? lineOf(old), nowText ?? lineOf(now)) }]
    }
    return [{ kind: "value", what, before: lineOf(old), after: lineOf(now) }]
  })

/** The merged messages are compared by person, and here by what they link to and vary by. */
const contentChanges = (before: ApprovalSnapshot, after: ApprovalSnapshot): ReadonlyArray<SnapshotChange> => {
  const [old, now] = [before, after].map((one) => ("content" in one ? one.content : undefined))
  if (old === undefined || now === undefined) return []
  const sets = [
    setsBetween(
      "links to",
      old.hosts.map(({ host }) => host),
      now.hosts.map(({ host }) => host)
    ),
    setsBetween(
      "variables",
      old.variables.map(({ name }) => name),
      now.variables.map(({ name }) => name)
    )
  ]
  return sets.filter((set) => set.kind === "set" && set.added.length + set.removed.length > 0)
}

const membersOf = (snapshot: ApprovalSnapshot): JsonObject => {
  // What the workspace had is no part of what is asked for.
  const {
    content: _content,
    credits_available: _available,
    sending_domains: _domains,
    ...members
  } = encode(snapshot) as unknown as JsonObject
  return members
}

/** The differences between two requests; null if they are of different kinds. */
export const changesBetween = (
  before: ApprovalSnapshot,
  after: ApprovalSnapshot
): ReadonlyArray<SnapshotChange> | null => {
  if (before.kind !== after.kind) return null
  if (before.kind === "purchase" && after.kind === "purchase" && before.brand !== after.brand) return null
  return [...between(membersOf(before), membersOf(after), ""), ...contentChanges(before, after)]
}
