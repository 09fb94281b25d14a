import type { KillPreview, KillResult } from "@outbound/domain/control/Control.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Csrf, Field, Note, type Problem, ProblemNote } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

/** What it will do, said first. */
export const killPage = (options: {
  readonly viewer: Viewer
  readonly preview: KillPreview
  readonly problem?: Problem | undefined
}): Reply => {
  const { preview, problem, viewer } = options
  const { activeMailboxes, campaigns, campaignsTotal, openApprovals, sending } = preview
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "Stop all sending",
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>Stop all sending</h1>
        {sending.suspendedAtMillis === null ? null : (
          <Note>
            <p>
              It is stopped already, since <Moment atMillis={sending.suspendedAtMillis} />.
            </p>
          </Note>
        )}
        <ProblemNote of={problem} />
        <section class="card" aria-labelledby="will">
          <h2 id="will">What it will do</h2>
          <ul>
            <li>
              No message leaves any of {count(activeMailboxes, "active mailbox", "active mailboxes")} any more, at once.
            </li>
            <li>
              {count(campaignsTotal, "campaign is", "campaigns are")} paused, and each pause is verified with the
              provider. They never restart by themselves: rebuild them as new drafts.
            </li>
            <li>{count(openApprovals, "open approval is", "open approvals are")} cancelled.</li>
            <li>
              Keys stay as they are; nothing can be bought, launched or answered until an owner allows sending again.
            </li>
            <li>Mail that a provider has accepted already can’t be called back.</li>
          </ul>
          {campaigns.length === 0 ? null : (
            <details>
              <summary>The campaigns</summary>
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
        </section>
        {mayLoosen(viewer) ? (
          <form class="card" method="post" action="/console/settings/kill">
            <Csrf viewer={viewer} />
            <Field
              label="Why"
              name="reason"
              required
              maxLength={500}
              value={problem?.form.get("reason") ?? ""}
              hint="It stands in the trail, and agents are told."
            />
            <div class="actions">
              <a class="button" href="/console/settings">
                Don’t
              </a>
              <button class="stop full" type="submit">
                Stop all sending now
              </button>
            </div>
          </form>
        ) : (
          <Note>
            <p>Only an owner may do this here.</p>
          </Note>
        )}
      </>
    )
  })
}

/** What it did. */
export const killedPage = (viewer: Viewer, of: KillResult): Reply =>
  consolePage({
    title: "All sending is stopped",
    // Said below; the line on top comes with the next page.
    viewer,
    at: "settings",
    isNarrow: true,
    children: (
      <>
        <h1>All sending is stopped</h1>
        <dl class="facts card">
          <dt>Since</dt>
          <dd>
            <Moment atMillis={of.suspendedAtMillis} />
          </dd>
          <dt>Why</dt>
          <dd>{of.reason}</dd>
          <dt>Campaigns paused</dt>
          <dd>{grouped(of.campaignsPaused)}</dd>
          <dt>Approvals cancelled</dt>
          <dd>{grouped(of.approvalsCancelled)}</dd>
        </dl>
        {of.campaignsUnconfirmed.length === 0 ? (
          <Note tone="good" role="status">
            <p>Every pause is verified.</p>
          </Note>
        ) : (
          <Note role="status">
            <p>
              Of {count(of.campaignsUnconfirmed.length, "campaign", "campaigns")} the pause is not verified yet. It is
              tried again until it is:
            </p>
            <ul>
              {of.campaignsUnconfirmed.map((campaignId) => (
                <li key={campaignId}>
                  <a href={`/console/campaigns/${campaignId}`}>{campaignId}</a>
                </li>
              ))}
            </ul>
          </Note>
        )}
        <p>
          <a href="/console/settings">Back to settings</a>
        </p>
      </>
    )
  })
