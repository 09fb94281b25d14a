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
import type { CampaignMailboxes } from "@outbound/domain/outreach/campaigns/CampaignMailboxes.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { ContentStore } from "@outbound/domain/outreach/campaigns/content/ContentStore.js"
import type { ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { MailboxAdmin } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import type { TrailStore } from "@outbound/domain/kernel/trail/TrailStore.js"
import type { Webhooks } from "@outbound/domain/control/webhooks/Webhooks.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { Context } from "effect"

/** What the console needs of the service. */
export interface ConsoleServices {
  readonly calls: Context.Tag.Service<typeof Calls>
  readonly console: Context.Tag.Service<typeof Console>
  readonly control: Context.Tag.Service<typeof Control>
  readonly oauth: Context.Tag.Service<typeof OAuth>
  readonly reads: Context.Tag.Service<typeof ConsoleReads>
  readonly changes: Context.Tag.Service<typeof Changes>
  readonly content: Context.Tag.Service<typeof ContentStore>
  readonly replies: Context.Tag.Service<typeof ReplyStore>
  readonly lists: Context.Tag.Service<typeof ListStore>
  readonly trail: Context.Tag.Service<typeof TrailStore>
  readonly credits: Context.Tag.Service<typeof CreditStore>
  readonly workspaces: Context.Tag.Service<typeof WorkspaceStore>
  readonly forecasts: Context.Tag.Service<typeof Forecasts>
  readonly variantChoice: Context.Tag.Service<typeof VariantChoice>
  readonly campaignMailboxes: Context.Tag.Service<typeof CampaignMailboxes>
  readonly webhooks: Context.Tag.Service<typeof Webhooks>
  readonly approvers: Context.Tag.Service<typeof Approvers>
  readonly notices: Context.Tag.Service<typeof Notices>
  readonly alerts: Context.Tag.Service<typeof Alerts>
  readonly crypto: Context.Tag.Service<typeof Crypto>
  readonly holidays: Context.Tag.Service<typeof PublicHolidays>
  readonly ids: Context.Tag.Service<typeof Ids>
  /** Null where the host is given none: then the console does without. */
  readonly mail: Context.Tag.Service<typeof SignInMail> | null
  readonly passkeys: Context.Tag.Service<typeof PasskeyAccess> | null
  readonly payments: Context.Tag.Service<typeof Payments> | null
  readonly mailboxes: Context.Tag.Service<typeof MailboxAdmin> | null
  readonly domains: Context.Tag.Service<typeof Domains> | null
  readonly imports: Context.Tag.Service<typeof SuppressionImport> | null
  readonly erasure: Context.Tag.Service<typeof Erasure> | null
  readonly ownKeys: Context.Tag.Service<typeof OwnKeys> | null
  readonly crm: Context.Tag.Service<typeof CrmAdmin> | null
  readonly baseUrl: string
}
