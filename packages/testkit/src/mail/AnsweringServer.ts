import { type ImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { makeMailServer, type TakenMessage } from "@outbound/sandbox/mail/MailServer.js"
import { Duration, Effect, Scope } from "effect"

/** How long a person takes to answer. A message is known as sent by then. */
const ANSWERS_AFTER = Duration.seconds(2)

/** What a person writes back, and lines of its header that machines add. */
export interface Answer {
  readonly text: string
  readonly headers?: ReadonlyArray<string>
}

/** A mail server on loopback whose own mailboxes send to people who answer. */
export interface AnsweringServer {
  readonly smtpPort: number
  readonly imapPort: number
  readonly addMailbox: ImapServer["addMailbox"]
  /** What left for others than the mailboxes here, oldest first. */
  readonly delivered: ReadonlyArray<TakenMessage>
}

const headerOf = (head: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*((?:.|\\r?\\n[ \\t])*)`, "im")
    .exec(head)?.[1]
    ?.replace(/\r?\n[ \t]+/g, " ")
    .trim() ?? ""

/** The message that answers another, as mail programs write it. */
const answerTo = ({ raw, to }: TakenMessage, { headers = [], text }: Answer, number: number): Buffer => {
  const [head = ""] = raw.toString("latin1").split(/\r?\n\r?\n/, 1)
  const id = headerOf(head, "message-id")
  return Buffer.from(
    [
      `Return-Path: <${to}>`,
      `From: <${to}>`,
      `To: ${headerOf(head, "from")}`,
      `Subject: Re: ${headerOf(head, "subject")}`,
      `Message-ID: <answer-${number}-${to}>`,
      `In-Reply-To: ${id}`,
      `References: ${id}`,
      `Date: ${new Date().toUTCString()}`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      ...headers,
      "",
      ...text.split("\n"),
      ""
    ].join("\r\n")
  )
}

/** `answerOf`: what an address writes back to its first message; null: nothing. */
export const answeringServer = (
  answerOf: (address: string) => Answer | null
): Effect.Effect<AnsweringServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.Scope
    const delivered: Array<TakenMessage> = []
    let imap: ImapServer | null = null

    const answered = (message: TakenMessage, answer: Answer, number: number) =>
      Effect.delay(
        Effect.sync(() => {
          imap?.mailboxes.get(message.from.toLowerCase())?.inbox.add(answerTo(message, answer, number), new Date())
        }),
        ANSWERS_AFTER
      )

    const server = yield* makeMailServer({
      remembers: false,
      onSubmitted: (message) =>
        Effect.gen(function* () {
          const own = imap?.mailboxes.get(message.to.toLowerCase())
          if (own !== undefined) {
            const raw = Buffer.concat([Buffer.from(`Return-Path: <${message.from}>\r\n`), message.raw])
            return void own.inbox.add(raw, new Date())
          }
          const isFirst = !delivered.some(({ to }) => to === message.to)
          delivered.push(message)
          const answer = isFirst ? answerOf(message.to.toLowerCase()) : null
          if (answer !== null) yield* Effect.forkIn(answered(message, answer, delivered.length), scope)
        })
    })
    imap = server.imap
    return { smtpPort: server.smtpPort, imapPort: server.imap.port, addMailbox: server.addMailbox, delivered }
  })
