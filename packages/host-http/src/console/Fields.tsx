import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import { NoteBox } from "./Parts.js"
import { useViewer } from "./Shell.js"

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
  readonly children?: ComponentChildren
}) => (
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
      <button class={props.tone} type="submit">
        {props.button}
        {props.about === undefined ? null : <span class="unseen"> {props.about}</span>}
      </button>
    )}
  </form>
)

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

/** A field's path as words. */
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
