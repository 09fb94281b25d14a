import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import { maybe, pages } from "../pages.js"
import {
  type ChannelStanding,
  CHAT_KINDS,
  type ChatKind,
  type ListedNotice,
  MUTABLE,
  type Muted,
  NOTICE_FAILURES,
  type NoticeChannel,
  type NoticeFailure
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { NOTICES_PATH } from "@outbound/domain/control/notices/noticeWords.js"
import type { NoticeState } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import { Effect, Result } from "effect"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { acting, mayLoosen, MayNote, type Typed, typed } from "../control/acting.js"
import { Choice } from "../control/Choice.js"
import { Badge, Field, Form, Note, type Problem, Section, type StateWords } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import { useViewer, type Viewer } from "../Viewer.js"
import { formsOf } from "../control/formsOf.js"
import { type Inside, member, type Page } from "../Visit.js"

export const CHAT_WORDS: Readonly<Record<ChatKind, string>> = { slack: "Slack", teams: "Microsoft Teams" }

export const CHANNEL_WORDS: Readonly<Record<NoticeChannel, string>> = { mail: "Email", ...CHAT_WORDS }

export const STATE_WORDS: Readonly<Record<NoticeState, StateWords>> = {
  waiting: ["Waiting", "wait"],
  sending: ["Sending", "wait"],
  sent: ["Sent", "good"],
  unknown: ["May not have arrived", "bad"],
  failed: ["Not sent", "bad"],
  cancelled: ["No longer needed", undefined]
}

const FAILURES: Readonly<Record<Exclude<NoticeFailure, "status">, string>> = {
  redirect: "the address redirects",
  timeout: "no answer in time",
  unreachable: "the server can’t be reached",
  forbidden_address: "the address is not public",
  refused: "the mail server refused it",
  no_mail_server: "this service has no mail server",
  sealed: "the address can’t be read any more; set it again",
  too_many: "too many requests within an hour",
  interrupted: "the service was interrupted while it sent"
}

/** Why a notice did not arrive; null: nothing is wrong. */
export const troubleWords = ({ failure, status }: Pick<ListedNotice, "failure" | "status">): string | null => {
  if (failure === null) return null
  return failure === "status" ? `the server answered ${status ?? "something else"}` : FAILURES[failure]
}

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

const noticesPage = (options: {
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
          its time runs out. Deciding needs a sign-in here. Your programs can listen too, by webhooks.
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

const kindOf = (form: URLSearchParams): Typed<ChatKind> => {
  const kind = CHAT_KINDS.find((one) => one === form.get("kind"))
  return kind === undefined
    ? Result.fail([{ path: "kind", message: `must be ${CHAT_KINDS.join(" or ")}` }])
    : Result.succeed(kind)
}

/** The failure of a test, from the address of the page that tells it. */
const failureOf = (failure: string | null, status: string | null) => {
  const found = NOTICE_FAILURES.find((one) => one === failure)
  return found === undefined ? null : { failure: found, status: /^\d{3}$/.test(status ?? "") ? Number(status) : null }
}

const testedPath = (failed: Pick<ListedNotice, "failure" | "status"> | null) =>
  failed === null
    ? (`${NOTICES_PATH}?done=tested` as const)
    : (`${NOTICES_PATH}?failed=${failed.failure ?? ""}&status=${failed.status ?? ""}` as const)

export const noticePages = pages({ mail: maybe(SignInMail), notices: Notices }, ({ mail, notices }) => {
  const show = ({ by, query, viewer }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      return noticesPage({
        viewer,
        muted: yield* notices.muted(by),
        channels: yield* notices.channels(by),
        hasMail: mail?.isOn === true,
        done: query.get("done"),
        failed: failureOf(query.get("failed"), query.get("status")),
        problem
      })
    })

  const choose = (visit: Inside): Page => {
    const wanted = visit.form.getAll("wanted")
    const muted = MUTABLE.filter((one) => !wanted.includes(one))
    return acting(visit, NOTICES_PATH, notices.setMuted(visit.by, muted), {
      done: () => `${NOTICES_PATH}?done=chosen`
    })
  }

  const { route } = formsOf(NOTICES_PATH, show)
  const about =
    <A, E>(work: (visit: Inside, kind: ChatKind) => Effect.Effect<A, E>) =>
    (visit: Inside) =>
      Effect.flatMap(typed(kindOf(visit.form)), (kind) => work(visit, kind))

  return [
    member(NOTICES_PATH, { get: (visit) => show(visit), post: choose }),
    route(
      "channel",
      "set",
      about(({ by, form }, kind) => notices.setChannel(by, { kind, url: form.get("url") ?? "" }))
    ),
    route(
      "channel/test",
      testedPath,
      about(({ by }, kind) => notices.testChannel(by, kind))
    ),
    route(
      "channel/remove",
      "removed",
      about(({ by }, kind) => notices.removeChannel(by, kind))
    )
  ]
})
