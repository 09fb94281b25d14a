import {
  type CampaignPeriod,
  inOrder,
  PERIOD_ORDERS,
  type PeriodOrder,
  shareOf
} from "@outbound/domain/control/console/Periods.js"
import { grouped } from "../../web/Words.js"
import { STATE_WORDS } from "../campaigns/campaignWords.js"
import { Nothing, Section } from "../Parts.js"
import { Marked } from "../approvals/Marked.js"

/** Days that a list covers, today included. */
export const PERIODS = [7, 30] as const
export type PeriodDays = (typeof PERIODS)[number]

export const periodOf = (text: string | null): PeriodDays => PERIODS.find((days) => String(days) === text) ?? 7
export const orderOf = (text: string | null): PeriodOrder => PERIOD_ORDERS.find((one) => one === text) ?? "replied"

/** Most campaigns that are compared. */
export const CAMPAIGNS_COMPARED_MAX = 200
const SHOWN_MAX = 20

const HEADS: ReadonlyArray<readonly [order: PeriodOrder, words: string]> = [
  ["people", "Written to"],
  ["sent", "Messages"],
  ["replied", "Replied"],
  ["interested", "Interested"],
  ["bounced", "Bounced"],
  ["unsubscribed", "Unsubscribed"]
]

const percent = (share: number | null): string => (share === null ? "" : `${(100 * share).toFixed(1)} %`)

export const addressOf = (path: string, days: PeriodDays, order: PeriodOrder): string =>
  `${path}?${new URLSearchParams({ days: String(days), sort: order })}#campaigns`

/** What campaigns did in a period, sorted by the column that was chosen. */
export const PeriodSection = (props: {
  readonly of: ReadonlyArray<CampaignPeriod>
  readonly days: PeriodDays
  readonly order: PeriodOrder
  readonly path: string
}) => {
  const { days, of, order, path } = props
  return (
    <Section id="campaigns" title={`Campaigns of the last ${days} days`}>
      <p class="periods">
        {PERIODS.map((one) => (
          <a key={one} href={addressOf(path, one, order)} aria-current={one === days ? "true" : undefined}>
            {one} days
          </a>
        ))}
        <a href="/console/campaigns">All campaigns</a>
      </p>
      {of.length === 0 ? (
        <Nothing>No campaign has written to anybody in this time.</Nothing>
      ) : (
        <div class="card scroll" tabIndex={0} role="group" aria-label="Campaigns by what came of them">
          <table class="wide">
            <caption class="soft">
              Of the people written to in this time (days in UTC), what has become of them since.
            </caption>
            <thead>
              <tr>
                <th scope="col">Campaign</th>
                {HEADS.map(([by, words]) => (
                  <th key={by} scope="col" class="number" aria-sort={by === order ? "descending" : undefined}>
                    <a href={addressOf(path, days, by)}>
                      {words}
                      {by === order ? <span aria-hidden="true"> ↓</span> : null}
                    </a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {inOrder(of, order)
                .slice(0, SHOWN_MAX)
                .map((one) => (
                  <tr key={one.campaignId}>
                    <th scope="row">
                      <a href={`/console/campaigns/${one.campaignId}`}>
                        <Marked text={one.name} />
                      </a>{" "}
                      <span class="soft">{STATE_WORDS[one.state][0].toLowerCase()}</span>
                    </th>
                    {HEADS.map(([by]) => (
                      <td key={by} class="number">
                        {grouped(one[by])} <span class="soft">{percent(shareOf(one, by))}</span>
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}
