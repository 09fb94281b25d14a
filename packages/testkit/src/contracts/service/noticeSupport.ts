import { type ListedNotice, type NoticeStore } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { ChatFailure } from "@outbound/domain/control/notices/ChatSender.js"
import * as NoticeRounds from "@outbound/domain/control/notices/NoticeRounds.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer } from "effect"
import * as ScriptedMailer from "../../mail/ScriptedMailer.js"
import { ScriptedChat } from "../../webhooks/ScriptedChat.js"
import { colleague, type ControlOnStores, signIn } from "./controlSupport.js"
import { askLaunch, draft, freshKey, sender, silent } from "./stories.js"

export type NoticeNeeds = ControlOnStores | NoticeStore | UnitOfWork

let channels = 0
export const freshAddress = (): string => `https://hooks-${(channels += 1)}.example.com/services/T0/B0/secret`

export const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

/** The service with rounds of notices, a mail server and chat products that do as they are told. */
export const telling = <E>(service: Layer.Layer<NoticeNeeds, E>) =>
  NoticeRounds.layer.pipe(Layer.provideMerge(Layer.merge(service, ScriptedMailer.layer)))

export const round = Effect.flatMap(NoticeRounds.NoticeRounds, (rounds) => rounds.round)

/** A workspace with two approvers and a Slack channel, and a key that asks to launch to so many. */
export const asking = (people = 3) =>
  Effect.gen(function* () {
    const client = yield* sender()
    const owner = yield* signIn(client.ownerEmail)
    const member = yield* colleague(owner)
    const notices = yield* Notices
    const chat = yield* ScriptedChat
    const mail = yield* ScriptedMailer.ScriptedMailer
    const url = freshAddress()
    yield* notices.setChannel(owner, { kind: "slack", url })
    const { result } = yield* draft(client, { name: "Spring", recipients: silent(people) })
    const ask = Effect.map(
      Effect.suspend(() => askLaunch(client, result.campaign_id, freshKey())),
      (asked) => ({
        approvalUrl: asked.result.approval_url as string,
        token: asked.result.confirmation_token as string
      })
    )
    // The purchase that it sends from was decided before.
    yield* round
    return {
      client,
      owner,
      member,
      notices,
      url,
      chat,
      mail,
      ask,
      /** The letters about an approval, by whom they went to. */
      letters: (approvalUrl: string, to?: string) =>
        mail.letters.filter((letter) => letter.text.includes(approvalUrl) && (to === undefined || letter.to === to)),
      posts: (approvalUrl: string) => chat.messages(url).filter(({ body }) => body.includes(approvalUrl)),
      listed: (approvalUrl: string) => notices.ofApproval(owner, idOf(approvalUrl))
    }
  }).pipe(Effect.orDie)

export const states = (listed: ReadonlyArray<ListedNotice>, kind: ListedNotice["kind"] = "asked") =>
  listed.filter((one) => one.kind === kind).map(({ channel, state }) => `${channel} ${state}`)

export const failing = (reason: ChatFailure["reason"], mayHaveArrived: boolean) =>
  Effect.fail(new ChatFailure({ reason, status: null, retryAfterMillis: null, mayHaveArrived }))
