/** How much of the mail with a sending domain's name passed at one receiver, from one address (RFC 7489 §7.2). */
export interface ReportRow {
  /** The address that it came from, IPv4 or IPv6. */
  readonly ip: string
  readonly messages: number
  readonly disposition: "none" | "quarantine" | "reject"
  /** Whether DKIM, or SPF, passed for the domain in From. */
  readonly dkim: boolean
  readonly spf: boolean
  /** The domain in From. */
  readonly headerFrom: string
}

/** A DMARC aggregate report. Third-party data: anyone can send one. */
export interface AggregateReport {
  readonly organisation: string
  readonly reportId: string
  /** Where the policy was found. */
  readonly domain: string
  readonly beginMillis: number
  readonly endMillis: number
  readonly rows: ReadonlyArray<ReportRow>
}

/** What a mail's attachment was. `why`: what kept us from reading it, for the log. */
export type AttachedReport =
  | { readonly _tag: "Report"; readonly report: AggregateReport }
  | { readonly _tag: "Unreadable"; readonly why: string }
