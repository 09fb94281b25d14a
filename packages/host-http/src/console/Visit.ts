import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import type { Effect } from "effect"
import type { Calls } from "@outbound/domain/calls/Calls.js"
import type { Alerts } from "@outbound/domain/control/alerts/Alerts.js"
import type { Changes } from "@outbound/domain/control/console/Changes.js"
import type { Console } from "@outbound/domain/control/console/Console.js"
import type { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Control } from "@outbound/domain/control/Control.js"
import type { PasskeyAccess } from "@outbound/domain/control/console/PasskeyAccess.js"
import type { SignInMail } from "@outbound/domain/control/console/SignInMail.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { Domains } from "@outbound/domain/control/domains/Domains.js"
import type { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import type { Approvers } from "@outbound/domain/control/approvers/Approvers.js"
import type { Notices } from "@outbound/domain/control/notices/Notices.js"
import type { CrmAdmin } from "@outbound/domain/control/crm/CrmAdmin.js"
import type { OwnKeys } from "@outbound/domain/control/ownKeys/OwnKeys.js"
import type { Payments } from "@outbound/domain/control/payments/Payments.js"
import type { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import type { PublicHolidays } from "@outbound/domain/kernel/ports/PublicHolidays.js"
import type { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { Forecasts } from "@outbound/domain/control/Forecasts.js"
import type { VariantChoice } from "@outbound/domain/control/VariantChoice.js"
import type { CampaignPauses } from "@outbound/domain/outreach/campaigns/pausing/CampaignPauses.js"
import type { CampaignMailboxes } from "@outbound/domain/outreach/campaigns/CampaignMailboxes.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { ContentStore } from "@outbound/domain/outreach/campaigns/content/ContentStore.js"
import type { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { Webhooks } from "@outbound/domain/control/webhooks/Webhooks.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { Reply } from "../http/Reply.js"
import type { Viewer } from "./Shell.js"

/** What the console needs of the service. */
export interface ConsoleServices {
  readonly calls: Calls["Service"]
  readonly console: Console["Service"]
  readonly control: Control["Service"]
  readonly oauth: OAuth["Service"]
  readonly reads: ConsoleReads["Service"]
  readonly changes: Changes["Service"]
  readonly content: ContentStore["Service"]
  readonly replies: ReplyStore["Service"]
  readonly lists: ListStore["Service"]
  readonly trail: TrailStore["Service"]
  readonly credits: CreditStore["Service"]
  readonly workspaces: WorkspaceStore["Service"]
  readonly forecasts: Forecasts["Service"]
  readonly variantChoice: VariantChoice["Service"]
  readonly campaignMailboxes: CampaignMailboxes["Service"]
  readonly campaignPauses: CampaignPauses["Service"]
  readonly webhooks: Webhooks["Service"]
  readonly approvers: Approvers["Service"]
  readonly notices: Notices["Service"]
  readonly alerts: Alerts["Service"]
  readonly crypto: Crypto["Service"]
  readonly holidays: PublicHolidays["Service"]
  readonly ids: Ids["Service"]
  /** Null where the host is given none: then the console does without. */
  readonly mail: SignInMail["Service"] | null
  readonly passkeys: PasskeyAccess["Service"] | null
  readonly payments: Payments["Service"] | null
  readonly mailboxes: MailboxAdmin["Service"] | null
  readonly domains: Domains["Service"] | null
  readonly imports: SuppressionImport["Service"] | null
  readonly erasure: Erasure["Service"] | null
  readonly ownKeys: OwnKeys["Service"] | null
  readonly crm: CrmAdmin["Service"] | null
  readonly baseUrl: string
}

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
