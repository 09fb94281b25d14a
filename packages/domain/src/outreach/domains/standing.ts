import type { ZoneChange } from "./DnsZones.js"
import { added, removed } from "./planRecords.js"
import { canonical, type RecordSet } from "./Wishes.js"

/** How an approved change stands beside what its zone holds now. */
export type Standing = "due" | "done" | "changed"

const holds = (type: string, values: ReadonlyArray<string>, value: string): boolean =>
  values.some((one) => canonical(type, one) === canonical(type, value))

/** Whether nothing stands there that was in neither picture, and nothing that was to stay is gone. */
export const isBetween = ({ after, before, type }: ZoneChange, values: ReadonlyArray<string>): boolean =>
  values.every((value) => holds(type, before, value) || holds(type, after, value)) &&
  before.filter((value) => holds(type, after, value)).every((value) => holds(type, values, value))

/** Whether what was to come stands there and what was to go is gone, whatever else was added meanwhile. */
export const isSet = (change: ZoneChange, values: ReadonlyArray<string>): boolean =>
  added(change).every((value) => holds(change.type, values, value)) &&
  !removed(change).some((value) => holds(change.type, values, value))

/**
 * `due`: all is as the owner saw it, or half done if we asked for it before. `changed`: somebody else was at it.
 */
export const standingOf = (change: ZoneChange, sets: ReadonlyArray<RecordSet>, wasAsked: boolean): Standing => {
  const { before, name, type } = change
  const here = sets.filter((set) => set.name === name)
  const values = here.filter((set) => set.type === type).flatMap((set) => set.values)
  if (isSet(change, values)) return "done"
  const isBlocked = here.some((set) =>
    set.type === type ? set.isSpecial === true : type === "CNAME" || set.type === "CNAME"
  )
  const isComplete = wasAsked || before.every((value) => holds(type, values, value))
  const isStrange = !isBetween(wasAsked ? change : { ...change, after: before }, values)
  return isBlocked || isStrange || !isComplete ? "changed" : "due"
}
