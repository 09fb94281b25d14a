/**
 * Loaded into a host before its program: connections to these names and ports go to ports of this machine, as if its network
 * led there. `TEST_ROUTES` is JSON: `{"smtp.example.com:465": 4650}`. Certificates are checked as ever.
 */
import dns from "node:dns"
import net from "node:net"

const routes = JSON.parse(process.env.TEST_ROUTES ?? "{}")
const names = [...new Set(Object.keys(routes).map((route) => route.replace(/:\d+$/, "")))]
/** Addresses for documentation (RFC 5737), for programs that look up a name before they connect. */
const addresses = new Map(names.map((name, index) => [name, `192.0.2.${index + 1}`]))
const portFor = (host, port) => {
  const name = names.find((one) => one === host || addresses.get(one) === host)
  return name === undefined ? undefined : routes[`${name}:${port}`]
}

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...given) {
  const [first] = given
  const options = Array.isArray(first) ? first[0] : first
  const port = typeof options === "object" && options !== null ? portFor(options.host, options.port) : undefined
  if (port === undefined) return connect.apply(this, given)
  const led = { ...options, host: "127.0.0.1", port, lookup: undefined }
  if (!Array.isArray(first)) return connect.apply(this, [led, ...given.slice(1)])
  first[0] = led
  return connect.apply(this, given)
}

const { resolve4 } = dns.Resolver.prototype
dns.Resolver.prototype.resolve4 = function (name, ...rest) {
  const address = addresses.get(name)
  const done = rest.at(-1)
  if (address === undefined || typeof done !== "function") return resolve4.call(this, name, ...rest)
  queueMicrotask(() => done(null, [address]))
}
