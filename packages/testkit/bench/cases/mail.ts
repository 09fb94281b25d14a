/**
 * Messages that others describe, read as ours. `cases.json` says for each what it is (`event`), what its classification may be
 * and may not, and what its text, its own words, its bounce and its day of return are.
 */
import { readContent } from "@outbound/adapters/mail/received.js"
import { refuses } from "@outbound/domain/outreach/replies/inboundEvent.js"
import { isForTheRecord, recognise } from "@outbound/domain/outreach/replies/recognise.js"
import type { MailContent } from "@outbound/domain/outreach/mail/mail.js"
import { classify } from "@outbound/domain/outreach/meaning/classify.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Outcome } from "./outcome.js"

type OneOrMore = string | null | ReadonlyArray<string | null>

interface Case {
  readonly id: string
  readonly kind: string
  readonly file: string
  readonly expect: Readonly<Record<string, OneOrMore>>
}

/** Whose mailbox it is in all of them: its own mail is nobody's answer. */
const OURS = /@mail\.seller\.example$/i

/** What becomes of a message, and what it is called. */
const eventOf = (mail: MailContent): readonly [event: string, classification: string | null] => {
  const read = recognise(mail)
  if (isForTheRecord(read) || OURS.test(mail.fromEmail ?? "")) return ["none", null]
  switch (read.kind) {
    case "bounce":
      return ["bounce", "bounce"]
    case "complaint":
      return [read.feedback === "abuse" ? "complaint" : "unsubscribe", null]
    case "opt_out":
      return ["unsubscribe", null]
    case "automatic":
      if (refuses(read, mail)) return ["unsubscribe", null]
      return read.answers ? ["reply", "out_of_office"] : ["none", null]
    case "reply":
      return ["reply", classify(ownText(mail.text))?.classification ?? null]
  }
}

const list = (of: OneOrMore | undefined): ReadonlyArray<string | null> =>
  of === undefined ? [] : typeof of === "object" && of !== null ? of : [of]
const spaced = (text: string): string => text.replace(/\s+/g, " ").trim()

const failuresOf = (mail: MailContent, { expect }: Case): ReadonlyArray<string> => {
  const [event, classification] = eventOf(mail)
  const read = recognise(mail)
  const own = spaced(ownText(mail.text))
  const text = spaced(mail.text)
  const has = (words: string | null) => spaced(words ?? "")
  const returnsOn = () =>
    understand({
      classification: event === "reply" ? (classification as "out_of_office" | null) : null,
      fromEmail: mail.fromEmail ?? "",
      bodyText: mail.text,
      receivedAtMillis: Date.UTC(2026, 10, 24, 12)
    }).returnsOn
  const isMeant = (name: string, is: string | null) => expect[name] === undefined || list(expect[name]).includes(is)
  const events = classification === "unsubscribe" ? [event, "unsubscribe"] : [event]
  return [
    ...(expect["event"] === undefined || events.some((one) => isMeant("event", one)) ? [] : [`is ${event}`]),
    ...(event !== "reply" || isMeant("classification", classification) ? [] : [`is called ${classification}`]),
    ...(list(expect["not"]).includes(classification) ? [`is called ${classification}`] : []),
    ...(expect["own"] === undefined || own === has(list(expect["own"])[0] ?? null) ? [] : [`says ${own}`]),
    ...list(expect["ownHas"]).filter((words) => !own.includes(has(words))),
    ...list(expect["ownLacks"]).filter((words) => own.includes(has(words))),
    ...list(expect["text"]).filter((words) => !text.includes(has(words))),
    ...(isMeant("subject", mail.subject) ? [] : [`has the subject ${mail.subject}`]),
    ...(isMeant("bounce", read.kind === "bounce" ? read.bounce.type : null) ? [] : ["is another bounce"]),
    ...(isMeant("reason", read.kind === "bounce" ? read.bounce.reason : null) ? [] : ["has another reason"]),
    ...(expect["returnsOn"] === undefined || isMeant("returnsOn", returnsOn()) ? [] : [`returns on ${returnsOn()}`])
  ].map(String)
}

/** Messages that come without a description of theirs, beside lists. */
const BESIDE: Readonly<Record<string, Case["expect"]>> = {
  "m-k10a-unsubscribe-from-other-address.eml": { event: "unsubscribe" },
  "m-k11-reply-to-rewritten-id.eml": { event: ["unsubscribe", "reply"] },
  "m-k12a-helpdesk-ack.eml": { event: "none" },
  "m-k13a-dsn-m365-dbeb.eml": { event: "bounce", bounce: "hard" }
}

const outcomeOf = async (folder: string, one: Case): Promise<Outcome> => ({
  id: one.id,
  kind: one.kind,
  failures: failuresOf(await readContent(readFileSync(join(folder, one.file)), false), one)
})

export const mailCases = (folder: string): Promise<ReadonlyArray<Outcome>> =>
  Promise.all(
    (JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as ReadonlyArray<Case>).map((one) =>
      outcomeOf(folder, one)
    )
  )

export const messagesBeside = (folder: string, files: ReadonlyArray<string>): Promise<ReadonlyArray<Outcome>> =>
  Promise.all(
    files.flatMap((file) => {
      const expect = BESIDE[file]
      return expect === undefined ? [] : [outcomeOf(folder, { id: file, kind: "messages beside lists", file, expect })]
    })
  )
