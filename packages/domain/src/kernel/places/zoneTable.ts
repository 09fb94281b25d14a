/**
 * Which IANA zone a country or a part of one keeps. Facts of the world, kept by hand. A zone must be known to the
 * platform; a test asks it.
 */

/** Countries whose people keep one zone, but for islands that a region or a city must name. */
const COUNTRY_ZONES = `
AD Europe/Andorra AE Asia/Dubai AF Asia/Kabul AG America/Antigua
AI America/Anguilla AL Europe/Tirane AM Asia/Yerevan AO Africa/Luanda
AR America/Argentina/Buenos_Aires AS Pacific/Pago_Pago AT Europe/Vienna AW America/Aruba
AX Europe/Mariehamn AZ Asia/Baku BA Europe/Sarajevo BB America/Barbados
BD Asia/Dhaka BE Europe/Brussels BF Africa/Ouagadougou BG Europe/Sofia
BH Asia/Bahrain BI Africa/Bujumbura BJ Africa/Porto-Novo BL America/St_Barthelemy
BM Atlantic/Bermuda BN Asia/Brunei BO America/La_Paz BQ America/Kralendijk
BS America/Nassau BT Asia/Thimphu BW Africa/Gaborone BY Europe/Minsk
BZ America/Belize CC Indian/Cocos CF Africa/Bangui CG Africa/Brazzaville
CH Europe/Zurich CI Africa/Abidjan CK Pacific/Rarotonga CL America/Santiago
CM Africa/Douala CN Asia/Shanghai CO America/Bogota CR America/Costa_Rica
CU America/Havana CV Atlantic/Cape_Verde CW America/Curacao CX Indian/Christmas
CY Asia/Nicosia CZ Europe/Prague DE Europe/Berlin DJ Africa/Djibouti
DK Europe/Copenhagen DM America/Dominica DO America/Santo_Domingo DZ Africa/Algiers
EC America/Guayaquil EE Europe/Tallinn EG Africa/Cairo EH Africa/El_Aaiun
ER Africa/Asmara ES Europe/Madrid ET Africa/Addis_Ababa FI Europe/Helsinki
FJ Pacific/Fiji FK Atlantic/Stanley FO Atlantic/Faroe FR Europe/Paris
GA Africa/Libreville GB Europe/London GD America/Grenada GE Asia/Tbilisi
GF America/Cayenne GG Europe/Guernsey GH Africa/Accra GI Europe/Gibraltar
GL America/Nuuk GM Africa/Banjul GN Africa/Conakry GP America/Guadeloupe
GQ Africa/Malabo GR Europe/Athens GS Atlantic/South_Georgia GT America/Guatemala
GU Pacific/Guam GW Africa/Bissau GY America/Guyana HK Asia/Hong_Kong
HN America/Tegucigalpa HR Europe/Zagreb HT America/Port-au-Prince HU Europe/Budapest
IE Europe/Dublin IL Asia/Jerusalem IM Europe/Isle_of_Man IN Asia/Kolkata
IO Indian/Chagos IQ Asia/Baghdad IR Asia/Tehran IS Atlantic/Reykjavik
IT Europe/Rome JE Europe/Jersey JM America/Jamaica JO Asia/Amman
JP Asia/Tokyo KE Africa/Nairobi KG Asia/Bishkek KH Asia/Phnom_Penh
KM Indian/Comoro KN America/St_Kitts KP Asia/Pyongyang KR Asia/Seoul
KW Asia/Kuwait KY America/Cayman KZ Asia/Almaty LA Asia/Vientiane
LB Asia/Beirut LC America/St_Lucia LI Europe/Vaduz LK Asia/Colombo
LR Africa/Monrovia LS Africa/Maseru LT Europe/Vilnius LU Europe/Luxembourg
LV Europe/Riga LY Africa/Tripoli MA Africa/Casablanca MC Europe/Monaco
MD Europe/Chisinau ME Europe/Podgorica MF America/Marigot MG Indian/Antananarivo
MH Pacific/Majuro MK Europe/Skopje ML Africa/Bamako MM Asia/Yangon
MN Asia/Ulaanbaatar MO Asia/Macau MP Pacific/Saipan MQ America/Martinique
MR Africa/Nouakchott MS America/Montserrat MT Europe/Malta MU Indian/Mauritius
MV Indian/Maldives MW Africa/Blantyre MY Asia/Kuala_Lumpur MZ Africa/Maputo
NA Africa/Windhoek NC Pacific/Noumea NE Africa/Niamey NF Pacific/Norfolk
NG Africa/Lagos NI America/Managua NL Europe/Amsterdam NO Europe/Oslo
NP Asia/Kathmandu NR Pacific/Nauru NU Pacific/Niue NZ Pacific/Auckland
OM Asia/Muscat PA America/Panama PE America/Lima PG Pacific/Port_Moresby
PH Asia/Manila PK Asia/Karachi PL Europe/Warsaw PM America/Miquelon
PN Pacific/Pitcairn PR America/Puerto_Rico PS Asia/Hebron PT Europe/Lisbon
PW Pacific/Palau PY America/Asuncion QA Asia/Qatar RE Indian/Reunion
RO Europe/Bucharest RS Europe/Belgrade RW Africa/Kigali SA Asia/Riyadh
SB Pacific/Guadalcanal SC Indian/Mahe SD Africa/Khartoum SE Europe/Stockholm
SG Asia/Singapore SH Atlantic/St_Helena SI Europe/Ljubljana SJ Arctic/Longyearbyen
SK Europe/Bratislava SL Africa/Freetown SM Europe/San_Marino SN Africa/Dakar
SO Africa/Mogadishu SR America/Paramaribo SS Africa/Juba ST Africa/Sao_Tome
SV America/El_Salvador SX America/Lower_Princes SY Asia/Damascus SZ Africa/Mbabane
TC America/Grand_Turk TD Africa/Ndjamena TF Indian/Kerguelen TG Africa/Lome
TH Asia/Bangkok TJ Asia/Dushanbe TK Pacific/Fakaofo TL Asia/Dili
TM Asia/Ashgabat TN Africa/Tunis TO Pacific/Tongatapu TR Europe/Istanbul
TT America/Port_of_Spain TV Pacific/Funafuti TW Asia/Taipei TZ Africa/Dar_es_Salaam
UA Europe/Kyiv UG Africa/Kampala UY America/Montevideo UZ Asia/Tashkent
VA Europe/Vatican VC America/St_Vincent VE America/Caracas VG America/Tortola
VI America/St_Thomas VN Asia/Ho_Chi_Minh VU Pacific/Efate WF Pacific/Wallis
WS Pacific/Apia YE Asia/Aden YT Indian/Mayotte ZA Africa/Johannesburg
ZM Africa/Lusaka ZW Africa/Harare 
`

