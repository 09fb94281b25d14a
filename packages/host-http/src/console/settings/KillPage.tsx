import type { KillPreview, KillResult } from "@outbound/domain/control/Control.js"
import type { ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Facts, Field, Form, LinkLine, Note, NoteBox, Pager, type Problem, Section } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { History } from "../control/History.js"
import type { Listing } from "../paging.js"

export const historyPage = (
  options: Listing<ControlLogEntry> & {
    readonly viewer: Viewer
  }
): Reply =>
  titledPage(
    {
      title: "Change history",
      viewer: options.viewer,
      at: "settings",
      isNarrow: true,
      lead: "Who changed keys, caps, members and sending, newest first. Entries can’t be changed or deleted."
    },
    <>
      <History of={options.shown} />
      <Pager path="/console/settings/history" name="before" of={options} />
    </>
  )

/** Lists what stopping all sending does. */
export const killPage = (options: {
  readonly viewer: Viewer
  readonly preview: KillPreview
  readonly problem?: Problem | undefined
}): Reply => {
  const { preview, problem, viewer } = options
  const { activeMailboxes, campaigns, campaignsTotal, openApprovals, sending } = preview
  return titledPage(
    {
      title: "Stop all sending",
      viewer,
      at: "settings",
      isNarrow: true,
      problem,
      before:
        sending.suspendedAtMillis === null ? null : (
          <Note>
            Sending is already stopped, since <Moment atMillis={sending.suspendedAtMillis} />.
          </Note>
        )
    },
    <>
      <Section id="will" title="What happens" isCard>
        <ul>
          <li>{count(activeMailboxes, "active mailbox stops", "active mailboxes stop")} sending immediately.</li>
          <li>
            {count(campaignsTotal, "campaign is", "campaigns are")} paused, and each pause is verified with the
            provider. They can’t be resumed; rebuild them as new drafts.
          </li>
          <li>{count(openApprovals, "open approval is", "open approvals are")} cancelled.</li>
          <li>Keys stay active, but no one can buy, launch or reply until an owner resumes sending.</li>
          <li>Messages that a provider has already accepted can’t be recalled.</li>
        </ul>
        {campaigns.length === 0 ? null : (
          <details>
            <summary>Campaigns</summary>
            <ul>
              {campaigns.map(({ campaignId, name }) => (
                <li key={campaignId}>
                  <a href={`/console/campaigns/${campaignId}`}>{name}</a>
                </li>
              ))}
            </ul>
            {campaignsTotal > campaigns.length ? <p>and {grouped(campaignsTotal - campaigns.length)} more.</p> : null}
          </details>
        )}
      </Section>
      {mayLoosen(viewer) ? (
        <Form class="card" action="/console/settings/kill">
          <Field label="Reason" name="reason" required maxLength={500} hint="Shown in the trail and to agents." />
          <div class="actions">
            <a class="button" href="/console/settings">
              Cancel{" "}
            </a>
            <button class="stop full" type="submit">
              Stop all sending now
            </button>
          </div>
        </Form>
      ) : (
        <Note>Only an owner can stop all sending here.</Note>
      )}
    </>
  )
}

/** Reports what was stopped. */
export const killedPage = (viewer: Viewer, of: KillResult): Reply =>
  titledPage(
    { title: "All sending stopped", viewer, at: "settings", isNarrow: true },
    <>
      <Facts
        of={[
          ["Since", <Moment atMillis={of.suspendedAtMillis} />],
          ["Reason", of.reason],
          ["Campaigns paused", grouped(of.campaignsPaused)],
          ["Approvals cancelled", grouped(of.approvalsCancelled)]
        ]}
      />
      {of.campaignsUnconfirmed.length === 0 ? (
        <Note tone="good" role="status">
          Every pause was verified with the provider.
        </Note>
      ) : (
        <NoteBox role="status">
          <p>The pause of {count(of.campaignsUnconfirmed.length, "campaign")} is not verified yet. We keep checking:</p>
          <ul>
            {of.campaignsUnconfirmed.map((campaignId) => (
              <li key={campaignId}>
                <a href={`/console/campaigns/${campaignId}`}>{campaignId}</a>
              </li>
            ))}
          </ul>
        </NoteBox>
      )}
      <LinkLine to="/console/settings" text="Back to settings" />
    </>
  )
