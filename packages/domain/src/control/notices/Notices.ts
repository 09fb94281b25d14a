import { Context, type Effect } from "effect"
import type { ChannelStanding, ChatKind, ListedNotice, Muted } from "../../calls/approvals/notices/NoticeStore.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"

/** Most notices of one approval that a page lists. */
export const NOTICES_LISTED_MAX = 100

/** Who is told of approvals, and how, for signed-in people. */
export class Notices extends Context.Tag("@outbound/domain/control/notices/Notices")<
  Notices,
  {
    readonly ofApproval: (
      by: SignedIn,
      approvalId: string
    ) => Effect.Effect<ReadonlyArray<ListedNotice>, StoreUnavailable>
    readonly channels: (by: SignedIn) => Effect.Effect<ReadonlyArray<ChannelStanding>, StoreUnavailable>
    /** What the signed-in member has turned off. */
    readonly muted: (by: SignedIn) => Effect.Effect<ReadonlyArray<Muted>, StoreUnavailable>
    /** Their own choice only. */
    readonly setMuted: (by: SignedIn, muted: ReadonlyArray<Muted>) => Effect.Effect<void, StoreUnavailable>
    /** Owners, after a fresh sign-in. Replaces the channel of that product. The address is never shown again. */
    readonly setChannel: (
      by: SignedIn,
      channel: { readonly kind: ChatKind; readonly url: string }
    ) => Effect.Effect<void, ControlRefused | StoreUnavailable>
    /** Owners, after a fresh sign-in. Posts one message that asks for nothing. Null: the channel took it. */
    readonly testChannel: (
      by: SignedIn,
      kind: ChatKind
    ) => Effect.Effect<Pick<ListedNotice, "failure" | "status"> | null, ControlRefused | StoreUnavailable>
    /** Owners, after a fresh sign-in. What waits for it is not sent. */
    readonly removeChannel: (by: SignedIn, kind: ChatKind) => Effect.Effect<void, ControlRefused | StoreUnavailable>
  }
>() {}
