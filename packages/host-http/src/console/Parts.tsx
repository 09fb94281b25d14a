import { partsOf } from "@outbound/domain/kernel/text/signs.js"
import { type ComponentChildren, createContext, Fragment } from "preact"
import { useContext } from "preact/hooks"
import { grouped, Moment } from "../web/Words.js"
import type { Place } from "./paging.js"
import { maySend } from "./roles.js"
import { useViewer } from "./Viewer.js"

export type Tone = "good" | "bad" | "wait" | undefined

export const Badge = (props: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${props.tone ?? ""}`}>{props.children}</span>
)

/** The words for a state, and the tone of its badge. */
export type StateWords = readonly [words: string, tone: Tone]

export const StateBadge = (props: { readonly of: StateWords }) => <Badge tone={props.of[1]}>{props.of[0]}</Badge>

interface NoteProps {
  readonly tone?: "good" | "bad" | undefined
  readonly role?: "status" | "alert" | undefined
  readonly children: ComponentChildren
}

/** A note of several paragraphs. */
export const NoteBox = (props: NoteProps) => (
  <div class={`note ${props.tone ?? ""}`} role={props.role}>
    {props.children}
  </div>
)

/** A note of one paragraph. */
export const Note = ({ children, ...rest }: NoteProps) => (
  <NoteBox {...rest}>
    <p>{children}</p>
  </NoteBox>
)

/** A part of a page under its own title. */
export const Section = (props: {
  readonly id: string
  readonly title: ComponentChildren
  readonly isCard?: boolean
  readonly children?: ComponentChildren
}) => (
  <section class={props.isCard === true ? "card" : undefined} aria-labelledby={props.id}>
    <h2 id={props.id}>{props.title}</h2>
    {props.children}
  </section>
)

/** Says that there is nothing to show. */
export const Nothing = (props: { readonly children: ComponentChildren }) => <p class="card soft">{props.children}</p>

/** A list of cards, or `none` when there are none. */
export const Cards = <A,>(props: {
  readonly of: ReadonlyArray<A>
  readonly none?: ComponentChildren
  readonly each: (one: A) => ComponentChildren
}) => {
  const { each, none, of } = props
  return of.length === 0 && none !== undefined ? <Nothing>{none}</Nothing> : <ul class="list">{of.map(each)}</ul>
}

/** A name, its value, and the class of the value. */
export type Fact = readonly [name: string, value: ComponentChildren, size?: "big"]

/** Facts by their names; null leaves one out. */
export const Facts = (props: { readonly of: ReadonlyArray<Fact | null>; readonly isInCard?: boolean }) => (
  <dl class={props.isInCard === true ? "facts" : "facts card"}>
    {props.of.map((fact) =>
      fact === null ? null : (
        <Fragment key={fact[0]}>
          <dt>{fact[0]}</dt>
          <dd class={fact[2]}>{fact[1]}</dd>
        </Fragment>
      )
    )}
  </dl>
)

/** A bar that shows how much of a cap is used. */
export const Meter = (props: { readonly label: string; readonly used: number; readonly of: number }) => (
  <div class="meter">
    <p>
      <span class="big">{grouped(props.used)}</span> of {grouped(props.of)} {props.label}
    </p>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" width="100" height="4" />
      <rect class="fill" width={props.of === 0 ? 100 : Math.min(100, (100 * props.used) / props.of)} height="4" />
    </svg>
  </div>
)

/** Links to the first and the next page of a list. */
export const Pager = (props: {
  readonly path: string
  readonly filters?: URLSearchParams
  readonly of: Place
  readonly first?: string
  readonly more?: string
  readonly name?: string
}) => {
  const { isLater, next } = props.of
  if (!isLater && next === null) return null
  const { first = "Newest", more = "Older", name = "after" } = props
  const at = (cursor: string | null): string => {
    const query = new URLSearchParams(props.filters)
    query.delete(name)
    if (cursor !== null) query.set(name, cursor)
    const text = query.toString()
    return text === "" ? props.path : `${props.path}?${text}`
  }
  return (
    <nav class="pager" aria-label="Pages">
      {isLater ? <a href={at(null)}>{first}</a> : null}
      {next === null ? null : (
        <a href={at(next)} rel="next">
          {more}
        </a>
      )}
    </nav>
  )
}

/** The cells of a row. */
export type Row = ReadonlyArray<ComponentChildren>

/** A table that a narrow screen scrolls sideways, by keyboard too. */
export const Table = (props: {
  readonly label?: string
  /** The id of the title that names it, in place of a label. */
  readonly titledBy?: string
  readonly caption?: ComponentChildren
  readonly head: ReadonlyArray<string>
  /** The columns that hold numbers. */
  readonly numbers?: ReadonlyArray<number>
  /** The columns whose text is not broken. */
  readonly firm?: ReadonlyArray<number>
  readonly rows?: ReadonlyArray<Row>
  /** Shown instead of the table when it has no rows. */
  readonly none?: ComponentChildren
  /** Rows whose cells need more than their content. */
  readonly children?: ComponentChildren
}) => {
  const { firm = [], head, label, none, numbers = [], rows = [] } = props
  const classOf = (column: number) => (numbers.includes(column) ? "number" : undefined)
  if (none !== undefined && rows.length === 0) return <Nothing>{none}</Nothing>
  return (
    <div class="card scroll" tabIndex={0} role="group" aria-label={label} aria-labelledby={props.titledBy}>
      <table class={head.length > 5 ? "wide broad" : head.length > 3 ? "wide" : undefined}>
        {props.caption === undefined ? null : <caption>{props.caption}</caption>}
        <thead>
          <tr>
            {head.map((text, column) => (
              <th key={text} scope="col" class={classOf(column)}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={column} class={firm.includes(column) ? "firm" : classOf(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
          {props.children}
        </tbody>
      </table>
    </div>
  )
}

/** A link on a line of its own. */
export const LinkLine = (props: { readonly to: string; readonly text: string }) => (
  <p>
    <a href={props.to}>{props.text}</a>
  </p>
)

export const MomentOr = (props: { readonly atMillis: number | null; readonly none?: string }) =>
  props.atMillis === null ? <>{props.none ?? "–"}</> : <Moment atMillis={props.atMillis} />

const utf8 = new TextEncoder()

/** The size of a text in a page, in bytes. */
const escapedBytes = (text: string): number =>
  utf8.encode(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")).length

/** What a page needs around a character that it marks. */
const MARK_BYTES = 90

/** Cuts a text, between characters, to at most so many bytes in a page, with the marks of characters that nobody sees. */
export const fitted = (text: string, bytesMax: number): { readonly text: string; readonly isCut: boolean } => {
  if (text.length * (MARK_BYTES + 6) <= bytesMax) return { text, isCut: false }
  let used = 0
  let end = 0
  // Each character needs a byte at least.
  for (const { kind, text: part } of partsOf(text.slice(0, bytesMax))) {
    const each = kind === null ? 0 : MARK_BYTES
    for (const character of part) {
      used += escapedBytes(character) + each
      if (used > bytesMax) return { text: text.slice(0, end), isCut: true }
      end += character.length
    }
  }
  return { text: text.slice(0, end), isCut: end < text.length }
}

/** Searches a list. The children are hidden fields, which keep its other filters. */
export const SearchForm = (props: {
  readonly action: string
  readonly label: string
  readonly text: string | null
  readonly children?: ComponentChildren
}) => (
  <form class="filters" method="get" action={props.action} role="search">
    {props.children}
    <p class="field">
      <label for="q">{props.label}</label>
      <input id="q" name="q" type="search" value={props.text ?? ""} maxLength={200} />
    </p>
    <button type="submit">Search</button>
  </form>
)

/** The CSRF token of a form. */
export const Csrf = () => <input type="hidden" name="csrf" value={useViewer().csrf} />

/** A form that changes something. It carries the viewer's CSRF token. */
export const Form = (props: {
  readonly id?: string
  readonly class?: string
  readonly action: string
  readonly autocomplete?: "off"
  readonly encType?: "multipart/form-data"
  /** The words of the button at its end; without them, the children hold the buttons. */
  readonly button?: string
  readonly tone?: "go" | "stop" | "stop full" | undefined
  /** What the button is about, for those who hear the page. */
  readonly about?: string | undefined
  /** The key that presses the button, with those that the browser wants for it. */
  readonly accessKey?: string | undefined
  readonly children?: ComponentChildren
}) => {
  // A role that may not send it isn't shown it.
  if (!maySend(useViewer().signedIn.role, props.action)) return null
  return (
    <form
      id={props.id}
      class={props.class}
      method="post"
      action={props.action}
      autocomplete={props.autocomplete}
      encType={props.encType}
    >
      <Csrf />
      {props.children}
      {props.button === undefined ? null : (
        <button class={props.tone} type="submit" accessKey={props.accessKey}>
          {props.button}
          {props.about === undefined ? null : <span class="unseen"> {props.about}</span>}
        </button>
      )}
    </form>
  )
}

/** A form's validation errors, with what was typed. */
export interface Problem {
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
  readonly form: URLSearchParams
}

/** What was typed into the forms of a page, after validation errors. */
export const Typed = createContext<URLSearchParams | undefined>(undefined)
export const useTyped = () => useContext(Typed)

export const ProblemNote = (props: { readonly of: Problem | undefined }) =>
  props.of === undefined ? null : (
    <NoteBox tone="bad" role="alert">
      <p>Nothing was changed. Please correct:</p>
      <ul>
        {props.of.issues.map(({ message, path }) => (
          <li key={path}>
            {fieldWords(path)} {message}
          </li>
        ))}
      </ul>
    </NoteBox>
  )

export const fieldWords = (path: string): string => {
  const words = path
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.-]+/g, " ")
    .toLowerCase()
    .replace(/ in millis$/, "")
  return words === "" ? "This" : `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`
}

const typeOf = (field: { readonly isEmail?: boolean; readonly isSecret?: boolean }) => {
  if (field.isSecret === true) return { type: "password" } as const
  return field.isEmail === true ? ({ type: "email" } as const) : ({ type: "text" } as const)
}

/** A labelled field of one line. It shows what was typed, or else its value. */
export const Field = (props: {
  readonly label: string
  readonly name: string
  readonly id?: string
  readonly isEmail?: boolean
  /** Hidden while typed, and never filled in. */
  readonly isSecret?: boolean
  readonly value?: string | undefined
  readonly hint?: string
  readonly required?: boolean
  readonly inputMode?: "decimal" | "numeric"
  readonly maxLength?: number
}) => {
  const id = props.id ?? `f-${props.name}`
  const value = useTyped()?.get(props.name) ?? props.value ?? ""
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        name={props.name}
        {...typeOf(props)}
        value={props.isSecret === true ? "" : value}
        required={props.required}
        inputMode={props.inputMode}
        maxLength={props.maxLength}
        autocomplete="off"
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
      />
      {props.hint === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
    </p>
  )
}

/** A choice. It shows what was chosen, or else its value. */
export const Select = (props: {
  readonly label: string
  readonly name: string
  readonly value?: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
}) => {
  const id = `f-${props.name}`
  const chosen = useTyped()?.get(props.name) ?? props.value
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </p>
  )
}

/** Said beside the days and hours of a campaign whose mailboxes were bought in a sandbox. */
export const AtAnyHour = () => (
  <div class="soft">In the sandbox, purchased mailboxes send at any hour, and wait a second for each day.</div>
)
