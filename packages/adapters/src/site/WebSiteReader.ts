import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { PageReading, SiteReader, SiteReading } from "@outbound/domain/sources/ports/SiteReader.js"
import { Effect } from "effect"
import { publishedOn } from "./published.js"
import { rankLinks } from "./choosePages.js"
import { makeWebVisitor, type VisitorConfig, type WebVisitor } from "./WebVisitor.js"

/** Its name in the configuration. */
export const READER = "web"

/** Fewer letters across all pages can't answer anything. */
const LETTERS_MIN = 20

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

export type SiteReaderConfig = VisitorConfig

/** Reads the pages of companies' websites that matter for a question. */
export const siteReaderOf = (visitor: WebVisitor): SiteReader => ({
  name: READER,
  costMicros: 0,
  missRate: 0.1,
  latencyMillis: 2_000,
  pages: ({ companyDomain, urls }) =>
    visitor.read(companyDomain, urls).pipe(
      Effect.map((read) =>
        read.map((one): PageReading => {
          if (one._tag === "Unreadable") return one
          const { html, text, title, url } = one.page
          return text.trim() === ""
            ? { _tag: "Unreadable", reason: "no_text" }
            : { _tag: "Read", page: { url, title, text, publishedAt: publishedOn(html) } }
        })
      ),
      Effect.catchDefect((cause) => Effect.fail(new ProviderFailure({ provider: READER, reason: "transient", cause })))
    ),
  read: ({ companyDomain, pagesMax, question }) =>
    visitor.visit({ companyDomain, pagesMax, choose: (at, links) => rankLinks(at, links, question) }).pipe(
      Effect.map((visit): SiteReading => {
        if (visit._tag === "Unreadable") return visit
        const telling = visit.pages.filter((page) => page.text.trim() !== "")
        return telling.reduce((letters, page) => letters + lettersIn(page.text), 0) < LETTERS_MIN
          ? { _tag: "Unreadable", reason: "no_text" }
          : { _tag: "Read", pages: telling.map(({ text, title, url }) => ({ url, title, text })) }
      }),
      Effect.catchDefect((cause) => Effect.fail(new ProviderFailure({ provider: READER, reason: "transient", cause })))
    )
})

export const makeSiteReader = (config: SiteReaderConfig): SiteReader => siteReaderOf(makeWebVisitor(config))
