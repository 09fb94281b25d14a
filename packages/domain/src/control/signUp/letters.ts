import type { Letter } from "../alerts/Mailer.js"

export const SIGN_UP_LINK_MINUTES = 30

/** The path of the page. */
export const SIGN_UP = "/console/sign-up"

export const signUpUrl = (baseUrl: string, secret: string): string => `${baseUrl}${SIGN_UP}?token=${secret}`

/** Names nothing that was typed: anybody can have it sent to anybody. */
export const signUpLetter = (baseUrl: string, to: string, secret: string): Letter => ({
  to,
  subject: "Your workspace on outbound",
  text: [
    "Open this link to make your workspace on outbound:",
    "",
    signUpUrl(baseUrl, secret),
    "",
    `It works once, for ${SIGN_UP_LINK_MINUTES} minutes.`,
    "If you did not ask for it, ignore this email: nothing is made without the link.",
    ""
  ].join("\n")
})

export const secondLetter = (baseUrl: string, to: string): Letter => ({
  to,
  subject: "You have a workspace on outbound",
  text: [
    "Somebody asked for a workspace on outbound for this address. Whoever reads it has one already, under another spelling",
    "of the address. Sign in with that one:",
    "",
    `${baseUrl}/console/sign-in`,
    "",
    "If you did not ask for it, ignore this email.",
    ""
  ].join("\n")
})
