import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { PersonFile, PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { noticeFor } from "@outbound/domain/kernel/words/notice.js"
import type { RecipientLanguage } from "@outbound/domain/kernel/words/languages.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import type { UnsubscribeLink } from "@outbound/domain/outreach/suppression/links.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { Effect, Option, References } from "effect"
import { serve } from "../../src/HttpServer.js"
import { pages } from "../../src/http/Pages.js"
import { unsubscribeSurface } from "../../src/unsubscribe/UnsubscribeSurface.js"
import { style, STYLE_PATH } from "../../src/web/Style.js"

export const GENUINE = "0197c3a0-0000-7000-8000-00000000000c.genuine"

const AT = "2026-03-02T09:00:00.000Z"

/** What the workspace holds about the person of the link: their name stands in none of the pages. */
export const FILE: PersonFile = {
  workspace: { workspaceId: "workspace", name: "Acme & Sons", postalAddress: "1 Main Street, Springfield" },
  email: "ann@secret.test",
  madeAtMillis: Date.parse(AT),
  origins: [
    {
      at: AT,
      how: "find_leads",
      by: "agent key",
      request_id: null,
      line: null,
      file: null,
      sources: [{ name: "overture", licence: "CDLA Permissive 2.0" }]
    },
    { at: AT, how: "verify_email", by: "agent key", request_id: null, line: null, file: null, sources: [] },
    { at: AT, how: "create_campaign", by: "agent key", request_id: null, line: null, file: null, sources: [] }
  ],
  sections: {
    leads: [
      {
        campaign_id: "c",
        campaign_lead_id: "l",
        campaign: "Spring",
        first_name: "Annabel",
        last_name: null,
        company_name: null,
        custom: {},
        evidence: [
          {
            variable: "custom.trigger",
            requestId: null,
            url: "https://news.acme.test/annabel",
            excerpt: "Annabel opened a second shop",
            seenAt: "2026-01-02",
            finding: null
          }
        ],
        state: "contacted",
        interest_status: null,
        approval_id: "a",
        approved_at: AT,
        origin: null,
        notice: "Acme uses your address at work.",
        notice_language: "en"
      }
    ],
    messages: [
      {
        campaign_id: "c",
        campaign_lead_id: "l",
        message_id: "m",
        step_index: 0,
        variant: null,
        state: "sent",
        from_email: "jo@acme.test",
        sent_at: AT,
        subject: "A question about <roofs>",
        text: "Hi"
      }
    ],
    replies: [],
    answers: [],
    waiting: [],
    shown: [],
    left_out: [],
    calls: [],
    directory: [],
    verdicts: [],
    suppressions: [],
    events: []
  },
  found: [],
  contacts: [],
  listed: [],
  incomplete: [],
  text: ""
}

const files = (asks: Array<string>, shown: { readonly file: PersonFile }): PersonFiles["Service"] => ({
  make: () => Effect.die("not here"),
  makeFor: () => Effect.die("not here"),
  asked: () => Effect.die("not here"),
  behind: ({ token }) => Effect.succeed(token === GENUINE ? Option.some(shown.file) : Option.none()),
  ask: ({ token }, ask) =>
    Effect.sync(() => {
      if (token !== GENUINE) return false
      asks.push(ask)
      return true
    })
})

/** A server with the surface alone, over a store that can be away. */
const COUNTRIES: Readonly<Record<RecipientLanguage, string>> = {
  cs: "CZ",
  da: "DK",
  de: "DE",
  en: "IE",
  es: "ES",
  fi: "FI",
  fr: "FR",
  it: "IT",
  nl: "NL",
  no: "NO",
  pl: "PL",
  pt: "PT",
  sv: "SE"
}

/** The words that somebody gets whose country speaks this language. */
export const noticeIn = (language: RecipientLanguage): string => {
  const place = { country: COUNTRIES[language], knownBy: "person" } as const
  const sender = { name: FILE.workspace.name, postalAddress: FILE.workspace.postalAddress ?? "" }
  return noticeFor({ place: "message", own: [] }, place, { origin: "searched", sender })?.text ?? ""
}

/** The same person, whose first message had the words of their country, and who was stopped. */
export const fileIn = (language: RecipientLanguage): PersonFile => ({
  ...FILE,
  sections: {
    ...FILE.sections,
    leads: FILE.sections.leads.map((lead) => ({ ...lead, notice: noticeIn(language), notice_language: language }))
  }
})

export const host = Effect.gen(function* () {
  const asked: Array<UnsubscribeLink> = []
  const asks: Array<string> = []
  const store = { isAway: false }
  const shown = { file: FILE }
  const service = Unsubscribe.of({
    isGenuine: ({ token }) => token === GENUINE,
    unsubscribe: (link) =>
      Effect.suspend(() => {
        if (store.isAway) return Effect.fail(new StoreUnavailable({ operation: "test", cause: null }))
        asked.push(link)
        return Effect.succeed(link.token === GENUINE)
      })
  })
  const css = { status: 200, headers: { "content-type": "text/css" }, body: style }
  const { port } = yield* serve({
    host: "127.0.0.1",
    port: 0,
    limits: {},
    surfaces: () => [
      unsubscribeSurface(service, files(asks, shown)),
      pages("style", { [STYLE_PATH]: Effect.succeed(css) })
    ],
    inner: null
  })
  return { asked, asks, base: `http://127.0.0.1:${port}`, store, shown }
}).pipe(Effect.provide(TestIds.layer), Effect.provideService(References.MinimumLogLevel, "None"))
