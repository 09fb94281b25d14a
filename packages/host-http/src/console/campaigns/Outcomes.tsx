import type { CampaignOutcomes } from "@outbound/domain/control/outcomes/outcomesOf.js"
import type { Outcome } from "@outbound/domain/verbs/Campaigns.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { ledgerPath } from "../account/ledgerQuery.js"
import { Section, Table } from "../Parts.js"

/** Other words than the funnel's: a mark by hand counts here, whether or not the person answered. */
const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  replied: "Replied",
  interested: "Said or marked as interested",
  meeting_booked: "Marked: meeting booked",
  won: "Marked: won",
  crm_open_deal: "Open deal in the CRM",
  crm_customer: "Customer in the CRM"
}

type Compared = NonNullable<CampaignOutcomes["holdout"]>["compared"][number]

/** In words, what the interval lets anybody say. */
const meaningOf = ({ high_percent: high, low_percent: low }: Compared): string => {
  if (low === null || high === null) return "too few people to compare"
  if (low > 0) return "more came because of this campaign"
  return high < 0 ? "fewer came because of this campaign" : "nothing is proven"
}

const points = (value: number | null): string => (value === null ? "–" : `${value > 0 ? "+" : ""}${value} points`)

/** What a campaign brought, what each outcome cost, and how much of it would not have come anyway. */
export const OutcomesSection = (props: { readonly of: CampaignOutcomes; readonly campaignId: string }) => {
  const { brought, credits, holdout, people_written: written, says, vendor_cost_usd: cost } = props.of
  if (written === 0 && holdout === null) return null
  return (
    <Section id="outcomes" title="What it brought">
      <p class="soft">
        {count(written, "person", "people")} written to. Calls about this campaign’s people cost{" "}
        <a href={ledgerPath({ campaignId: props.campaignId })}>{credits} credits</a>
        {Number(cost) === 0 ? "" : `, and ${cost} USD at vendors`}.
      </p>
      <Table
        label="Outcomes"
        head={["Outcome", "People", "Credits each", "USD each"]}
        numbers={[1, 2, 3]}
        rows={brought.map(({ credits_each, outcome, people, vendor_cost_usd_each: usd }) => [
          OUTCOME_WORDS[outcome],
          grouped(people),
          credits_each ?? "–",
          usd ?? "–"
        ])}
      />
      {says === null ? null : <p class="note plain">It is {says}: the launch kept no holdout to compare with.</p>}
      {holdout === null ? null : (
        <>
          <p class="soft">
            {count(holdout.people, "person", "people")} ({holdout.percent} %) held out on{" "}
            <Moment atMillis={Date.parse(holdout.drawn_at)} />. The interval holds at every look.
          </p>
          <Table
            label="Compared with those held out"
            head={["Outcome", "Written to", "Held out", "Difference", "Interval", "What it says"]}
            numbers={[1, 2, 3]}
            rows={holdout.compared.map((one) => [
              OUTCOME_WORDS[one.outcome],
              grouped(one.written),
              grouped(one.held_out),
              points(one.difference_percent),
              one.low_percent === null ? "–" : `${points(one.low_percent)} to ${points(one.high_percent)}`,
              meaningOf(one)
            ])}
          />
        </>
      )}
    </Section>
  )
}
