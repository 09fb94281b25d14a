import type { RecipientWords } from "./RecipientWords.js"

export const pl: RecipientWords = {
  unsubscribe: "Wypisz się",
  unsubscribeLead:
    "Kliknij przycisk, aby nie otrzymywać więcej wiadomości od tego nadawcy. Nadawca nie może tego cofnąć.",
  unsubscribed: "Wypisano Cię",
  unsubscribedLead: "Nie otrzymasz więcej wiadomości od tego nadawcy. Możesz zamknąć tę stronę.",
  invalid: "Ten link jest nieprawidłowy",
  invalidLead:
    "Link może być niepełny. Otwórz go z samej wiadomości albo odpowiedz na nią i poproś o zaprzestanie kontaktu.",
  later: "Chwilowo niedostępne",
  laterLead: "Nic jeszcze nie zrobiono. Spróbuj ponownie za chwilę albo odpowiedz na wiadomość.",
  why: "Dlaczego to do mnie przyszło?",
  who: "Kto do Ciebie pisze",
  noAddress: "Nadawca nie podał adresu pocztowego.",
  whence: "Skąd pochodzi Twój adres",
  imported: "z własnej listy nadawcy",
  found: "z wyszukiwania w danych o firmach",
  added: "dodany do kampanii",
  stated: "Skąd pochodzą stwierdzenia o Panu/Pani lub firmie",
  sent: "Co do Ciebie wysłano",
  nothingSent: "Nie wysłano do Ciebie żadnej wiadomości.",
  approved: "Człowiek obejrzał te wiadomości i je zatwierdził.",
  checked: "Co jest sprawdzane przed każdą wiadomością",
  checkedWhat:
    "Czy nie odpowiedziano, nie zgłoszono sprzeciwu i nie wypisano się, czy adres działa, czy człowiek zatwierdził kampanię i nikt jej nie zatrzymał, oraz czy nie piszemy zbyt często.",
  after: "Co stało się potem",
  stopped: "Ten nadawca już do Ciebie nie pisze.",
  rights: "Co możesz zrobić",
  access: "Poproś o kopię moich danych",
  erasure: "Poproś o usunięcie moich danych",
  erasureNote: "To zatrzymuje też wszystkie wiadomości od tego nadawcy.",
  asked: "Twoja prośba została przekazana",
  askedLead: "Nadawca został powiadomiony i ma miesiąc na odpowiedź."
}
