import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { AttentionStanding } from "@outbound/domain/control/attention/Attention.js"
import type { Rate } from "@outbound/domain/control/attention/rates.js"
import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import type { Reply } from "../../http/Reply.js"
import { grouped } from "../../web/Words.js"
import { titleOf } from "../ApprovalWords.js"
import { Form, Nothing, Table } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { BeginForm } from "./AttentionPart.js"
import { percentOf } from "./attentionWords.js"
import { Marked, spelledOut } from "./Marked.js"
import { MergedLegend, MergedMessages } from "./MergedMessages.js"

/** One message at a time. Nothing on the page tells a planted one from a real one. */
export const lookPage = (options: {
  readonly viewer: Viewer
  readonly of: Approval
  readonly standing: AttentionStanding
  /** The position that is shown, and whose values stand there; null: they are not kept any more. */
  readonly at: number
  readonly person: ShownPerson | null
}): Reply => {
  const { at, of, person, standing, viewer } = options
  const { approvalId, snapshot } = of
  const path = `/console/approvals/${approvalId}`
  const title = titleOf(snapshot)
  const items = standing.own?.plan.items.length ?? 0
  return titledPage(
    {
      title: standing.own === null ? "Look before you approve" : `Message ${at + 1} of ${items}`,
      viewer,
      at: "approvals",
      isNarrow: true,
      lead: (
        <a href={`${path}#attention`}>
          <Marked text={spelledOut(title)} />
        </a>
      )
    },
    standing.own === null ? (
      <section class="card" aria-label="Begin">
        <BeginForm approvalId={approvalId} of={standing} />
      </section>
    ) : (
      <>
        <MergedLegend />
        {person === null || !("steps" in snapshot) ? (
          <Nothing>The values of this lead are not kept any more.</Nothing>
        ) : (
          <MergedMessages
            campaignId={snapshot.campaign_id}
            steps={snapshot.steps}
            postalAddress={snapshot.postal_address}
            recipient={person}
            words={person.words}
            texts={snapshot.words?.texts ?? {}}
            heading="h2"
          />
        )}
        <section class="card decide" aria-label="What you see">
          <p class="gist">{at === 0 ? null : <a href={`${path}/look?at=${at - 1}`}>Back to the one before</a>}</p>
          {(["wrong", "right"] as const).map((verdict) => (
            <Form
              key={verdict}
              action={`${path}/look/say`}
              button={verdict === "right" ? "Looks right" : "Something is wrong"}
              tone={verdict === "right" ? "go" : "stop"}
            >
              <input type="hidden" name="at" value={String(at)} />
              <input type="hidden" name="verdict" value={verdict} />
            </Form>
          ))}
        </section>
      </>
    )
  )
}

/** How each approver looked at messages before they approved. */
export const attentionPage = (options: { readonly viewer: Viewer; readonly rates: ReadonlyArray<Rate> }): Reply =>
  titledPage(
    {
      title: "How approvers look",
      viewer: options.viewer,
      at: "approvals",
      lead: "Of the latest requests that are decided. A planted fault stands in a message that no lead gets."
    },
    <Table
      label="Approvers"
      head={["Approver", "Requests", "Messages looked at", "Said to be wrong", "Planted faults seen", "Share"]}
      numbers={[1, 2, 3, 4, 5]}
      none="Nobody was asked to look at messages yet."
      rows={options.rates.map(({ caught, email, looked, planted, requests, wrong }) => [
        email,
        grouped(requests),
        grouped(looked),
        grouped(wrong),
        `${grouped(caught)} of ${grouped(planted)}`,
        planted === 0 ? "–" : percentOf(caught, planted)
      ])}
    />
  )
