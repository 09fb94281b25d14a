import type { MailboxChoice } from "@outbound/domain/outreach/campaigns/CampaignMailboxes.js"
import { count } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Form } from "../Fields.js"
import { Section } from "../Parts.js"
import { useViewer } from "../Shell.js"

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
