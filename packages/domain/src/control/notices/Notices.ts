import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import {
  type ChannelStanding,
  type ChatKind,
  type ListedNotice,
  MUTABLE,
  type Muted,
  NoticeStore
} from "../../calls/approvals/notices/NoticeStore.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import type { ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { isAtHome, Settings } from "../../kernel/Settings.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { freshOwner, makeLogBy, mend, refused } from "../access.js"
import { urlIssues } from "../webhooks/target.js"
import { ChatSender } from "./ChatSender.js"
import { chatMessage, testWords } from "./noticeWords.js"

/** Binds a sealed address to its workspace and product. */
const boundTo = (workspaceId: string, kind: ChatKind): string => `${workspaceId}/${kind}`

export const sealUrl = (crypto: Crypto["Service"], workspaceId: string, kind: ChatKind, url: string): string =>
  crypto.seal("chat_channel", url, boundTo(workspaceId, kind))

/** Null: it was sealed with another server secret. */
export const openUrl = (
  crypto: Crypto["Service"],
  workspaceId: string,
  kind: ChatKind,
  sealed: string
): Redacted.Redacted | null => {
  const url = crypto.open("chat_channel", sealed, boundTo(workspaceId, kind))
  return url === null ? null : Redacted.make(url)
}

/** Most notices of one approval that a page lists. */
const NOTICES_LISTED_MAX = 100

/** Who is told of approvals, and how, for signed-in people. */
export class Notices extends Context.Service<
  Notices,
  {
    readonly ofApproval: (by: SignedIn, approvalId: string) => FromStore<ReadonlyArray<ListedNotice>>
    readonly channels: (by: SignedIn) => FromStore<ReadonlyArray<ChannelStanding>>
    /** What the signed-in member has turned off. */
    readonly muted: (by: SignedIn) => FromStore<ReadonlyArray<Muted>>
    /** Their own choice only. */
    readonly setMuted: (by: SignedIn, muted: ReadonlyArray<Muted>) => FromStore<void>
    /** Owners, after a fresh sign-in. Replaces the channel of that product. The address is never shown again. */
    readonly setChannel: (
      by: SignedIn,
      channel: { readonly kind: ChatKind; readonly url: string }
    ) => FromStore<void, ControlRefused>
    /** Owners, after a fresh sign-in. Posts one message that asks for nothing. Null: the channel took it. */
    readonly testChannel: (
      by: SignedIn,
      kind: ChatKind
    ) => FromStore<Pick<ListedNotice, "failure" | "status"> | null, ControlRefused>
    /** Owners, after a fresh sign-in. What waits for it is not sent. */
    readonly removeChannel: (by: SignedIn, kind: ChatKind) => FromStore<void, ControlRefused>
  }
>()("@outbound/domain/control/notices/Notices") {}

export const layer = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const store = yield* NoticeStore
    const workspaces = yield* WorkspaceStore
    const crypto = yield* Crypto
    const logBy = yield* makeLogBy
    // Null where a host tells nobody: then there is no channel to try.
    const chat = Option.getOrNull(yield* Effect.serviceOption(ChatSender))
    const { baseUrl } = yield* Settings
    const { atomically } = yield* UnitOfWork

    return Notices.of({
      ofApproval: (by, approvalId) => store.ofApproval(by.session.workspaceId, approvalId, NOTICES_LISTED_MAX),
      channels: (by) => store.channels(by.session.workspaceId),
      muted: (by) => store.muted(by.session.workspaceId, by.user.userId),
      setMuted: (by, muted) =>
        atomically(
          store.setMuted(
            by.session.workspaceId,
            by.user.userId,
            MUTABLE.filter((one) => muted.includes(one))
          )
        ),
      setChannel: (by, { kind, url: given }) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          yield* freshOwner(by)
          const { workspaceId } = by.session
          const workspace = Option.getOrThrow(yield* workspaces.lock(workspaceId))
          yield* mend(urlIssues(given.trim(), workspace.kind, isAtHome(baseUrl)))
          const url = new URL(given.trim())
          const sealedUrl = sealUrl(crypto, workspaceId, kind, url.href)
          yield* store.setChannel({ workspaceId, kind, sealedUrl, host: url.host, setAtMillis: nowMillis })
          yield* logBy(by, "set_chat_channel", "loosen", { after: { kind, host: url.host } })
        }).pipe(atomically),
      testChannel: (by, kind) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const { workspaceId } = by.session
          const found = (yield* store.channels(workspaceId)).find(({ channel }) => channel.kind === kind)
          if (found === undefined || chat === null) return yield* refused("not_found")
          const { kind: workspaceKind } = Option.getOrThrow(yield* workspaces.get(workspaceId))
          const url = openUrl(crypto, workspaceId, kind, found.channel.sealedUrl)
          if (url === null) return { failure: "sealed", status: null } as const
          const body = chatMessage(kind, testWords(by.user.email, by.workspaceName, baseUrl))
          return yield* chat.post({ url, workspaceKind, body }).pipe(
            Effect.as(null),
            Effect.catch(({ reason, status }) => Effect.succeed({ failure: reason, status }))
          )
        }),
      removeChannel: (by, kind) =>
        Effect.gen(function* () {
          yield* freshOwner(by)
          const { workspaceId } = by.session
          if (!(yield* store.removeChannel(workspaceId, kind))) return yield* refused("not_found")
          yield* logBy(by, "remove_chat_channel", "none", { before: { kind } })
        }).pipe(atomically)
    })
  })
)
