import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Reply } from "../http/Reply.js"
import { STYLE_PATH, styleVersion } from "./Style.js"

/** Forbids scripts, inline styles, frames and other origins. */
export const contentSecurityPolicy = (formAction: string | null = "'self'"): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(formAction === null ? [] : [`form-action ${formAction}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** `strict-origin` keeps paths, and so sign-in tokens, out of `Referer`. `no-referrer` would also blank forms' `Origin`. */
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

const Document = (props: {
  readonly title: string
  readonly language: string
  readonly children: ComponentChildren
}) => (
  <html lang={props.language}>
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

/** A page with its security headers. The renderer escapes all text. */
export const page = (
  status: number,
  title: string,
  children: ComponentChildren,
  headers: Readonly<Record<string, string>> = {},
  language = "en"
): Reply => ({
  status,
  headers: { ...HEADERS, ...headers },
  body: `<!doctype html>${renderToString(
    <Document title={title} language={language}>
      {children}
    </Document>
  )}`
})

/** Redirects after a form, so that a reload repeats nothing. Own paths only. */
export const seeOther = (path: `/${string}`, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  headers: { location: path, "cache-control": "no-store", "referrer-policy": "strict-origin", ...headers },
  body: ""
})
