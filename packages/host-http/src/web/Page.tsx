import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Reply } from "../http/Reply.js"
import { STYLE_PATH, styleVersion } from "./Style.js"

/** No script, no inline style, no frame, nothing from elsewhere: what a page shows cannot act. */
export const contentSecurityPolicy = (formAction: string | null = "'self'"): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(formAction === null ? [] : [`form-action ${formAction}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/**
 * `strict-origin`: no path, and so no sign-in token, leaves by `Referer`, and forms still carry their `Origin`, which
 * `no-referrer` would blank.
 */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentSecurityPolicy(),
  "cache-control": "no-store",
  "referrer-policy": "strict-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
} as const

export const ICON_PATH = "/console/icon.svg"

const Document = (props: { readonly title: string; readonly children: ComponentChildren }) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{`${props.title} · outbound`}</title>
      <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
      <link rel="stylesheet" href={`${STYLE_PATH}?v=${styleVersion}`} />
    </head>
    <body>{props.children}</body>
  </html>
)

/** A whole page, and the headers that keep it to itself. What its text holds is escaped by the renderer. */
export const page = (
  status: number,
  title: string,
  children: ComponentChildren,
  headers: Readonly<Record<string, string>> = {}
): Reply => ({
  status,
  headers: { ...HEADERS, ...headers },
  body: `<!doctype html>${renderToString(<Document title={title}>{children}</Document>)}`
})

/** After a form: the browser gets another page, so that a reload repeats nothing. Only to paths of our own. */
export const seeOther = (path: `/${string}`, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  headers: { location: path, "cache-control": "no-store", "referrer-policy": "strict-origin", ...headers },
  body: ""
})
