import {
  type Arrivals,
  type ArrivedMail,
  type ArrivalsQuery,
  type HeadsUnfetched,
  MailReader
} from "@outbound/domain/outreach/mail/MailReader.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import type { AttachedReport } from "@outbound/domain/outreach/mail/aggregateReport.js"
import { reportXml } from "./reportXml.js"
import type { MailContent, MailHeader, MailPart } from "@outbound/domain/outreach/mail/mail.js"
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** A message that someone writes to a mailbox. */
export interface Letter {
  readonly from: string
  readonly subject?: string
  readonly text: string
  /** The `Message-ID` of ours that it names, without angle brackets. */
  readonly inReplyTo?: string
  /** Its own; one is made up where none is given. */
  readonly messageId?: string
  /** When it came in; now, where that is not said. */
  readonly arrivedAtMillis?: number
  readonly head?: ReadonlyArray<readonly [name: string, value: string]>
  /** What a report has beside its words; `mixed`: it is no report by its type, as Microsoft's complaints are none. */
  readonly report?: {
    readonly type: "delivery-status" | "feedback-report" | "mixed"
    readonly parts: ReadonlyArray<MailPart>
  }
  /** A DMARC report in a file: what a reader makes of it. Over a wire it goes as XML, or as octets that say nothing. */
  readonly file?: { readonly name: string; readonly type: string; readonly read: AttachedReport }
}

/** Where letters to own mailboxes arrive, for tests of readers: in memory, or a real server. */
export class PostOffice extends Context.Service<
  PostOffice,
  {
    readonly deliver: (address: string, letter: Letter, folder?: "inbox" | "junk") => Effect.Effect<void>
    /** From now on every message lies there under another UID. */
    readonly changeUidValidity: (address: string) => Effect.Effect<void>
    /** Connections to this mailbox are lost, and the next so many fail so. */
    readonly failNext: (
      address: string,
      reason: Extract<ProviderFailureReason, "transient" | "account">,
      times: number
    ) => Effect.Effect<void>
    /** The mailbox's server says nothing any more. */
    readonly stall: (address: string, isSo: boolean) => Effect.Effect<void>
    /** The messages themselves can't be fetched any more; their heads can. */
    readonly loseContents: (isSo: boolean) => Effect.Effect<void>
    /** Nothing can be fetched any more of messages with this subject; null: everything can again. */
    readonly loseWith: (subject: string | null) => Effect.Effect<void>
  }
>()("@outbound/testkit/mail/PostOffice") {}

const BOUNDARY = "part-of-a-report"

const BASE = "Thu, 25 Mar 2027 09:00:00 +0000"

let letters = 0

const contentTypeOf = ({ file, report }: Letter): string => {
  if (file !== undefined) return `multipart/mixed; boundary="${BOUNDARY}"`
  if (report?.type === "mixed") return `multipart/mixed; boundary="${BOUNDARY}"`
  return report === undefined
    ? "text/plain; charset=utf-8"
    : `multipart/report; report-type=${report.type}; boundary="${BOUNDARY}"`
}

/** The parts after a letter's words. */
const partsOf = ({ file, report }: Letter): ReadonlyArray<MailPart> =>
  file === undefined
    ? (report?.parts ?? [])
    : [
        {
          type: `${file.type}; name="${file.name}"\nContent-Disposition: attachment; filename="${file.name}"`,
          text: file.read._tag === "Report" ? reportXml(file.read.report) : "PK broken"
        }
      ]

/** The head of a letter, in the order in which it is written. */
const headersOf = (letter: Letter): ReadonlyArray<readonly [string, string]> => {
  letters += 1
  return [
    ["From", letter.from],
    ["Subject", letter.subject ?? "Re: Hello"],
    ["Message-ID", `<${letter.messageId ?? `letter-${letters}-${process.pid}@b.test`}>`],
    ...(letter.head?.some(([name]) => name === "Date") === true ? [] : [["Date", BASE] as const]),
    ...(letter.inReplyTo === undefined ? [] : [["In-Reply-To", `<${letter.inReplyTo}>`] as const]),
    ...(letter.head ?? []),
    ["Content-Type", contentTypeOf(letter)]
  ]
}

/** The letter as it goes over the wire (RFC 5322). */
export const rawLetter = (letter: Letter): Buffer => {
  const head = headersOf(letter).map(([name, value]) => `${name}: ${value}`)
  const parts = [{ type: "text/plain; charset=utf-8", text: letter.text }, ...partsOf(letter)]
  const body =
    parts.length === 1
      ? letter.text
      : `${parts.map(({ text, type }) => `--${BOUNDARY}\nContent-Type: ${type}\n\n${text}\n`).join("")}--${BOUNDARY}--`
  return Buffer.from(`${head.join("\n")}\n\n${body}\n`.replace(/\r?\n/g, "\r\n"))
}

interface Kept {
  readonly uid: number
  readonly arrivedAtMillis: number
  readonly content: MailContent
}

class Folder {
  uidValidity = 1
  mails: ReadonlyArray<Kept> = []
}

