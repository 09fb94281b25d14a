import { Effect, Option } from "effect"
import type { DomainRecords } from "../mail/DomainRecords.js"
import { isGreen, type Planned, planRecords } from "./planRecords.js"
import { countSpfLookups, isSpf, SPF_LOOKUPS_MAX } from "./spf.js"
import { namesOf, type RecordSet, type SetsAt, type Wishes } from "./Wishes.js"

const LOOKUPS_AT_ONCE = 4

const setsOf = (name: string, found: Readonly<Record<string, ReadonlyArray<string>>>): ReadonlyArray<RecordSet> =>
  Object.entries(found).flatMap(([type, values]) => (values.length === 0 ? [] : [{ name, type, values }]))

/** What the name servers of the world say of a name. A CNAME hides what stands behind it. */
const liveSets = (records: DomainRecords["Service"], name: string, withMx: boolean) =>
  Effect.gen(function* () {
    const alias = yield* records.cname(name)
    if (alias.length > 0) return setsOf(name, { CNAME: alias })
    const [texts, hosts] = yield* Effect.all([records.txt(name), withMx ? records.mx(name) : Effect.succeed([])])
    return setsOf(name, { TXT: texts, MX: hosts.map((host) => `10 ${host}`) })
  })

/** A record that takes too many look-ups is a conflict. If they can't be counted now, it stays as planned. */
export const withinLookups = (
  records: DomainRecords["Service"],
  plan: ReadonlyArray<Planned>
): Effect.Effect<ReadonlyArray<Planned>> =>
  Effect.forEach(plan, (planned) => {
    const spf = planned.kind === "spf" && planned.action !== "conflict" ? planned.after.find(isSpf) : undefined
    if (spf === undefined) return Effect.succeed(planned)
    return Effect.map(Effect.option(countSpfLookups(records, spf)), (count): Planned => {
      if (Option.isNone(count) || count.value <= SPF_LOOKUPS_MAX) return planned
      const reason = `With it, the SPF record would take more than ${SPF_LOOKUPS_MAX} look-ups, which receivers treat as an error. Remove terms that are no longer needed.`
      return { ...planned, action: "conflict", reason }
    })
  })

/** The wishes beside what the name servers say now. */
export const planLive = (records: DomainRecords["Service"], wishes: Wishes): Effect.Effect<ReadonlyArray<Planned>> =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(
      namesOf(wishes),
      (name) =>
        Effect.map(
          Effect.option(liveSets(records, name, name === wishes.domain)),
          (sets) => [name, Option.getOrNull(sets)] as const
        ),
      { concurrency: LOOKUPS_AT_ONCE }
    )
    const byName = new Map<string, ReadonlyArray<RecordSet> | null>(found)
    const at: SetsAt = (name) => byName.get(name) ?? null
    return yield* withinLookups(records, planRecords(wishes, at))
  })

export const isLiveGreen = (records: DomainRecords["Service"], wishes: Wishes): Effect.Effect<boolean> =>
  Effect.map(planLive(records, wishes), isGreen)
