import { Letters } from "./canary/Letters.js"
import type { Measure } from "./Measure.js"

/** By wing, with an own mailbox at each of these organisations. */
const MEASURES: ReadonlyArray<new (organisations: ReadonlyArray<string>) => Measure> = [Letters]

export const measuresAt = (organisations: ReadonlyArray<string>): ReadonlyArray<Measure> =>
  MEASURES.map((Wing) => new Wing(organisations))
