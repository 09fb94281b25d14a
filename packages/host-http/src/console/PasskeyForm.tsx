import type { ComponentChildren } from "preact"

/** A form that an authenticator answers. The script shows it if the browser supports passkeys. */
export const PasskeyForm = (props: {
  readonly action: `/${string}`
  /** The path that returns the challenge. */
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
