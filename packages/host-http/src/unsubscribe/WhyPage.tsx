import type { Origin } from "@outbound/domain/control/personFile/origins.js"
import { DIRECTORY_IMPORT, originKindOf } from "@outbound/domain/kernel/people/origins.js"
import type { PersonPage } from "@outbound/domain/control/personFile/PersonFile.js"
import type { ValueEvidence } from "@outbound/domain/kernel/sequences/evidence.js"
import type { Reply } from "../http/Reply.js"
import { recipientPage } from "./RecipientPage.js"
import { type Language, LANGUAGES } from "./words/languages.js"
import type { RecipientWords } from "./words/RecipientWords.js"

/** Most lines of a list: the person's file has all. */
const LINES_MAX = 100

/** Calls that only check an address, or that anything else had brought. */
const CHECKS: ReadonlySet<string> = new Set(["verify_email", "verify_emails"])

/** How a source is called; null: a call that brought no address, such as a check. */
const originWords = ({ how, line, sources }: Origin, words: RecipientWords): string | null => {
  if (line !== null || how === DIRECTORY_IMPORT) return words.imported
  if (CHECKS.has(how)) return null
  const kind = originKindOf(how)
  if (kind === null) return null
  const named = sources.map(({ licence, name }) => (licence === null ? name : `${name}: ${licence}`))
  return kind === "searched" ? `${words.found}${named.length === 0 ? "" : ` (${named.join(", ")})`}` : words.added
}

/** Where a statement stands: the page's host, or data that the sender searched. Its words may name them, and stay away. */
const statedIn = ({ url }: ValueEvidence, words: RecipientWords): string =>
  url !== null && URL.canParse(url) ? new URL(url).hostname : words.found

/** A sentence with the days of what it says, before its full stop. */
const withDays = (sentence: string, days: ReadonlyArray<string>): string =>
  days.length === 0 ? sentence : `${sentence.replace(/\.$/, "")} (${days.join(", ")}).`

/** Events after which nothing more is sent. */
const STOPPED: ReadonlySet<string> = new Set(["suppressed", "unsubscribe", "complaint", "bounce", "reply", "stop"])

/**
 * Why somebody was written to: by whom, from which source, what was sent, who looked at it, and what stopped it. Whoever has
 * the link sees it, so it doesn't name the person.
 */
export const whyPage = (path: string, file: PersonPage, language: Language, locale: string): Reply => {
  const words = LANGUAGES[language]
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" })
  const day = (at: string | null): string => (at === null ? "" : dates.format(new Date(at)))
  const { events, leads, messages } = file.sections
  const sent = messages.filter(({ sent_at }) => sent_at !== null).slice(0, LINES_MAX)
  const origins = [
    ...new Set(
      file.origins.flatMap((origin) => {
        const said = originWords(origin, words)
        return said === null ? [] : [`${day(origin.at)}: ${said}`]
      })
    )
  ].slice(0, LINES_MAX)
  const stated = [
    ...new Set(
      leads.flatMap(({ evidence }) => (evidence ?? []).map((one) => `${day(one.seenAt)}: ${statedIn(one, words)}`))
    )
  ].slice(0, LINES_MAX)
  const stops = [...new Set(events.filter(({ kind }) => STOPPED.has(kind)).map(({ observed_at }) => day(observed_at)))]
  const approved = [...new Set(leads.flatMap(({ approved_at }) => (approved_at === null ? [] : [day(approved_at)])))]
  const notices = new Map(
    leads.flatMap(({ notice, notice_language }) =>
      notice === null ? [] : [[notice, notice_language ?? "en"] as const]
    )
  )
  const isStopped = file.sections.suppressions.length > 0
  return recipientPage({
    language,
    status: 200,
    title: words.why,
    children: (
      <>
        <h2>{words.who}</h2>
        <p>
          <strong>{file.workspace.name}</strong>
          <br />
          {file.workspace.postalAddress ?? words.noAddress}
        </p>
        {[...notices].map(([text, written]) => (
          <p lang={written}>{text}</p>
        ))}
        <h2>{words.whence}</h2>
        <ul>
          {origins.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
        {stated.length === 0 ? null : (
          <>
            <h2>{words.stated}</h2>
            <ul>
              {stated.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          </>
        )}
        <h2>{words.sent}</h2>
        {sent.length === 0 ? (
          <p>{words.nothingSent}</p>
        ) : (
          <ul>
            {sent.map(({ sent_at, subject }) => (
              <li>{`${day(sent_at)}: ${subject ?? ""}`}</li>
            ))}
          </ul>
        )}
        {approved.length === 0 ? null : <p>{withDays(words.approved, approved)}</p>}
        <h2>{words.checked}</h2>
        <p>{words.checkedWhat}</p>
        {isStopped ? (
          <>
            <h2>{words.after}</h2>
            <p>{withDays(words.stopped, stops)}</p>
          </>
        ) : null}
        <h2>{words.rights}</h2>
        {isStopped ? null : (
          <form method="post" action={path}>
            <button class="go" type="submit">
              {words.unsubscribe}
            </button>
          </form>
        )}
        <form method="post" action={`${path}/access`}>
          <button type="submit">{words.access}</button>
        </form>
        <form method="post" action={`${path}/erasure`}>
          <p>
            <button type="submit">{words.erasure}</button>
          </p>
          <p class="hint">{words.erasureNote}</p>
        </form>
      </>
    )
  })
}

export const askedPage = (language: Language): Reply =>
  recipientPage({
    language,
    status: 200,
    title: LANGUAGES[language].asked,
    children: <p class="lead">{LANGUAGES[language].askedLead}</p>
  })
