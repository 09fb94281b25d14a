import type { Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { referralIn } from "@outbound/domain/outreach/replies/understood.js"
import { Effect, Option, Schema } from "effect"
import { Form, Section } from "../Parts.js"
import { seeOther } from "../../web/Page.js"
import { makeInOwnName } from "../inOwnName/inOwnName.js"
import { messagePage, missingPage } from "../Shell.js"
import { type ConsoleServices, type Inside, member, type Page, type Route } from "../Visit.js"

/** A person whom a reply names, and the campaign to which they would be added. */
export interface Referral {
  readonly replyId: string
  readonly fromEmail: string
  readonly referredEmail: string
  readonly campaignId: string
  readonly campaignName: string
}

/** Those of the replies that name somebody to write to instead. */
export const referralsOf = (
  replies: ReadonlyArray<Received>,
  names: ReadonlyMap<string, string>
): ReadonlyArray<Referral> =>
  replies.flatMap((reply) => {
    const referredEmail = referralIn(reply)
    return referredEmail === null
      ? []
      : [
          {
            replyId: reply.replyId,
            fromEmail: reply.fromEmail,
            referredEmail,
            campaignId: reply.campaignId,
            campaignName: names.get(reply.campaignId) ?? "its campaign"
          }
        ]
  })

/** The form binds what it shows: this person, named in this reply, into this campaign. */
const shownReferral = ({ campaignId, referredEmail, replyId }: Referral): string =>
  JSON.stringify([replyId, campaignId, referredEmail])

/** People whom replies name. Nobody writes to one before a person says so. */
export const ReferralsSection = (props: { readonly of: ReadonlyArray<Referral> }) =>
  props.of.length === 0 ? null : (
    <Section id="referrals" title="People whom replies name">
      <ul class="list">
        {props.of.map((of) => (
          <li key={of.replyId} class="card referral">
            <p>
              <strong>{of.referredEmail}</strong> is named in <a href={`/console/replies/${of.replyId}`}>a reply</a>{" "}
              from {of.fromEmail}. Add this person to “{of.campaignName}”?
            </p>
            <p class="foreign">
              The address was written by somebody outside this service. Check that it is a person you want to write to.
            </p>
            <Form action={`/console/replies/${of.replyId}/referral`}>
              <input type="hidden" name="shown" value={shownReferral(of)} />
              <button class="go" type="submit" name="do" value="approve">
                Add to the campaign
              </button>
              <button type="submit" name="do" value="decline">
                Don’t write to them
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </Section>
  )

const Foreseen = Schema.Struct({
  plan: Schema.Struct({
    would: Schema.Struct({
      leads_accepted: Schema.Int,
      suppressed_reasons: Schema.Record({ key: Schema.String, value: Schema.Int })
    })
  })
})

/** Why nobody would be added, by the reason that the dry run gives. */
const WHY: Readonly<Record<string, string>> = {
  opted_out: "They are on the suppression list",
  platform_blocked: "They are on the suppression list",
  invalid: "No mail can be sent to this address",
  capped: "Another campaign has written to them, or to their company, lately"
}

/** Decides on the person whom a reply names: they join its campaign by the same way as everybody, or are left alone. */
export const referralRoutes = (services: ConsoleServices): ReadonlyArray<Route> => {
  const { console, reads, replies } = services
  const inOwnName = makeInOwnName(services)

  const decide = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { by, form, id, viewer, workspaceId } = visit
      const found = yield* replies.get(workspaceId, id)
      if (Option.isNone(found)) return missingPage(viewer)
      const { reply } = found.value
      const names = yield* reads.campaignNames(workspaceId, [reply.campaignId], 0)
      const [referral] = referralsOf([reply], new Map(names.map(({ campaignId, name }) => [campaignId, name])))
      const to = { path: `/console/replies/${id}`, text: "Go to the reply" }
      const not = (text: string) => messagePage({ status: 409, title: "Nobody was added", text, viewer, to })
      const handling = (yield* replies.handling(workspaceId, [id])).get(id)
      if (referral === undefined || handling?.referral !== "open")
        return not("Somebody has already decided on this person.")
      if (form.get("shown") !== shownReferral(referral)) return not("The page showed somebody else. Look again.")
      if (form.get("do") !== "approve") {
        yield* console.handleReply(by, id, { referral: "declined" })
        return seeOther(`/console/replies/${id}`)
      }
      const { campaignId, referredEmail } = referral
      const input = { campaign_id: campaignId, leads: [{ email: referredEmail }] }
      // Asking pauses the campaign, so who would be left out is not asked for.
      const foreseen = yield* inOwnName.foresee(visit, "add_leads", input, Foreseen)
      if (typeof foreseen === "string") return not(foreseen)
      if (foreseen.plan.would.leads_accepted === 0) {
        const [reason = ""] = Object.keys(foreseen.plan.would.suppressed_reasons)
        return not(`${WHY[reason] ?? "They are already in the campaign"}.`)
      }
      const result = yield* inOwnName.ask(visit, {
        verb: "add_leads",
        input,
        formId: `referral-${id}`,
        isShown: (snapshot) =>
          snapshot.kind === "add_leads" &&
          snapshot.campaign_id === campaignId &&
          snapshot.leads === 1 &&
          snapshot.recipients.every(({ email }) => email === referredEmail)
      })
      if (result._tag === "refused") return not(result.message)
      if (result._tag === "changed") return not("The campaign has changed meanwhile. Look again.")
      yield* console.handleReply(by, id, { referral: "approved" })
      return seeOther(result._tag === "waits" ? `/console/approvals/${result.approvalId}` : `/console/replies/${id}`)
    })

  return [member("/console/replies/:id/referral", { post: decide })]
}
