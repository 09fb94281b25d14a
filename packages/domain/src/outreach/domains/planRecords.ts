import { Result } from "effect"
import { isSpf, mergeSpf } from "./spf.js"
import { canonical, mxHost, type RecordSet, type RecordType, type SetsAt, type Wishes } from "./Wishes.js"

/** DMARC records (RFC 7489): made, or completed without weakening what stands there. */

const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text)

/** A receiver need not send its reports to more addresses (RFC 7489 §6.2 leaves the limit to it). */
const REPORT_ADDRESSES_MAX = 2

const RUA = /(^|;)(\s*rua\s*=\s*)([^;]*)/i

const withReports = (record: string, address: string): Result.Result<string, string> => {
  const wanted = `mailto:${address}`
  const given = RUA.exec(record)?.[3]
  if (given === undefined) return Result.succeed(`${record.trim().replace(/;$/, "")}; rua=${wanted}`)
  const addresses = given
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
  if (addresses.some((one) => one.toLowerCase().replace(/![0-9]+[kmgt]?$/, "") === wanted.toLowerCase())) {
    return Result.succeed(record)
  }
  if (addresses.length >= REPORT_ADDRESSES_MAX) {
    return Result.fail(
      `The DMARC record already names ${addresses.length} addresses for reports. Replace one of them by ${wanted}.`
    )
  }
  return Result.succeed(record.replace(RUA, (_, start, tag) => `${start}${tag}${[...addresses, wanted].join(",")}`))
}

/** The record that also sends its reports there. Its policy stays; a new one only observes. Left: why we leave it. */
export const mergeDmarc = (found: ReadonlyArray<string>, reportsTo: string): Result.Result<string, string> => {
  const [record] = found
  if (record === undefined) return Result.succeed(`v=DMARC1; p=none; rua=mailto:${reportsTo}`)
  if (found.length > 1) {
    return Result.fail(`There are ${found.length} DMARC records, so receivers ignore them. Keep one.`)
  }
  if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
    return Result.fail(
      "The DMARC record has no valid policy, so receivers ignore it. Give it “p=none” or a stricter one."
    )
  }
  return withReports(record, reportsTo)
}

/** What has to happen to a record. `unknown`: the name servers did not say what stands there. */
export const PLAN_ACTIONS = ["create", "merge", "leave", "conflict", "unknown"] as const
export type PlanAction = (typeof PLAN_ACTIONS)[number]

export type RecordKind = "spf" | "dkim" | "dmarc" | "mx"

/** A wished record beside what stands at its name. */
export interface Planned {
  readonly kind: RecordKind
  readonly name: string
  readonly type: RecordType
  readonly action: PlanAction
  /** Every value of the name and type, as found: also what others put there. */
  readonly before: ReadonlyArray<string>
  /** Every value that shall stand there. Of a conflict: what we would like. */
  readonly after: ReadonlyArray<string>
  /** Of a conflict: why we don't touch it, and how to mend it. */
  readonly reason: string | null
}

export const added = ({ after, before, type }: Pick<Planned, "after" | "before" | "type">): ReadonlyArray<string> =>
  after.filter((value) => !before.some((one) => canonical(type, one) === canonical(type, value)))

export const removed = ({ after, before, type }: Pick<Planned, "after" | "before" | "type">): ReadonlyArray<string> =>
  before.filter((value) => !after.some((one) => canonical(type, one) === canonical(type, value)))

/** What happens to the records of a plan: these, and nothing else. */
export const changesOf = (plan: ReadonlyArray<Planned>): ReadonlyArray<Planned> =>
  plan.filter(({ action }) => action === "create" || action === "merge")

export const isGreen = (plan: ReadonlyArray<Planned>): boolean => plan.every(({ action }) => action === "leave")

type Place = Pick<Planned, "kind" | "name" | "type">

const conflict = (
  place: Place,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  reason: string
): Planned => ({
  ...place,
  action: "conflict",
  before,
  after,
  reason
})

const settled = (place: Place, before: ReadonlyArray<string>, after: ReadonlyArray<string>): Planned => {
  const [more, less] = [added({ ...place, before, after }), removed({ ...place, before, after })]
  const action = more.length + less.length === 0 ? "leave" : less.length === 0 ? "create" : "merge"
  return { ...place, action, before, after: action === "leave" ? before : after, reason: null }
}

const valuesOf = (sets: ReadonlyArray<RecordSet>, type: string): ReadonlyArray<string> =>
  sets.filter((set) => set.type === type).flatMap(({ values }) => values)

