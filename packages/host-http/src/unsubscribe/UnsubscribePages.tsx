import type { Reply } from "../http/Reply.js"
import { recipientPage } from "./RecipientPage.js"
import { type Language, LANGUAGES } from "./words/languages.js"

/** Links get forwarded, so these pages name neither the person nor the sender. */

/** Opening the link changes nothing: a program may have opened it. */
export const askPage = (path: string, language: Language): Reply => {
  const words = LANGUAGES[language]
  return recipientPage({
    language,
    status: 200,
    title: words.unsubscribe,
    children: (
      <>
        <p class="lead">{words.unsubscribeLead}</p>
        <form method="post" action={path}>
          <p>
            <button class="go" type="submit">
              {words.unsubscribe}
            </button>
          </p>
        </form>
        <p>
          <a href={`${path}/why`}>{words.why}</a>
        </p>
      </>
    )
  })
}

export const donePage = (path: string, language: Language): Reply => {
  const words = LANGUAGES[language]
  return recipientPage({
    language,
    status: 200,
    title: words.unsubscribed,
    children: (
      <>
        <p class="lead">{words.unsubscribedLead}</p>
        <p>
          <a href={`${path}/why`}>{words.why}</a>
        </p>
      </>
    )
  })
}

/** The same for every kind of invalid link. */
export const unknownPage = (language: Language): Reply =>
  recipientPage({
    language,
    status: 404,
    title: LANGUAGES[language].invalid,
    children: <p>{LANGUAGES[language].invalidLead}</p>
  })

export const notPossiblePage = (): Reply =>
  recipientPage({
    language: "en",
    status: 405,
    title: "Method not allowed",
    headers: { allow: "GET, HEAD, POST" },
    children: <p>Open this address in a browser to unsubscribe.</p>
  })

export const laterPage = (language: Language): Reply =>
  recipientPage({
    language,
    status: 503,
    title: LANGUAGES[language].later,
    headers: { "retry-after": "30" },
    children: <p>{LANGUAGES[language].laterLead}</p>
  })
