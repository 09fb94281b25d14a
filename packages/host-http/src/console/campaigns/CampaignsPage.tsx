import { VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import { CampaignMailboxes } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import { pages } from "../pages.js"
import { campaignOutcomes } from "@outbound/domain/control/outcomes/outcomesOf.js"
import { HoldoutStore } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { type CampaignLine, EVERY_CAMPAIGN, ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { freshOwner } from "@outbound/domain/control/access.js"
import { variantName, VARIANTS_MAX } from "@outbound/domain/kernel/sequences/variants.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { Effect, Option, Result } from "effect"
import { makeCampaignMarks } from "@outbound/domain/outreach/evidence/campaignMarks.js"
import { Forecasts } from "@outbound/domain/control/Forecasts.js"
import { nextWindowBy } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import type { Reply } from "../../http/Reply.js"
import { count, dayStartOf, grouped, Moment } from "../../web/Words.js"
import { Cards, Pager, StateBadge } from "../Parts.js"
import { missingPage, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { afterOf, afterWords, CARDS_MAX, idAfterOf, type Listing, pageOf, ROWS_MAX } from "../paging.js"
import { STATE_WORDS } from "./campaignWords.js"
import { acting, type Typed, typed } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import { searchOf } from "../searching.js"
import { type Inside, member, type Page } from "../Visit.js"
import { campaignPage } from "./CampaignPage.js"
import { DAYS_SHOWN_MAX, NAMED_SHOWN_MAX, namedOf } from "./Mailboxes.js"

/** Of the people who were emailed, as on the campaign's own page. */
const shareOf = (people: number, contacted: number): string =>
  contacted === 0 ? "" : ` (${((100 * people) / contacted).toFixed(1)} %)`

const Item = (props: { readonly of: CampaignLine }) => {
  const { bounced, campaignId, contacted, createdAtMillis, launchedAtMillis, leads, name, replied, sent, state } =
    props.of
  return (
    <li class="card">
      <a href={`/console/campaigns/${campaignId}`}>{name}</a>
      <StateBadge of={STATE_WORDS[state]} />
      <p>
        {count(leads, "lead")} · {grouped(contacted)} emailed · {count(sent, "message")} · {grouped(replied)} replied
        {shareOf(replied, contacted)} · {grouped(bounced)} bounced
        {shareOf(bounced, contacted)} · {grouped(props.of.unsubscribed)} unsubscribed
      </p>
      <p class="soft">
        {launchedAtMillis === null ? (
          <>
            Drafted <Moment atMillis={createdAtMillis} />
          </>
        ) : (
          <>
            Launched <Moment atMillis={launchedAtMillis} />
          </>
        )}
      </p>
    </li>
  )
}

const campaignsPage = (
  options: Listing<CampaignLine> & {
    readonly viewer: Viewer
  }
): Reply =>
  titledPage(
    {
      title: "Campaigns",
      viewer: options.viewer,
      at: "campaigns",
      isLive: true,
      lead: (
        <>
          Campaigns that agents drafted or launched, newest first. Shares are of the people who were emailed.{" "}
          <a href="/console/home#campaigns">Those of the last days, compared</a>
        </>
      )
    },
    <>
      <Cards
        of={options.shown}
        none={options.isLater ? "No more campaigns." : "No campaigns yet. Agents draft them."}
        each={(of) => <Item of={of} />}
      />
      <Pager path="/console/campaigns" of={options} />
    </>
  )

const VARIANT_NAMES = Array.from({ length: VARIANTS_MAX }, (_, index) => variantName(index))

const cursorOf = ({ campaignId, createdAtMillis }: CampaignLine): string =>
  afterWords({ atMillis: createdAtMillis, id: campaignId })

const stateOf = (text: string | null): LeadState | null => LeadMachine.states.find((state) => state === text) ?? null

const mailboxIdOf = (form: URLSearchParams): Typed<string> => {
  const given = form.get("mailbox") ?? ""
  return isUuid(given)
    ? Result.succeed(given.toLowerCase())
    : Result.fail([{ path: "mailbox", message: "is required" }])
}

/** The step and the variant that a form names; what is none of them is refused where the campaign is known. */
const choiceOf = (form: URLSearchParams): Typed<{ readonly stepIndex: number; readonly variant: number }> => {
  const step = Number(form.get("step"))
  const variant = VARIANT_NAMES.indexOf(form.get("variant") ?? "")
  const issues = [
    ...(Number.isInteger(step) && step >= 1 ? [] : [{ path: "step", message: "is required" }]),
    ...(variant >= 0 ? [] : [{ path: "variant", message: "is required" }])
  ]
  return issues.length === 0 ? Result.succeed({ stepIndex: step - 1, variant }) : Result.fail(issues)
}

const NEEDS = {
  campaignMailboxes: CampaignMailboxes,
  forecasts: Forecasts,
  holdouts: HoldoutStore,
  holidays: PublicHolidays,
  marks: makeCampaignMarks,
  reads: ConsoleReads,
  replies: ReplyStore,
  variantChoice: VariantChoice
}

export const campaignPages = pages(
  NEEDS,
  ({ campaignMailboxes, forecasts, holdouts, holidays, marks, reads, replies, variantChoice }) => {
    const outcomesOf = campaignOutcomes(holdouts)
    const nextWindow = nextWindowBy(holidays)

    const list = ({ query, viewer, workspaceId }: Inside): Page =>
      Effect.gen(function* () {
        const after = afterOf(query.get("after"))
        const found = yield* reads.campaigns(workspaceId, { after, limit: CARDS_MAX + 1 }, EVERY_CAMPAIGN)
        return campaignsPage({ viewer, ...pageOf(found, CARDS_MAX, cursorOf, after) })
      })

    const show = ({ id, nowMillis, query, viewer, workspaceId }: Inside): Page =>
      Effect.gen(function* () {
        const which = {
          text: searchOf(query.get("q")),
          state: stateOf(query.get("state")),
          after: idAfterOf(query.get("after"))
        }
        const [view, sending, people, days, leftOut, outcomes, naming] = yield* Effect.all(
          [
            reads.campaign(workspaceId, id),
            reads.sending(workspaceId, dayStartOf(nowMillis), nowMillis),
            reads.leads(workspaceId, id, { ...which, limit: ROWS_MAX + 1 }),
            reads.campaignDays(workspaceId, id, DAYS_SHOWN_MAX),
            reads.leftOutCounts(workspaceId, id),
            outcomesOf(workspaceId, id),
            replies.page({
              workspaceId,
              sinceMillis: null,
              campaignId: id,
              classification: null,
              referral: "any",
              limit: NAMED_SHOWN_MAX + 1,
              after: null
            })
          ],
          { concurrency: "unbounded" }
        )
        if (Option.isNone(view)) return missingPage(viewer)
        const page = pageOf(people, ROWS_MAX, ({ campaignLeadId }) => campaignLeadId, which.after)
        const { sequence } = view.value.campaign
        const leadIds = page.shown.map(({ campaignLeadId }) => campaignLeadId)
        const of = { workspaceId, campaignId: id, sequence }
        const [nextOf, marksOf, { evidence }] = yield* Effect.all(
          [
            forecasts.nextOfPeople(workspaceId, id, page.shown),
            marks.ofLeads(of, Effect.succeed(sequence), leadIds, nowMillis),
            marks.counts(of, nowMillis)
          ],
          { concurrency: "unbounded" }
        )
        const listed = { ...which, ...page, nextOf, marksOf }
        const handling = yield* replies.handling(
          workspaceId,
          naming.map(({ replyId }) => replyId)
        )
        const named = namedOf(naming, handling)
        const mailboxes = Option.getOrNull(yield* campaignMailboxes.choice(view.value.campaign))
        return campaignPage({
          viewer,
          view: view.value,
          sending,
          listed,
          named,
          leftOut,
          outcomes,
          evidence: evidence ?? null,
          days,
          mailboxes,
          nextWindow,
          nextMessageAtMillis: yield* forecasts.nextMessageAt(workspaceId, id),
          nowMillis
        })
      })

    const addMailbox = (visit: Inside): Page => {
      const { by, form, id, workspaceId } = visit
      const added = Effect.gen(function* () {
        yield* freshOwner(by)
        const mailboxId = yield* typed(mailboxIdOf(form))
        yield* asControl(campaignMailboxes.add(workspaceId, id, mailboxId, by.user.email))
      })
      return acting(visit, `/console/campaigns/${id}`, added)
    }

    const chooseVariant = (visit: Inside): Page => {
      const { by, form, id } = visit
      const chosen = Effect.gen(function* () {
        const { stepIndex, variant } = yield* typed(choiceOf(form))
        yield* variantChoice.choose(by, { campaignId: id, stepIndex, variant })
      })
      return acting(visit, `/console/campaigns/${id}#steps`, chosen)
    }

    const switchRuleOff = (visit: Inside): Page =>
      acting(visit, `/console/campaigns/${visit.id}#steps`, variantChoice.switchRuleOff(visit.by, visit.id))

    return [
      member("/console/campaigns/:id/variants", { post: chooseVariant }),
      member("/console/campaigns/:id/winner-rule", { post: switchRuleOff }),
      member("/console/campaigns", { get: list }),
      member("/console/campaigns/:id", { get: show }),
      member("/console/campaigns/:id/mailboxes", { post: addMailbox })
    ]
  }
)
