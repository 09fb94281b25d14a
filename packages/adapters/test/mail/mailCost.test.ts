import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readContent, readHead } from "@outbound/adapters/mail/received.js"
import { namedMessages, recognise } from "@outbound/domain/outreach/replies/recognise.js"
import * as fc from "fast-check"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** What we read of one message. */
const OCTETS = 256 * 1024

const filled = (head: string, unit: string, octets = OCTETS): Buffer =>
  Buffer.from(head + unit.repeat(Math.ceil((octets - head.length) / unit.length))).subarray(0, octets)

const MULTIPART = 'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
const HTML = "Content-Type: text/html; charset=utf-8\r\n\r\n"
const REPORT = "From: MAILER-DAEMON@b.test\r\nSubject: Undelivered Mail\r\n\r\n"
const TEXT = "Subject: Hello\r\n\r\n"

const nested = Array.from(
  { length: 5_000 },
  (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`
).join("")

/** A head, and what fills the rest. */
const HOSTILE: ReadonlyArray<readonly [string, string, string]> = [
  ["parts without anything", MULTIPART, "--x\r\n\r\n"],
  ["parts of text", MULTIPART, "--x\r\nContent-Type: text/plain\r\n\r\na\r\n"],
  ["parts of messages", MULTIPART, "--x\r\nContent-Type: message/rfc822\r\n\r\na: b\r\n\r\n"],
  ["parts of fields", MULTIPART, "--x\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n\r\n"],
  ["parts within parts", "", nested],
  ["fields", "", "a: b\r\n"],
  ["a folded field", "Subject: x\r\n", " a\r\n"],
  ["references", "References: ", "<a@b.c> "],
  ["senders", "From: ", "a@b.c, "],
  ["comments", "From: ", "("],
  ["encoded words", "Subject: ", "=?utf-8?q?a?= "],
  ["encoded words of UTF-7", "Subject: ", "=?utf-7?q?a?= "],
  ["parameters", "Content-Type: text/plain;", "a*0=b;"],
  ["line breaks", "Subject: x\n\n", "\n"],
  ["line breaks of two", TEXT, "\r\n"],
  ["spaces", TEXT, " "],
  ["dashes", TEXT, "-"],
  ["addresses", TEXT, "a@"],
  ["quotations", TEXT, ">"],
  ["elements within elements", HTML, "<div>"],
  ["elements", HTML, "<p>a</p>"],
  ["comments of HTML", HTML, "<!--"],
  ["angles", HTML, "<"],
  ["soft breaks", "Content-Transfer-Encoding: quoted-printable\r\n\r\n", "=\r\n"],
  ["padding", "Content-Transfer-Encoding: base64\r\n\r\n", "===="],
  ["escapes", TEXT, "\x1b$B"],
  ["shifts", "Content-Type: text/plain; charset=utf-7\r\n\r\n", "+"],
  ["replies of servers", REPORT, "550 user unknown\n"],
  ["words of reports", REPORT, "mailbox "],
  ["quoted ids", "Return-Path: <>\r\n\r\n", " Message-ID: <a@b>\n"],
  ["words of receipts", TEXT, "your message "],
  ["words of absences", TEXT, "i am until 1 "]
]

const sources = fileURLToPath(new URL("../../../domain/src/outreach", import.meta.url))

/** Words that patterns look for, read from where they are written: whoever changes one is tried too. */
const WORDS = ["meaning", "meaning/separation", "replies"].flatMap((folder) =>
  readdirSync(`${sources}/${folder}`)
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => readFileSync(`${sources}/${folder}/${name}`, "utf8").match(/\p{L}[\p{L}' -]{2,24}/gu) ?? [])
)
const BETWEEN = [" ", "\n", ", ", ". ", ": ", "? ", "\n\n", " 1 ", " #12345 ", "-", "\n> ", '"', "<", "  "]

/** What the processor needs for one message: a machine that has other things to do takes longer. */
const costOf = async (octets: Buffer): Promise<number> => {
  const before = process.cpuUsage()
  const content = await readContent(octets, true)
  recognise(content)
  namedMessages(content, "X-Lunedaki")
  await readHead(octets.subarray(0, 64 * 1024))
  return process.cpuUsage(before).user
}

describe("a stranger's message", () => {
  const ordinary = filled(TEXT, `${"An ordinary line of somebody's mail. ".repeat(2)}\r\n`)
  let reference = 0

  beforeAll(async () => {
    for (let times = 0; times < 3; times++) await costOf(ordinary)
    // Below this, the clock of the processor tells little.
    reference = Math.max(60_000, await costOf(ordinary))
  })

  for (const [name, head, unit] of HOSTILE) {
    it(`costs little more than an ordinary one of its size: ${name}`, async () => {
      assert.isBelow(await costOf(filled(head, unit)), 25 * reference)
    })
  }

  it("costs little more whatever it repeats of the words that our own patterns look for", async () => {
    const word = fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BETWEEN)).map((both) => both.join(""))
    const unit = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(""))
    await fc.assert(
      fc.asyncProperty(unit, fc.constantFrom(TEXT, REPORT, ""), async (repeated, head) => {
        assert.isBelow(await costOf(filled(head, repeated, OCTETS / 4)), 25 * reference)
      }),
      { numRuns: 20 }
    )
  })

  it("says that parts, fields or lines beyond its bounds were not read", async () => {
    for (const [head, unit] of [
      [MULTIPART, "--x\r\n\r\n"],
      ["", "a: b\r\n"],
      [TEXT, "\r\n"]
    ] as const) {
      assert.isTrue((await readContent(filled(head, unit), false)).truncated)
    }
    assert.isFalse((await readContent(filled(TEXT, "An ordinary line.\r\n", 64 * 1024), false)).truncated)
  })
})
