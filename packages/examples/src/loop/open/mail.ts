/** Name servers and mail servers of this machine, for the companies of the loop and for the mailboxes it sends from. */
import { type AnsweringServer, answeringServer, type Answer } from "@outbound/testkit/mail/AnsweringServer.js"
import { type MailZone, mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { Effect, type Scope } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { Addresses } from "../directory/Addresses.js"
import { type StandIns, mailServer } from "../directory/StandIns.js"
import { ALL, PEOPLE, SENDER } from "./world.js"

/** What each kind of person writes back. */
const WORDS: Readonly<Record<string, Answer>> = {
  interested: { text: "Hello Alex,\n\nyes, this sounds good. Can we talk on Tuesday at 10?\n\nBest" },
  not_interested: { text: "Hello,\n\nwe are not interested, thank you.\n\nBest" },
  out_of_office: {
    text: "I am out of the office until Monday and will read your message then.",
    headers: ["Auto-Submitted: auto-replied", "X-Auto-Response-Suppress: All"]
  }
}

export interface OpenMail extends StandIns {
  readonly server: AnsweringServer
  /** Of every mailbox here. */
  readonly password: string
  /** The DKIM record of the domain that sends, as a mail provider shows it. */
  readonly dkim: string
}

/** The key is real, and nobody's. */
const dkimRecord = (): string => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
}

/** What a domain that sends must publish. */
const senderZones = (dkim: string): ReadonlyArray<readonly [string, MailZone]> => {
  const { domain, selector, spf } = SENDER
  return [
    [domain, { a: ["127.0.0.1"], mx: [[10, `mail.${domain}`]], txt: [`v=spf1 ${spf} -all`] }],
    [`mail.${domain}`, { a: ["127.0.0.1"] }],
    [`${selector}._domainkey.${domain}`, { txt: [dkim] }],
    [`_dmarc.${domain}`, { txt: [`v=DMARC1; p=none; rua=mailto:dmarc@${domain}`] }]
  ]
}

/** Real SMTP and IMAP: whom the prober asks, and where mail leaves and answers come in. */
export const openMail: Effect.Effect<OpenMail, never, Scope.Scope> = Effect.gen(function* () {
  const addresses = new Addresses()
  for (const { email } of PEOPLE) addresses.addEmail(email)
  const { asked, smtpPort } = yield* mailServer(addresses, null)
  const zones = ALL.flatMap(({ domain }): ReadonlyArray<readonly [string, MailZone]> => [
    [domain, { a: ["127.0.0.1"], mx: [[10, `mail.${domain}`]] }],
    [`mail.${domain}`, { a: ["127.0.0.1"] }]
  ])
  const dkim = dkimRecord()
  const names = yield* mailNameServer(Object.fromEntries([...zones, ...senderZones(dkim)]))
  const server = yield* answeringServer((address) => {
    const kind = PEOPLE.find(({ email }) => email === address)?.answers ?? null
    return kind === null ? null : (WORDS[kind] ?? null)
  })
  return { resolver: names.address, smtpPort, asked, server, password: randomBytes(12).toString("hex"), dkim }
})
