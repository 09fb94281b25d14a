import { type ClassCount, REPLIES_COUNTED_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import { AUTOMATIC, type Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import type { Reply } from "../../http/Reply.js"
import { grouped } from "../../web/Words.js"
import { Cards, Pager, Section, Select } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { SAVED_PATH } from "./saved/SavedAnswersPage.js"
import { type Done, DoneNote } from "./doneNote.js"
import { ReplyItem, type Listed } from "./ReplyItem.js"
export { ReplyItem }
import { SORTED_MAX, type Sorted, TriageSections } from "./Triage.js"

/** Which replies the list shows: those of a class, those that people wrote, or all. */
type Shown = Classification | "people" | "all"

/** What else a list of replies is narrowed by. */
export interface ReplySearch {
  readonly text: string | null
  readonly isOpen: boolean
  readonly ownerUserId: string | null
}

/** The tabs, what needs an answer first. */
const TABS: ReadonlyArray<readonly [shown: Shown, words: string]> = [
  ["people", "From people"],
  ["interested", "Interested"],
  ["other", "Other"],
  ["not_interested", "Not interested"],
  ["unsubscribe", "Unsubscribed"],
  ["out_of_office", "Out of office"],
  ["bounce", "Bounce notices"],
  ["all", "All"]
]

export const shownOf = (text: string | null): Shown => TABS.find(([shown]) => shown === text)?.[0] ?? "people"

/** How many replies a tab has. */
const countIn = (counts: ReadonlyArray<ClassCount>, shown: Shown): number =>
  counts
    .filter(({ classification }) => {
      if (shown === "people") return classification === null || !AUTOMATIC.includes(classification)
      return shown === "all" || classification === shown
    })
    .reduce((sum, { count }) => sum + count, 0)

/** A full count may be more: only the newest replies are counted. */
const countWords = (count: number): string =>
  count >= REPLIES_COUNTED_MAX ? `${grouped(REPLIES_COUNTED_MAX)}+` : grouped(count)

const Tabs = (props: {
  readonly of: ReadonlyArray<ClassCount>
  /** Null: none is shown. */
  readonly tab: Shown | null
  readonly hrefOf: (shown: Shown) => string
}) => (
  <nav aria-label="Kinds of replies">
    <ul class="tiles">
      {TABS.map(([shown, words]) => ({ shown, words, count: countIn(props.of, shown) }))
        .filter(({ count, shown }) => count > 0 || shown === "people" || shown === props.tab)
        .map(({ count, shown, words }) => (
          <li key={shown}>
            <a href={props.hrefOf(shown)} aria-current={props.tab === shown ? "true" : undefined}>
              <span class="big">{countWords(count)}</span> {words.toLowerCase()}
            </a>
          </li>
        ))}
    </ul>
  </nav>
)

export const repliesPage = (
  options: Listing<Listed> & {
    readonly viewer: Viewer
    /** What nobody has handled, sorted by what is to be done; null: a search or another part of the list is shown. */
    readonly sorted: ReadonlyArray<Sorted> | null
    readonly done: Done | null
    readonly nowMillis: number
    readonly search: ReplySearch
    readonly members: ReadonlyArray<Member>
    readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
    readonly campaignId: string | null
    readonly tab: Shown
    readonly counts: ReadonlyArray<ClassCount>
  }
): Reply => {
  const { campaignId, campaigns, counts, done, isLater, members, nowMillis, search, shown, sorted, tab, viewer } =
    options
  const names = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign.name]))
  const filtersOf = (one: Shown) =>
    new URLSearchParams({
      ...(campaignId === null ? {} : { campaign: campaignId }),
      classification: one,
      ...(search.text === null ? {} : { q: search.text }),
      ...(search.isOpen ? { open: "yes" } : {}),
      ...(search.ownerUserId === null ? {} : { owner: search.ownerUserId })
    })
  const item = (listed: Listed) => (
    <ReplyItem
      key={listed.reply.replyId}
      of={listed.reply}
      campaignName={names.get(listed.reply.campaignId) ?? "Its campaign"}
      listed={listed}
    />
  )
  return titledPage(
    {
      title: "Replies",
      viewer,
      at: "replies",
      isLive: true,
      lead: (
        <>
          What people wrote back. A lead who replies gets no more messages from campaigns.{" "}
          <a href={SAVED_PATH}>Saved answers</a>
        </>
      )
    },
    <>
      <DoneNote of={done} path="/console/replies" nowMillis={nowMillis} next={sorted?.[0]?.reply ?? null} />
      <div class="beside">
        <div>
          {sorted === null ? null : (
            <>
              <TriageSections of={sorted} names={names} />
              {sorted.length < SORTED_MAX ? null : (
                <p class="soft">The newest {SORTED_MAX} that nobody has handled are sorted.</p>
              )}
              <h2 id="all">All replies</h2>
            </>
          )}
          <Tabs
            of={counts}
            tab={sorted === null ? tab : null}
            hrefOf={(one) => `/console/replies?${filtersOf(one).toString()}`}
          />
          {sorted === null ? (
            <>
              <Cards of={shown} none={isLater ? "No more replies." : "No such reply yet."} each={item} />
              <Pager path="/console/replies" filters={filtersOf(tab)} of={options} />
            </>
          ) : null}
          <p>
            <a href={`/console/replies/csv?${filtersOf(tab)}`}>Download them as CSV</a>
            {sorted === null ? ", all pages." : ": all that people wrote."}
          </p>
        </div>
        <Section id="find" title="Find">
          <form class="filters" method="get" action="/console/replies">
            <Select
              label="Campaign"
              name="campaign"
              value={campaignId ?? ""}
              options={[["", "All"], ...campaigns.map(({ campaignId: id, name }) => [id, name] as const)]}
            />
            <p class="field">
              <label for="f-q">Search</label>
              <input id="f-q" name="q" type="search" value={search.text ?? ""} autocomplete="off" />
            </p>
            <Select
              label="Show"
              name="open"
              value={search.isOpen ? "yes" : ""}
              options={[
                ["", "All"],
                ["yes", "Not handled"]
              ]}
            />
            <Select
              label="Owner"
              name="owner"
              value={search.ownerUserId ?? ""}
              options={[["", "Anybody"], ...members.map(({ email, userId }) => [userId, email] as const)]}
            />
            <input type="hidden" name="classification" value={tab} />
            <button type="submit">Show</button>
          </form>
        </Section>
      </div>
    </>
  )
}
