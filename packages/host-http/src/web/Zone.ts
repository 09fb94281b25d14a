import { createContext } from "preact"

export const UTC = "UTC"

/** The time zones in which a reader may want to see times; UTC first. */
export const ZONES: ReadonlyArray<string> = [UTC, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== UTC)]

const known = new Set(ZONES)

const NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*){0,2}$/
const NAME_CHARS_MAX = 64

/**
 * The zone of the list that a name means, or null. Browsers don't agree on names: Firefox says Asia/Kolkata where Node's list
 * and Chromium have Asia/Calcutta.
 */
export const zoneNamed = (name: string): string | null => {
  if (known.has(name)) return name
  if (name.length > NAME_CHARS_MAX || !NAME.test(name)) return null
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
    return known.has(zone) ? zone : null
  } catch {
    return null
  }
}

/** The reader's time zone, in which a page shows moments. */
export const ReadersZone = createContext(UTC)