/** Parts of countries with several zones: the zone, then names and abbreviations. */
const REGIONS: Readonly<Record<string, string>> = {
  US: `
America/New_York = ct connecticut, de delaware, dc district of columbia, fl florida, ga georgia, in indiana, ky kentucky, me maine, md maryland, ma massachusetts, mi michigan, nh new hampshire, nj new jersey, ny new york, nc north carolina, oh ohio, pa pennsylvania, ri rhode island, sc south carolina, vt vermont, va virginia, wv west virginia
America/Chicago = al alabama, ar arkansas, il illinois, ia iowa, ks kansas, la louisiana, mn minnesota, ms mississippi, mo missouri, ne nebraska, nd north dakota, ok oklahoma, sd south dakota, tn tennessee, tx texas, wi wisconsin
America/Denver = co colorado, id idaho, mt montana, nm new mexico, ut utah, wy wyoming
America/Phoenix = az arizona
America/Los_Angeles = ca california, nv nevada, or oregon, wa washington
America/Anchorage = ak alaska
America/Puerto_Rico = pr puerto rico
Pacific/Honolulu = hi hawaii`,
  CA: `
America/Vancouver = bc british columbia
America/Edmonton = ab alberta, nt northwest territories
America/Regina = sk saskatchewan
America/Winnipeg = mb manitoba
America/Toronto = on ontario, qc quebec
America/Halifax = nb new brunswick, ns nova scotia, pe prince edward island
America/St_Johns = nl newfoundland and labrador, newfoundland
America/Whitehorse = yt yukon`,
  AU: `
Australia/Sydney = nsw new south wales, act australian capital territory
Australia/Melbourne = vic victoria
Australia/Brisbane = qld queensland
Australia/Adelaide = sa south australia
Australia/Perth = wa western australia
Australia/Hobart = tas tasmania
Australia/Darwin = nt northern territory`,
  BR: `
America/Sao_Paulo = al alagoas, ap amapa, ba bahia, ce ceara, df distrito federal, es espirito santo, go goias, ma maranhao, mg minas gerais, pa para, pb paraiba, pe pernambuco, pi piaui, pr parana, rj rio de janeiro, rn rio grande do norte, rs rio grande do sul, sc santa catarina, se sergipe, sp sao paulo, to tocantins
America/Manaus = am amazonas, rr roraima, ro rondonia
America/Cuiaba = mt mato grosso, ms mato grosso do sul
America/Rio_Branco = ac acre`,
  MX: `
America/Cancun = quintana roo
America/Hermosillo = sonora
America/Tijuana = baja california
America/Mazatlan = baja california sur, nayarit, sinaloa
America/Mexico_City = aguascalientes, campeche, chiapas, chihuahua, ciudad de mexico, mexico city, cdmx, coahuila, colima, durango, guanajuato, guerrero, hidalgo, jalisco, estado de mexico, mexico, michoacan, morelos, nuevo leon, oaxaca, puebla, queretaro, san luis potosi, tabasco, tamaulipas, tlaxcala, veracruz, yucatan, zacatecas`,
  ID: `
Asia/Jakarta = jakarta, dki jakarta, banten, west java, jawa barat, central java, jawa tengah, east java, jawa timur, yogyakarta, aceh, north sumatra, west sumatra, south sumatra, riau, lampung, bengkulu, jambi, west kalimantan, central kalimantan
Asia/Makassar = bali, south sulawesi, north sulawesi, central sulawesi, west nusa tenggara, east nusa tenggara, east kalimantan, south kalimantan, north kalimantan
Asia/Jayapura = papua, maluku, north maluku, west papua`,
  RU: `
Europe/Moscow = moscow oblast, moskva, leningrad oblast, tatarstan, krasnodar krai, rostov oblast
Europe/Samara = samara oblast, udmurtia
Asia/Yekaterinburg = sverdlovsk oblast, chelyabinsk oblast, bashkortostan, perm krai, tyumen oblast
Asia/Omsk = omsk oblast
Asia/Novosibirsk = novosibirsk oblast
Asia/Krasnoyarsk = krasnoyarsk krai
Asia/Irkutsk = irkutsk oblast
Asia/Yakutsk = sakha
Asia/Vladivostok = primorsky krai, khabarovsk krai
Europe/Kaliningrad = kaliningrad oblast`,
  CD: `
Africa/Kinshasa = kinshasa, kongo central, equateur
Africa/Lubumbashi = haut katanga, lualaba, north kivu, south kivu, tshopo, ituri, kasai, kasai oriental`,
  ES: `
Atlantic/Canary = canary islands, canarias, islas canarias`,
  PT: `
Atlantic/Azores = azores, acores`,
  NZ: `
Pacific/Chatham = chatham islands`,
  CL: `
America/Punta_Arenas = magallanes, magallanes y de la antartica chilena
America/Coyhaique = aysen
Pacific/Easter = easter island, isla de pascua`,
  EC: `
Pacific/Galapagos = galapagos, galapagos islands`,
  PG: `
Pacific/Bougainville = bougainville`,
  MN: `
Asia/Hovd = khovd, hovd, bayan ulgii, uvs`
}

