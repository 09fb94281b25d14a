#!/usr/bin/env bash
# Installs Postfix and Dovecot from Debian's packages where they are absent, for the mail test bed. It needs root then.
# No server is started: the bed starts its own, with its own configuration.
set -euo pipefail
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

if command -v postfix >/dev/null && command -v dovecot >/dev/null && [ -x /usr/lib/dovecot/imap ]; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "Postfix and Dovecot (with IMAP) are missing, and there is no apt-get to install them with." >&2
  exit 1
fi

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)

# What invoke-rc.d asks before it starts a service.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap '"${as_root[@]}" rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi

echo "postfix postfix/main_mailer_type select No configuration" | "${as_root[@]}" debconf-set-selections || true
# A mirror may fail once, and another apt may be at work.
patient=(-o Acquire::Retries=5 -o DPkg::Lock::Timeout=300)
"${as_root[@]}" apt-get "${patient[@]}" update || true
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get "${patient[@]}" install --yes --no-install-recommends postfix dovecot-imapd