/** Plans what is alike for every type: unknown names, aliases, and names that stand for another. */
const planAt = (
  at: SetsAt,
  place: Place,
  wish: ReadonlyArray<string>,
  of: (before: ReadonlyArray<string>, sets: ReadonlyArray<RecordSet>) => Planned
): Planned => {
  const sets = at(place.name)
  if (sets === null) return { ...place, action: "unknown", before: [], after: wish, reason: null }
  const before = valuesOf(sets, place.type)
  if (sets.some(({ isSpecial, type }) => isSpecial === true && (type === place.type || type === "CNAME"))) {
    return conflict(place, before, wish, `The record at ${place.name} follows rules of its DNS host. Change it there.`)
  }
  const alias = place.type === "CNAME" ? [] : valuesOf(sets, "CNAME")
  if (alias.length > 0) {
    const reason = `${place.name} is a CNAME of ${alias.join(", ")}, so no other record can stand there. Remove it first.`
    return conflict(place, alias, wish, reason)
  }
  return of(before, sets)
}

const planText = (
  at: SetsAt,
  place: Place,
  isOurs: (text: string) => boolean,
  merge: (found: ReadonlyArray<string>) => Result.Result<string, string>
): Planned => {
  const wish = Result.getOrElse(merge([]), () => "")
  return planAt(at, place, [wish], (before) => {
    const merged = merge(before.filter(isOurs))
    if (Result.isFailure(merged)) return conflict(place, before.filter(isOurs), [wish], merged.failure)
    return settled(place, before, [...before.filter((text) => !isOurs(text)), merged.success])
  })
}

/** A DKIM key without its white space and in one order, as `tag=value`. */
const keyTags = (text: string): string =>
  text
    .replaceAll(/\s+/g, "")
    .split(";")
    .filter((tag) => tag !== "" && !/^v=DKIM1$/i.test(tag) && !/^k=rsa$/i.test(tag) && !/^n=/i.test(tag))
    .toSorted()
    .join(";")

const planDkim = (at: SetsAt, domain: string, { selector, type, value }: Wishes["dkim"][number]): Planned => {
  const place = { kind: "dkim", name: `${selector}._domainkey.${domain}`, type } as const
  const other = `Another record stands at ${place.name}. If nothing signs with it any more, remove it. Otherwise, use another selector.`
  return planAt(at, place, [value], (before, sets) => {
    const isSame = (found: string) =>
      type === "TXT" ? keyTags(found) === keyTags(value) : canonical(type, found) === canonical(type, value)
    const strangers = type === "CNAME" ? sets.filter((set) => set.type !== "CNAME").flatMap(({ values }) => values) : []
    if (before.length === 1 && before.every(isSame))
      return { ...place, action: "leave", before, after: before, reason: null }
    return before.length + strangers.length > 0
      ? conflict(place, [...before, ...strangers], [value], other)
      : settled(place, before, [value])
  })
}

const planMx = (at: SetsAt, { domain, mx }: Wishes): Planned => {
  const place = { kind: "mx", name: domain, type: "MX" } as const
  return planAt(at, place, mx, (before) => {
    const [found, wanted] = [new Set(before.map(mxHost)), new Set(mx.map(mxHost))]
    const isSame = found.size === wanted.size && [...found].every((host) => wanted.has(host))
    if (isSame) return { ...place, action: "leave", before, after: before, reason: null }
    return before.length === 0
      ? settled(place, before, mx)
      : conflict(
          place,
          before,
          mx,
          `The mail of ${domain} goes elsewhere today. Change its MX records yourself once nothing needs them.`
        )
  })
}

/**
 * What has to happen for the wishes to stand. It only adds, and completes one SPF and one DMARC record; whatever else
 * stands there stays. What we can't complete without taking something away is a conflict, for a person.
 */
export const planRecords = (wishes: Wishes, at: SetsAt): ReadonlyArray<Planned> => {
  const { dkim, domain, mx, reportsTo, spf } = wishes
  return [
    planText(at, { kind: "spf", name: domain, type: "TXT" }, isSpf, (found) => mergeSpf(found, spf)),
    ...dkim.map((wish) => planDkim(at, domain, wish)),
    planText(at, { kind: "dmarc", name: `_dmarc.${domain}`, type: "TXT" }, isDmarc, (found) =>
      mergeDmarc(found, reportsTo)
    ),
    ...(mx.length === 0 ? [] : [planMx(at, wishes)])
  ]
}