/** Cities whose name alone means one zone in their country. */
const CITIES: Readonly<Record<string, string>> = {
  US: `
America/New_York = new york, new york city, nyc, brooklyn, manhattan, boston, philadelphia, washington dc, miami, orlando, tampa, jacksonville, atlanta, charlotte, raleigh, durham, pittsburgh, cleveland, cincinnati, detroit, ann arbor, indianapolis, louisville, lexington, baltimore, buffalo, richmond, providence, hartford, stamford, newark, jersey city, fort lauderdale, knoxville, chattanooga
America/Chicago = chicago, houston, dallas, austin, san antonio, fort worth, plano, nashville, memphis, new orleans, baton rouge, minneapolis, saint paul, st paul, milwaukee, madison, saint louis, st louis, kansas city, omaha, des moines, oklahoma city, tulsa, little rock, birmingham, pensacola, gary, evansville, fargo, sioux falls, wichita
America/Denver = denver, boulder, colorado springs, salt lake city, provo, boise, albuquerque, santa fe, el paso, cheyenne, billings, bozeman, rapid city
America/Phoenix = phoenix, tucson, scottsdale, tempe, mesa
America/Los_Angeles = los angeles, san francisco, san jose, san diego, oakland, berkeley, palo alto, mountain view, menlo park, sunnyvale, santa clara, cupertino, sacramento, irvine, santa monica, seattle, bellevue, redmond, las vegas, reno, spokane, coeur d alene
America/Anchorage = anchorage, fairbanks, juneau
Pacific/Honolulu = honolulu`,
  CA: `
America/Vancouver = vancouver, burnaby, kelowna, surrey
America/Edmonton = calgary, edmonton
America/Regina = regina, saskatoon
America/Winnipeg = winnipeg
America/Toronto = toronto, ottawa, montreal, quebec city, mississauga, waterloo, kitchener, laval, gatineau, markham, hamilton
America/Halifax = halifax, moncton, fredericton, charlottetown
America/St_Johns = st john s, st johns`,
  AU: `
Australia/Sydney = sydney, canberra, newcastle, wollongong
Australia/Melbourne = melbourne, geelong
Australia/Brisbane = brisbane, gold coast, cairns, townsville
Australia/Adelaide = adelaide, broken hill
Australia/Perth = perth, fremantle
Australia/Hobart = hobart, launceston
Australia/Darwin = darwin, alice springs`,
  BR: `
America/Sao_Paulo = sao paulo, rio de janeiro, belo horizonte, brasilia, curitiba, porto alegre, florianopolis, salvador, recife, fortaleza, campinas, goiania, belem, natal
America/Manaus = manaus, boa vista, porto velho
America/Cuiaba = cuiaba, campo grande
America/Rio_Branco = rio branco`,
  MX: `
America/Mexico_City = mexico city, ciudad de mexico, cdmx, guadalajara, monterrey, puebla, queretaro, leon, merida, chihuahua
America/Cancun = cancun, playa del carmen, tulum
America/Tijuana = tijuana, mexicali, ensenada
America/Ciudad_Juarez = ciudad juarez, juarez
America/Hermosillo = hermosillo
America/Mazatlan = culiacan, mazatlan`,
  ID: `
Asia/Jakarta = jakarta, surabaya, bandung, medan, semarang, yogyakarta, palembang, tangerang, bekasi
Asia/Makassar = denpasar, makassar, balikpapan, manado
Asia/Jayapura = jayapura, ambon`,
  RU: `
Europe/Moscow = moscow, saint petersburg, st petersburg, kazan, nizhny novgorod, krasnodar, rostov on don, voronezh, volgograd, sochi
Europe/Samara = samara, izhevsk
Europe/Kaliningrad = kaliningrad
Asia/Yekaterinburg = yekaterinburg, ekaterinburg, chelyabinsk, perm, ufa, tyumen
Asia/Omsk = omsk
Asia/Novosibirsk = novosibirsk
Asia/Tomsk = tomsk
Asia/Krasnoyarsk = krasnoyarsk
Asia/Irkutsk = irkutsk
Asia/Yakutsk = yakutsk
Asia/Vladivostok = vladivostok, khabarovsk`,
  CD: `
Africa/Kinshasa = kinshasa, matadi
Africa/Lubumbashi = lubumbashi, goma, bukavu, kisangani, kolwezi`,
  ES: `
Atlantic/Canary = las palmas, las palmas de gran canaria, santa cruz de tenerife, tenerife, la laguna`,
  PT: `
Atlantic/Azores = ponta delgada, angra do heroismo`,
  CL: `
America/Punta_Arenas = punta arenas
America/Coyhaique = coyhaique`
}

