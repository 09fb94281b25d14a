import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { type Problem, ProblemNote, Typed } from "./Fields.js"
import { Note } from "./Parts.js"
import { consolePage, type PageOptions } from "./Shell.js"

/** The words for what a form did, by the `done` parameter of the URL. */
export const saidOf = (words: Readonly<Record<string, string>>, done: string | null): string | undefined =>
  done !== null && Object.hasOwn(words, done) ? words[done] : undefined

/** A page that begins with its title, what it is for, and what became of a form that was sent from it. */
export const titledPage = (
  options: PageOptions & {
    /** In place of the title. */
    readonly heading?: ComponentChildren
    /** A badge or a button beside the heading. */
    readonly beside?: ComponentChildren
    readonly lead?: ComponentChildren
    /** Confirms what was done. */
    readonly said?: ComponentChildren
    readonly problem?: Problem | undefined
    /** What was typed; default: with the problem. */
    readonly typed?: URLSearchParams | undefined
    /** Stands before the problem. */
    readonly before?: ComponentChildren
  },
  children: ComponentChildren
): Reply => {
  const { before, beside, heading, lead, problem, said, status, typed, ...rest } = options
  const title = <h1>{heading ?? options.title}</h1>
  return consolePage(
    { ...rest, status: status ?? (problem === undefined ? 200 : 400) },
    <>
      {beside === undefined ? (
        title
      ) : (
        <div class="title">
          {title}
          {beside}
        </div>
      )}
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {said === undefined ? null : (
        <Note tone="good" role="status">
          {said}
        </Note>
      )}
      {before}
      <ProblemNote of={problem} />
      <Typed.Provider value={typed ?? problem?.form}>{children}</Typed.Provider>
    </>
  )
}
