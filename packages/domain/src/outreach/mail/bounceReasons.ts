/** Why a message did not reach a person, as far as the evidence says. */
export const BOUNCE_REASONS = [
  "user_unknown",
  "host_unknown",
  "suspended",
  "full",
  "restricted",
  "too_large",
  "rate",
  "reputation",
  "authentication",
  "content",
  "policy",
  "expired",
  "network",
  "system",
  "unknown"
] as const
export type BounceReason = (typeof BOUNCE_REASONS)[number]

/** Reasons that prove that the address doesn't exist. No other reason suppresses anybody. */
const PROOF: ReadonlySet<BounceReason> = new Set(["user_unknown", "host_unknown"])
export const isProof = (reason: BounceReason): boolean => PROOF.has(reason)

/** Refusals of the sender, which say nothing about the person. Most of their codes are 5.7.x and 4.7.x. */
const REFUSALS: ReadonlySet<BounceReason> = new Set(["rate", "reputation", "authentication", "content", "policy"])
export const isRefusal = (reason: BounceReason): boolean => REFUSALS.has(reason)

/** Whether two reasons have the same consequence, so that a code for one may stand for the other. */
export const isAkin = (one: BounceReason, other: BounceReason): boolean =>
  one === other || (isRefusal(one) && isRefusal(other))

/** The enhanced status code (RFC 3463) for a reason that only words give. */
export const CODE_OF: Readonly<Record<BounceReason, string>> = {
  user_unknown: "5.1.1",
  host_unknown: "5.1.2",
  suspended: "5.2.1",
  full: "5.2.2",
  restricted: "5.7.2",
  too_large: "5.3.4",
  rate: "4.7.0",
  reputation: "5.7.1",
  authentication: "5.7.1",
  content: "5.7.1",
  policy: "5.7.1",
  expired: "4.4.7",
  network: "4.4.1",
  system: "4.3.0",
  unknown: "5.0.0"
}

/** What a specific code says by itself (RFC 3463, RFC 7372, RFC 7505, and Exchange's), first match. */
const CODES: ReadonlyArray<readonly [RegExp, BounceReason]> = [
  [/^[45]\.1\.(?:1|6|10)$/, "user_unknown"],
  [/^[45]\.1\.2$|^5\.4\.310$/, "host_unknown"],
  [/^[45]\.1\.[78]$/, "policy"],
  [/^[45]\.2\.1$/, "suspended"],
  [/^[45]\.2\.2$/, "full"],
  [/^[45]\.2\.3$|^[45]\.3\.4$/, "too_large"],
  [/^[45]\.2\.4$|^5\.7\.(?:2|1[78]|124|129|13\d|193)$/, "restricted"],
  [/^[45]\.3\.1$/, "full"],
  [/^[45]\.3\.\d+$/, "system"],
  [/^[45]\.4\.(?:7|316)$/, "expired"],
  [/^[45]\.4\.\d+$/, "network"],
  [/^[45]\.6\.\d+$/, "content"],
  [/^[45]\.7\.(?:2[0-7]|5|30|509)$/, "authentication"],
  [/^[45]\.7\.28$/, "rate"],
  [/^[45]\.7\.\d+$/, "policy"]
]

/** What the code alone says; `unknown`: nothing. */
export const reasonOfCode = (code: string): BounceReason =>
  CODES.find(([pattern]) => pattern.test(code))?.[1] ?? "unknown"

const says = (reason: BounceReason, ...patterns: ReadonlyArray<string>) =>
  [reason, new RegExp(patterns.join("|"), "iu")] as const

/**
 * An account that was closed. One that is suspended, locked or idle may come back, and so may one that its owner can open
 * again: that is no proof.
 */
const GONE =
  "(?:account|mail ?box|user|recipient|address|alias)(?! (?:is |has been |was )?temporar)[^.\\n]{0,60}(?:(?<!not )(?:disabled|deactivated|terminated|discontinued|closed|cancel+ed|deleted|removed))(?! (?:temporar|due to|because|for (?:spam|abuse)))|(?:disabled|deactivated|terminated|closed|deleted) (?:account|user|mail ?box|recipient)"

