import type { Reply } from "../../http/Reply.js"
import { Marked, spelledOut } from "../approvals/Marked.js"
import { Form, Section } from "../Parts.js"
import { type Section as At, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

/** Asks before what can't be undone, and names its effect. Its form does it; it needs no script. */
export const confirmPage = (options: {
  readonly viewer: Viewer
  readonly title: string
  readonly at: At
  /** What happens, a sentence each. */
  readonly effects: ReadonlyArray<string>
  readonly action: `/${string}`
  /** What the form carries. */
  readonly fields?: Readonly<Record<string, string>>
  /** The words of the button that does it. */
  readonly button: string
  readonly back: `/${string}`
}): Reply => {
  const { action, at, back, button, effects, fields = {}, title, viewer } = options
  return titledPage(
    { title: spelledOut(title), viewer, at, isNarrow: true, heading: <Marked text={title} /> },
    <>
      <Section id="will" title="What happens" isCard>
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Section>
      <Form class="card" action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <a class="button" href={back}>
            Cancel
          </a>
          <button class="stop full" type="submit">
            {button}
          </button>
        </div>
      </Form>
    </>
  )
}
