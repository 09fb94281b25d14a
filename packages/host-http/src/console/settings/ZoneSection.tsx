import { UTC, ZONES } from "../../web/Zone.js"
import { Form, Section } from "../Parts.js"
import type { Viewer } from "../Viewer.js"

/** In which time zone the viewer reads times. Where nothing is chosen, the console's scripts take the browser's. */
export const ZoneSection = (props: { readonly viewer: Viewer }) => {
  const { zone } = props.viewer
  return (
    <Section id="zone" title="Your time zone" isCard>
      <Form action="/console/settings/zone" button="Save time zone">
        <p class="field">
          <label for="f-zone">Show times in</label>
          <select
            id="f-zone"
            name="zone"
            aria-describedby="f-zone-hint"
            {...(zone === UTC ? { "data-offers-zone": "" } : {})}
          >
            {ZONES.map((one) => (
              <option key={one} value={one} selected={one === zone}>
                {one}
              </option>
            ))}
          </select>
          <span class="hint" id="f-zone-hint">
            In this browser. Days of caps, credits and charts stay in UTC, and files.
          </span>
        </p>
      </Form>
    </Section>
  )
}
