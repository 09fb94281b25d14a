import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import type { PersonAsk } from "@outbound/domain/control/personFile/PersonRecords.js"
import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { UnsubscribeLink } from "@outbound/domain/outreach/suppression/links.js"
import { Unsubscribe } from "@outbound/domain/outreach/optOut/Unsubscribe.js"
import { Effect, Option } from "effect"
import type { Exchange, Surface } from "../http/Exchange.js"
import type { Reply } from "../http/Reply.js"
import { askPage, donePage, laterPage, notPossiblePage, unknownPage } from "./UnsubscribePages.js"
import { askedPage, whyPage } from "./WhyPage.js"
import { type Language, languageOf, localeOf } from "./words/languages.js"

const PATH = /^(\/u\/([^/]{1,64})\/([^/]{1,256}))(?:\/(why|access|erasure))?$/

/**
 * `/u/<workspace>/<token>`, the unsubscribe link of every message. A `POST` unsubscribes at once, whatever its body and
 * without a credential (RFC 8058). A `GET` shows a button and changes nothing, because programs open links too. Behind it,
 * `/why` says why the message came, and a `POST` to `/access` or `/erasure` passes a request on to the workspace's owners.
 */
export const unsubscribeSurface = (service: Unsubscribe["Service"], files: PersonFiles["Service"] | null): Surface => {
  const answered = (work: FromStore<Reply>, language: Language): Effect.Effect<Reply> =>
    Effect.catch(work, (error) =>
      Effect.as(Effect.logError("unsubscribe: failed, the database is unavailable", error), laterPage(language))
    )

  const unsubscribe = (path: string, link: UnsubscribeLink, language: Language) =>
    Effect.map(service.unsubscribe(link), (isDone) => (isDone ? donePage(path, language) : unknownPage(language)))

  const why = (path: string, link: UnsubscribeLink, language: Language, locale: string) =>
    Effect.map(
      files === null ? Effect.succeedNone : files.behind(link),
      Option.match({ onNone: () => unknownPage(language), onSome: (file) => whyPage(path, file, language, locale) })
    )

  const ask = (link: UnsubscribeLink, kind: PersonAsk, language: Language) =>
    Effect.map(files === null ? Effect.succeed(false) : files.ask(link, kind), (isKept) =>
      isKept ? askedPage(language) : unknownPage(language)
    )

  return {
    name: "unsubscribe",
    owns: (path) => path.startsWith("/u/"),
    handle: (exchange: Exchange) => {
      exchange.label = "unsubscribe"
      const { method } = exchange
      const accepted = exchange.header("accept-language")
      const language = languageOf(accepted)
      const [, path = "", workspaceId = "", token = "", part] = PATH.exec(exchange.path) ?? []
      const link = { workspaceId, token }
      if (method === "POST") {
        if (part === "access" || part === "erasure") return exchange.run(answered(ask(link, part, language), language))
        if (part === undefined) return exchange.run(answered(unsubscribe(path, link, language), language))
      }
      if (method !== "GET" && method !== "HEAD") return exchange.send(notPossiblePage())
      if (part === "why") return exchange.run(answered(why(path, link, language, localeOf(accepted)), language))
      exchange.send(part === undefined && service.isGenuine(link) ? askPage(path, language) : unknownPage(language))
    }
  }
}

export const surface = Effect.gen(function* () {
  return unsubscribeSurface(yield* Unsubscribe, Option.getOrNull(yield* Effect.serviceOption(PersonFiles)))
})
