import { Context } from "effect"
import type { ChannelStanding, ChatKind, ListedNotice, Muted } from "../../calls/approvals/notices/NoticeStore.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"

/** Most notices of one approval that a page lists. */
export const NOTICES_LISTED_MAX = 100

/** Who is told of approvals, and how, for signed-in people. */
export class Notices extends Context.Tag("@outbound/domain/control/notices/Notices")<
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
>() {}
