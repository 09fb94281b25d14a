/** A checkbox. Unticked, the form sends `off`. */
export const Choice = (props: {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isOn: boolean
  /** The value sent when ticked. */
  readonly value?: string
  readonly id?: string
}) => {
  const id = props.id ?? `f-${props.name}`
  return (
    <p class="check">
      {props.value === undefined ? <input type="hidden" name={props.name} value="off" /> : null}
      <input
        id={id}
        type="checkbox"
        name={props.name}
        value={props.value ?? "on"}
        checked={props.isOn}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
      />
      <span>
        <label for={id}>{props.label}</label>
        {props.hint === undefined ? null : (
          <span class="hint" id={`${id}-hint`}>
            {props.hint}
          </span>
        )}
      </span>
    </p>
  )
}
