import type pg from "pg"

/** Whether anybody waits for a connection of the pool, or a connection for the answer to a statement. */
export const makeIsBusy = (pool: pg.Pool): (() => boolean) => {
  const used = new Set<pg.PoolClient & { readonly readyForQuery?: boolean }>()
  pool.on("acquire", (client) => used.add(client))
  pool.on("remove", (client) => used.delete(client))
  return () => pool.waitingCount > 0 || [...used].some(({ readyForQuery }) => readyForQuery === false)
}
