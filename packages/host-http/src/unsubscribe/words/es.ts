import type { RecipientWords } from "./RecipientWords.js"

export const es: RecipientWords = {
  unsubscribe: "Darse de baja",
  unsubscribeLead: "Pulse el botón para dejar de recibir correos de este remitente. El remitente no puede deshacerlo.",
  unsubscribed: "Se ha dado de baja",
  unsubscribedLead: "No recibirá más correos de este remitente. Puede cerrar esta página.",
  invalid: "Este enlace no es válido",
  invalidLead:
    "Quizá el enlace esté incompleto. Ábralo desde el propio correo, o responda al correo y pida que no le escriban más.",
  later: "No disponible por el momento",
  laterLead: "Todavía no se ha hecho nada. Inténtelo de nuevo en un momento, o responda al correo.",
  why: "¿Por qué he recibido esto?",
  who: "Quién le escribe",
  noAddress: "El remitente no ha indicado ninguna dirección postal.",
  whence: "De dónde procede su dirección",
  imported: "de una lista propia del remitente",
  found: "de una búsqueda en datos de empresas",
  added: "añadida a una campaña",
  stated: "De dónde proceden las afirmaciones sobre usted o su empresa",
  sent: "Qué se le envió",
  nothingSent: "No se le ha enviado ningún mensaje.",
  approved: "Una persona revisó estos mensajes y los aprobó.",
  checked: "Qué se comprueba antes de cada mensaje",
  checkedWhat:
    "Que usted no haya respondido, no se haya opuesto ni se haya dado de baja, que su dirección funcione, que una persona haya aprobado la campaña y nadie la haya detenido, y que no se le escriba con demasiada frecuencia.",
  after: "Qué ocurrió después",
  stopped: "Este remitente ya no le escribe.",
  rights: "Qué puede hacer",
  access: "Pedir una copia de mis datos",
  erasure: "Pedir que borren mis datos",
  erasureNote: "Esto también detiene todos los correos de este remitente.",
  asked: "Su solicitud se ha transmitido",
  askedLead: "Se ha avisado al remitente, que tiene un mes para responderle."
}
