/** Ways to the pages about single people. */
export const PeopleSection = () => (
  <section class="card" aria-labelledby="people">
    <h2 id="people">People</h2>
    <p>
      <a href="/console/settings/suppression">People never to write to</a>: bring a list along of those who said no
      elsewhere.
    </p>
    <p>
      <a href="/console/settings/erase">Erase a person</a>: take what is kept of them away, for good.
    </p>
  </section>
)