/** Cities that keep another zone than most of their region, with the region's names. */
const APART: Readonly<Record<string, string>> = {
  US: `
el paso = tx, texas
knoxville = tn, tennessee
chattanooga = tn, tennessee
pensacola = fl, florida
gary = in, indiana
evansville = in, indiana
rapid city = sd, south dakota
coeur d alene = id, idaho`,
  AU: `
broken hill = nsw, new south wales`,
  MX: `
ciudad juarez = chihuahua
juarez = chihuahua`
}

/** Telephone area codes, behind the country's own, by region. Codes that several zones share are left out. */
const AREAS: Readonly<Record<string, string>> = {
  US: `
ny = 212 315 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934, nj = 201 551 609 640 732 848 856 862 908 973, ct = 203 475 860 959, ma = 339 351 413 508 617 774 781 857 978, ri = 401, nh = 603, vt = 802, me = 207, pa = 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878, de = 302, md = 227 240 301 410 443 667, dc = 202 771, va = 276 434 540 571 686 703 757 804 826 948, wv = 304 681, nc = 252 336 472 704 743 828 910 919 980 984, sc = 803 821 839 843 854 864, ga = 229 404 470 478 678 706 762 770 912 943, fl = 239 305 321 324 352 386 407 448 561 645 656 689 728 727 754 772 786 813 863 904 941 954, oh = 216 220 234 283 326 330 380 419 436 440 513 567 614 740 937, mi = 231 248 269 313 517 586 616 679 734 810 947 989, in = 260 317 463 574 765, ky = 502 606 859
il = 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872, wi = 262 274 353 414 534 608 715 920, mn = 218 320 507 612 651 763 924 952, ia = 319 515 563 641 712, mo = 235 314 417 557 573 636 660 816 975, ar = 327 479 501 870, la = 225 318 337 504 985, ms = 228 471 601 662 769, al = 205 251 256 334 483 659 938, tn = 615 629 731 901, tx = 210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979, ok = 405 539 572 580 918, ks = 316 620 913, ne = 402 531
co = 303 719 720 970 983, ut = 385 435 801, nm = 505 575, mt = 406, wy = 307, az = 480 520 602 623 928, nv = 702 725 775, ca = 209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 837 840 858 909 916 925 949 951, or = 458 503 971, wa = 206 253 360 425 509 564, ak = 907, hi = 808`,
  CA: `
bc = 236 257 250 604 672 778, ab = 368 403 587 780 825, sk = 306 474 639, mb = 204 431 584, on = 226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 905 942, qc = 263 354 367 418 438 450 468 514 579 581 819 873, nb = 428 506, ns = 782 902, nl = 709 879`,
  AU: `nsw = 2, vic = 3, qld = 7`,
  BR: `sp = 11 12 13 14 15 16 17 18 19, rj = 21 22 24, es = 27 28, mg = 31 32 33 34 35 37 38, pr = 41 42 43 44 45 46, sc = 47 48 49, rs = 51 53 54 55, df = 61, go = 62 64, to = 63, mt = 65 66, ms = 67, ac = 68, ro = 69, ba = 71 73 74 75 77, se = 79, pe = 81 87, al = 82, pb = 83, rn = 84, ce = 85 88, pi = 86 89, pa = 91 93 94, am = 92 97, rr = 95, ap = 96, ma = 98 99`
}

