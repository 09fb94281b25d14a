import type { MailboxChoice } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import type { CampaignDay } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Handling, ReferralState, Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { referralIn } from "@outbound/domain/outreach/meaning/understood.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { count, Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Form, Section, StateBadge, type StateWords } from "../Parts.js"
import { useViewer } from "../Viewer.js"
import { DayChart, everyDay } from "../DayChart.js"

/** The newest of those whom a campaign's replies name. */
export const NAMED_SHOWN_MAX = 20

/** A person whom a reply of the campaign names, and what was decided. */
export interface Named {
  readonly replyId: string
  readonly fromEmail: string
  readonly referredEmail: string
  readonly receivedAtMillis: number
  readonly state: ReferralState
}

const WORDS: Readonly<Record<ReferralState, StateWords>> = {
  open: ["Waits for a decision", "wait"],
  approved: ["Added by a person", "good"],
  declined: ["Not to be written to", undefined]
}

export const namedOf = (replies: ReadonlyArray<Reply>, handling: ReadonlyMap<string, Handling>): ReadonlyArray<Named> =>
  replies.flatMap((reply) => {
    const { fromEmail, receivedAtMillis, replyId } = reply
    const state = handling.get(replyId)?.referral ?? null
    const referredEmail = referralIn(reply)
    return state === null || referredEmail === null
      ? []
      : [{ replyId, fromEmail, referredEmail, receivedAtMillis, state }]
  })

/** Who was named by whom, and what became of it. The decision itself is made where the reply is read. */
export const NamedSection = (props: { readonly of: ReadonlyArray<Named>; readonly path: string }) =>
  props.of.length === 0 ? null : (
    <Section id="named" title="People whom replies name">
      <ul class="list">
        {props.of.slice(0, NAMED_SHOWN_MAX).map(({ fromEmail, receivedAtMillis, referredEmail, replyId, state }) => (
          <li key={replyId} class="card">
            <p>
              <a href={`${props.path}?q=${encodeURIComponent(referredEmail)}#list`}>{referredEmail}</a>{" "}
              <StateBadge of={WORDS[state]} />
            </p>
            <p class="soft">
              Named by {fromEmail} in <a href={`/console/replies/${replyId}`}>a reply</a>,{" "}
              <Moment atMillis={receivedAtMillis} />
            </p>
          </li>
        ))}
      </ul>
      {props.of.length > NAMED_SHOWN_MAX ? <p class="soft">These are the newest {NAMED_SHOWN_MAX}.</p> : null}
    </Section>
  )

/** Most days that the page shows, and how many it shows at least. */
export const DAYS_SHOWN_MAX = 60
const DAYS_SHOWN_MIN = 14

/** Messages, replies and bounces by day, up to the last day on which anything happened. `of`: newest first. */
export const DaysSection = (props: { readonly of: ReadonlyArray<CampaignDay> }) => {
  const newest = props.of[0]?.dayMillis
  const oldest = props.of.at(-1)?.dayMillis
  const byDay = new Map(props.of.map((day) => [day.dayMillis, day]))
  if (newest === undefined || oldest === undefined) return null
  const first = newest - (DAYS_SHOWN_MAX - 1) * DAY_MILLIS
  const days = everyDay(Math.max(first, Math.min(oldest, newest - (DAYS_SHOWN_MIN - 1) * DAY_MILLIS)), newest)
  const valuesOf = (what: "sent" | "replied" | "bounced") => days.map((dayMillis) => byDay.get(dayMillis)?.[what] ?? 0)
  return (
    <Section id="days" title="Day by day">
      {oldest < first ? <p class="soft">The last {DAYS_SHOWN_MAX} days.</p> : null}
      <DayChart
        id="day"
        label="Messages sent, replies and bounces by day"
        days={days}
        series={[
          { name: "Sent", one: "message sent", many: "messages sent", values: valuesOf("sent") },
          { name: "Replied", one: "person replied", many: "people replied", values: valuesOf("replied") },
          {
            name: "Bounced",
            one: "address bounced",
            many: "addresses bounced",
            values: valuesOf("bounced"),
            isBad: true
          }
        ]}
      />
    </Section>
  )
}

/** Most mailboxes that one page names of each kind; the rest are counted. */
const NAMED_MAX = 100

const Rest = (props: { readonly of: ReadonlyArray<unknown> }) =>
  props.of.length <= NAMED_MAX ? null : (
    <li class="soft">and {count(props.of.length - NAMED_MAX, "more mailbox", "more mailboxes")}</li>
  )

/** From where a launched campaign sends, and what an owner may add. */
export const Mailboxes = (props: { readonly of: MailboxChoice; readonly path: string }) => {
  const { of, path } = props
  const isOwner = mayLoosen(useViewer())
  return (
    <Section id="mailboxes" title="Sends from">
      {of.bound.length === 0 ? (
        <p class="card soft">None of its mailboxes is active.</p>
      ) : (
        <ul class="card">
          {of.bound.slice(0, NAMED_MAX).map(({ address, mailboxId }) => (
            <li key={mailboxId}>{address}</li>
          ))}
          <Rest of={of.bound} />
        </ul>
      )}
      {of.others.length === 0 ? null : (
        <>
          <h3>Doesn’t send from</h3>
          <p class="soft">
            These mailboxes were not on the page when the campaign was approved. An added one takes over its share of
            the people who were sent nothing yet.
          </p>
          <MayNote path={path} loosening="add a mailbox" />
          <ul class="card">
            {of.others.slice(0, NAMED_MAX).map(({ address, mailboxId }) => (
              <li key={mailboxId}>
                {address}
                {isOwner ? (
                  <Form action={`${path}/mailboxes`} button="Add" about={address}>
                    <input type="hidden" name="mailbox" value={mailboxId} />
                  </Form>
                ) : null}
              </li>
            ))}
            <Rest of={of.others} />
          </ul>
        </>
      )}
    </Section>
  )
}
