import type pg from "pg"

/** Runs it in a transaction of a client's own, which ends with it. */
export const inOneTransaction = async <A>(client: pg.ClientBase, work: () => Promise<A>): Promise<A> => {
  await client.query("BEGIN")
  try {
    const done = await work()
    await client.query("COMMIT")
    return done
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  }
}