/** Countries by what follows the plus of a number. The other areas of +1 are those above. */
const CALLING_CODES = `
1242 BS 1246 BB 1264 AI 1268 AG 1284 VG 1340 VI 1345 KY 1441 BM 1473 GD 1649 TC 1658 JM 1664 MS 1670 MP 1671 GU 1684 AS
1721 SX 1758 LC 1767 DM 1784 VC 1787 PR 1809 DO 1829 DO 1849 DO 1868 TT 1869 KN 1876 JM 1939 PR 20 EG 211 SS 212 MA
213 DZ 216 TN 218 LY 220 GM 221 SN 222 MR 223 ML 224 GN 225 CI 226 BF 227 NE 228 TG 229 BJ 230 MU 231 LR 232 SL 233 GH
234 NG 235 TD 236 CF 237 CM 238 CV 239 ST 240 GQ 241 GA 242 CG 243 CD 244 AO 245 GW 248 SC 249 SD 250 RW 251 ET 252 SO
253 DJ 254 KE 255 TZ 256 UG 257 BI 258 MZ 260 ZM 261 MG 262 RE 263 ZW 264 NA 265 MW 266 LS 267 BW 268 SZ 269 KM 27 ZA
291 ER 297 AW 298 FO 299 GL 30 GR 31 NL 32 BE 33 FR 34 ES 350 GI 351 PT 352 LU 353 IE 354 IS 355 AL 356 MT 357 CY 358 FI
359 BG 36 HU 370 LT 371 LV 372 EE 373 MD 374 AM 375 BY 376 AD 377 MC 378 SM 380 UA 381 RS 382 ME 385 HR 386 SI 387 BA
389 MK 39 IT 40 RO 41 CH 420 CZ 421 SK 423 LI 43 AT 44 GB 45 DK 46 SE 47 NO 48 PL 49 DE 500 FK 501 BZ 502 GT 503 SV
504 HN 505 NI 506 CR 507 PA 508 PM 509 HT 51 PE 52 MX 53 CU 54 AR 55 BR 56 CL 57 CO 58 VE 590 GP 591 BO 592 GY 593 EC
594 GF 595 PY 596 MQ 597 SR 598 UY 60 MY 61 AU 62 ID 63 PH 64 NZ 65 SG 66 TH 670 TL 673 BN 674 NR 675 PG 676 TO 677 SB
678 VU 679 FJ 680 PW 681 WF 682 CK 683 NU 685 WS 686 KI 687 NC 688 TV 689 PF 690 TK 691 FM 692 MH 7 RU 76 KZ 77 KZ
81 JP 82 KR 84 VN 850 KP 852 HK 853 MO 855 KH 856 LA 86 CN 880 BD 886 TW 90 TR 91 IN 92 PK 93 AF 94 LK 95 MM 960 MV
961 LB 962 JO 963 SY 964 IQ 965 KW 966 SA 967 YE 968 OM 970 PS 971 AE 972 IL 973 BH 974 QA 975 BT 976 MN 977 NP 98 IR
992 TJ 993 TM 994 AZ 995 GE 996 KG 998 UZ`

