import type { CampaignLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Reply } from "../../http/Reply.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { Cards, Pager, StateBadge } from "../Parts.js"
import { titledPage, type Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { STATE_WORDS } from "./campaignWords.js"

const Item = (props: { readonly of: CampaignLine }) => {
  const { bounced, campaignId, contacted, createdAtMillis, launchedAtMillis, leads, name, replied, sent, state } =
    props.of
  return (
    <li class="card">
      <a href={`/console/campaigns/${campaignId}`}>{name}</a>
      <StateBadge of={STATE_WORDS[state]} />
      <p>
        {count(leads, "lead")} · {grouped(contacted)} emailed · {count(sent, "message")} · {grouped(replied)} replied ·{" "}
        {grouped(bounced)} bounced · {grouped(props.of.unsubscribed)} unsubscribed
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

export const campaignsPage = (
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
      lead: "Campaigns that agents drafted or launched, newest first."
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
