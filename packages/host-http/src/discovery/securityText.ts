import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
export const SECURITY_PATH = "/.well-known/security.txt"

/** The standard advises less than a year. */
const GOOD_FOR_DAYS = 180

/** Whom to tell of a hole (RFC 9116). It is made anew for each reader, so it never runs out. */
export const securityText = (contact: string, baseUrl: string, nowMillis: number): string => {
  const expires = new Date(nowMillis + GOOD_FOR_DAYS * DAY_MILLIS)
  expires.setUTCHours(0, 0, 0, 0)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace(".000", "")}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}${SECURITY_PATH}`,
    ""
  ].join("\n")
}

/** The contact as the standard writes it: an https or mailto address. An email address alone is one too. */
export const contactOf = (text: string): string | undefined => {
  const contact = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text) ? `mailto:${text}` : text
  const isPlain = /^(?:https:\/\/[^\s/]+|mailto:[^\s@]+@[^\s@]+\.)[!-~]*$/.test(contact)
  return isPlain && URL.canParse(contact) ? contact : undefined
}
