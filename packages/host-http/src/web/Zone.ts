import { createContext } from "preact"

export const UTC = "UTC"

/** The time zones in which a reader may want to see times; UTC first. */
export const ZONES: ReadonlyArray<string> = [UTC, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== UTC)]

const known = new Set(ZONES)

export const isZone = (name: string): boolean => known.has(name)

/** The reader's time zone, in which a page shows moments. */
export const ReadersZone = createContext(UTC)
