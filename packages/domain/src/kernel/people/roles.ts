/** Mailboxes of a role: those of RFC 2142, and those common in companies. */
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

/** Whether a local part names a role. A `+` suffix doesn't count. */
export const isRole = (local: string): boolean => ROLES.has(local.split("+")[0] ?? local)
