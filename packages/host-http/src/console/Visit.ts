import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { Effect } from "effect"
import type { Reply } from "../http/Reply.js"
import type { Viewer } from "./Viewer.js"

/** A request for a page. */
export interface Visit {
  readonly path: string
  readonly query: URLSearchParams
  /** Empty for a `GET`. */
  readonly form: URLSearchParams
  readonly cookies: string | undefined
  /** The client's network address. */
  readonly client: string
  /** The value of `:id` in the path, in lower case. */
  readonly id: string
}

/** A page request by a signed-in user. */
export interface Inside extends Visit {
  readonly viewer: Viewer
  readonly by: SignedIn
  readonly workspaceId: string
  /** The session's secret. */
  readonly secret: string
  readonly nowMillis: number
}

/** A streamed answer. It ends when a piece can't be sent (`write` returns false). */
export interface Pieces {
  readonly headers: Readonly<Record<string, string>>
  readonly produce: (
    write: (piece: string) => Effect.Effect<boolean>,
    /** Calls back when the client leaves. Returns what forgets that. */
    onLeft: (told: () => void) => () => void
  ) => Effect.Effect<void, StoreUnavailable>
  /** Is called at the end, however it comes. */
  readonly release?: () => void
}

export type Page = Effect.Effect<Reply | Pieces, StoreUnavailable>

/** A route of the console. `:id` in its path is a UUID. */
export type Route =
  | {
      readonly access: "open"
      readonly path: string
      readonly get?: (visit: Visit) => Page
      readonly post?: (visit: Visit) => Page
    }
  | {
      readonly access: "member"
      readonly path: string
      readonly get?: (visit: Inside) => Page
      readonly post?: (visit: Inside) => Page
      /** Nobody goes there, so nobody is sent to sign in. */
      readonly isForScripts?: true
      /** The page that shows the form, if it is at another path. */
      readonly formOn?: string
      /** Replaces `LIMITS.formBytesMax` for this form. */
      readonly formBytesMax?: number
      /** The form may carry text files. The text of each stands under its field's name. */
      readonly takesFiles?: true
    }

export const isPieces = (made: Reply | Pieces): made is Pieces => "produce" in made

type MemberRoute = Extract<Route, { readonly access: "member" }>

/** A route for signed-in members. */
export const member = (path: string, rest: Omit<MemberRoute, "access" | "path">): Route => ({
  access: "member",
  path,
  ...rest
})
