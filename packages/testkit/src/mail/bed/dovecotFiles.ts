import { join } from "node:path"
import { type BedLayout, paths } from "./BedLayout.js"
import type { BedPeople } from "./postfixFiles.js"

/** Dovecot over the Maildirs that Postfix delivers into, with the folders of a usual account; it signs in for both. */
const config = (layout: BedLayout, { tokenInfoUrl }: BedPeople): string => {
  const at = paths(layout)
  const { imap, imaps } = layout.ports
  return `protocols = imap
base_dir = ${join(at.dovecot, "run")}
state_dir = ${join(at.dovecot, "state")}
log_path = ${at.dovecotLog}
listen = 127.0.0.1
ssl = required
ssl_cert = <${at.certificate}
ssl_key = <${at.key}
auth_mechanisms = plain login${tokenInfoUrl === undefined ? "" : " xoauth2 oauthbearer"}
first_valid_uid = 1
mail_location = maildir:~/Maildir
${
  tokenInfoUrl === undefined
    ? ""
    : `passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${at.dovecotTokens}
}
`
}passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${at.dovecotUsers}
}
userdb {
  driver = static
  args = uid=${layout.mailUid} gid=${layout.mailGid} home=${join(at.mail, "%d", "%n")}
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    special_use = \\Drafts
  }
  mailbox Junk {
    auto = subscribe
    special_use = \\Junk
  }
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
}
service imap-login {
  service_count = 0
  process_min_avail = 1
  client_limit = 1000
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = ${imaps}
    ssl = yes
  }
}
service imap {
  service_count = 200
}
service auth {
  unix_listener ${at.authSocket} {
    mode = 0666
  }
}
`
}

export const dovecotFiles = (
  layout: BedLayout,
  people: BedPeople
): ReadonlyArray<readonly [path: string, text: string]> => {
  const at = paths(layout)
  return [
    [at.dovecotConfig, config(layout, people)],
    [at.dovecotTokens, `tokeninfo_url = ${people.tokenInfoUrl ?? ""}\nusername_attribute = email\n`],
    [at.dovecotUsers, people.users.map(({ address, password }) => `${address}:${password}\n`).join("")]
  ]
}