/** That nobody is there, in more languages. */
const NOBODY_ELSEWHERE = [
  "(?:uživatel|schránka|adres|příjemce|používateľ|príjemca)\\p{L}*[^.\\n]{0,40}(?:neexistuj|nenalezen|nebyl\\p{L}* nalezen|neznám|nenájden)|neznám\\p{L} (?:uživatel|příjemce|adresát|používateľ)",
  "(?:korisnik|uporabnik|primatelj|prejemnik|adresa|naslov|корисник)\\p{L}*[^.\\n]{0,40}(?:ne postoji|ne obstaja|nije pronađen|ni najden|nepoznat|neznan|не постоји)|(?:nepoznat\\p{L}*|neznan) (?:korisnik|uporabnik)",
  "(?:felhasználó|címzett|postafiók)\\p{L}*[^.\\n]{0,40}(?:nem létezik|nem található|ismeretlen)|ismeretlen (?:felhasználó|címzett)",
  "(?:utilizator|destinatar|adres|căsuț)\\p{L}*[^.\\n]{0,40}(?:nu exist|necunoscut|inexistent)",
  "(?:потребител|получател|адрес|користувач|отримувач|скриньк)\\p{L}*[^.\\n]{0,40}(?:не съществува|не е намерен|не існує|не знайден|невідом)|няма такъв (?:потребител|адрес)",
  "(?:vartotoj|gavėj|adres)\\p{L}*[^.\\n]{0,40}(?:neegzistuoja|nerast|nežinom)|tokio (?:vartotojo|adreso) nėra|(?:lietotāj|adresāt|adres)\\p{L}*[^.\\n]{0,40}(?:neeksistē|nav atrast|nezinām)|(?:kasutaja|aadress|saaja)\\p{L}*[^.\\n]{0,40}(?:ei eksisteeri|ei leitud|tundmatu)",
  "(?:kullanıcı|alıcı|adres|posta kutusu)\\p{L}*[^.\\n]{0,40}(?:bulunamadı|mevcut değil|bilinmiyor)|bilinmeyen kullanıcı",
  "άγνωστος (?:χρήστης|παραλήπτης)|(?:χρήστης|διεύθυνση|παραλήπτης)[^.\\n]{0,40}δεν (?:υπάρχει|βρέθηκε)",
  "(?:käyttäjä|vastaanottaja|osoite)\\p{L}*[^.\\n]{0,40}(?:ei löydy|ei löytynyt|tuntematon|ei ole olemassa)|(?:bruger|bruker|modtager|mottaker|adresse)\\p{L}*[^.\\n]{0,40}(?:findes ikke|finnes ikke|ukendt|ukjent|eksisterer ikke)",
  "(?:المستخدم|العنوان|المستلم)[^.\\n]{0,30}غير (?:موجود|معروف)|(?:המשתמש|הנמען|הכתובת|התיבה)[^.\\n]{0,30}לא (?:קיי|נמצא)",
  "ไม่พบ(?:ผู้ใช้|ผู้รับ|ที่อยู่)|(?:người dùng|người nhận|địa chỉ|hộp thư)[^.\\n]{0,30}không (?:tồn tại|tìm thấy)|(?:pengguna|penerima|alamat)[^.\\n]{0,30}tidak (?:ditemukan|ada|dikenal|wujud)"
].join("|")

