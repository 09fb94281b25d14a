import type { MailContent, MailPart } from "@outbound/domain/outreach/mail/mail.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"

export const OURS = "<018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70@acme.test>"

export interface Given {
  readonly subject?: string
  readonly text: string
  readonly from?: string
  /** Field names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly parts?: ReadonlyArray<MailPart>
  /** It names no message of ours. */
  readonly isNew?: boolean
}

/** A mail to a mailbox of ours, in a thread of ours. */
export const mail = ({
  from = "pat@b.test",
  headers = {},
  isNew = false,
  parts = [],
  subject = "Re: Hello",
  text
}: Given): MailContent => ({
  headers: Object.entries({
    from: `Pat Doe <${from}>`,
    ...(isNew ? {} : { "in-reply-to": OURS, references: OURS }),
    ...headers
  }).map(([name, value]) => ({ name, value })),
  fromEmail: from,
  subject,
  text,
  html: null,
  truncated: false,
  parts
})

/** What it is taken for. */
export const kindOf = (given: Given): string => {
  const found = recognise(mail(given))
  return found.kind === "automatic" && found.answers ? "absence" : found.kind
}