const pairs = (text: string): ReadonlyArray<readonly [string, string]> => {
  const words = text.trim().split(/\s+/)
  return words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : []))
}

/** Zones by what names them: `zone = name, name`. A short word before a name is another name: `ny new york`. */
const named = (text: string, hasShort: boolean): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [zone = "", names = ""] = line.split(" = ")
        return names.split(", ").flatMap((name) => {
          const short = hasShort ? /^([a-z]{2,3}) (.+)$/.exec(name) : null
          const all = short === null ? [name] : [short[1] ?? "", short[2] ?? ""]
          return all.map((one) => [one, zone] as const)
        })
      })
  )

const each = <A>(of: Readonly<Record<string, string>>, read: (text: string, country: string) => A) =>
  new Map(Object.entries(of).map(([country, text]) => [country, read(text, country)]))

/** Countries whose regions have abbreviations. */
const SHORT: ReadonlyArray<string> = ["US", "CA", "AU", "BR"]

const areasOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/,\s*|\n/)
      .flatMap((part) => {
        const [region = "", codes = ""] = part.split(" = ")
        return codes.split(" ").map((code) => [code, region] as const)
      })
  )

export const countryZones: ReadonlyMap<string, string> = new Map(pairs(COUNTRY_ZONES))
export const regionZones = each(REGIONS, (text, country) => named(text, SHORT.includes(country)))
export const cityZones = each(CITIES, (text) => named(text, false))
/** The regions that a city keeps apart from, by country and city. */
export const citiesApart = each(
  APART,
  (text) =>
    new Map(
      text
        .trim()
        .split("\n")
        .map((line) => {
          const [city = "", regions = ""] = line.split(" = ")
          return [city, regions.split(", ")] as const
        })
    )
)
/** The region of an area code, by country. */
export const areaRegions = each(AREAS, areasOf)
export const callingCodes: ReadonlyMap<string, string> = new Map(pairs(CALLING_CODES))