/** A server's words, most telling first. What excuses the person comes before what accuses the address. */
const WORDS: ReadonlyArray<readonly [BounceReason, RegExp]> = [
  says(
    "policy",
    "(?:sender|from|return[- ]path|envelope)(?:'s)? (?:address|domain|e-?mail|verif)[^\\n]{0,80}(?:reject|not (?:found|exist|allowed|verif)|doesn't exist|does not exist|unknown|invalid|fail|denied|refused)",
    "(?:sender|from) (?:rejected|denied|refused|unknown|not exist)",
    "domain of (?:the )?sender",
    "my name was rejected|invalid (?:helo|ehlo|domain name)|bad sender|invalid sender|unauthenticated sender|sender verify failed",
    "sender (?:is )?(?:not|un)[- ]?(?:auth|allow|accept)|unauthori[sz]ed sender"
  ),
  says(
    "reputation",
    "reverse (?:dns|lookup|hostname|mapping)|\\brdns\\b|\\bptr\\b|\\bfcrdns\\b|forward-confirmed",
    "(?:client host|your host|hostname|client ip|your ip|ip address|ip name|\\bip\\b)[^\\n]{0,60}(?:reject|not found|unknown|resolve|denied|refused|block|blacklist|bad)",
    "unresolvable|(?:bad|invalid) helo|helo (?:command )?(?:reject|fail|invalid)",
    "cannot find your (?:hostname|reverse)",
    "black[ -]?list|block[ -]?list|deny ?list|spamhaus|spamcop|barracudacentral|sorbs|\\brbl\\b|\\bdnsbl\\b|reputation|\\bsenderbase\\b|(?<!not )(?<!n't )\\blisted (?:at|by|on|in (?:the )?(?:\\w+ ){0,3}(?:list|[a-z]*bl\\b|database|zen|dbl|pbl|xbl))|poor standing|s(?:core)? too low|connection refused[^\\n]{0,40}(?:abuse|spam)"
  ),
  // What a name server could not tell for now, it may tell later.
  says("network", "(?:host|domain|name)[^.\\n]{0,40} not found,? try again"),
  // The domain says that it takes no mail (RFC 7505), as Postfix and Exim tell it.
  says("host_unknown", "\\bnull[- ]?mx\\b|mx or srv record indicated no smtp service"),
  says(
    "restricted",
    "(?:restricted|accept\\w*|allow\\w*|permi\\w+)[^\\n]{0,50}(?:authenticated senders|internal senders|members (?:only|of)|only from|from members)",
    "(?:only|not)[^\\n]{0,50}(?:allowed|permitted|authorized|permission)[^\\n]{0,50}(?:to (?:send|post|e-?mail|write)|post(?:ing)? to)[^\\n]{0,40}(?:group|list|recipient|user|him|her|mailbox|address)",
    "you (?:may not have|don't have|do not have) permission",
    "not (?:a )?member|members? only|restricted (?:recipient|address)|delivery (?:is )?restrict|recipient only accepts|authenticat\\w+ (?:is )?required to (?:send|deliver)",
    "\\brecipnotpermitted\\b|resolver\\.rst|recipient (?:has )?(?:blocked|refused) (?:you|mail from)",
    "(?:not|n't) accept(?:ing)? (?:any )?(?:e-?mails?|mails?|messages?) from\\b",
    "(?:not|isn't) (?:on|in) (?:\\S+ ){0,4}(?:white|allow|safe)[- ]?list",
    "message filtered|turned on filter|(?:domain|mail)[^\\n]{0,12}(?:reject|refus)[^\\n]{0,12}setting|受信拒否"
  ),
  says(
    "full",
    "(?:mail ?box|mail ?folder|maildir|inbox|quota|disk|storage|spool|account|user|recipient|mailfolder|space)[^.\\n]{0,50}(?:\\bfull\\b|exceed|over\\b|overdrawn|limit|insufficient|not enough)",
    "full (?:mail ?box|inbox|quota)|over ?quota|out of (?:storage|disk)|quota[^\\n]{0,20}(?:reach|exceed|violat)|exceed\\w*[^\\n]{0,40}(?:quota|storage|mailbox)|insufficient (?:system )?(?:storage|disk|space)|not enough (?:storage|disk|space)|no space left|disk (?:is )?full|mbox ?full|too (?:full|many messages in)",
    "postfach (?:ist )?voll|speicherplatz|boite (?:aux lettres )?pleine|boîte[^\\n]{0,30}pleine|buz[oó]n (?:est[aá] )?lleno|casella piena|caixa[^\\n]{0,20}cheia|skrzynka[^\\n]{0,20}pe[lł]na|переполнен|一杯|容量超過|邮箱已满|空间不足|已满|brievenbus[^\\n]{0,12}vol",
    "(?:mail ?box|postfach|boite|boîte|buz[oó]n|casella|caixa|skrzynka|schránka|postvak|inbox|posta kutusu|postafiók)(?: \\S+){0,3} (?:voll|vol|plein\\w*|llen[ao]|pien[ao]|cheia|lotada|pe[lł]na|pln[áýa]|dolu|megtelt)\\b"
  ),
  says(
    "expired",
    "(?<!account |account has |user |password )\\bexpired|(?:retry|delivery|queue)[- ]?(?:time|lifetime|period)?[- ]?(?:time(?:d)? ?-?out|exceed)|too old|not (?:been )?(?:able|possible)[^\\n]{0,60}(?:after|for|within) \\d|(?:undelivered|not delivered|unsuccessful|aborted|tried|trying)[^\\n]{0,40}(?:after|for) [\\d.]+ ?(?:hour|day|minute)|could not be delivered (?:for|within|after) [\\d.]+|(?:delivery )?(?:attempts? )?(?:has been|was) (?:failed|stopped) after|hosts? (?:have|has) been failing|will be retried|still being retried|will (?:keep|continue) (?:trying|to try)|delivery time"
  ),
  says(
    "too_large",
    "(?:message|mail|size|attachment)[^.\\n]{0,50}(?:too (?:large|big|long)|exceed\\w*[^.\\n]{0,40}(?:size|limit|maxim)|larger than|maximum)",
    "exceed\\w*[^.\\n]{0,30}(?:maximum )?(?:message )?size|max(?:imum)? (?:message )?size|size limit|line too long"
  ),
  says(
    "rate",
    "rate[- ]?limit|too (?:many|much|fast|quick)|throttl|(?:sending|receiving|message|mail|hourly|daily|connection)[^.\\n]{0,30}(?:rate|limit)[^.\\n]{0,30}(?:exceed|reach|violat)|receiving mail (?:at a rate|too quickly)|exceeded the rate|try again later[^\\n]{0,30}limit|unusual rate|greylist|gray ?list|concurrent (?:conn|session)|max(?:imum)? (?:number of )?(?:conn|recip|sess)\\w*|(?:deferred|defer)[^\\n]{0,40}(?:complaint|volume)|resources temporarily|speeding"
  ),
  says(
    "authentication",
    "\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\bsender[- ]?id\\b|unauthenticated|not authenticated|authentication (?:is )?(?:required|fail|check)|smtp auth|starttls|must issue|tls (?:is )?required"
  ),
  says(
    "content",
    "spam|unsolicited|\\bjunk\\b|bulk mail|phish|virus|malware|infected|trojan|suspicious|(?:content|attachment|header|url|link|html)[^.\\n]{0,40}(?:reject|not (?:allow|accept|permit)|prohibit|forbid|block|filter|banned|refused|contains)|message[^.\\n]{0,40}(?:prohibit|forbid|\\bblock|filter|banned|contains)|banned|cloudmark|content (?:filter|denied|scan)|looks like|bare (?:lf|cr|line feed)|\\b(?:eicar|uce|ube|rfc ?5322)\\b|bad header|malformed (?:message|header|address|mime|e-?mail|from|date)|illegal (?:characters|attachment)"
  ),
  says(
    "policy",
    "polic(?:y|ies)|(?:relay|relaying|relayed)[^\\n]{0,30}(?:denied|not|prohib|refus|permit|access|reject)|(?:not|cannot|can't|unable to|don't) (?:allowed? to )?relay|we do not relay|no relay|\\bblock(?:ed|ing)?\\b|(?<!recipient address rejected: )(?:access|permission) (?:denied|not allowed|forbidden)|(?:not|isn't) (?:allowed|permitted|authori[sz]ed|accepted)|prohibit|forbidden|security|administrative|\\bban(?:ned)?\\b|violat|abuse|refused by|rejected by (?:the )?(?:recipient|receiv|admin)|transaction failed|rbl|delivery not auth|richtlinie|politique|pol[ií]tica|verboten|geweigerd|zablokowan|заблокирован|拒否",
    "\\b(?:e-?mail|messages?|mail)s? from \\S+ (?:is |was |are |has been )?(?:reject|refus|denied|block|not accept)"
  ),
  says("user_unknown", `requested (?:mail )?action (?:was )?not taken:? mail ?box unavailable|${GONE}`),
  says(
    "suspended",
    "(?:account|mail ?box|user|recipient|address|alias)[^.\\n]{0,60}(?:disabled|suspended|inactiv|not active|locked|frozen|deactivat|temporarily|not (?:yet )?activated|over its|expired|discontinued|is unavailable|not accept)|(?:disabled|suspended|inactive|deactivated|blocked|locked) (?:account|user|mail ?box|recipient|address)|user disabled|auto-?reply only|currently suspended|gesperrt|désactivé|desactivad|disattivat|停止",
    "(?:domain|hosting)[^.\\n]{0,40}(?:suspended|on hold|disabled)"
  ),
  says(
    "user_unknown",
    "(?:user|rcpt|recipient|address|mail ?box|account|alias|person|(?<!domain )name|member|destinat\\w+|subscriber|uid|adressee|addressee|receiver|customer)[^.\\n]{0,80}(?:does ?n[o']t exist|does not exist|doesn't exist|not exist|do(?:es)? not have|doesn't have|unknown|not (?:been )?(?:found|known|recognized|recognised|listed|registered|present)|no longer (?:exist|valid|available|active|in use|with|on|employed|works)|isn't (?:known|listed|here|valid)|is not (?:known|a known|a valid|valid|in our|local|exist|defined|listed|on this|one of|an? active)|(?:was|has been) (?:deleted|removed|closed|terminated)|could ?n[o']t be found|couldn't be found|wasn't found|not a valid|invalid|nonexist|non-exist|no such|undefined)",
    "(?:user|recipient|mail ?box|account|mailbox)[ _-]?unknown|unknown(?: or (?:illegal|invalid)| local)?[ _-](?:user|recipient|address|account|mail ?box|local|alias|destination)|no such[^.\\n]{0,20}(?:user|mail ?box|recipient|person|address|account|local|alias|object|subscriber|member|name|id\\b|here)|nosuchuser|no (?:mail ?box|user|account|recipient)[^.\\n]{0,20}(?:here|available|by that|found|with that|named|such|exists)|invalid[- ](?:user|recipient|mail ?box|account|local|address|destination)|(?:not|isn't|is not)(?: a)? (?:known|valid|local|our) (?:user|mail ?box|recipient|address|customer|account)|not our customer|doesn't have a[^.\\n]{0,30}account|bad (?:destination )?(?:mailbox|recipient|address)|address unknown|user not (?:found|known)|recipient not found|recipientnotfound|couldn't be found|wasn't found|not listed in|unrout[e]?able (?:mail )?address|can't find that|undeliverable address|non[- ]?exist\\w* (?:user|mail ?box|account|address|recipient)|mailbox (?:does|is) not|illegal (?:user|recipient|alias)|(?:is )?not a (?:mailbox|user)|this account is not|has moved|there is no[^.\\n]{0,30}(?:user|mailbox|account|address)",
    "(?:empf[äa]nger|benutzer|adresse|postfach|konto|mailbox)[^.\\n]{0,40}(?:unbekannt|existiert nicht|nicht (?:gefunden|vorhanden|bekannt|verf[üu]gbar))|unbekannte[rn]? (?:empf|benutz|adress)",
    "(?:utilisateur|destinataire|adresse|bo[iî]te|compte)[^.\\n]{0,40}(?:inconnu|inexistant|n'existe (?:pas|plus)|introuvable|invalide)",
    "(?:usuario|destinatario|direcci[oó]n|buz[oó]n|casilla|cuenta|usu[aá]rio|destinat[aá]rio|endere[cç]o|caixa|conta)[^.\\n]{0,40}(?:desconocid|desconhecid|no existe|n[aã]o existe|inexist|no encontrad|n[aã]o encontrad|no se (?:ha )?enc|inv[aá]lid)",
    "(?:utente|destinatario|indirizzo|casella)[^.\\n]{0,40}(?:sconosciut|inesistent|non esist|non (?:[eè] stat[oa] )?trovat|non valid)",
    "(?:gebruiker|ontvanger|adres|postvak|mailbox)[^.\\n]{0,40}(?:onbekend|bestaat niet|niet gevonden)|onbekende (?:gebruiker|ontvanger)",
    "(?:u[zż]ytkownik|odbiorca|adres|skrzynka|konto)[^.\\n]{0,40}(?:nieznan|nie istnieje|nie znaleziono)|nieznany (?:u[zż]ytkownik|odbiorca|adres)",
    "(?:mottagare|anv[äa]ndare|adress)\\w*[^.\\n]{0,40}(?:finns inte|ok[äa]nd|hittades inte)|(?:пользователь|адрес|ящик|получатель)[^.\\n]{0,40}(?:не (?:найден|существует|зарегистрирован)|неизвест)|(?:user|пользователь) (?:не найден)|(?:アドレス|ユーザ|宛先|メールボックス)[^。\\n]{0,40}(?:見つかり|存在し|不明|ありません)|(?:收件人|用户|邮箱|地址|帐号|账号)[^。\\n]{0,20}(?:不存在|未找到|无效)|(?:사용자|수신자|주소)[^\\n]{0,20}(?:없|존재하지)",
    NOBODY_ELSEWHERE
  ),
  says(
    "host_unknown",
    "(?:domain|host|hostname|destination)(?: name)?[^.\\n]{0,80}(?:does not exist|doesn't exist|not exist|not found(?!, try again)|unknown|could ?n[o']t be found|couldn't be found|non-?exist|is invalid|not (?:known|resolv)|cannot be resolved)|(?:unknown|no such) (?:host|domain)|host unknown|unrout[e]?able (?:mail )?domain|bad destination (?:host|system)|nxdomain|null ?mx|does not accept (?:e-?mail|mail)|(?:domain|host)[^.\\n]{0,30}(?:accepts|has) no (?:mail|mx)|no mx (?:record|host)[^.\\n]{0,30}(?:found|exist)|illegal host|(?:domain|dom[aä]ne|domaine|dominio|dom[ií]nio)[^.\\n]{0,40}(?:existiert nicht|n'existe pas|no existe|non esiste|n[aã]o existe|nicht gefunden)|домен[^.\\n]{0,20}не (?:найден|существует)|ドメイン[^。\\n]{0,20}(?:存在|見つ)"
  ),
  says(
    "network",
    "time(?:d)? ?-?out|connection (?:refused|reset|timed|lost|failed|closed|died|dropped|broken)|(?:not|un)[ -]?reach(?:able|ed)|no route|network (?:is )?(?:error|unreach|down)|lost connection|(?:couldn't|could not|can't|cannot|unable to) (?:connect|find a gateway|establish|contact|open)|(?:dns|name server|nameserver|lookup|name service)[^.\\n]{0,40}(?:fail|error|problem|loop|temporar)|temporary (?:lookup|dns)|(?:mail|routing|hop)[^.\\n]{0,20}(?:loop|count)|too many hops|loops back|no answer from host|host not (?:responding|available)|retry time"
  ),
  says(
    "system",
    "(?:system|server|internal|local|configuration|service|queue|database|temporary|unexpected|\\bi/o)[^.\\n]{0,30}(?:error|fail|problem|unavailable|down|trouble|not available)|cannot (?:open|write|lock|append|create)|can't (?:open|write|lock|append|create)|(?:child|program|command|process)[^.\\n]{0,50}(?:exit|died|fail|status|error|crash)|mailer (?:error|fail)|\\bpipe\\b|couldn't create|local configuration"
  )
]

