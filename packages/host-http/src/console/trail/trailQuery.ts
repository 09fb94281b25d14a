import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { instantOf } from "@outbound/domain/outreach/sending/zone.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { TRAIL_KINDS, type TrailFilter, type TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { searchOf } from "../searching.js"

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The filters in a page's URL. Invalid ones are ignored. */
export interface TrailQuery {
  readonly kinds: ReadonlyArray<TrailKind>
  readonly campaignId: string | null
  readonly typedEmail: string
  /** Days of the reader's time zone, as typed; "" if none. */
  readonly since: string
  readonly until: string
  /** The valid filters, for links. */
  readonly params: URLSearchParams
}

const dateOf = (typed: string | null): string =>
  typed !== null && DATE.test(typed) && !Number.isNaN(Date.parse(typed)) ? typed : ""

export const trailQueryOf = (given: URLSearchParams): TrailQuery => {
  const kinds = TRAIL_KINDS.filter((kind) => given.getAll("kind").includes(kind))
  const campaign = given.get("campaign")
  const campaignId = campaign !== null && isUuid(campaign) ? campaign.toLowerCase() : null
  const typedEmail = searchOf(given.get("email")) ?? ""
  const [since, until] = [dateOf(given.get("since")), dateOf(given.get("until"))]
  const params = new URLSearchParams()
  for (const kind of kinds) params.append("kind", kind)
  if (campaignId !== null) params.set("campaign", campaignId)
  if (typedEmail !== "") params.set("email", typedEmail)
  if (since !== "") params.set("since", since)
  if (until !== "") params.set("until", until)
  return { kinds, campaignId, typedEmail, since, until, params }
}

/** Days are those of the reader's time zone; `until` includes its day. */
export const filterOf = (
  query: TrailQuery,
  workspaceId: string,
  zone: string
): Omit<TrailFilter, "after" | "limit"> => ({
  workspaceId,
  campaignId: query.campaignId,
  email: query.typedEmail === "" ? null : (usableEmail(query.typedEmail) ?? query.typedEmail),
  kinds: query.kinds,
  sinceMillis: query.since === "" ? null : instantOf(zone, Date.parse(query.since)),
  untilMillis: query.until === "" ? null : instantOf(zone, Date.parse(query.until) + DAY_MILLIS)
})
