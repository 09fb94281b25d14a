import pg from "pg"

/** Runs one statement on a connection of its own, outside any transaction. */
export const runOn = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server's address of another database. */
export const databaseAt = (url: string, name: string): string => {
  const at = new URL(url)
  at.pathname = `/${name}`
  return at.href
}
