import {
  type ChannelStanding,
  CHAT_KINDS,
  type ChatKind,
  type ListedNotice,
  type Muted,
  MUTABLE
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { NOTICES_PATH } from "@outbound/domain/control/notices/noticeWords.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Choice } from "../control/Choice.js"
import { Field, Form, type Problem } from "../Fields.js"
import { Badge, Note, Section } from "../Parts.js"
import { useViewer, type Viewer } from "../Shell.js"
import { saidOf, titledPage } from "../titledPage.js"
import { CHAT_WORDS, STATE_WORDS, troubleWords } from "./outcomeWords.js"

const MUTABLE_WORDS: Readonly<Record<Muted, string>> = {
  launch: "Campaigns: a launch, or leads for a launched one",
  purchase: "Purchases of sending capacity",
  reply: "Replies to leads",
  reminder: "One reminder before a request’s time runs out"
}

const DONE: Readonly<Record<string, string>> = {
  chosen: "Your choice is saved.",
  set: "The channel is saved. The next request is told there.",
  removed: "The channel is removed. Nothing more is told there.",
  tested: "The channel took a test message. Look whether it is there."
}

const Own = (props: { readonly viewer: Viewer; readonly muted: ReadonlyArray<Muted>; readonly hasMail: boolean }) => (
  <Section id="own" title="Emails to you" isCard>
    {props.hasMail ? null : (
      <p>This service has no mail server, so it sends no emails. Requests wait in the console.</p>
    )}
    <Form action={NOTICES_PATH} button="Save your choice">
      <fieldset>
        <legend>Email {props.viewer.signedIn.user.email} about</legend>
        {MUTABLE.map((one) => (
          <Choice
            key={one}
            name="wanted"
            id={`f-wanted-${one}`}
            value={one}
            label={MUTABLE_WORDS[one]}
            isOn={!props.muted.includes(one)}
          />
        ))}
      </fieldset>
    </Form>
  </Section>
)

const Last = (props: { readonly of: ChannelStanding }) => {
  const { channel, last } = props.of
  const trouble = last === null ? null : troubleWords(last)
  return (
    <>
      <p>
        Messages go to {channel.host}.{" "}
        {last === null ? (
          <Badge>Nothing sent yet</Badge>
        ) : (
          <Badge tone={STATE_WORDS[last.state][1]}>Last message: {STATE_WORDS[last.state][0]}</Badge>
        )}
        {trouble === null ? null : ` ${trouble}`}
      </p>
      <p class="soft">
        Set <Moment atMillis={channel.setAtMillis} />
      </p>
    </>
  )
}

const Channel = (props: { readonly kind: ChatKind; readonly standing: ChannelStanding | undefined }) => {
  const { kind, standing } = props
  const name = CHAT_WORDS[kind]
  return (
    <section class="card" aria-labelledby={kind}>
      <h2 id={kind}>{name}</h2>
      {standing === undefined ? <p>No channel is set.</p> : <Last of={standing} />}
      {mayLoosen(useViewer()) ? (
        <>
          <Form
            action={`${NOTICES_PATH}/channel`}
            button={standing === undefined ? `Set ${name} channel` : `Replace ${name} channel`}
          >
            <input type="hidden" name="kind" value={kind} />
            <Field
              label={`Address of an incoming webhook of ${name}`}
              name="url"
              id={`f-url-${kind}`}
              isSecret
              required
              maxLength={1_000}
              hint="A secret: who knows it can post there. It is stored encrypted and never shown again."
            />
          </Form>
          {standing === undefined ? null : (
            <div class="actions">
              <Form action={`${NOTICES_PATH}/channel/test`} button={`Send a test to ${name}`}>
                <input type="hidden" name="kind" value={kind} />
              </Form>
              <Form action={`${NOTICES_PATH}/channel/remove`} button={`Remove ${name} channel`} tone="stop">
                <input type="hidden" name="kind" value={kind} />
              </Form>
            </div>
          )}
        </>
      ) : null}
    </section>
  )
}

export const noticesPage = (options: {
  readonly viewer: Viewer
  readonly muted: ReadonlyArray<Muted>
  readonly channels: ReadonlyArray<ChannelStanding>
  readonly hasMail: boolean
  readonly done: string | null
  /** Why a test message may not have arrived. */
  readonly failed: Pick<ListedNotice, "failure" | "status"> | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { channels, done, failed, hasMail, muted, problem, viewer } = options
  return titledPage(
    {
      title: "Notices",
      heading: "Notices of approvals",
      viewer,
      at: "settings",
      isNarrow: true,
      said: saidOf(DONE, done),
      problem,
      lead: (
        <>
          When an agent asks for an approval, everybody who can decide hears of it within seconds, and once more before
          its time runs out. Deciding needs a sign-in here. Your programs can listen too, by{" "}
          <a href="/console/webhooks">webhooks</a>.
        </>
      )
    },
    <>
      {failed === null ? null : (
        <Note tone="bad" role="alert">
          The test may not have arrived: {troubleWords(failed)}.
        </Note>
      )}
      <MayNote path={NOTICES_PATH} loosening="set, test, replace or remove a chat channel" />
      <div class="stack">
        <Own viewer={viewer} muted={muted} hasMail={hasMail} />
        {CHAT_KINDS.map((kind) => (
          <Channel key={kind} kind={kind} standing={channels.find(({ channel }) => channel.kind === kind)} />
        ))}
      </div>
    </>
  )
}
