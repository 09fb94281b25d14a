import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import type { ChannelStanding, ListedNotice } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { Moment } from "../../web/Words.js"
import { MomentOr, NoteBox, Section, StateBadge, Table } from "../Parts.js"
import { CHANNEL_WORDS, CHAT_WORDS, STATE_WORDS, troubleWords } from "./NoticesPage.js"

/** A reminder that is not due says nothing yet. */
const isShown = ({ attemptedAtMillis, kind, state }: ListedNotice): boolean =>
  kind === "asked" || attemptedAtMillis !== null || NoticeMachine.is.trouble(state)

/** Who was told of a request, and what went wrong. */
export const ToldSection = (props: { readonly of: ReadonlyArray<ListedNotice> }) => {
  const shown = props.of.filter(isShown)
  if (shown.length === 0) return null
  return (
    <Section id="told" title="Who was told">
      <Table
        label="Who was told"
        head={["Who", "What", "State", "When"]}
        rows={shown.map((notice) => {
          const { attemptedAtMillis, channel, email, kind, state } = notice
          const trouble = troubleWords(notice)
          return [
            channel === "mail" ? (email ?? "A former member") : CHANNEL_WORDS[channel],
            kind === "asked" ? "Request" : "Reminder",
            <>
              <StateBadge of={STATE_WORDS[state]} />
              {trouble === null ? null : ` ${trouble}`}
            </>,
            <MomentOr atMillis={attemptedAtMillis} />
          ]
        })}
      />
    </Section>
  )
}

/** Says which chat channels did not take their last message. Nothing while all did. */
export const ChannelTrouble = (props: { readonly of: ReadonlyArray<ChannelStanding> }) => {
  const failing = props.of.filter(({ last }) => last !== null && NoticeMachine.is.trouble(last.state))
  return failing.length === 0 ? null : (
    <NoteBox tone="bad">
      {failing.map(({ channel: { kind }, last }) => (
        <p key={kind}>
          {CHAT_WORDS[kind]} may not have been told of a request
          {last?.attemptedAtMillis == null ? null : (
            <>
              {" on "}
              <Moment atMillis={last.attemptedAtMillis} />
            </>
          )}
          : {last === null ? "" : troubleWords(last)}. <a href="/console/settings/notices">See notices</a>.
        </p>
      ))}
    </NoteBox>
  )
}
