import type { CampaignView } from "@outbound/domain/control/console/ConsoleReads.js"
import { type FunnelLine, funnelOf } from "@outbound/domain/control/console/funnel.js"
import { variantName } from "@outbound/domain/kernel/sequences/variants.js"
import { count, grouped } from "../../web/Words.js"
import { Section, Table } from "../Parts.js"

const shareOf = (part: number, of: number): string => (of === 0 ? "" : `${((100 * part) / of).toFixed(1)} %`)

/** What the share of those who replied is a share of. */
interface Base {
  readonly count: number
  readonly words: string
}

const Numbers = (props: { readonly of: FunnelLine; readonly base: Base }) => {
  const { bounced, delivered, interested, meetings, people, replied, sent, unsubscribed } = props.of
  return (
    <>
      <td class="number">{grouped(people)}</td>
      <td class="number">{grouped(sent)}</td>
      <td class="number">{grouped(delivered)}</td>
      <td class="number">
        {grouped(replied)}{" "}
        {props.base.count === 0 ? null : (
          <span class="soft">
            {shareOf(replied, props.base.count)} {props.base.words}
          </span>
        )}
      </td>
      <td class="number">{grouped(interested)}</td>
      <td class="number">{grouped(meetings)}</td>
      <td class="number">{grouped(bounced)}</td>
      <td class="number">{grouped(unsubscribed)}</td>
    </>
  )
}

/** How far people got: of the campaign as bars, and of each message and variant as a table. */
export const FunnelSection = (props: { readonly of: CampaignView }) => {
  const { campaign, reached, steps, writtenTo } = funnelOf(props.of)
  const stages: ReadonlyArray<readonly [words: string, people: number]> = [
    ["in the campaign", campaign.people],
    ["written to", writtenTo],
    ["reached", reached],
    ["replied", campaign.replied],
    ["interested", campaign.interested],
    ["with a meeting", campaign.meetings]
  ]
  return (
    <Section id="funnel" title="How far people got">
      <ol class="card funnel">
        {stages.map(([words, people], index) => (
          <li key={words}>
            <p>
              <span class="big">{grouped(people)}</span> {words}
              {index < 2 || writtenTo === 0 ? null : (
                <span class="soft"> · {shareOf(people, writtenTo)} of those written to</span>
              )}
            </p>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="rail" width="100" height="4" />
              <rect
                class="fill"
                width={campaign.people === 0 ? 0 : Math.min(100, (100 * people) / campaign.people)}
                height="4"
              />
            </svg>
          </li>
        ))}
      </ol>
      <p class="soft">
        {count(campaign.bounced, "person", "people")} bounced and {count(campaign.unsubscribed, "person", "people")}{" "}
        unsubscribed. Each person counts once, at the last message that they were sent. An automatic absence is no
        reply. Who answered after they had left the campaign counts as neither replied nor interested.
      </p>
      {steps.length === 0 ? null : (
        <Table
          label="By message"
          head={[
            "Message",
            "People",
            "Sent",
            "Delivered",
            "Replied",
            "Interested",
            "Meetings",
            "Bounced",
            "Unsubscribed"
          ]}
          numbers={[1, 2, 3, 4, 5, 6, 7, 8]}
        >
          {steps.map((step) => (
            <tr key={`${step.stepIndex} ${step.variant ?? ""}`}>
              <th scope="row" class="firm">
                {step.stepIndex + 1}
                {step.variant === null ? null : `, variant ${variantName(step.variant)}`}
              </th>
              <Numbers of={step} base={{ count: step.delivered, words: "of delivered" }} />
            </tr>
          ))}
          <tr>
            <th scope="row">All</th>
            <Numbers of={campaign} base={{ count: writtenTo, words: "of those written to" }} />
          </tr>
        </Table>
      )}
    </Section>
  )
}
