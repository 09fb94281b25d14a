import { placeOf } from "../../kernel/places/placeOf.js"
import { type Recipient, RECIPIENT, type Schedule } from "../../kernel/sequences/Sequence.js"

/** Whether people may have hours of their own under the schedule. */
export const isByRecipient = ({ recipientTimezone, skipHolidays }: Schedule): boolean =>
  recipientTimezone === true || skipHolidays?.[0] === RECIPIENT

/** Stands where a person's own zone is not known, or not kept. */
const CAMPAIGNS_ZONE = "-"

/**
 * The hours that a person of a campaign has for their own: a zone, and the country whose holidays are skipped, if they
 * are the person's. Null: the campaign's. Found once, when the person joins, so that an approval shows what is kept.
 */
export const hoursUnder = (schedule: Schedule, person: Pick<Recipient, "custom">): string | null => {
  if (!isByRecipient(schedule)) return null
  const place = placeOf(person)
  const timezone = schedule.recipientTimezone === true ? place.timezone : null
  const country = schedule.skipHolidays?.[0] === RECIPIENT ? place.country : null
  return country === null ? timezone : `${timezone ?? CAMPAIGNS_ZONE} ${country}`
}

const zoneIn = (hours: string | null): string => hours?.split(" ")[0] ?? CAMPAIGNS_ZONE

/** Whether they hold a zone of the person's own. */
export const hasOwnZone = (hours: string | null): boolean => zoneIn(hours) !== CAMPAIGNS_ZONE

/** The zone of a person with these hours. */
export const zoneOf = (schedule: Schedule, hours: string | null): string =>
  hasOwnZone(hours) ? zoneIn(hours) : schedule.timezone

/** The countries whose holidays are skipped for a person with these hours. */
export const holidaysFor = (schedule: Schedule, hours: string | null): ReadonlyArray<string> =>
  schedule.skipHolidays?.[0] === RECIPIENT ? (hours?.split(" ").slice(1) ?? []) : (schedule.skipHolidays ?? [])

/** The rules as callers gave them, and as an approval shows them. A schedule without them says nothing of them. */
export const shownHours = ({ recipientTimezone, skipHolidays }: Schedule) => ({
  ...(recipientTimezone === true ? { recipient_timezone: true as const } : {}),
  ...(skipHolidays === undefined ? {} : { skip_holidays: skipHolidays })
})