const contentOf = (letter: Letter): MailContent => ({
  headers: headersOf(letter).map(([name, value]): MailHeader => ({ name: name.toLowerCase(), value })),
  fromEmail: /[^\s<>]+@[^\s<>]+/.exec(letter.from)?.[0] ?? null,
  subject: letter.subject ?? "Re: Hello",
  text: letter.text,
  html: null,
  truncated: false,
  parts: letter.report?.parts ?? [],
  ...(letter.file === undefined ? {} : { aggregate: letter.file.read })
})

const FOLDERS = { inbox: "INBOX", junk: "Junk" } as const

/** In memory. */
export const layer: Layer.Layer<PostOffice | MailReader> = Layer.effectContext(
  Effect.sync(() => {
    const boxes = new Map<string, Map<string, Folder>>()
    const failures = new Map<string, Array<ProviderFailureReason>>()
    const stalled = new Set<string>()
    let isLost = false
    let lostSubject: string | null = null

    const folderOf = (address: string, name: string): Folder => {
      const box = boxes.get(address) ?? new Map<string, Folder>()
      boxes.set(address, box)
      const folder = box.get(name) ?? new Folder()
      box.set(name, folder)
      return folder
    }

    const unlessFailing = <A>(address: string, answer: Effect.Effect<A>): Effect.Effect<A, ProviderFailure> =>
      Effect.suspend(() => {
        const reason = failures.get(address)?.shift()
        return reason === undefined ? answer : Effect.fail(new ProviderFailure({ provider: "post_office", reason }))
      })

    const arrivals = (
      address: string,
      { cursor, folder: name, limit, sinceMillis, without = [] }: ArrivalsQuery
    ): Effect.Effect<Arrivals, ProviderFailure> =>
      Effect.suspend(() => {
        const { mails, uidValidity } = folderOf(address, name)
        const known = cursor?.uidValidity === uidValidity ? cursor : null
        const behind = mails.filter(({ arrivedAtMillis, uid }) =>
          known === null ? arrivedAtMillis >= sinceMillis : uid > known.lastUid
        )
        const page = behind.slice(0, limit)
        const asked = page.filter(({ uid }) => !without.includes(uid))
        if (asked.some(({ content: { subject } }) => subject === lostSubject)) {
          const uids = asked.map(({ uid }) => uid)
          const cause: HeadsUnfetched = { _tag: "HeadsUnfetched", uidValidity, uids, cause: null }
          return Effect.fail(new ProviderFailure({ provider: "post_office", reason: "transient", cause }))
        }
        const arrived = asked.map(
          ({ arrivedAtMillis, content: { fromEmail, headers, subject }, uid }): ArrivedMail => ({
            folder: name,
            uidValidity,
            uid,
            arrivedAtMillis,
            size: 1,
            fromEmail,
            headers,
            subject
          })
        )
        const lastUid = page.at(-1)?.uid ?? known?.lastUid ?? mails.at(-1)?.uid ?? 0
        const more = behind.length > page.length
        return Effect.succeed({ mails: arrived, cursor: { folder: name, uidValidity, lastUid }, more })
      })

    const reader = MailReader.of({
      session: ({ address }) =>
        unlessFailing(
          address,
          Effect.succeed({
            folders: Object.values(FOLDERS),
            arrivals: (query: ArrivalsQuery) =>
              Effect.suspend(() => {
                if (stalled.has(address)) return Effect.never
                return (failures.get(address)?.length ?? 0) > 0
                  ? Effect.fail(new ProviderFailure({ provider: "post_office", reason: "transient" }))
                  : arrivals(address, query)
              }),
            content: (mail: ArrivedMail) =>
              isLost
                ? Effect.fail(new ProviderFailure({ provider: "post_office", reason: "transient" }))
                : Effect.sync(
                    () => folderOf(address, mail.folder).mails.find(({ uid }) => uid === mail.uid)?.content ?? null
                  ),
            waitForMail: (maxMillis: number) => Effect.sleep(Duration.millis(maxMillis))
          })
        ),
      findInSent: () => Effect.succeed("unknowable")
    })

    const office = PostOffice.of({
      deliver: (address, letter, folder = "inbox") =>
        Effect.map(Clock.currentTimeMillis, (nowMillis) => {
          const arrivedAtMillis = letter.arrivedAtMillis ?? nowMillis
          const into = folderOf(address, FOLDERS[folder])
          const uid = (into.mails.at(-1)?.uid ?? 0) + 1
          into.mails = [...into.mails, { uid, arrivedAtMillis, content: contentOf(letter) }]
        }),
      changeUidValidity: (address) =>
        Effect.sync(() => {
          for (const folder of boxes.get(address)?.values() ?? []) {
            folder.uidValidity += 1
            folder.mails = folder.mails.map((mail, index) => ({ ...mail, uid: 1_000 + index }))
          }
        }),
      failNext: (address, reason, times) =>
        Effect.sync(
          () =>
            void failures.set(
              address,
              Array.from({ length: times }, () => reason)
            )
        ),
      stall: (address, isSo) => Effect.sync(() => void (isSo ? stalled.add(address) : stalled.delete(address))),
      loseContents: (isSo) => Effect.sync(() => void (isLost = isSo)),
      loseWith: (subject) => Effect.sync(() => void (lostSubject = subject))
    })

    return Context.make(PostOffice, office).pipe(Context.add(MailReader, reader))
  })
)
