/** What people and programs write where there is no value, by language: alone in a cell, without brackets and dots. */

const words = (lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(", ").map((word) => word.trim())))

/** Not known, not given, not available, no data: never a value. */
const NOTHING = words([
  "null, undefined, nan, nil, none, na, n/a, n / a, n.a, n/d, n/v, nv, \\n, \\\\n, n\\a, tbd, tba, tbc, todo, to do",
  "unknown, unknown name, not known, not available, not applicable, not provided, not specified, not given, not set",
  "not found, not listed, not disclosed, undisclosed, withheld, redacted, no data, no value, no name, no-name, no_name",
  "noname, no first name, no last name, missing, empty, blank, unnamed, untitled, deleted user, placeholder",
  "to be determined, to be announced, to be confirmed, invalid date, object object, email protected, #ref, #value",
  "k.a, k. a, ka, keine angabe, keine angaben, nicht angegeben, nicht bekannt, nicht vorhanden, nicht verfügbar",
  "unbekannt, ohne namen, kein name, kein vorname, keine daten, entfällt",
  "inconnu, inconnue, non renseigné, non renseignée, non communiqué, non communiquée, non disponible, non précisé",
  "non défini, sans nom, pas de nom, aucune donnée, n.c, nr, n.r",
  "desconocido, desconocida, sin nombre, sin dato, sin datos, sin información, no disponible, no aplica, no indicado",
  "no especificado, no consta, s/d, s/n, n/c",
  "desconhecido, desconhecida, sem nome, sem dados, sem informação, não informado, nao informado, não informada",
  "não disponível, não se aplica, não aplicável, não especificado, n/i",
  "sconosciuto, sconosciuta, senza nome, nessun nome, non disponibile, non specificato, non indicato, nessun dato, n.d, n.p",
  "onbekend, geen naam, geen gegevens, niet bekend, niet beschikbaar, niet opgegeven, niet van toepassing, n.v.t, nvt",
  "okänd, okänt, ej angivet, ej angiven, uppgift saknas, saknas, inget namn",
  "ukjent, ukendt, ikke oppgitt, ikke oplyst, ikke angivet, ikke kendt, mangler, intet navn, ingen navn",
  "tuntematon, ei tiedossa, ei saatavilla, ei nimeä, puuttuu",
  "nieznany, nieznana, nieznane, nie podano, nie dotyczy, brak danych, brak imienia, bez nazwy",
  "neznámý, neznámá, neznáme, neznámé, neuvedeno, neuvedené, není k dispozici, bez jména, bez mena, nezadáno",
  "ismeretlen, nincs adat, nincs megadva, nem ismert, név nélkül",
  "necunoscut, necunoscută, nespecificat, fără nume, indisponibil, nepoznat, nepoznato, nije navedeno, neznan, neznano",
  "bilinmiyor, bilinmeyen, belirtilmemiş, belirtilmedi, isimsiz, veri yok",
  "неизвестно, неизвестный, неизвестная, не указано, не указан, не указана, не задано, нет данных, нет имени, без имени",
  "отсутствует, б/н, н/д, невідомо, не вказано, немає даних, неизвестен, няма данни, непознато, непознат",
  "άγνωστο, άγνωστος, δεν υπάρχει, μη διαθέσιμο, χωρίς όνομα",
  "不明, 未設定, 未入力, 未登録, 未記入, 該当なし, 名称未設定, 名無し, 未知, 未填写, 未填寫, 未提供, 未命名, 暂无, 暫無, 不详, 不詳, 没有数据",
  "미상, 알 수 없음, 알수없음, 모름, 미입력, 미지정, 이름 없음, 해당 없음, 해당없음",
  "לא ידוע, לא צוין, ללא שם, غير معروف, غير متوفر, غير محدد, بدون اسم, نامشخص, अज्ञात, ไม่ทราบ, ไม่ระบุ, ไม่มีข้อมูล",
  "không rõ, không xác định, chưa cập nhật, không có, tidak diketahui, tidak ada, tidak tersedia, desconegut, sense nom"
])

/** "None", "no", "empty": a custom value may mean it, a name doesn't. Nor is anybody called what testers write. */
const NO_NAME = words([
  "keine, keiner, ohne, leer, aucun, aucune, néant, rien, ninguno, ninguna, nada, vacío, vacio, nenhum, nenhuma, vazio",
  "nessuno, nessuna, vuoto, geen, leeg, ingen, inget, tom, ei ole, tyhjä, brak, pusty, nic, žádné, žádný, nincs, nema, nimic",
  "yok, boş, нет, пусто, немає, няма, δεν, なし, ナシ, 無し, 無, 无, 没有, 沒有, 空, 空白, 없음, 비어 있음, אין, לא, لا يوجد, فارغ, ไม่มี",
  "kosong, tidak, không, test, test test, testing, test user, tester, asdf, asdfasdf, qwerty, foobar, dummy, lorem, lorem ipsum",
  "anonymous, anonymized, anonym, anonyme, anónimo, anonimo, anonymisiert, deleted, removed, hidden, masked, fnu, lnu, nmn, nfn",
  "first name unknown, last name unknown, no middle name, new contact, new lead, string, varchar, default, true, false, gdpr"
])

/** Of them, those that are somebody's name where they are written as names are: Christopher Null, Nan Goldin, and whom one invents to try it. */
const NAMES_TOO = new Set(
  "Null, Nan, Nil, Na, Nv, Tba, Blank, Todo, Ka, Nada, Tom, Nic, Nema, Test, Tester, Test User, True, Fnu, Lnu, Ohne, Leer, Leeg".split(
    ", "
  )
)

/** What is at an end begins where its run does, so that each run is read once. */
const AROUND = /^[\s<([{"'`]+|(?<![\s>)\]}"'`.!])[\s>)\]}"'`.!]+$/gu

/** Whether a text is a word for nothing. `ofName`: as a person's name or a company's. */
export const isWordForNothing = (text: string, ofName: boolean): boolean => {
  if (ofName && NAMES_TOO.has(text)) return false
  const word = text.replace(AROUND, "").toLowerCase()
  return NOTHING.has(word) || (ofName && NO_NAME.has(word))
}

/** "NA" in such a custom value is North America or Namibia, "NR" Nauru, "NV" Nevada. */
const OF_PLACES = /region|country|state|market|territory|code|land|area|zone|province/iu

/** Whether a custom value of that name may be the place that a word for nothing abbreviates. */
export const isPlace = (variable: string, text: string): boolean =>
  OF_PLACES.test(variable) && /^\W*[a-z]{2}\W*$/iu.test(text)
