/** Links to the suppression list and to erasure. */
export const PeopleSection = () => (
  <section class="card" aria-labelledby="people">
    <h2 id="people">People</h2>
    <p>
      <a href="/console/settings/suppression">Suppression list</a>: import people who opted out elsewhere.
    </p>
    <p>
      <a href="/console/settings/erase">Erase a person</a>: permanently delete their data.
    </p>
  </section>
)
