// What vendors that schedule campaigns themselves have in common.

import { type Weekday, WEEKDAYS } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { VendorPerson, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Clock, Effect } from "effect"
import type { VendorHttp } from "../VendorHttp.js"

const NAME_CHARS_MAX = 120

/** A reply may still get listed for this long. */
const LATE_MILLIS = 5 * 60_000

/** The end of a campaign's name: our marker. */
export const suffixOf = (marker: string): string => ` [${marker}]`

export const nameOf = ({ marker, title }: Pick<VendorTerms, "marker" | "title">): string =>
  `${title.slice(0, NAME_CHARS_MAX)}${suffixOf(marker)}`

const hour = (value: number): string => (value === 24 ? "23:59" : `${String(value).padStart(2, "0")}:00`)

/** When messages leave: `HH:MM` to `HH:MM`. */
export const hoursOf = ({ schedule }: VendorTerms) => [hour(schedule.startHour), hour(schedule.endHour)] as const

/** The day of the week by its number there. */
export const dayOf = (index: number, { first_weekday }: { readonly first_weekday: "sunday" | "monday" }): Weekday =>
  WEEKDAYS[((first_weekday === "sunday" ? 6 : 0) + index) % 7] ?? "mon"

/** What is known of a person. */
export const namesOf = ({ companyName, email, firstName, lastName }: VendorPerson) => ({
  email,
  ...(firstName === null ? {} : { first_name: firstName }),
  ...(lastName === null ? {} : { last_name: lastName }),
  ...(companyName === null ? {} : { company_name: companyName })
})

export const withoutBrackets = (messageId: string | null): string | null =>
  messageId?.trim().replace(/^<|>$/g, "") ?? null

/** Whether a reply of ours was sent, once its vendor should list it. Absence from the list proves nothing. */
export const sentIf = (
  http: VendorHttp,
  isListed: boolean,
  askedAtMillis: number
): Effect.Effect<"sent" | "unknowable", ProviderFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
    if (isListed) return Effect.succeed("sent")
    return nowMillis - askedAtMillis > LATE_MILLIS
      ? Effect.succeed("unknowable")
      : Effect.fail(http.failed("transient", "it is not listed yet"))
  })
