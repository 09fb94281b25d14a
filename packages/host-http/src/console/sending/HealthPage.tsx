import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { count, grouped } from "../../web/Words.js"
import { MayNote } from "../control/acting.js"
import { LinkLine, Nothing, Pager, Section, Table } from "../Parts.js"
import { pages } from "../pages.js"
import { CARDS_MAX, type Listing, pageOf, rowsAfter } from "../paging.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Inside, member, type Page } from "../Visit.js"
import { AdviceCard } from "./AdviceCard.js"
import { DomainCard, momentOf } from "./DomainCard.js"
import { type DomainHealth, REASON_WORDS, whyWords, worstFirst } from "./healthWords.js"
import { HEALTH } from "../sendingPaths.js"
import { HEALTH_NEEDS, makeReadHealth, type ShownHealth } from "./readHealth.js"

/** Cards of domains and of advice on one page: each has tables. */
export const DOMAINS_MAX = 5
export const ADVICE_SHOWN_MAX = 25

const More = (props: {
  readonly shown: number
  readonly of: number
  readonly what: readonly [one: string, many: string]
}) =>
  props.of <= props.shown ? null : (
    <p class="soft">
      The first {grouped(props.shown)} of {count(props.of, ...props.what)}. <code>get_sending_health</code> has them
      all.
    </p>
  )

export const healthPage = (options: {
  readonly viewer: Viewer
  readonly of: ShownHealth
  readonly domains: Listing<DomainHealth>
}): Reply => {
  const { domains, viewer } = options
  const { factsOf, health, places } = options.of
  const { advice, done, mailboxes } = health
  const heldBack = mailboxes.filter(({ state_reasons }) => state_reasons.length > 0)
  return titledPage(
    {
      title: "Sending health",
      viewer,
      at: "sending",
      lead: (
        <>
          What is proven of how your mail arrives, since when, and what to do about it.{" "}
          <a href="/console/sending">Back to sending</a>
        </>
      )
    },
    <>
      <Section id="advice" title="What to do">
        {advice.length === 0 ? null : <MayNote path={HEALTH} loosening="follow advice that loosens or spends" />}
        {advice.length === 0 ? (
          <Nothing>Nothing: nothing proven is wrong, and no mailbox needs you.</Nothing>
        ) : (
          <div class="stack">
            {advice.slice(0, ADVICE_SHOWN_MAX).map((of) => (
              <AdviceCard key={`${of.code} ${of.subject} ${of.text}`} of={of} places={places} />
            ))}
          </div>
        )}
        <More shown={ADVICE_SHOWN_MAX} of={advice.length} what={["piece of advice", "pieces of advice"]} />
      </Section>
      <Section id="domains" title="Domains">
        <LinkLine to="/console/settings#rules" text="What a launch needs (rules of launches)" />
        {domains.shown.length === 0 ? (
          <Nothing>{domains.isLater ? "No more domains." : "No mailbox sends from a domain yet."}</Nothing>
        ) : (
          domains.shown.map((of) => (
            <DomainCard
              key={of.domain}
              of={of}
              facts={factsOf(of.domain)}
              path={places.domains.get(of.domain) ?? null}
            />
          ))
        )}
        <Pager path={HEALTH} name="domains" of={domains} first="First" more="Next" />
      </Section>
      <Section id="mailboxes" title="Mailboxes that send less">
        <Table
          label="Mailboxes that send less"
          head={["Email", "Why", "Today"]}
          firm={[0]}
          none="No mailbox is held back."
          rows={heldBack
            .slice(0, CARDS_MAX)
            .map(({ cap_today, mailbox, sent_today, state_reasons }) => [
              mailbox,
              state_reasons.map((reason) => REASON_WORDS[reason]).join("; "),
              `${grouped(sent_today)} of ${count(cap_today, "message")}`
            ])}
        />
        <More shown={CARDS_MAX} of={heldBack.length} what={["mailbox", "mailboxes"]} />
      </Section>
      <Section id="done" title="What the service did by itself">
        <p class="soft">It only ever tightens. What loosens or spends is yours to do.</p>
        <Table
          label="What the service did by itself"
          head={["When", "What", "Why"]}
          none="Nothing in 30 days."
          rows={done.slice(0, CARDS_MAX).map(({ at, what, why }) => [momentOf(at), what, whyWords(why)])}
        />
        <More shown={CARDS_MAX} of={done.length} what={["step", "steps"]} />
      </Section>
    </>
  )
}

export const healthPages = pages(HEALTH_NEEDS, (services) => {
  const read = makeReadHealth(services)

  const show = ({ query, viewer, workspaceId }: Inside): Page =>
    Effect.map(read(workspaceId), (of) => {
      const all = worstFirst(of.health.domains)
      const asked = query.get("domains")
      const after = all.some(({ domain }) => domain === asked) ? asked : null
      const rows = rowsAfter(all, after, ({ domain }) => domain)
      return healthPage({ viewer, of, domains: pageOf(rows, DOMAINS_MAX, ({ domain }) => domain, after) })
    })

  return [member(HEALTH, { get: show })]
})
