import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { CampaignMailboxes } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import { OriginStore } from "@outbound/domain/outreach/campaigns/recipients/OriginStore.js"
import { foreseenWords } from "@outbound/domain/outreach/launching/content/foreseenWords.js"
import { pages } from "../pages.js"
import { Effect, Option, Schema } from "effect"
import { seeOther } from "../../web/Page.js"
import { IN_OWN_NAME, makeInOwnName } from "../inOwnName/inOwnName.js"
import { messagePage, missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { asksFor, type Offer, offerOf, referralPage, shownOffer } from "./ReferralPage.js"
import { type Referral, referralsOf } from "./ReferralsSection.js"

const Foreseen = Schema.Struct({
  plan: Schema.Struct({
    warnings: Schema.Array(Schema.String),
    would: Schema.Struct({
      leads_accepted: Schema.Int,
      suppressed_reasons: Schema.Record(Schema.String, Schema.Int)
    })
  })
})

/** Why nobody would be added, by the reason that the dry run gives. */
const WHY: Readonly<Record<string, string>> = {
  opted_out: "They are on the suppression list",
  platform_blocked: "They are on the suppression list",
  invalid: "No message can be made for this address",
  capped: "Another campaign has written to them, or to their company, lately"
}

const NEEDS = {
  ...IN_OWN_NAME,
  campaignMailboxes: CampaignMailboxes,
  reads: ConsoleReads,
  replies: ReplyStore,
  workspaces: WorkspaceStore,
  origins: OriginStore
}

/** Decides on the person whom a reply names: they join its campaign by the same way as everybody, or are left alone. */
export const referralPages = pages(NEEDS, (services) => {
  const { campaignMailboxes, console, crypto, reads, replies, workspaces } = services
  const inOwnName = makeInOwnName(services)
  const foresee = foreseenWords(services)

  /** The person whom a reply names, and everything that they would get. Null: nobody is named, or it was decided. */
  const open = ({ id, workspaceId }: Inside) =>
    Effect.gen(function* () {
      const found = yield* replies.get(workspaceId, id)
      if (Option.isNone(found)) return null
      const { reply } = found.value
      const conversation = yield* reads.conversation(workspaceId, reply.campaignLeadId)
      if (Option.isNone(conversation)) return null
      const { campaign } = conversation.value
      const [referral] = referralsOf([reply], new Map([[campaign.campaignId, campaign.name]]))
      const handling = (yield* replies.handling(workspaceId, [id])).get(id)
      if (referral === undefined || handling?.referral !== "open") return { reply, of: null }
      const choice = yield* campaignMailboxes.choice(campaign)
      const workspace = yield* workspaces.get(workspaceId)
      const bound = Option.match(choice, { onNone: () => [], onSome: ({ bound }) => bound })
      const said = Option.isNone(workspace)
        ? { words: null, texts: {} }
        : yield* foresee(workspace.value, referral.referredEmail)
      const postalAddress = Option.match(workspace, { onNone: () => null, onSome: (one) => one.postalAddress })
      return { reply, of: { campaign, referral, offer: offerOf(campaign, bound, postalAddress, said) } }
    })

  const not = ({ id, viewer }: Inside, text: string) =>
    messagePage({
      status: 409,
      title: "Nobody was added",
      text,
      viewer,
      to: { path: `/console/replies/${id}`, text: "Go to the reply" }
    })

  const DECIDED = "Somebody has already decided on this person."

  const show = (visit: Inside): Page =>
    Effect.map(open(visit), (found) =>
      found === null
        ? missingPage(visit.viewer)
        : found.of === null
          ? not(visit, DECIDED)
          : referralPage({ viewer: visit.viewer, crypto, ...found.of })
    )

  const add = (visit: Inside, referral: Referral, offer: Offer): Page =>
    Effect.gen(function* () {
      const { by, form, id } = visit
      const shown = form.get("shown") ?? ""
      if (shown !== shownOffer(crypto, referral, offer)) {
        return not(visit, "The page showed somebody else, or another text. Look again.")
      }
      const { campaignId, referredEmail } = referral
      const input = { campaign_id: campaignId, leads: [{ email: referredEmail }] }
      // Asking pauses the campaign, so who would be left out is not asked for.
      const foreseen = yield* inOwnName.foresee(visit, "add_leads", input, Foreseen)
      if (typeof foreseen === "string") return not(visit, foreseen)
      const { warnings, would } = foreseen.plan
      if (would.leads_accepted === 0) {
        const [reason = ""] = Object.keys(would.suppressed_reasons)
        const why = warnings.map((warning) => ` ${warning.replace(/^leads\.0\./, "")}.`).join("")
        return not(visit, `${WHY[reason] ?? "They are already in the campaign"}.${reason === "invalid" ? why : ""}`)
      }
      const result = yield* inOwnName.ask(visit, {
        verb: "add_leads",
        input,
        formId: `referral-${id}`,
        isShown: (snapshot) => asksFor(crypto, snapshot, referral, shown)
      })
      if (result._tag === "refused") return not(visit, result.message)
      if (result._tag === "changed") return not(visit, "The campaign has changed meanwhile. Look again.")
      yield* console.handleReply(by, id, { referral: "approved" })
      return seeOther(result._tag === "waits" ? `/console/approvals/${result.approvalId}` : `/console/replies/${id}`)
    })

  const decide = (visit: Inside): Page =>
    Effect.gen(function* () {
      const { by, form, id, viewer } = visit
      const found = yield* open(visit)
      if (found === null) return missingPage(viewer)
      if (found.of === null) return not(visit, DECIDED)
      if (form.get("do") === "approve") return yield* add(visit, found.of.referral, found.of.offer)
      yield* console.handleReply(by, id, { referral: "declined" })
      return seeOther(`/console/replies/${id}`)
    })

  return [member("/console/replies/:id/referral", { get: show, post: decide })]
})
