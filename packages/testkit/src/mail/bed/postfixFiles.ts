import { join } from "node:path"
import { BED_HOST, type BedLayout, paths } from "./BedLayout.js"

/** A person with a mailbox of the bed. */
export interface BedUser {
  readonly address: string
  readonly password: string
}

export interface BedPeople {
  /** Who signs in, sends and reads. */
  readonly users: ReadonlyArray<BedUser>
  /** Who only gets mail. */
  readonly recipients: ReadonlyArray<string>
  /** Of these, whose server puts what comes into junk. */
  readonly junking?: ReadonlyArray<string>
  /** What the server writes of the authentication of everything that it takes (RFC 8601). */
  readonly results?: string
  /** Where Dovecot asks about access tokens, which follow (`passdb` oauth2): users sign in with these, too. */
  readonly tokenInfoUrl?: string
  /** Of both servers, in PEM, instead of the one for `localhost`. Its authority is itself. */
  readonly identity?: { readonly certificate: string; readonly key: string }
}

const domainsOf = ({ recipients, users }: BedPeople): ReadonlyArray<string> => [
  ...new Set([...users.map(({ address }) => address), ...recipients].map((address) => address.split("@")[1] ?? ""))
]

/**
 * Postfix as a company runs it, but for the world outside: submission with SASL by Dovecot, each user with the address
 * of their own alone, local delivery into Maildirs, and failure notices for unknown recipients. Nothing ever
 * leaves the machine: what is for another domain comes back as a bounce.
 */
const main = (layout: BedLayout, people: BedPeople): string => {
  const at = paths(layout)
  const settings: Readonly<Record<string, string | number>> = {
    compatibility_level: "3.6",
    queue_directory: at.postfixQueue,
    data_directory: join(layout.root, "postfix-data"),
    maillog_file: at.postfixLog,
    maillog_file_prefixes: layout.root,
    myhostname: `mail.${domainsOf(people)[0] ?? BED_HOST}`,
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    mynetworks: "127.0.0.0/8",
    mydestination: "",
    alias_maps: "",
    alias_database: "",
    local_recipient_maps: "",
    disable_dns_lookups: "yes",
    smtpd_peername_lookup: "no",
    default_transport: "error:5.4.4 there is no world outside of the test bed",
    relay_transport: "error:5.4.4 there is no world outside of the test bed",
    virtual_mailbox_domains: domainsOf(people).join(" "),
    virtual_mailbox_base: at.mail,
    virtual_mailbox_maps: `texthash:${at.mailboxes}`,
    virtual_uid_maps: `static:${layout.mailUid}`,
    virtual_gid_maps: `static:${layout.mailGid}`,
    virtual_minimum_uid: 1,
    virtual_mailbox_limit: 0,
    // An unknown user is taken, and bounces: the notice is what is to be tested.
    smtpd_reject_unlisted_recipient: "no",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    smtpd_tls_cert_file: at.certificate,
    smtpd_tls_key_file: at.key,
    smtpd_tls_security_level: "may",
    smtpd_sasl_type: "dovecot",
    smtpd_sasl_path: at.authSocket,
    smtpd_sender_login_maps: `texthash:${at.senders}`,
    smtputf8_enable: "yes",
    in_flow_delay: "0",
    biff: "no",
    ...(people.results === undefined ? {} : { header_checks: `regexp:${at.headerChecks}` })
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("")
}

const SUBMISSION = [
  "smtpd_tls_security_level=encrypt",
  "smtpd_sasl_auth_enable=yes",
  "smtpd_tls_auth_only=yes",
  "smtpd_recipient_restrictions=",
  "smtpd_relay_restrictions=permit_sasl_authenticated,reject",
  "smtpd_sender_restrictions=reject_sender_login_mismatch"
]

/** The services of a usual installation, none of them in a chroot. */
const master = ({ ports }: BedLayout): string => {
  const service = (
    name: string,
    type: string,
    isPrivate: "y" | "n" | "-",
    wakeup: string,
    maxProc: string,
    command: string
  ) => `${[name, type, isPrivate, "-", "n", wakeup, maxProc, command].join(" ")}\n`
  const inet = (port: number, options: ReadonlyArray<string>) =>
    service(`127.0.0.1:${port}`, "inet", "n", "-", "-", "smtpd") + options.map((option) => `  -o ${option}\n`).join("")
  const unix = (name: string, command: string, maxProc = "-") => service(name, "unix", "y", "-", maxProc, command)
  return [
    inet(ports.smtp, []),
    inet(ports.strict, ["smtpd_reject_unlisted_recipient=yes"]),
    inet(ports.submission, SUBMISSION),
    inet(ports.submissions, ["smtpd_tls_wrappermode=yes", ...SUBMISSION]),
    service("pickup", "unix", "n", "60", "1", "pickup"),
    service("cleanup", "unix", "n", "-", "0", "cleanup"),
    service("qmgr", "unix", "n", "300", "1", "qmgr"),
    service("flush", "unix", "n", "1000?", "0", "flush"),
    service("showq", "unix", "n", "-", "-", "showq"),
    service("tlsmgr", "unix", "-", "1000?", "1", "tlsmgr"),
    service("postlog", "unix-dgram", "n", "-", "1", "postlogd"),
    unix("rewrite", "trivial-rewrite"),
    unix("bounce", "bounce", "0"),
    unix("defer", "bounce", "0"),
    unix("trace", "bounce", "0"),
    unix("verify", "verify", "1"),
    unix("proxymap", "proxymap"),
    unix("proxywrite", "proxymap", "1"),
    unix("error", "error"),
    unix("retry", "error"),
    unix("discard", "discard"),
    // It writes as the owner of the mail, and so begins as root.
    "virtual unix - n n - - virtual\n",
    unix("anvil", "anvil", "1")
  ].join("")
}

export const postfixFiles = (
  layout: BedLayout,
  people: BedPeople
): ReadonlyArray<readonly [path: string, text: string]> => {
  const at = paths(layout)
  const folderOf = (address: string) => (people.junking?.includes(address) === true ? ".Junk/" : "")
  const boxOf = (address: string) =>
    `${address} ${address.split("@")[1]}/${address.split("@")[0]}/Maildir/${folderOf(address)}\n`
  return [
    [join(at.postfix, "main.cf"), main(layout, people)],
    [join(at.postfix, "master.cf"), master(layout)],
    [at.mailboxes, [...people.users.map(({ address }) => address), ...people.recipients].map(boxOf).join("")],
    [at.headerChecks, `/^From:/ PREPEND Authentication-Results: ${people.results ?? "none"}\n`],
    [at.senders, people.users.map(({ address }) => `${address} ${address}\n`).join("")]
  ]
}
