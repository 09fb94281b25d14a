/** The published mail of programs, and the text below people's answers (`docs/corpora/mail`), as we get and read it. */
import type { MailContent } from "@outbound/domain/outreach/mail/mail.js"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const Tail = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^m\d{2}$/)),
  kind: Schema.Literals(["notice", "signature", "quotation"]),
  language: Schema.String,
  text: Schema.String
})
export type Tail = typeof Tail.Type

const OfProgram = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^p\d{2,3}$/)),
  kind: Schema.Literals([
    "absence",
    "receipt",
    "read receipt",
    "marked",
    "challenge",
    "bounce",
    "notice",
    "survey",
    "unread address"
  ]),
  language: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  headers: Schema.optional(Schema.Record(Schema.String, Schema.String)),
  from: Schema.optional(Schema.String),
  parts: Schema.optional(Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.String }))),
  /** Of a bounce: whether it proves that nobody is there (`hard`), or only that the server still tries (`delay`). */
  expect: Schema.optional(Schema.Literals(["hard", "soft", "delay"]))
})
export type OfProgram = typeof OfProgram.Type

const linesOf = <A, I>(docs: string, name: string, schema: Schema.Codec<A, I>): ReadonlyArray<A> =>
  readFileSync(join(docs, "corpora/mail", name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Schema.decodeSync(Schema.fromJsonString(schema), { onExcessProperty: "error" })(line))

/** Notices, signatures and quotations. */
export const readTails = (docs: string): ReadonlyArray<Tail> => linesOf(docs, "tails.jsonl", Tail)

/** Absences, receipts, challenges and bounces. */
export const readPrograms = (docs: string): ReadonlyArray<OfProgram> => linesOf(docs, "programs.jsonl", OfProgram)

/** What servers, lists, helpdesks and providers write above people's answers. None of it proves a program. */
export const AROUND_PEOPLE: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { "feedback-id": "i77:mailer" },
  { "x-auto-response-suppress": "DR, OOF, AutoReply" },
  { "return-path": "<>" },
  { precedence: "bulk" },
  { precedence: "list", "list-id": "<ops.ridge.example>" },
  { "list-unsubscribe": "<mailto:leave@ridge.example>" },
  { "auto-submitted": "no" },
  { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All", precedence: "bulk" },
  { "x-mailer": "Helpdesk 4", "x-loop": "desk@ridge.example", "return-path": "<>" },
  { "x-priority": "5", importance: "low", "x-spam-flag": "YES" }
]

const OURS = "<018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70@tool.example>"

/** A message in the thread of ours, or, where `headers` have `new`, in none. */
export const contentOf = (
  text: string,
  { from = "robin@ridge.example", headers = {}, parts = [], subject = "Re: Night shifts" }: Partial<OfProgram>
): MailContent => {
  const { new: isNew, ...named } = headers
  const thread = isNew === undefined ? { "in-reply-to": OURS, references: OURS } : {}
  return {
    headers: Object.entries({ from: `Robin <${from}>`, ...thread, ...named }).map(([name, value]) => ({ name, value })),
    fromEmail: from.toLowerCase(),
    subject,
    text,
    html: null,
    truncated: false,
    parts
  }
}
