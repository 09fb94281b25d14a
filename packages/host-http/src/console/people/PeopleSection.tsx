import { Section } from "../Parts.js"

/** Links to the suppression list and to erasure. */
export const PeopleSection = () => (
  <Section id="people" title="People" isCard>
    <p>
      <a href="/console/settings/suppression">Suppression list</a>: import people who opted out elsewhere.
    </p>
    <p>
      <a href="/console/settings/erase">Erase a person</a>: permanently delete their data.
    </p>
  </Section>
)
