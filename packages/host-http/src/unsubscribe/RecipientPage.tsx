import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { page } from "../web/Page.js"
import type { Language } from "./words/languages.js"

/** A page for recipients, in their language. */
export const recipientPage = (options: {
  readonly language: Language
  readonly status: number
  readonly title: string
  readonly children: ComponentChildren
  readonly headers?: Readonly<Record<string, string>>
}): Reply =>
  page(
    options.status,
    options.title,
    <main id="main">
      <div class="card narrow">
        <h1>{options.title}</h1>
        {options.children}
      </div>
    </main>,
    { "content-language": options.language, vary: "accept-language", ...options.headers },
    options.language
  )
