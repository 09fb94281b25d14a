/** Settings of the embedded server, for a small machine. They are on its command line, so an upgrade changes them. */

export const HOST = "127.0.0.1"
export const DATABASE = "outbound"

/** Owns the database and may create others. Not a superuser, like the role that a `DATABASE_URL` should name. */
export const ROLE = "outbound"

/** Only creates the role and the database. */
export const SUPERUSER = "postgres"

const SETTINGS = {
  listen_addresses: HOST,
  // No Unix socket: it would need a short path in a directory that the account can write.
  unix_socket_directories: "",
  cluster_name: "outbound",
  // Several hosts, and those that were killed until the server notices. 200 more slots take 12 MB of shared memory.
  max_connections: "300",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  wal_compression: "on",
  // Acknowledged data is on disk, whatever `postgresql.conf` says.
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  // Compiling costs more than our short queries.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "off",
  // Failed statements and their values contain personal data; the service reports errors itself.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_line_prefix: "%m [%p] "
} as const

export const serverArguments = (cluster: string, port: number): ReadonlyArray<string> => [
  "-D",
  cluster,
  ...Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
]
