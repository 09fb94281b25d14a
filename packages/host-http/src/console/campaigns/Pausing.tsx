import { owner } from "@outbound/domain/control/access.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { CampaignPauses } from "@outbound/domain/outreach/launching/pausing/CampaignPauses.js"
import { PAUSE_REASON_CHARS_MAX } from "@outbound/domain/verbs/PauseCampaign.js"
import { Effect } from "effect"
import { seeOther } from "../../web/Page.js"
import { acting, mayLoosen } from "../control/acting.js"
import { Field, Form, Note } from "../Parts.js"
import { messagePage } from "../Shell.js"
import { useViewer } from "../Viewer.js"
import { pages } from "../pages.js"
import { type Inside, member, type Page } from "../Visit.js"

/** Pauses a campaign that runs, and resumes one that is paused. */
export const Pausing = (props: { readonly of: Campaign; readonly path: string }) => {
  const viewer = useViewer()
  const { pauseReason, state } = props.of
  if (CampaignMachine.is.running(state)) {
    return (
      <details class="fold card">
        <summary>Pause this campaign</summary>
        <Form action={`${props.path}/pause`} button="Pause" tone="stop">
          <p>
            No further message of it leaves. Messages that a mail server already has can’t be held back. An owner
            resumes it here; what was approved needs no other approval.
          </p>
          <Field
            label="Reason (optional)"
            name="reason"
            maxLength={PAUSE_REASON_CHARS_MAX}
            hint="Shown in the trail."
          />
        </Form>
      </details>
    )
  }
  if (!CampaignMachine.is.paused(state) || pauseReason === "killed") return null
  return mayLoosen(viewer) ? (
    <Form class="card" action={`${props.path}/resume`} button="Resume" tone="go">
      <p>
        It goes on with what was approved, to the people for whom it was approved. People who were added and not
        approved stay out.
      </p>
    </Form>
  ) : (
    <Note>Only an owner can resume this campaign here.</Note>
  )
}

export const pausingPages = pages({ campaignPauses: CampaignPauses }, ({ campaignPauses }) => {
  const doing = (visit: Inside, work: ReturnType<typeof campaignPauses.resume>): Page => {
    const path = `/console/campaigns/${visit.id}` as const
    return work.pipe(
      Effect.as(seeOther(path)),
      Effect.catchIf(isWireError, ({ code, message }) =>
        Effect.succeed(
          messagePage({
            status: code === "not_found" ? 404 : 409,
            title: "Nothing was changed",
            text: message,
            viewer: visit.viewer,
            to: { path, text: "Go back" }
          })
        )
      )
    )
  }
  const by = ({ by: { user }, id, workspaceId }: Inside) => ({ workspaceId, campaignId: id, by: user.email })

  const pause = (visit: Inside): Page => {
    const reason = (visit.form.get("reason") ?? "").trim().slice(0, PAUSE_REASON_CHARS_MAX)
    return doing(visit, campaignPauses.pause(by(visit), reason === "" ? null : reason))
  }

  const resume = (visit: Inside): Page =>
    owner(visit.by).pipe(
      Effect.matchEffect({
        onFailure: (refused) => acting(visit, `/console/campaigns/${visit.id}`, Effect.fail(refused)),
        onSuccess: () => doing(visit, campaignPauses.resume(by(visit)))
      })
    )

  return [
    member("/console/campaigns/:id/pause", { post: pause }),
    member("/console/campaigns/:id/resume", { post: resume })
  ]
})
