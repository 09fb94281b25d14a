import { codePointOf, partsOf, type SignKind } from "@outbound/domain/kernel/text/signs.js"

const TITLES: Readonly<Record<SignKind, string>> = {
  invisible: "A character that can’t be seen",
  look_alike: "A letter that looks like another script’s"
}

/**
 * A text that agents or third parties wrote. Characters that a reader can't see for what they are stand there as their
 * code points, so that the text can't look like another one.
 */
export const Marked = (props: { readonly text: string }) => (
  <>
    {partsOf(props.text).map(({ kind, text }, index) =>
      kind === null ? (
        text
      ) : (
        <mark class="sign" title={TITLES[kind]} key={index}>
          {kind === "invisible" ? "" : text}
          {`<${codePointOf(text)}>`}
        </mark>
      )
    )}
  </>
)

/** The same where only a plain text can stand, such as a page's title. */
export const spelledOut = (text: string): string =>
  partsOf(text)
    .map(({ kind, text: part }) => (kind === "invisible" ? `<${codePointOf(part)}>` : part))
    .join("")
