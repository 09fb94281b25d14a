import { isTheirs, type Person } from "../erasure/blank.js"

/** Nothing nests this deep. */
const DEPTH_MAX = 32

const visit = (person: Person, value: unknown, depth: number): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null || depth === 0) return []
  if (!Array.isArray(value) && isTheirs(person, value)) return [value]
  return Object.values(value).flatMap((member) => visit(person, member, depth - 1))
}

/** The parts of a JSON text that are about them, and nothing beside these: the rest may be about others. */
export const aboutThem = (person: Person, text: string): ReadonlyArray<unknown> =>
  visit(person, JSON.parse(text), DEPTH_MAX)
