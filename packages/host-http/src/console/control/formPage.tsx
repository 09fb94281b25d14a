import type { ComponentChildren } from "preact"
import type { Reply } from "../../http/Reply.js"
import type { Problem } from "../Fields.js"
import { Note } from "../Parts.js"
import type { Section, Viewer } from "../Shell.js"
import { MayNote } from "./acting.js"
import { titledPage } from "../titledPage.js"

/** The page of a form that needs an owner with a fresh sign-in. */
export const formPage = (
  options: {
    readonly viewer: Viewer
    readonly problem: Problem | undefined
    readonly title: string
    readonly lead: string
    readonly at: Section
    readonly path: `/${string}`
    /** What needs an owner with a fresh sign-in. */
    readonly loosening: string
  },
  children: ComponentChildren
): Reply => {
  const { at, lead, loosening, path, problem, title, viewer } = options
  return titledPage(
    { title, viewer, at, isNarrow: true, lead, problem, before: <MayNote path={path} loosening={loosening} /> },
    children
  )
}

/** Shows a secret, once. */
export const secretPage = (options: {
  readonly viewer: Viewer
  readonly title: string
  readonly at: Section
  /** Follows "Copy it now." */
  readonly says: string
  readonly label: string
  readonly secret: string
  readonly links: ComponentChildren
}): Reply =>
  titledPage(
    { title: options.title, viewer: options.viewer, at: options.at, isNarrow: true },
    <>
      <Note tone="good" role="status">
        <strong>Copy it now.</strong> {options.says}
      </Note>
      <pre class="secret" tabIndex={0} aria-label={options.label}>
        <code>{options.secret}</code>
      </pre>
      <p>{options.links}</p>
    </>
  )
