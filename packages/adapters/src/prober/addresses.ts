import { disposableEmailBlocklistSet } from "disposable-email-domains-js"

/** Mailboxes of a function rather than a person: those of RFC 2142, and those that companies usually have. */
const ROLES: ReadonlySet<string> = new Set(
  [
    "abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp",
    "info marketing sales support",
    "accounting accounts admin administrator all billing careers compliance contact contactus customercare",
    "customerservice customersupport data dataprotection dev developers devnull devops dns do-not-reply donotreply",
    "dpo editor editorial email engineering enquiries everyone events facilities feedback finance gdpr general hello help",
    "helpdesk hi hr humanresources inbox inquiries investors invoice invoices it jobs kontakt legal list mail mailbox",
    "mailer-daemon mailerdaemon media newsletter no-reply nobody noreply office operations orders partners payments payroll",
    "people personnel phishing press pr privacy procurement purchasing reception recruiting recruitment register",
    "reservations returns root sekretariat service services shop spam staff subscribe subscriptions sysadmin team tech",
    "technical test trade training travel undisclosed-recipients unsubscribe vertrieb verwaltung web welcome"
  ].flatMap((line) => line.split(" "))
)

/** Whether a local part names a function. What follows a `+` is the mailbox's own. */
export const isRole = (local: string): boolean => ROLES.has(local.split("+")[0] ?? local)

let disposable: ReadonlySet<string> | null = null

/** Whether a domain, or one that it lies under, gives mailboxes away for minutes. */
export const isDisposable = (domain: string): boolean => {
  disposable ??= disposableEmailBlocklistSet()
  const labels = domain.split(".")
  // A top-level domain is nobody's.
  for (let at = 0; at < labels.length - 1; at++) if (disposable.has(labels.slice(at).join("."))) return true
  return false
}
