import { Clock, Effect, Layer, Option } from "effect"
import { MUTABLE, NoticeStore } from "../../calls/approvals/notices/NoticeStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { isAtHome, Settings } from "../../kernel/Settings.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { actorOf, freshOwner, mend, refused } from "../access.js"
import { makeLog } from "../logging.js"
import { urlIssues } from "../webhooks/target.js"
import { sealUrl } from "./channelSecret.js"
import { Notices, NOTICES_LISTED_MAX } from "./Notices.js"

export const layer = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const store = yield* NoticeStore
    const workspaces = yield* WorkspaceStore
    const crypto = yield* Crypto
    const log = yield* makeLog
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
          yield* freshOwner(by, nowMillis)
          const { workspaceId } = by.session
          const workspace = Option.getOrThrow(yield* workspaces.lock(workspaceId))
          yield* mend(urlIssues(given.trim(), workspace.kind, isAtHome(baseUrl)))
          const url = new URL(given.trim())
          const sealedUrl = sealUrl(crypto, workspaceId, kind, url.href)
          yield* store.setChannel({ workspaceId, kind, sealedUrl, host: url.host, setAtMillis: nowMillis })
          const entry = { workspaceId, actor: actorOf(by), action: "set_chat_channel", direction: "loosen" } as const
          yield* log(nowMillis, { ...entry, after: { kind, host: url.host } })
        }).pipe(atomically),
      removeChannel: (by, kind) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          yield* freshOwner(by, nowMillis)
          const { workspaceId } = by.session
          if (!(yield* store.removeChannel(workspaceId, kind))) return yield* refused("not_found")
          const entry = { workspaceId, actor: actorOf(by), action: "remove_chat_channel", direction: "none" } as const
          yield* log(nowMillis, { ...entry, before: { kind } })
        }).pipe(atomically)
    })
  })
)