/** Proof in words that cannot mean anything else, even beside a word that excuses. */
const UNMISTAKABLE =
  /\b(?:user unknown|unknown (?:local )?user|user not found|unknown recipient|recipient unknown|invalid mailbox|no (?:such )?mailbox (?:here )?by that name|no such (?:user|mailbox|recipient|address|person|local user)|nosuchuser|recipientnotfound|(?:user|mailbox|recipient|account|address) (?:does not|doesn't) exist|not listed in (?:\S+ ){0,3}(?:directory|address book))\b/iu

/** Whether words say that nobody has the address, and can mean nothing else. */
export const isUnmistakable = (words: string): boolean => UNMISTAKABLE.test(bareOf(words))

/** What excuses a person even beside words that can mean nothing else. A word such as "policy" or "blocked" does not. */
const STRONG: ReadonlySet<BounceReason> = new Set([
  "full",
  "reputation",
  "content",
  "rate",
  "too_large",
  "authentication",
  "restricted"
])

/** A mailbox that is full exists, whatever else a report says. */
export const isFull = (words: string): boolean =>
  WORDS.some(([reason, pattern]) => reason === "full" && pattern.test(words.slice(0, WORDS_CHARS_MAX)))

/** Names of addresses and of hosts that may hold any word. */
const NAMES =
  /<?[^\s<>()[\],;:"']{1,320}@[^\s<>()[\],;:"']{1,255}>?|\bhost (?:[a-z0-9-]+\.)+\S+|\b(?:[a-z0-9-]+\.){2,}[a-z]{2,}\b(?=[[(:])/gi

const WORDS_CHARS_MAX = 8_000

/** Names of products that stand in notices and greetings, and would say "spam", "virus" or "security". */
const PRODUCTS =
  /\b(?:barracuda|symantec|proofpoint|mimecast|spamtitan|mailscanner|messagelabs|ironport|forefront|fortimail|trend ?micro|sophos|mcafee|kaspersky|eset|nod32|avast|avg|amavis\w*|clamav|bitdefender)\b(?: (?:e-?mail|messaging|anti-?(?:spam|virus)|spam|virus|security|protection|gateway|firewall|appliance|essentials|cloud|service|server|for|and|&)){0,8}|\b(?:e-?mail |messaging |mail )?(?:anti-?(?:spam|virus)|spam(?: (?:&|and) virus)?|security) (?:firewall|gateway|appliance|server|suite)\b/gi

/** What a server's words say without the names of addresses, hosts and products. */
const bareOf = (words: string): string =>
  words
    .slice(0, WORDS_CHARS_MAX)
    .replace(NAMES, " ")
    .replace(PRODUCTS, " ")
    .replace(/[’‘]/g, "'")
    .replace(/[ \t]+/g, " ")

const firstIn = (bare: string): number => WORDS.findIndex(([, pattern]) => pattern.test(bare))

const reasonIn = (clause: string): BounceReason => WORDS[firstIn(clause)]?.[0] ?? "unknown"

const OR = /\s(?:or|oder|ou|o|lub|nebo|или|of(?= (?:mail|post|brieven)))\s/giu

/** What else may be the reason, where a server names two at once and so knows neither: "unknown user or mailbox full". */
const otherwise = (bare: string): BounceReason | undefined =>
  Array.from(bare.matchAll(OR)).flatMap(({ 0: or, index }) => {
    const before = bare.slice(0, index).split(CLAUSE_ENDS).at(-1) ?? ""
    const other = reasonIn(bare.slice(index + or.length).split(CLAUSE_ENDS, 1)[0] ?? "")
    return isProof(reasonIn(before)) && other !== "unknown" && !isProof(other) ? [other] : []
  })[0]

const CLAUSE_ENDS = /[.,:;\n]/

/** What a server's words say; `unknown`: nothing. */
export const reasonOfWords = (words: string): BounceReason => {
  const bare = bareOf(words)
  const at = firstIn(bare)
  const found = WORDS[at]?.[0] ?? "unknown"
  // The first speaks of our sender, in the same words.
  const isMistakable = at === 0 || STRONG.has(found) || !UNMISTAKABLE.test(bare)
  const told = isMistakable || isProof(found) ? found : "user_unknown"
  return isProof(told) ? (otherwise(bare) ?? told) : told
}

/** Microsoft's edge refuses so whom a tenant does not know, and only them. */
const NOT_IN_TENANT = /recipient address rejected: access denied/i

/** What a code says beside the words that give it its meaning. */
export const reasonOfBoth = (code: string, words: string): BounceReason =>
  code === "5.4.1" && NOT_IN_TENANT.test(words) ? "user_unknown" : "unknown"
