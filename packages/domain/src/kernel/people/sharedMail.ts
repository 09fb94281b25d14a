import { parse } from "tldts"

/** Mail providers that have this name under many suffixes, as `hotmail.com` and `hotmail.co.uk`. */
const PROVIDER_NAMES: ReadonlySet<string> = new Set(["gmx", "hotmail", "outlook", "yahoo", "yandex"])

/** Domains in which anybody may have an address: of mail providers, and of internet providers for their customers. */
const PROVIDER_DOMAINS: ReadonlySet<string> = new Set(
  [
    "gmail.com googlemail.com live.com live.co.uk live.fr live.nl live.de live.it live.ca live.se msn.com passport.com",
    "ymail.com rocketmail.com myyahoo.com aol.com aim.com netscape.net icloud.com me.com mac.com",
    "proton.me protonmail.com protonmail.ch pm.me tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me",
    "fastmail.com fastmail.fm hey.com hushmail.com zohomail.com zohomail.eu mail.com email.com usa.com inbox.com",
    "runbox.com posteo.de posteo.net mailbox.org disroot.org riseup.net startmail.com mailfence.com lycos.com excite.com",
    "web.de freenet.de t-online.de arcor.de online.de vodafone.de email.de bluewin.ch hispeed.ch sunrise.ch aon.at chello.at",
    "orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr numericable.fr bbox.fr skynet.be telenet.be proximus.be",
    "ziggo.nl kpnmail.nl home.nl planet.nl xs4all.nl hetnet.nl libero.it virgilio.it alice.it tiscali.it tin.it inwind.it",
    "telefonica.net terra.es sapo.pt iol.pt telia.com spray.se bredband.net online.no getmail.no mail.dk stofanet.dk",
    "seznam.cz centrum.cz email.cz atlas.cz azet.sk wp.pl o2.pl onet.pl interia.pl poczta.fm abv.bg mail.bg freemail.hu",
    "citromail.hu ukr.net i.ua meta.ua mail.ru bk.ru inbox.ru list.ru rambler.ru ya.ru walla.co.il walla.com",
    "qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com naver.com hanmail.net",
    "daum.net nate.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com rediffmail.com sify.com indiatimes.com",
    "comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net earthlink.net juno.com",
    "frontier.com centurylink.net windstream.net optonline.net roadrunner.com rogers.com shaw.ca sympatico.ca telus.net",
    "videotron.ca btinternet.com btopenworld.com sky.com virginmedia.com ntlworld.com talktalk.net blueyonder.co.uk",
    "eircom.net bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz uol.com.br bol.com.br terra.com.br",
    "ig.com.br globo.com prodigy.net.mx telkomsa.net mweb.co.za webmail.co.za"
  ].flatMap((line) => line.split(" "))
)

/** Whether anybody may have an address in this domain (lower-case ASCII), so that it says nothing of their company. */
export const isSharedByMany = (domain: string): boolean =>
  PROVIDER_DOMAINS.has(domain) || PROVIDER_NAMES.has(parse(domain).domainWithoutSuffix ?? "")
