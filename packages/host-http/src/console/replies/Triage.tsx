import { TRIAGE, type Triage } from "@outbound/domain/outreach/replies/triage.js"
import { grouped } from "../../web/Words.js"
import { Form, Section } from "../Parts.js"
import { ReplyItem, type Listed } from "./ReplyItem.js"

/** How many of the newest replies that nobody has handled are sorted. */
export const SORTED_MAX = 75

/** A reply that nobody has handled, and what is left to do about it. */
export interface Sorted extends Listed {
  readonly triage: Triage
}

const TITLES: Readonly<Record<Exclude<Triage, "closed">, string>> = {
  meeting: "Want to meet",
  question: "Ask a question",
  answer: "To be answered",
  later: "Later"
}

/** How many of each kind the page shows. */
const SHOWN_MAX = 25

/** What people have to do, kind by kind; many can be handled by one press. */
export const TriageSections = (props: {
  readonly of: ReadonlyArray<Sorted>
  readonly names: ReadonlyMap<string, string>
}) => {
  const { names, of } = props
  const among = (triage: Triage) => of.filter((one) => one.triage === triage)
  const open = TRIAGE.filter((triage) => triage !== "closed" && among(triage).length > 0)
  const closed = among("closed").length
  const item = (listed: Sorted) => (
    <ReplyItem
      key={listed.reply.replyId}
      of={listed.reply}
      campaignName={names.get(listed.reply.campaignId) ?? "Its campaign"}
      listed={listed}
      choice="reply"
    />
  )
  return (
    <>
      {open.length === 0 ? (
        <p class="card soft">Nothing to answer.</p>
      ) : (
        <>
          {open.map((triage) => {
            const found = among(triage)
            const title = TITLES[triage as keyof typeof TITLES]
            return (
              <Section key={triage} id={triage} title={`${title} (${grouped(found.length)})`}>
                <ul class="list">{found.slice(0, SHOWN_MAX).map(item)}</ul>
              </Section>
            )
          })}
          <Form id="bulk" class="bulk" action="/console/replies/bulk">
            <button type="submit" name="what" value="handle">
              Mark chosen as handled
            </button>
            <button type="submit" name="what" value="mine">
              Make me their owner
            </button>
          </Form>
        </>
      )}
      {closed === 0 ? null : (
        <p class="soft">
          {grouped(closed)} more {closed === 1 ? "asks" : "ask"} for nothing, such as refusals.{" "}
          <a href="/console/replies?open=yes&classification=people">Show them</a>
        </p>
      )}
    </>
  )
}
