import type { ComponentChildren } from "preact"

/**
 * A form that an authenticator answers. Hidden until the script finds that this browser can do it, so that nobody is
 * shown what does not work.
 */
export const PasskeyForm = (props: {
  readonly action: `/${string}`
  /** Where the challenge comes from. */
  readonly options: `/${string}`
  readonly does: "create" | "get"
  readonly csrf?: string
  readonly next?: string
  readonly button: string
  readonly isCard?: boolean
  readonly children?: ComponentChildren
}) => (
  <form
    class={props.isCard === true ? "passkey card" : "passkey"}
    method="post"
    action={props.action}
    data-options={props.options}
    data-does={props.does}
    hidden
  >
    {props.csrf === undefined ? null : <input type="hidden" name="csrf" value={props.csrf} />}
    {props.next === undefined ? null : <input type="hidden" name="next" value={props.next} />}
    <input type="hidden" name="answer" value="" />
    {props.children}
    <button type="submit">{props.button}</button>
    <p class="soft" role="alert" />
  </form>
)
