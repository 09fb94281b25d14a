import { assert, it } from "@effect/vitest"
import { makeImap } from "@outbound/adapters/mail/Imap.js"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { makeReader } from "@outbound/domain/outreach/replies/readMailbox.js"
import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { BODY_CHARS_MAX } from "@outbound/domain/outreach/mail/Inbound.js"
import { rfcMessageId } from "@outbound/domain/outreach/sending/compose.js"
import type { FolderCursor } from "@outbound/domain/outreach/mail/MailReader.js"
import { freshId } from "@outbound/testkit/contracts/fixtures.js"
import { makeMailbox } from "@outbound/testkit/contracts/outboundFixtures.js"
import { makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import { Effect, Layer, Option } from "effect"
import { makeAccount, PASSWORD } from "./support.js"

/** How much of a message the server may be asked for at once. */
const ASKED_OCTETS_MAX = 256 * 1024

const SAYS = "No, thank you."
const lines = (...all: ReadonlyArray<string>): string => `${all.join("\r\n")}\r\n`

const head = (answers: string, ...more: ReadonlyArray<string>): string =>
  lines(
    "From: Pat <pat@b.test>",
    "To: jo@acme.test",
    "Subject: Re: Hello",
    `Message-ID: <${freshId()}@b.test>`,
    `In-Reply-To: <${answers}@acme.test>`,
    ...more
  )

const MIXED = "Content-Type: multipart/mixed; boundary=b0"

const nested = (answers: string, depth: number): string =>
  head(answers, MIXED, "") +
  Array.from({ length: depth }, (_, at) =>
    lines(`--b${at}`, `Content-Type: multipart/mixed; boundary=b${at + 1}`, "")
  ).join("") +
  lines(`--b${depth}`, "Content-Type: text/plain", "", SAYS)

/** A report of a bounce, with all of the message that it is about. */
const report = (answers: string, octets: number): string =>
  lines(
    "From: mailer-daemon@b.test",
    "Subject: Undelivered",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "",
    "It could not be delivered.",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; b.test",
    "",
    "Final-Recipient: rfc822; pat@b.test",
    "Action: failed",
    "Status: 5.1.1",
    "--r",
    "Content-Type: message/rfc822",
    "",
    `Message-ID: <${answers}@acme.test>`,
    "",
    "x".repeat(octets),
    "--r--"
  )

interface Shape {
  /** Whether its words can be read, and not its head alone. */
  readonly isRead: boolean
  readonly raw: (answers: string) => string
}

const read = (raw: Shape["raw"]): Shape => ({ isRead: true, raw })
const headAlone = (raw: Shape["raw"]): Shape => ({ isRead: false, raw })

const SHAPES: Readonly<Record<string, Shape>> = {
  "50 MB": read((of) => head(of, "") + lines(SAYS) + `${"x".repeat(76)}\r\n`.repeat(50_000_000 / 78)),
  "50 MB in one line": read((of) => head(of, "") + lines(SAYS) + "x".repeat(50_000_000)),
  "thousands of parts": read(
    (of) => head(of, MIXED, "") + lines("--b0", "", SAYS) + lines("--b0", "", "").repeat(20_000)
  ),
  "thousands of messages attached": read(
    (of) =>
      head(of, MIXED, "") +
      lines("--b0", "", SAYS) +
      lines("--b0", "Content-Type: message/rfc822", "", "a: b").repeat(8_000)
  ),
  "deep multiparts": read((of) => nested(of, 30)),
  "multiparts deeper than anybody's": headAlone((of) => nested(of, 5_000)),
  "one boundary for all its multiparts": headAlone(
    (of) => head(of, MIXED, "") + lines("--b0", MIXED, "").repeat(5_000) + lines("--b0", "", SAYS)
  ),
  "no boundary": headAlone((of) => head(of, "Content-Type: multipart/mixed", "") + lines("--b0", "", SAYS)),
  "a boundary that never comes": read((of) => head(of, MIXED, "") + lines(SAYS)),
  "a boundary that never ends": read((of) => head(of, MIXED, "") + lines("--b0", "", SAYS, "--b0")),
  "broken base64": headAlone((of) => head(of, "Content-Transfer-Encoding: base64", "") + "!!=*".repeat(20_000)),
  "base64 that stops in the middle": read(
    (of) =>
      head(of, "Content-Transfer-Encoding: base64", "") +
      Buffer.from(`${SAYS}\r\n\r\nPat`).toString("base64").slice(0, -3)
  ),
  "broken quoted-printable": read(
    (of) => head(of, "Content-Transfer-Encoding: quoted-printable", "") + lines(`${SAYS}=`, "", "=Z=")
  ),
  "a charset that is none": read(
    (of) => head(of, "Content-Type: text/plain; charset=klingon-8", "") + lines(SAYS, "", "\xff\xfe")
  ),
  "another charset than it says": read(
    (of) => head(of, "Content-Type: text/plain; charset=utf-8", "") + lines(SAYS, "", "\xc3\x28")
  ),
  "a header of megabytes": headAlone((of) => head(of, `X-Long: ${"a".repeat(3_000_000)}`, "") + lines(SAYS)),
  "a header of a million fields": headAlone((of) => head(of) + lines("X: a").repeat(400_000) + lines("") + lines(SAYS)),
  "a thread of megabytes": headAlone((of) => head(of, `References: ${"<a@b.test> ".repeat(200_000)}`, "") + lines(SAYS))
}

it.live(
  "whatever lies in a folder, however big or broken, it is read to its end, a bounded part of each, and an answer stays one",
  () =>
    Effect.gen(function* () {
      const server = yield* makeImapServer()
      const account = makeAccount(0, { imap: { host: "127.0.0.1", port: server.port, security: "none" } })
      const { inbox } = server.addMailbox(account.username, PASSWORD)
      const expected = new Map<string, string>()
      const put = (name: string, raw: Shape["raw"]) => {
        const answers = freshId()
        expected.set(rfcMessageId(answers, "acme.test"), name)
        inbox.add(Buffer.from(raw(answers), "latin1"), new Date())
      }
      for (const [name, { raw }] of Object.entries(SHAPES)) {
        put(name, raw)
        put(`behind ${name}`, (of) => head(of, "") + lines(SAYS))
      }
      put("a bounce of 50 MB", (of) => report(of, 50_000_000))

      const events: Array<InboundEvent> = []
      let cursor: FolderCursor | null = null
      const mailbox = makeMailbox({
        workspaceId: account.workspaceId,
        kind: "own",
        domain: "acme.test",
        address: account.address
      })
      const reading = yield* makeReader(
        {
          cursors: () => Effect.succeed(cursor === null ? [] : [cursor]),
          moveCursor: (_workspaceId, _mailboxId, to, skipped) =>
            Effect.sync(() => {
              assert.strictEqual(skipped, 0)
              if (to.folder === "INBOX") cursor = to
            })
        },
        { receive: (some) => Effect.sync(() => void events.push(...some)) }
      )
      const session = yield* (yield* makeImap()).session(account)
      const { isWhole } = yield* reading(session, { ...mailbox, createdAtMillis: 0 })

      assert.isTrue(isWhole)
      assert.strictEqual((cursor as FolderCursor | null)?.lastUid, inbox.mails.at(-1)?.uid)
      assert.deepStrictEqual(
        events.map(({ inReplyTo }) => expected.get(inReplyTo)),
        [...expected.values()]
      )
      for (const event of events) {
        const name = expected.get(event.inReplyTo) ?? ""
        const kept = event.bodyText.length + (event.bodyHtml?.length ?? 0) + event.subject.length
        assert.isAtMost(kept, 2 * (BODY_CHARS_MAX + 1) + 1_000, name)
        if (name === "a bounce of 50 MB") {
          assert.strictEqual(event.kind, "bounce")
          assert.deepInclude(event.bounce, { type: "hard", status: "5.1.1", reason: "user_unknown" })
          continue
        }
        assert.strictEqual(event.kind, "reply", name)
        assert.strictEqual(event.fromEmail, "pat@b.test", name)
        const isRead = SHAPES[name]?.isRead ?? true
        assert.strictEqual(event.bodyText.startsWith(SAYS), isRead, `${name}: ${event.bodyText.slice(0, 80)}`)
      }
      const asked = server.heard.flatMap((command) =>
        [...command.matchAll(/BODY\S*\]<0\.(\d+)>/g)].map(([, count]) => Number(count))
      )
      assert.isAbove(asked.length, events.length)
      assert.isTrue(asked.every((count) => count <= ASKED_OCTETS_MAX))
      assert.isFalse(
        server.heard.some((command) => /BODY\S*\](?!<0\.)/.test(command)),
        "something was asked for whole"
      )
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          TestCrypto.layer,
          // Every message that is named is one of ours.
          Layer.mock(ReadingStore, {
            ours: (_workspaceId, messageIds) => Effect.succeed(messageIds),
            newestTo: () => Effect.succeed(Option.none()),
            leftUnder: () => Effect.succeed(new Map()),
            // Who is written to is known to nobody, so nobody is of our own side.
            sides: () => Effect.succeed(Option.none())
          })
        )
      )
    )
)
